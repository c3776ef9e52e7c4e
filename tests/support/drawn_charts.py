"""Charts that the tests of the terminal draw."""

import re

import numpy as np

from tradeoff.render.chart import Bars, Cells, Chart, Intervals, Line, Scale

NAN = float("nan")
UNIT = Scale("", 0, 1)
DIAGONAL = Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]), "chance", "chance")


def line(*points, **described):
    x, y = np.array(points, np.float64).reshape(-1, 2).T
    return Line(x, y, **described)


def chart(*layers, x=UNIT, y=UNIT, title="", **described):
    return Chart(title, x, y, layers, **described)


def field(text):
    """The lines between the sides, without numbers and legend."""
    return [re.split("[│┤|+]", row, maxsplit=1)[1] for row in text.splitlines() if _is_row(row)]


def _is_row(row):
    return re.match(r"[^│┤|+]{0,8}[│┤|+](?![-─+])", row) is not None


ROC = chart(
    DIAGONAL,
    line((0, 0), (0, 0.5), (0.5, 0.5), (0.5, 1), (1, 1), label="score"),
    x=Scale("false positive rate", 0, 1, "share"),
    y=Scale("true positive rate", 0, 1, "share"),
    title="ROC curve",
)


def models(count):
    x = np.linspace(0, 1, 50)
    return [Line(x, x ** (1 + k), label=f"model {k}", order=k) for k in range(count)]


HISTOGRAMS = chart(
    Bars(np.array([0, 0.25, 0.5, 0.75, 1]), np.array([0, 0.25, 0.25, 0.5]), "positive", "yes"),
    Bars(np.array([0, 0.25, 0.5, 0.75, 1]), np.array([0.5, 0.25, 0.25, 0]), "negative", "no", 1),
    line((0.5, 0), (0.5, 0.5), role="mark", label="threshold 0.5"),
    x=Scale("score", 0, 1),
    y=Scale("share", 0, 0.5, "share"),
)


FOREST = chart(
    line((0, -0.5), (0, 2.5), role="chance", label="no difference"),
    Intervals(np.array([0.1, 0.2, NAN]), np.array([-0.1, 0.1, NAN]), np.array([0.3, 0.9, NAN])),
    x=Scale("difference", -0.2, 0.4),
    y=Scale("", -0.5, 2.5, "names", ("a − b", "a − c", "b − c")),
)


MATRIX = chart(
    Cells(np.array([[7 / 9, 2 / 9], [0.8, 0.2]]), (("7", "2"), ("4", "1"))),
    x=Scale("predicted", 0, 2, "names", ("yes", "no")),
    y=Scale("actual", 0, 2, "names", ("yes", "no")),
)


def many_classes(count):
    shares = np.eye(count) * 0.8 + 0.2 / count
    texts = tuple(tuple("12" for _ in range(count)) for _ in range(count))
    names = tuple(f"class {k}" for k in range(count))
    scale = Scale("predicted", 0, count, "names", names)
    return chart(Cells(shares, texts), x=scale, y=Scale("actual", 0, count, "names", names))
