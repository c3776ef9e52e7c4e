"""What a page computes is what the library computes: values, intervals, reasons, sentences."""

import math
from functools import cache

import numpy as np
import pytest

import tradeoff as to
from browser.cases import CASES, bleeding, page_input
from browser.conftest import ask
from tradeoff.measures.formula import FUNCTIONS, substituted_formula
from tradeoff.report.page import SCRIPTS, page_file
from tradeoff.report.page_formulas import metric_catalogue
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.metric_intervals import metrics_with_intervals
from tradeoff.views import measures

pytestmark = pytest.mark.browser

SCRIPT = "\n".join(page_file(name) for name in SCRIPTS[:4])  # what computes
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
def library_estimates(case):
    """What the library says of every matrix."""
    return [
        metrics_with_intervals(to.METRICS.values(), matrix, Confidence())
        for matrix in matrices(case)
    ]


def answers(page, function, questions):
    """A function of the catalogue, a matrix and what is known about it, for many of them."""
    data = {"metrics": metric_catalogue()["metrics"], "questions": questions}
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
                    substituted: metrics.substitutedFormula(name, matrix),
                }));
            }""",
            [page_input(matrix, factor=factor) for matrix in matrices(case)],
        )

    return of_case


def page_and_library(computed, case):
    """What the page and the library say, metric by metric and matrix by matrix."""
    for page_metrics, library_metrics in zip(computed(case), library_estimates(case), strict=True):
        yield from zip(page_metrics, library_metrics.values(), strict=True)


def close(page_values, library_values, within):
    """Whether numbers agree: relatively, or absolutely where digits cancel."""
    with np.errstate(invalid="ignore"):
        return np.isclose(page_values, library_values, rtol=within, atol=within, equal_nan=True)


def columns(pairs, key):
    page_values, library_values = zip(
        *((page_values[key], getattr(estimate, key)) for page_values, estimate in pairs),
        strict=True,
    )
    return np.array(page_values, float), np.array(library_values, float)


@every_case
def test_every_metric_has_the_librarys_value_at_every_threshold(computed, case):
    pairs = list(page_and_library(computed, case))
    wrong = ~close(*columns(pairs, "value"), 1e-12)

    assert len(pairs) == len(to.METRICS) * len(matrices(case))
    assert not [pairs[at] for at in np.flatnonzero(wrong)]
    assert close(
        [line["plain"] for line, _ in pairs], [line["value"] for line, _ in pairs], 0
    ).all()


@every_case
def test_reasons_and_notes_are_the_librarys(computed, case):
    for line, estimate in page_and_library(computed, case):
        assert line["reason"] == estimate.reason, estimate
        assert line["note"] == estimate.note, estimate
        assert line["method"] == estimate.method, estimate
        assert math.isnan(line["low"]) != estimate.has_interval


@every_case
def test_every_interval_is_the_librarys_at_every_threshold(computed, case):
    with_interval = [
        (line, estimate) for line, estimate in page_and_library(computed, case) if estimate.method
    ]

    for key in ("low", "high") if with_interval else ():
        wrong = ~close(*columns(with_interval, key), 1e-9)
        assert not [with_interval[at] for at in np.flatnonzero(wrong)]


@pytest.mark.parametrize("level", [0.5, 0.99])
def test_intervals_follow_their_level(page, level):
    catalogue = metric_catalogue(Confidence(level))
    changed = {"level": catalogue["level"], "z": catalogue["z"]}
    matrix = bleeding().at(0.2)
    (computed,) = answers(
        page,
        "(metrics, matrix, about) => metrics.estimates(matrix, about)",
        [page_input(matrix, **changed)],
    )

    for name, expected in metrics_with_intervals(
        to.METRICS.values(), matrix, Confidence(level)
    ).items():
        if expected.method:
            limits = [computed[name]["low"], computed[name]["high"]]
            assert close(limits, [expected.low, expected.high], 1e-9).all(), name


@pytest.mark.parametrize("case", ["nominal", "bleeding", "a rejection band"])
def test_scaling_a_matrix_to_a_population_does_not_narrow_its_intervals(computed, case):
    factor = 100_000 / 113
    names = list(to.METRICS)
    for scaled, unscaled, estimates in zip(
        computed(case, factor), computed(case), library_estimates(case), strict=True
    ):
        alike = [at for at, name in enumerate(names) if name not in DEPEND_ON_SIZE]
        values = [estimates[names[at]].value for at in alike]
        assert close([scaled[at]["value"] for at in alike], values, 1e-12).all()
        assert [scaled[at]["method"] for at in alike] == [unscaled[at]["method"] for at in alike]
        for key in ("low", "high"):
            limits = [unscaled[at][key] for at in alike]
            assert close([scaled[at][key] for at in alike], limits, 1e-9).all()


@every_case
def test_sentences_and_filled_in_formulas_are_the_librarys(computed, case):
    checked = matrices(case)[:: max(len(matrices(case)) // 12, 1)]
    lines = computed(case)[:: max(len(matrices(case)) // 12, 1)]

    for matrix, metric_lines in zip(checked, lines, strict=True):
        for measure, line in zip(to.METRICS.values(), metric_lines, strict=True):
            estimate = measure.estimate(matrix)
            assert line["substituted"] == substituted_formula(measure, matrix)
            if not abs(estimate.value) <= 1e-12:  # where digits cancel, what is left is noise
                assert line["sentence"] == measures._interpretation(measure, estimate, matrix)


def test_parameters_presets_and_aliases_are_the_librarys(page):
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
            metrics.substitutedFormula("f2", matrix),
            metrics.sentence("f_measure", matrix, about, { parameters: { beta: 0.5 } }),
            metrics.sentence("recall", matrix, about, { note: "why" }),
            metrics.get("nothing of that kind") ?? "none",
        ]""",
        [page_input(matrix)],
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
        substituted_formula(to.METRICS["f2"], matrix),
        measures._interpretation(half, half.estimate(matrix), matrix),
        "of the rows that are yes, 70.0% are predicted yes (why)",
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
        [page_input(matrix) | {"costs": costs, "parameters": {"expected_cost": costs}}],
    )
    costly = to.METRICS["expected_cost"].with_parameters(**costs)

    for measure, line in zip([to.METRICS["f2"], costly], computed[:2], strict=True):
        expected = metrics_with_intervals([measure], matrix, Confidence())[measure.name]
        assert line["value"] == pytest.approx(expected.value)
        assert (line["low"], line["high"]) == pytest.approx((expected.low, expected.high))
    assert computed[1] == computed[2] == computed[5] == computed[6]
    assert computed[7] == measures._interpretation(costly, costly.estimate(matrix), matrix)
    assert computed[3:5] == pytest.approx(
        [float(costly(matrix)), float(to.METRICS["expected_cost"](matrix))]
    )


