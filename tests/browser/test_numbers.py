"""What a page computes is what the library computes: values, intervals, reasons, sentences."""

import math
from functools import cache

import numpy as np
import pytest

import tradeoff as to
from browser.cases import CASES, asked, bleeding
from browser.conftest import ask
from tradeoff.measures.formula import FUNCTIONS, filled_in
from tradeoff.report.formulas import catalogue
from tradeoff.report.page import SCRIPTS, part
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.metrics import sure_metrics
from tradeoff.views import measures

pytestmark = pytest.mark.browser

SCRIPT = "\n".join(part(name) for name in SCRIPTS[:4])  # what computes
DEPEND_ON_SIZE = {"chi_squared", "krippendorffs_alpha", "adjusted_rand_index"}


@pytest.fixture(scope="module")
def page(chromium):
    """A page that may run its own scripts and nothing else, with the numbers in it."""
    context = chromium.new_context(offline=True)
    page = context.new_page()
    policy = "default-src 'none'; script-src 'unsafe-inline'"
    page.set_content(
        f'<!doctype html><meta http-equiv=Content-Security-Policy content="{policy}">'
        f"<script>{SCRIPT}</script>"
    )
    yield page
    context.close()


every_case = pytest.mark.parametrize("case", CASES)


@cache
def matrices(case):
    return CASES[case]()


@cache
def found(case):
    """What the library says of every matrix."""
    return [sure_metrics(to.METRICS.values(), matrix, Confidence()) for matrix in matrices(case)]


def answers(page, function, questions):
    """A function of the catalogue, a matrix and what is known about it, for many of them."""
    data = {"metrics": catalogue()["metrics"], "questions": questions}
    return ask(
        page,
        f"""({{ metrics, questions }}) => {{
            const found = Catalogues.of(metrics);
            return questions.map(({{ matrix, about, ...more }}) =>
                ({function})(found, matrix, about, more));
        }}""",
        data,
    )


@pytest.fixture(scope="module")
def computed(page):
    """What the page says of every matrix of a case: one call for all of them."""

    @cache
    def of_case(case, factor=1.0):
        return answers(
            page,
            """(metrics, matrix, about) => {
                const values = metrics.values(matrix);
                const estimates = metrics.estimates(matrix, about);
                return metrics.names.map((name) => ({
                    ...estimates[name],
                    plain: values[name],
                    sentence: metrics.sentence(name, matrix, about),
                    filledIn: metrics.filledIn(name, matrix),
                }));
            }""",
            [asked(matrix, factor=factor) for matrix in matrices(case)],
        )

    return of_case


def both(computed, case):
    """What the page and the library say, metric by metric and matrix by matrix."""
    for own, theirs in zip(computed(case), found(case), strict=True):
        yield from zip(own, theirs.values(), strict=True)


def close(own, theirs, within):
    """Whether numbers agree: relatively, or absolutely where digits cancel."""
    with np.errstate(invalid="ignore"):
        return np.isclose(own, theirs, rtol=within, atol=within, equal_nan=True)


def columns(pairs, key):
    own, theirs = zip(*((own[key], getattr(estimate, key)) for own, estimate in pairs), strict=True)
    return np.array(own, float), np.array(theirs, float)


@every_case
def test_every_metric_has_the_librarys_value_at_every_threshold(computed, case):
    pairs = list(both(computed, case))
    wrong = ~close(*columns(pairs, "value"), 1e-12)

    assert len(pairs) == len(to.METRICS) * len(matrices(case))
    assert not [pairs[at] for at in np.flatnonzero(wrong)]
    assert close([own["plain"] for own, _ in pairs], [own["value"] for own, _ in pairs], 0).all()


@every_case
def test_what_is_undefined_has_the_same_reason_and_what_has_no_interval_the_same_note(
    computed, case
):
    for own, estimate in both(computed, case):
        assert own["reason"] == estimate.reason, estimate
        assert own["note"] == estimate.note, estimate
        assert own["method"] == estimate.method, estimate
        assert math.isnan(own["low"]) != estimate.has_interval


