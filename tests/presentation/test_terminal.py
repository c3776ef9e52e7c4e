"""Charts made of characters: what is drawn where."""

import re
import time
from itertools import pairwise

import numpy as np
import pytest
from drawn_charts import (
    FOREST,
    HISTOGRAMS,
    MATRIX,
    NAN,
    ROC,
    chart,
    field,
    line,
    many_classes,
    models,
)
from hypothesis import given
from hypothesis import strategies as st

from tradeoff.render.chart import Bars, Line, Points, Ribbon, Scale
from tradeoff.render.terminal.canvas import line_dots, ribbon_dots
from tradeoff.render.terminal.draw import drawn
from tradeoff.render.terminal.plane import Side


def test_a_curve_in_ascii():
    assert drawn(ROC, width=26, height=5, ascii_only=True).splitlines() == [
        "ROC curve",
        "",
        "true positive rate",
        "100 % +         **********",
        "      |         *  . .",
        " 50 % +**********.",
        "      |*   . .",
        "  0 % +* .",
        "      +---------+--------+",
        "      0 %      50 %  100 %",
        "       false positive rate",
        "",
        "***  score",
        "...  chance",
    ]


def test_a_curve_in_braille():
    assert field(drawn(ROC, width=26, height=5)) == [
        "         ⡏⠉⠉⠉⠉⠉⠉⡉⠉⠋",
        "         ⡇  ⡀ ⠂",
        "⡖⠒⠒⠒⠒⠒⠒⠒⡒⠃⠂",
        "⡇   ⡀ ⠂",
        "⡇ ⠂",
    ]


def test_steps_are_level_up_to_the_next_x():
    steps = line((0, 0), (0.5, 1), (1, 1), steps=True)
    slanted = line((0, 0), (0.5, 1), (1, 1))

    assert field(drawn(chart(steps), width=24, height=3, ascii_only=True))[1].strip() == "*"
    assert field(drawn(chart(slanted), width=24, height=3, ascii_only=True))[1].strip() == "*****"


def test_a_break_in_a_line_stays_open():
    broken = line((0, 0.5), (0.25, 0.5), (NAN, 0.5), (0.75, 0.5), (1, 0.5))
    row = field(drawn(chart(broken), width=24, height=3, ascii_only=True))[1]

    assert re.fullmatch(r"\*+ {8,}\*+", row)


def test_a_point_between_two_breaks_is_seen():
    alone = line((NAN, 0), (0.5, 0.5), (NAN, 1))

    assert [row.strip() for row in field(drawn(chart(alone), width=24, height=3))] == ["", "⠂", ""]


def test_what_lies_outside_is_cut_where_the_line_leaves():
    dots = line_dots(np.array([-1.0, 2.0]), np.array([-1.0, 2.0]), (9, 9))

    assert (dots == np.eye(9, dtype=bool)[::-1]).all()


def test_infinite_values_run_out_of_the_picture():
    rising = line((0, 0), (0.5, 0.5), (0.5, np.inf))
    above = line((0, 2), (1, 3))

    assert field(drawn(chart(rising), width=24, height=3, ascii_only=True))[0].strip() == "*"
    assert not "".join(field(drawn(chart(above), width=24, height=3))).strip()


@given(
    st.lists(
        st.tuples(*[st.one_of(st.just(NAN), st.floats(-0.5, 1.5))] * 2), min_size=1, max_size=12
    ),
    st.booleans(),
)
def test_dots_are_those_of_a_line_drawn_step_by_step(points, steps):
    x, y = np.array(points).T
    dots = line_dots(x, y, (8, 10), steps=steps)
    if steps and len(points) > 1:
        corners = [[(a[0], a[1]), (b[0], a[1])] for a, b in pairwise(points)]
        points = [*(corner for pair in corners for corner in pair), points[-1]]
    near = np.zeros((10, 12), bool)  # with a border: rounding may differ by one dot
    for first, last in zip(points, points[1:] or points, strict=False):
        for share in np.linspace(0, 1, 200):
            at = np.array(first) * (1 - share) + np.array(last) * share
            if np.isfinite(at).all() and (np.abs(at - 0.5) <= 0.5 + 1e-9).all():
                column, row = round(at[0] * 9), 7 - round(at[1] * 7)
                near[row : row + 3, column : column + 3] = True
    alone = [i for i, p in enumerate(points) if np.isfinite(p).all()]
    for i in alone:
        if 0 <= points[i][0] <= 1 and 0 <= points[i][1] <= 1:
            column, row = round(points[i][0] * 9), 7 - round(points[i][1] * 7)
            near[row : row + 3, column : column + 3] = True
            assert dots[row, column]

    assert not (dots & ~near[1:-1, 1:-1]).any()


