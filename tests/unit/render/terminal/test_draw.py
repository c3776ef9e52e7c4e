"""Text charts: what is drawn where."""

import re
import time

import numpy as np
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

from tradeoff.render.chart import Bars, Line, Points, Ribbon
from tradeoff.render.terminal.canvas import line_dots
from tradeoff.render.terminal.draw import chart_text


def test_a_curve_in_ascii():
    assert chart_text(ROC, width=26, height=5, ascii_only=True).splitlines() == [
        "ROC curve",
        "",
        "true positive rate",
        "100% +          **********",
        "     |          * . . .",
        " 50% +***********",
        "     |*   . .",
        "  0% +* .",
        "     +----------+--------+",
        "      0%       50%    100%",
        "       false positive rate",
        "",
        "***  score",
        "...  chance",
    ]


def test_a_curve_in_braille():
    assert field(chart_text(ROC, width=26, height=5)) == [
        "          ⡏⠉⠉⠉⠉⠉⡉⠉⠋⠉",
        "          ⡇ ⡀ ⠂",
        "⡖⠒⠒⠒⠒⠒⠒⠒⡒⠒⠃",
        "⡇   ⡀ ⠂",
        "⡇ ⠂",
    ]


def test_steps_are_level_up_to_the_next_x():
    steps = line((0, 0), (0.5, 1), (1, 1), steps=True)
    slanted = line((0, 0), (0.5, 1), (1, 1))

    assert field(chart_text(chart(steps), width=24, height=3, ascii_only=True))[1].strip() == "*"
    assert (
        field(chart_text(chart(slanted), width=24, height=3, ascii_only=True))[1].strip() == "*****"
    )


def test_a_break_in_a_line_stays_open():
    broken = line((0, 0.5), (0.25, 0.5), (NAN, 0.5), (0.75, 0.5), (1, 0.5))
    row = field(chart_text(chart(broken), width=24, height=3, ascii_only=True))[1]

    assert re.fullmatch(r"\*+ {8,}\*+", row)


def test_a_point_between_two_breaks_is_drawn():
    alone = line((NAN, 0), (0.5, 0.5), (NAN, 1))

    assert [row.strip() for row in field(chart_text(chart(alone), width=24, height=3))] == [
        "",
        "⠂",
        "",
    ]


def test_lines_are_clipped_at_the_edges():
    dots = line_dots(np.array([-1.0, 2.0]), np.array([-1.0, 2.0]), (9, 9))

    assert (dots == np.eye(9, dtype=bool)[::-1]).all()


def test_infinite_values_leave_the_chart():
    rising = line((0, 0), (0.5, 0.5), (0.5, np.inf))
    above = line((0, 2), (1, 3))

    assert field(chart_text(chart(rising), width=24, height=3, ascii_only=True))[0].strip() == "*"
    assert not "".join(field(chart_text(chart(above), width=24, height=3))).strip()


def test_a_ribbon_lies_behind_its_line():
    ends = np.array([0.0, 1.0])
    around = Ribbon(ends, np.array([0.25, 0.25]), np.array([0.75, 0.75]), label="95% band")
    middle = line((0, 0.5), (1, 0.5), label="score")
    text = chart_text(chart(middle, around), width=24, height=5, ascii_only=True)

    assert [row[:3] for row in field(text)] == ["", ":::", "***", ":::", ""]
    assert text.endswith("***  score\n:::  95% band")


def test_bands_are_drawn_for_a_single_model_only():
    ends = np.array([0.0, 1.0])
    bands = [Ribbon(ends, ends / 2, ends, label="95% band", order=order) for order in (0, 1)]
    text = chart_text(chart(*bands, *models(2)), width=60)

    assert "95% band" not in text
    assert text.endswith("Confidence bands are drawn in charts of one model only.")


def test_models_differ_without_colour():
    braille = chart_text(chart(*models(3)), width=60)
    ascii_only = chart_text(chart(*models(3)), width=60, ascii_only=True)

    assert braille.splitlines()[-3:] == ["a  model 0", "b  model 1", "c  model 2"]
    assert all(letter in "".join(field(braille)) for letter in "abc")
    assert ascii_only.splitlines()[-3:] == ["*  model 0", "o  model 1", "+  model 2"]
    assert all(mark in "".join(field(ascii_only)) for mark in "*o+")


def test_with_many_models_the_first_are_drawn_and_the_rest_counted():
    text = chart_text(chart(*models(50)), width=60)

    assert text.splitlines()[-2:] == ["f  model 5", "   and 44 more"]


def test_thin_lines_of_further_models_are_counted_too():
    text = chart_text(chart(*models(10), *(line((0, 0), (1, 1), role="fold") for _ in range(40))))

    assert text.splitlines()[-1].strip() == "and 44 more"


