"""Text charts: any width, any name, and only characters that the terminal can show."""

import io
import re

import numpy as np
import pytest
from command_line import SAH, WEATHER, output, run, run_process
from drawn_charts import (
    DIAGONAL,
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
from golden.reference import table

import tradeoff as to
from tradeoff.cli.terminal import terminal_options
from tradeoff.render.chart import Bars, Cells, Chart, Intervals, Line, Scale
from tradeoff.render.terminal.draw import chart_text
from tradeoff.text_layout import display_width

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
UGLY = "مرحبا 日本語 naïve 👩‍🔬\x1b[31m\n" + "x" * 300
EMPTY = np.array([])
STRANGE = {
    "nothing": chart(title="Nothing"),
    "no points": chart(line(), title="Nothing"),
    "all undefined": chart(line((NAN, NAN), (NAN, 0.5)), DIAGONAL),
    "infinite": chart(line((np.inf, np.inf), (-np.inf, -np.inf))),
    "one point": chart(line((0.5, 0.5), label="one")),
    "one place": chart(line((5, 5)), x=Scale("", 5, 5), y=Scale("", 5, 5)),
    "no bars": chart(Bars(np.array([0.0, 1.0]), np.array([NAN])), Bars(np.zeros(1), EMPTY)),
    "empty bar": chart(Bars(np.array([0.5, 0.5]), np.array([1.0]), label="all tied")),
    "no ranges": chart(Intervals(EMPTY, EMPTY, EMPTY), y=Scale("", 0, 0, "names")),
    "no cells": chart(Cells(np.zeros((0, 0)), ())),
    "undefined cell": chart(Cells(np.array([[NAN]]), (("",),))),
    "no bounds": chart(line((0, 0), (1, 1)), x=Scale("", NAN, NAN), y=Scale("", -1, 0, "log")),
    "upside down": chart(line((0, 0), (1, 1)), y=Scale("", 1, 0)),
    "ugly names": Chart(
        UGLY,
        Scale(UGLY, 0, 1),
        Scale(UGLY, 0, 1),
        (line((0, 0), (1, 1), label=UGLY), line((0, 1), (1, 0), label="b" + UGLY, order=1)),
        UGLY,
        square=True,
    ),
    "ugly ranges": chart(
        Intervals(np.array([0.5]), np.array([0.4]), np.array([0.6]), label=UGLY),
        Intervals(np.array([0.5]), np.array([0.4]), np.array([0.6]), label="b" + UGLY, order=1),
        y=Scale(UGLY, 0, 1, "names", (UGLY,)),
    ),
    "ugly cells": chart(
        Cells(np.array([[0.1, 0.9]]), ((UGLY, "1"),)),
        x=Scale(UGLY, 0, 2, "names", (UGLY, UGLY)),
        y=Scale(UGLY, 0, 1, "names", (UGLY,)),
    ),
    "ugly classes": chart(
        Bars(np.array([0.0, 1.0]), np.array([1.0]), "positive", UGLY),
        Bars(np.array([0.0, 1.0]), np.array([1.0]), "negative", UGLY, 1),
        y=Scale("", 0, 1, "names", (UGLY, UGLY)),
    ),
    "roc": ROC,
    "models": chart(*models(50)),
    "histograms": HISTOGRAMS,
    "forest": FOREST,
    "matrix": MATRIX,
    "classes": many_classes(30),
}


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("width", [1, 10, 24, 25, 40, 61, 100, 300])
def test_no_line_is_wider_than_the_requested_width(name, width):
    for ascii_only in (False, True):
        for colour in (False, True):
            text = chart_text(STRANGE[name], width=width, ascii_only=ascii_only, colour=colour)
            assert max(display_width(COLOURS.sub("", row)) for row in text.split("\n")) <= width
            assert text.isascii() or not ascii_only
            assert ("\x1b" not in text) or colour


@pytest.mark.parametrize("name", STRANGE)
def test_colours_add_nothing_that_the_text_does_not_say(name):
    coloured = chart_text(STRANGE[name], width=80, colour=True)

    assert COLOURS.sub("", coloured) == chart_text(STRANGE[name], width=80)


@pytest.mark.parametrize("name", ["nothing", "no points", "all undefined", "no bars", "no ranges"])
def test_a_chart_without_values_says_so(name):
    assert "Nothing to draw" in chart_text(STRANGE[name], width=100)


def test_colours_can_be_turned_on():
    assert "\x1b[38;5;" in chart_text(ROC, width=60, colour=True)


def test_the_legend_stands_beside_a_square_chart_if_there_is_room():
    square = chart(DIAGONAL, line((0, 0), (1, 1), label="score"), square=True)

    assert re.search("│.*chance", chart_text(square, width=100))
    assert not re.search("│.*chance", chart_text(square, width=50))


def test_the_width_is_that_of_the_terminal_up_to_a_limit(monkeypatch):
    for columns, width in (("50", 50), ("300", 100)):
        monkeypatch.setenv("COLUMNS", columns)
        assert max(map(len, chart_text(ROC).splitlines())) == width


def test_names_are_transliterated_to_ascii():
    named = chart(line((0, 0), (1, 1), label="naïve Bayes – Łódź 日"))

    assert chart_text(named, width=60, ascii_only=True).endswith("***  naive Bayes - Lodz \\u65e5")


def test_wide_characters_are_counted_as_wide():
    forest = chart(
        Intervals(np.array([0.5, 0.5]), np.array([0.4, 0.4]), np.array([0.6, 0.6])),
        y=Scale("", 0, 2, "names", ("日本", "abcd")),
    )
    first, second = chart_text(forest, width=50).splitlines()[:2]

    assert first.removeprefix("日本") == second.removeprefix("abcd")


def test_real_scores_are_drawn():
    rows = table("proc_aSAH_data.csv")
    e = to.evaluate(actual=rows["poor"], score=rows["s100b"])
    curve = e.curve("roc")
    text = chart_text(chart(Line(curve.x, curve.y), square=True), width=40, ascii_only=True)

    assert field(text)[0].endswith("***")
    assert field(text)[-1].startswith("*")


def test_evaluate_draws_gains_and_scores_by_name():
    gains = output("evaluate", *WEATHER, "--chart", "gains", NO_COLOR="1", COLUMNS="80")
    scores = output("evaluate", *WEATHER, "--chart", "scores", NO_COLOR="1", COLUMNS="80")

    assert "Cumulative gains\n\nTrue positive rate (recall of 'yes')" in gains
    assert scores.endswith("│  ≥ 0.5")
    assert "'yes'" in scores


def test_evaluate_draws_all_models_in_one_chart_with_the_threshold_marked():
    several = [*SAH, "--score", "ndka", "--threshold", "0.2", "--no-intervals"]
    out = output("evaluate", *several, "--chart", NO_COLOR="1", COLUMNS="80")

    assert out.count("ROC curve") == 1
    assert re.search(r"AUC\n(.|\n)*a +s100b 0\.731", out)
    assert re.search(r"1 +≥ 0.2 \(on a\)", out)


def test_forced_colours_go_through_a_pipe():
    forced = output("evaluate", *WEATHER, "--chart", run=run_process, FORCE_COLOR="1", NO_COLOR="")

    assert "\x1b[38;5;" in forced
    assert "\x1b" not in output("evaluate", *WEATHER, "--chart", FORCE_COLOR="1", NO_COLOR="1")


def test_an_unknown_chart_lists_the_known_ones():
    code, _, err = run("evaluate", *WEATHER, "--chart", "gain")

    assert code == 2
    assert "'gain' is not one of 'roc', 'gains', 'scores'" in err


class Stream(io.StringIO):
    def __init__(self, *, encoding="utf-8", terminal=True):
        super().__init__()
        self.is_terminal = terminal
        self._encoding = encoding

    @property
    def encoding(self):
        return self._encoding

    def isatty(self):
        return self.is_terminal


@pytest.mark.parametrize(
    ("environment", "terminal", "colour"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": ""}, True, True),
        ({"NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_colours_follow_terminal_and_environment(monkeypatch, environment, terminal, colour):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert terminal_options(Stream(terminal=terminal))["colour"] is colour


@pytest.mark.parametrize(
    ("encoding", "ascii_only"),
    [("utf-8", False), ("UTF-16", False), ("ascii", True), ("cp1252", True), (None, True)],
)
def test_braille_needs_an_encoding_that_has_it(encoding, ascii_only):
    assert terminal_options(Stream(encoding=encoding))["ascii_only"] is ascii_only