def test_a_ribbon_is_filled_between_its_heights():
    ends = np.array([0.0, 1.0])
    dots = ribbon_dots(ends, np.array([0.0, 0.5]), np.array([0.5, 1.0]), (5, 5))

    assert dots.astype(int).tolist() == [
        [0, 0, 0, 0, 1],
        [0, 0, 1, 1, 1],
        [1, 1, 1, 1, 1],
        [1, 1, 1, 0, 0],
        [1, 0, 0, 0, 0],
    ]


def test_a_ribbon_lies_behind_its_line():
    ends = np.array([0.0, 1.0])
    around = Ribbon(ends, np.array([0.25, 0.25]), np.array([0.75, 0.75]), label="95 % band")
    middle = line((0, 0.5), (1, 0.5), label="score")
    text = drawn(chart(middle, around), width=24, height=5, ascii_only=True)

    assert [row[:3] for row in field(text)] == ["", ":::", "***", ":::", ""]
    assert text.endswith("***  score\n:::  95 % band")


def test_bands_of_several_models_are_no_tangle():
    ends = np.array([0.0, 1.0])
    bands = [Ribbon(ends, ends / 2, ends, label="95 % band", order=order) for order in (0, 1)]
    text = drawn(chart(*bands, *models(2)), width=60)

    assert "95 % band" not in text
    assert text.endswith("Bands can be seen in a chart of one model.")


def test_models_differ_without_colour():
    braille = drawn(chart(*models(3)), width=60)
    ascii_only = drawn(chart(*models(3)), width=60, ascii_only=True)

    assert braille.splitlines()[-3:] == ["a  model 0", "b  model 1", "c  model 2"]
    assert all(letter in "".join(field(braille)) for letter in "abc")
    assert ascii_only.splitlines()[-3:] == ["*  model 0", "o  model 1", "+  model 2"]
    assert all(mark in "".join(field(ascii_only)) for mark in "*o+")


def test_of_many_models_the_first_are_drawn_and_the_rest_counted():
    text = drawn(chart(*models(50)), width=60)

    assert text.splitlines()[-2:] == ["f  model 5", "   and 44 more"]


def test_thin_lines_of_further_models_are_counted_too():
    text = drawn(chart(*models(10), *(line((0, 0), (1, 1), role="fold") for _ in range(40))))

    assert text.splitlines()[-1].strip() == "and 44 more"


def test_a_chosen_point_is_marked_and_told():
    chosen = Points(np.array([0.5]), np.array([0.5]), ("≥ 0.7",), label="chosen")
    text = drawn(chart(line((0, 0), (1, 1)), chosen), width=24, height=3)
    ascii_only = drawn(chart(line((0, 0), (1, 1)), chosen), width=24, height=3, ascii_only=True)

    assert "●" in field(text)[1]
    assert text.splitlines()[-1] == "●  chosen: ≥ 0.7"
    assert ascii_only.splitlines()[-1] == "@  chosen: >= 0.7"


def test_several_chosen_points_are_numbered_and_say_whose_they_are():
    both = models(2)
    marks = [Points(np.array([0.5]), np.array([0.5**k]), (f"at {k}",), order=k - 1) for k in (1, 2)]
    lines = drawn(chart(*both, *marks), width=40, height=12).splitlines()

    assert lines[-2:] == ["1  at 1 (on a)", "2  at 2 (on b)"]


def test_points_of_models_that_are_not_drawn_are_left_out():
    half = np.array([0.5])
    marks = [Points(half, half, (f"at {order}",), order=order) for order in (0, 20)]
    text = drawn(chart(*models(50), *marks), width=60)

    assert "at 0" in text
    assert "at 20" not in text


def test_millions_of_points_are_drawn_at_once():
    x = np.linspace(0, 1, 2_000_000)
    start = time.perf_counter()
    text = drawn(chart(Line(x, np.random.default_rng(0).random(len(x)))), width=80)

    assert time.perf_counter() - start < 20
    assert len(set("".join(field(text)))) == 1


def test_classes_have_a_histogram_each():
    assert drawn(HISTOGRAMS, width=24, height=6).splitlines() == [
        "share",
        "      yes",
        "50 % ┤         │   █████",
        "     │    ▄▄▄▄▄│▄▄▄█████",
        " 0 % ┤    █████│████████",
        "     └──────────────────",
        "      no",
        "50 % ┤████     │",
        "     │████▄▄▄▄▄│▄▄▄",
        " 0 % ┤█████████│███",
        "     └┬────────┬───────┬",
        "     0.0      0.5    1.0",
        "             score",
        "",
        "│  threshold 0.5",
    ]