@every_case
def test_every_interval_is_the_librarys_at_every_threshold(computed, case):
    known = [(own, estimate) for own, estimate in both(computed, case) if estimate.method]

    for key in ("low", "high") if known else ():
        wrong = ~close(*columns(known, key), 1e-9)
        assert not [known[at] for at in np.flatnonzero(wrong)]


@pytest.mark.parametrize("level", [0.5, 0.99])
def test_intervals_follow_their_level(page, level):
    own = catalogue(Confidence(level))
    changed = {"level": own["level"], "z": own["z"]}
    matrix = bleeding().at(0.2)
    (computed,) = answers(
        page,
        "(metrics, matrix, about) => metrics.estimates(matrix, about)",
        [asked(matrix, **changed)],
    )

    for name, expected in sure_metrics(to.METRICS.values(), matrix, Confidence(level)).items():
        if expected.method:
            ends = [computed[name]["low"], computed[name]["high"]]
            assert close(ends, [expected.low, expected.high], 1e-9).all(), name


@pytest.mark.parametrize("case", ["nominal", "bleeding", "a rejection band"])
def test_a_matrix_scaled_to_a_population_is_as_sure_as_its_real_rows(computed, case):
    factor = 100_000 / 113
    names = list(to.METRICS)
    for own, counted, theirs in zip(
        computed(case, factor), computed(case), found(case), strict=True
    ):
        alike = [at for at, name in enumerate(names) if name not in DEPEND_ON_SIZE]
        values = [theirs[names[at]].value for at in alike]
        assert close([own[at]["value"] for at in alike], values, 1e-12).all()
        assert [own[at]["method"] for at in alike] == [counted[at]["method"] for at in alike]
        for key in ("low", "high"):
            ends = [counted[at][key] for at in alike]
            assert close([own[at][key] for at in alike], ends, 1e-9).all()