def test_a_class_named_like_a_template_placeholder_is_not_replaced(page):
    matrix = to.ConfusionMatrix(7, 2, 4, 1, positive="{value}", negative="$&")
    (computed,) = answers(
        page,
        """(metrics, matrix, about) => [
            metrics.sentence("false_positive_rate", matrix, about),
            metrics.reason("precision", matrix, about)]""",
        [page_input(matrix)],
    )

    assert computed == [
        "of the rows that are $&, 80.0% are predicted {value}",
        "nothing is predicted {value}",
    ]


def test_the_page_has_every_interval_formula_and_no_function_shares_a_name_with_a_metric(page):
    named = {m.interval.__name__ for m in to.METRICS.values() if m.interval}

    assert set(ask(page, "() => Object.keys(Intervals.FORMULAS)", None)) == named
    assert not [word for word in FUNCTIONS if to.METRICS.knows(word)]


def test_a_circular_definition_of_a_metric_is_refused(page):
    circular = [{"name": "a", "program": ["+", "b", 1]}, {"name": "b", "program": ["-", "a", 1]}]
    message = ask(
        page,
        """(metrics) => {
            try { Catalogues.of(metrics); } catch (error) { return error.message; }
        }""",
        circular,
    )

    assert message == "a is defined by itself"


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
        [page_input(bleeding().at(0.2))],
    )
    print(took)  # noqa: T201

    # Several times what it takes, so that a busy machine does not fail.
    assert took["values"] < 5
    assert took["estimates"] < 15
