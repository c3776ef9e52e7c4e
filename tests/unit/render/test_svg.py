"""Charts as SVG pictures: well-formed, small, safe, and drawn where the numbers are."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from chart_cases import ten_rows, three_markers
from drawn_charts import DIAGONAL, FOREST, HISTOGRAMS, NAN, ROC, UNIT, chart, line, models

import tradeoff as to
from tradeoff.evaluation.charts import CHARTS
from tradeoff.measures.curves import CURVES
from tradeoff.render.chart import Points, Ribbon, Scale
from tradeoff.render.svg import chart_svg

SVG = "{http://www.w3.org/2000/svg}"
EVIL = "</text><script>alert(1)</script>"


def parsed(picture):
    return ET.fromstring(picture)  # noqa: S314 - our own


def corners(path):
    """Absolute corners of a path of one stroke."""
    first, _, steps = path.removeprefix("M").partition("l")
    points = np.array(first.split(), float) + np.cumsum(
        [[0, 0], *np.array(steps.split(), float).reshape(-1, 2).tolist()], axis=0
    )
    return points.tolist()


def strokes(picture):
    """The paths of layers: those of the axes begin with a horizontal or a vertical line."""
    return [path.get("d") for path in parsed(picture).iter(f"{SVG}path") if "l" in path.get("d")]


def texts(picture):
    return ["".join(element.itertext()) for element in parsed(picture).iter(f"{SVG}text")]


@pytest.mark.parametrize("drawn", [ROC, HISTOGRAMS, FOREST, chart(*models(20)), chart()])
def test_every_kind_of_chart_is_well_formed(drawn):
    assert parsed(chart_svg(drawn)).tag == f"{SVG}svg"


@pytest.mark.parametrize("name", [*CHARTS, *(name for name in CURVES if name not in CHARTS)])
def test_every_named_chart_is_drawn_and_small(name):
    evaluation = three_markers() if name in {"areas", "hull", "decision_map"} else ten_rows()
    options = {"gamma": 1} if name == "rejection" else {}
    options |= {"by": "youden"} if name == "decision" else {}
    picture = chart_svg(evaluation.chart(name, **options))

    parsed(picture)
    assert 800 < len(picture) < 30_000


def test_lines_run_through_their_points():
    drawn = chart(line((0, 0), (0, 0.5), (0.25, 0.5), (0.5, 0.5), (1, 1)), square=True)
    (path,) = strokes(chart_svg(drawn))
    points = np.array(corners(path))
    size = points[-1, 0] - points[0, 0]
    relative = np.column_stack([points[:, 0] - points[0, 0], points[0, 1] - points[:, 1]]) / size

    # A point in the middle of a straight line is left out.
    assert relative == pytest.approx(np.array([[0, 0], [0, 0.5], [0.5, 0.5], [1, 1]]), abs=0.005)


def test_a_line_is_broken_where_it_is_undefined_and_clipped_at_the_border():
    drawn = chart(line((0, 0), (0.2, 0.5), (0.3, NAN), (0.6, 0.5), (1, 9)))
    (path,) = strokes(chart_svg(drawn))
    numbers = [float(number) for number in re.findall(r"M[\d.]+ ([\d.]+)", path)]

    assert path.count("M") == 2
    assert all(number >= 0 for number in numbers)


def test_a_long_curve_is_a_small_picture():
    random = np.random.default_rng(0)
    curve = to.evaluate(random.random(300_000) < 0.3, random.random(300_000)).curve("roc")

    assert len(curve._repr_svg_()) < 15_000


def test_names_are_text_never_markup():
    drawn = chart(
        line((0, 0), (1, 1), label=EVIL),
        Points(np.array([0.5]), np.array([0.5]), (EVIL,)),
        x=Scale(EVIL, 0, 2, "names", (EVIL, "b", "c")),
        y=Scale(EVIL, 0, 1),
        title=EVIL,
        caption=EVIL,
    )
    root = parsed(chart_svg(drawn))

    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        *("svg", "text", "path", "circle", "g")
    }


def test_points_have_their_names_inside_the_picture():
    picture = chart_svg(to.roc_points({"A": (0.28, 0.63), "far right": (0.99, 0.2)}).chart())
    labels = {
        "".join(element.itertext()): element for element in parsed(picture).iter(f"{SVG}text")
    }

    width = float(parsed(picture).get("width"))
    assert 0 < float(labels["A"].get("x")) < width
    assert 0 < float(labels["far right"].get("x")) < width - 6 * len("far right")
    assert len(list(parsed(picture).iter(f"{SVG}circle"))) == 2


def test_the_legend_names_each_layer_once_and_counts_the_rest():
    shown = texts(chart_svg(chart(DIAGONAL, *models(20))))

    assert "model 0" in shown
    assert "model 11" in shown  # models come first
    assert "and 9 more" in shown
    assert "chance" not in shown


def test_a_title_is_wrapped_never_cut():
    drawn = chart(DIAGONAL, title=f"{'a long name of a model ' * 3}: yes if score ≥ 0.5")
    title = [
        shown for shown in texts(chart_svg(drawn, width=240)) if "score" in shown or "long" in shown
    ]

    assert "≥ 0.5" in title[-1]
    assert " ".join(title) == drawn.title
    assert max(map(len, title)) < 40


def test_the_legend_says_what_its_numbers_are():
    drawn = replace(
        chart(line((0, 0), (1, 1), label="a 0.8 (0.7–0.9)")), legend_title="AUC (95% CI)"
    )
    shown = texts(chart_svg(drawn))

    assert shown.index("AUC (95% CI)") == shown.index("a 0.8 (0.7–0.9)") - 1


def test_labels_of_points_cover_no_line_and_a_single_point_is_not_in_the_legend():
    curve = line((0, 0), (0.5, 0.5), (1, 0))
    point = Points(np.array([0.5]), np.array([0.5]), label="these costs")
    root = parsed(chart_svg(chart(curve, point)))

    (label,) = [t for t in root.iter(f"{SVG}text") if t.text == "these costs"]
    (circle,) = root.iter(f"{SVG}circle")
    assert float(label.get("y")) < float(circle.get("cy"))  # above the peak


def test_a_forest_plot_writes_its_numbers():
    shown = texts(chart_svg(three_markers().chart("areas")))

    assert "0.731 (0.619–0.820)" in shown


def test_eight_models_have_eight_colours():
    strokes_of = [
        path.get("stroke") for path in parsed(chart_svg(chart(*models(8)))).iter(f"{SVG}path")
    ]

    assert len(set(strokes_of[2:])) == 8


def test_bands_bars_and_matrices_are_filled():
    x = np.array([0.0, 0.5, 1.0])
    band = chart_svg(chart(Ribbon(x, x / 2, x, label="band")))
    matrix = chart_svg(to.matrix_of_counts("7 2; 4 1", ["yes", "no"]).chart())

    assert 'fill-opacity="0.18"' in band
    assert {"7", "2", "4", "1", "(78%)", "yes", "no"} <= set(texts(matrix))
    assert chart_svg(HISTOGRAMS).count('z" fill="') == 2


def test_a_caption_can_be_left_out():
    drawn = chart(DIAGONAL, x=UNIT, caption="Said below.")

    assert "Said below." in texts(chart_svg(drawn))
    assert "Said below." not in texts(chart_svg(drawn, with_caption=False))