@every_case
def test_sentences_and_filled_in_formulas_are_the_librarys(computed, case):
    checked = matrices(case)[:: max(len(matrices(case)) // 12, 1)]
    lines = computed(case)[:: max(len(matrices(case)) // 12, 1)]

    for matrix, own in zip(checked, lines, strict=True):
        for measure, line in zip(to.METRICS.values(), own, strict=True):
            estimate = measure.estimate(matrix)
            assert line["filledIn"] == filled_in(measure, matrix)
            if not abs(estimate.value) <= 1e-12:  # where digits cancel, what is left is noise
                assert line["sentence"] == measures._sentence(measure, estimate, matrix)


def test_parameters_presets_and_aliases_mean_what_they_mean_in_the_library(page):
    matrix = to.ConfusionMatrix(7, 2, 4, 1, 1, 3, positive="yes", negative="no")
    (computed,) = answers(
        page,
        """(metrics, matrix, about) => [
            metrics.value("f2", matrix),
            metrics.value("F Measure", matrix, { beta: 0.5 }),
            metrics.value("net-benefit", matrix, { at: 0.3 }),
            metrics.value("expected_cost", matrix, { cost_fn: 5, cost_rp: 2 }),
            metrics.value("f_measure", matrix),
            metrics.get("Recall").name,
            metrics.filledIn("f2", matrix),
            metrics.sentence("f_measure", matrix, about, { parameters: { beta: 0.5 } }),
            metrics.sentence("recall", matrix, about, { note: "why" }),
            metrics.get("nothing of that kind") ?? "none",
        ]""",
        [asked(matrix)],
    )
    asked_for = [
        "f2",
        "f_measure(beta=0.5)",
        "net_benefit(at=0.3)",
        "expected_cost(cost_fn=5,cost_rp=2)",
        "f_measure",
    ]

    assert computed[:5] == pytest.approx([float(to.METRICS[name](matrix)) for name in asked_for])
    half = to.METRICS["f0.5"]
    assert computed[5:] == [
        "true_positive_rate",
        filled_in(to.METRICS["f2"], matrix),
        measures._sentence(half, half.estimate(matrix), matrix),
        "of the rows that are yes, 70.0 % are found (why)",
        "none",
    ]


def test_intervals_follow_parameters(page):
    matrix = bleeding().at(0.2)
    costs = {"cost_fn": 5.0, "cost_fp": 1.0}
    (computed,) = answers(
        page,
        """(metrics, matrix, about, { costs, parameters }) => [
            metrics.estimate("f2", matrix, about),
            metrics.estimate("expected_cost", matrix, about, costs),
            metrics.estimates(matrix, about, metrics.names, { expected_cost: costs }).expected_cost,
            metrics.values(matrix, ["expected_cost"], { expected_cost: costs }).expected_cost,
            metrics.value("expected_cost", matrix),
            metrics.estimate("average_cost", matrix, { ...about, parameters }),
            metrics.estimates(matrix, { ...about, parameters }).expected_cost,
            metrics.sentence("expected_cost", matrix, { ...about, parameters }),
        ]""",
        [asked(matrix) | {"costs": costs, "parameters": {"expected_cost": costs}}],
    )
    costly = to.METRICS["expected_cost"].with_parameters(**costs)

    for measure, own in zip([to.METRICS["f2"], costly], computed[:2], strict=True):
        expected = sure_metrics([measure], matrix, Confidence())[measure.name]
        assert own["value"] == pytest.approx(expected.value)
        assert (own["low"], own["high"]) == pytest.approx((expected.low, expected.high))
    assert computed[1] == computed[2] == computed[5] == computed[6]
    assert computed[7] == measures._sentence(costly, costly.estimate(matrix), matrix)
    assert computed[3:5] == pytest.approx(
        [float(costly(matrix)), float(to.METRICS["expected_cost"](matrix))]
    )


def test_a_class_named_like_a_place_in_a_sentence_stays_what_it_is(page):
    matrix = to.ConfusionMatrix(7, 2, 4, 1, positive="{value}", negative="$&")
    (computed,) = answers(
        page,
        """(metrics, matrix, about) => [
            metrics.sentence("false_positive_rate", matrix, about),
            metrics.reason("precision", matrix, about)]""",
        [asked(matrix)],
    )

    assert computed == [
        "of the rows that are $&, 80.0 % are called {value}",
        "nothing is predicted {value}",
    ]


def test_the_page_knows_every_interval_formula_and_no_function_is_called_like_a_metric(page):
    named = {m.interval.__name__ for m in to.METRICS.values() if m.interval}

    assert set(ask(page, "() => Object.keys(Intervals.FORMULAS)", None)) == named
    assert not [word for word in FUNCTIONS if to.METRICS.knows(word)]


def test_a_metric_that_is_defined_by_itself_is_refused(page):
    own = [{"name": "a", "program": ["+", "b", 1]}, {"name": "b", "program": ["-", "a", 1]}]
    refused = ask(
        page,
        """(metrics) => {
            try { Catalogues.of(metrics); } catch (error) { return error.message; }
        }""",
        own,
    )

    assert refused == "a is defined by itself"


def test_all_metrics_follow_a_dragged_threshold(page):
    (took,) = answers(
        page,
        """(metrics, matrix, about) => {
            const timed = (times, work) => {
                work(0);
                const start = performance.now();
                for (let i = 1; i <= times; i++) work(i);
                return (performance.now() - start) / times;
            };
            const moved = (i) => ({ ...matrix, tp: matrix.tp + i % 7 });
            return {
                values: timed(500, (i) => metrics.values(moved(i))),
                estimates: timed(200, (i) => metrics.estimates(moved(i), about)),
            };
        }""",
        [asked(bleeding().at(0.2))],
    )
    print(took)  # noqa: T201

    # Several times what it takes, so that a busy machine does not fail.
    assert took["values"] < 5
    assert took["estimates"] < 15