def test_a_chosen_point_is_marked_and_described():
    chosen = Points(np.array([0.5]), np.array([0.5]), ("≥ 0.7",), label="chosen")
    text = chart_text(chart(line((0, 0), (1, 1)), chosen), width=24, height=3)
    ascii_only = chart_text(
        chart(line((0, 0), (1, 1)), chosen), width=24, height=3, ascii_only=True
    )

    assert "●" in field(text)[1]
    assert text.splitlines()[-1] == "●  chosen: ≥ 0.7"
    assert ascii_only.splitlines()[-1] == "@  chosen: >= 0.7"


def test_several_chosen_points_are_numbered_with_their_models():
    both = models(2)
    marks = [Points(np.array([0.5]), np.array([0.5**k]), (f"at {k}",), order=k - 1) for k in (1, 2)]
    lines = chart_text(chart(*both, *marks), width=40, height=12).splitlines()

    assert lines[-2:] == ["1  at 1 (on a)", "2  at 2 (on b)"]


def test_points_of_models_that_are_not_drawn_are_left_out():
    half = np.array([0.5])
    marks = [Points(half, half, (f"at {order}",), order=order) for order in (0, 20)]
    text = chart_text(chart(*models(50), *marks), width=60)

    assert "at 0" in text
    assert "at 20" not in text


def test_millions_of_points_are_drawn_at_once():
    x = np.linspace(0, 1, 2_000_000)
    start = time.perf_counter()
    text = chart_text(chart(Line(x, np.random.default_rng(0).random(len(x)))), width=80)

    assert time.perf_counter() - start < 20
    assert len(set("".join(field(text)))) == 1


def test_classes_have_a_histogram_each():
    assert chart_text(HISTOGRAMS, width=24, height=6).splitlines() == [
        "share",
        "     yes",
        "50% ┤         │    █████",
        "    │     ▄▄▄▄│▄▄▄▄█████",
        " 0% ┤     ████│█████████",
        "    └───────────────────",
        "     no",
        "50% ┤█████    │",
        "    │█████▄▄▄▄│▄▄▄▄",
        " 0% ┤█████████│████",
        "    └┬────────┬────────┬",
        "    0.0      0.5     1.0",
        "            score",
        "",
        "│  threshold 0.5",
    ]


def test_a_rare_bar_is_visible():
    edges, heights = np.array([0, 0.5, 1]), np.array([1, 1e-6])
    bars = chart(Bars(edges, heights, label="score"))

    assert field(chart_text(bars, width=24, height=4))[-1].endswith("▁")


def test_a_bar_narrower_than_a_column_is_visible():
    edges = np.linspace(0, 1, 1001)
    heights = np.zeros(1000)
    heights[503] = 1

    assert "█" in field(chart_text(chart(Bars(edges, heights)), width=24, height=4))[-1]


def test_intervals_are_drawn_relative_to_the_line_of_no_difference():
    assert chart_text(FOREST, width=32).splitlines() == [
        "a − b │    ├───┼───●───────┤",
        "a − c │        ┊   ├───●───────▸",
        "b − c │        ┊",
        "      └┬───────┬───────┬───────┬",
        "      −0.2    0.0     0.2    0.4",
        "              difference",
        "┊  no difference",
    ]


def test_intervals_in_ascii():
    assert chart_text(FOREST, width=32, ascii_only=True).splitlines()[:2] == [
        "a - b |    [---+---o-------]",
        "a - c |        :   [---o------->",
    ]


def test_wide_forests_have_the_numbers_beside_them():
    lines = chart_text(FOREST, width=80).splitlines()

    assert lines[0].endswith("0.1000 (−0.1000 to 0.3000)")
    assert lines[2].endswith("undefined")


def test_a_confusion_matrix_is_a_table_of_counts_and_percent():
    assert chart_text(MATRIX, width=40).splitlines() == [
        "         predicted",
        "actual │   yes     no",
        "───────┼─────────────",
        "yes    │     7      2",
        "       │ 77.8%  22.2%",
        "no     │     4      1",
        "       │ 80.0%  20.0%",
    ]


def test_a_matrix_that_is_too_wide_continues_below():
    text = chart_text(many_classes(8), width=50)

    assert all(f"class {k}" in text for k in range(8))
    assert text.count("predicted") == 2


def test_a_matrix_of_many_classes_becomes_shades():
    rows = chart_text(many_classes(50), width=70).splitlines()

    assert rows[1] == "class 0  │ █" + "·" * 49
    assert rows[3] == "class 2  │ ··█" + "·" * 47
    assert rows[-1].startswith("· above 0%, ░ above 10%")