def test_a_rare_bar_is_seen():
    edges, heights = np.array([0, 0.5, 1]), np.array([1, 1e-6])
    bars = chart(Bars(edges, heights, label="score"))

    assert field(drawn(bars, width=24, height=4))[-1].endswith("▁")


def test_a_bar_thinner_than_a_column_is_seen():
    edges = np.linspace(0, 1, 1001)
    heights = np.zeros(1000)
    heights[503] = 1

    assert "█" in field(drawn(chart(Bars(edges, heights)), width=24, height=4))[-1]


def test_intervals_cross_the_line_of_no_difference_or_not():
    assert drawn(FOREST, width=32).splitlines() == [
        "a − b │    ├───┼───●───────┤",
        "a − c │        ┊   ├───●───────▸",
        "b − c │        ┊",
        "      └┬───────┬───────┬───────┬",
        "      -0.2    0.0     0.2    0.4",
        "              difference",
        "┊  no difference",
    ]


def test_intervals_in_ascii():
    assert drawn(FOREST, width=32, ascii_only=True).splitlines()[:2] == [
        "a - b |    [---+---o-------]",
        "a - c |        :   [---o------->",
    ]


def test_wide_forests_have_the_numbers_beside_them():
    lines = drawn(FOREST, width=80).splitlines()

    assert lines[0].endswith("0.1000 (-0.1000 to 0.3000)")
    assert lines[2].endswith("undefined")


def test_a_confusion_matrix_is_a_table_of_counts_and_percent():
    assert drawn(MATRIX, width=40).splitlines() == [
        "         predicted",
        "actual │    yes      no",
        "───────┼───────────────",
        "yes    │      7       2",
        "       │ 77.8 %  22.2 %",
        "no     │      4       1",
        "       │ 80.0 %  20.0 %",
    ]


def test_a_matrix_that_is_too_wide_goes_on_below():
    text = drawn(many_classes(8), width=50)

    assert all(f"class {k}" in text for k in range(8))
    assert text.count("predicted") == 2


def test_a_matrix_of_many_classes_becomes_shades():
    rows = drawn(many_classes(50), width=70).splitlines()

    assert rows[1] == "class 0  │ █" + "·" * 49
    assert rows[3] == "class 2  │ ··█" + "·" * 47
    assert rows[-1].startswith("· above 0 %, ░ above 10 %")


@pytest.mark.parametrize(
    ("scale", "texts"),
    [
        (Scale("", 0, 1), ["0.0", "0.5", "1.0"]),
        (Scale("", 0, 1, "share"), ["0 %", "50 %", "100 %"]),
        (Scale("", 0.1, 0.2, "share"), ["10 %", "15 %", "20 %"]),
        (Scale("", -40, 37), ["-40", "-20", "0", "20"]),
        (Scale("", 0, 3e-7), ["0", "2e-07"]),
        (Scale("", 0, 25_000), ["0", "20,000"]),
        (Scale("", 1, 1e4, "log"), ["1", "100", "10,000"]),
        (Scale("", 2, 5, "log"), ["2", "4"]),
        (Scale("", 0.01, 0.99, "normal"), ["1 %", "50 %", "99 %"]),
        (Scale("", 0, 1, "normal"), ["0.1 %", "50 %", "99.9 %"]),
        (Scale("", 0, 3, "names", ("a", "b", "c")), ["a", "b", "c"]),
        (Scale("", 5, 5), ["4.5", "5.0", "5.5"]),
        (Scale("", NAN, np.inf), ["0.0", "0.5", "1.0"]),
    ],
)
def test_ticks_are_round_numbers(scale, texts):
    assert [tick.text for tick in Side.of(scale).ticks(2)] == texts


@given(
    st.floats(-1e12, 1e12),
    st.floats(1e-9, 1e12),
    st.sampled_from(["plain", "share"]),
    st.integers(1, 12),
)
def test_ticks_lie_within_and_rise(low, span, kind, wanted):
    if low + span <= low:
        return
    places = [tick.place for tick in Side.of(Scale("", low, low + span, kind)).ticks(wanted)]

    assert all(-1e-6 <= place <= 1 + 1e-6 for place in places)
    assert places == sorted(places)
    assert len(places) <= 2 * wanted + 8


def test_scales_by_logarithm_and_quantile_are_spaced_so():
    log = Side.of(Scale("", 1, 100, "log")).units([1, 10, 100, 0])
    normal = Side.of(Scale("", 0.1, 0.9, "normal")).units([0.1, 0.5, 0.9, 0])

    assert log[:3] == pytest.approx([0, 0.5, 1])
    assert normal[:3] == pytest.approx([0, 0.5, 1])
    assert log[3] < -1
    assert normal[3] < -1
