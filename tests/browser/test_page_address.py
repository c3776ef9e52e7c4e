"""What a reader chose stands in the address, and can be taken along as text or CSV."""

import csv
import io
import math
from urllib.parse import parse_qs

import numpy as np
import pytest

import tradeoff as to
from browser.conftest import ask, copied, frame, open_everything, rest
from browser.reports import CELLS, EVALUATIONS, as_costs, bleeding, cells, probabilities, weighted
from tradeoff import formatting
from tradeoff.checks import ranking_findings
from tradeoff.render.estimate_text import format_estimate

pytestmark = pytest.mark.browser

CHOICES = """() => {
    const { active, band, prevalence, population, review, unit, currency, layout, costs,
        selections } = tradeoff.state();
    const { upper, lower } = selections[active];
    return { active, band, prevalence, population, review, unit, currency, layout, costs,
        upper, lower,
        headline: document.getElementById("headline").textContent };
}"""


def fragment_values(page):
    """The address's fragment, as a dictionary, once the line rests."""
    rest(page)
    _, _, fragment = page.url.partition("#")
    return {key: value for key, (value,) in parse_qs(fragment).items()}


def test_a_page_as_it_opened_has_a_bare_address(visit):
    page = visit("bleeding")
    page.click("#chart-roc svg")
    moved = fragment_values(page)
    page.click("#reset")

    assert set(moved) == {"threshold"}
    assert fragment_values(page) == {}


def test_every_choice_is_in_the_address_which_reopens_the_same_page(visit):
    page = visit("bleeding")
    open_everything(page)
    page.select_option("#model", label="ndka")
    page.check("#band")
    for field, value in {
        "upper-typed": "14.5",
        "lower-typed": "9,25",
        "prevalence": "2.5",
        "population": "40000",
        "unit": "patients & friends=#",
        "currency": "CHF",
        "review": "120",
        "fn": "8",
        "fp": "0.5",
        "tp": "-1",
        "tn": "-0.25",
        "rp": "2",
        "rn": "0.125",
    }.items():
        page.fill(f"#{field}", value)
        page.keyboard.press("Enter")
    page.select_option("#layout", "predicted")
    frame(page)
    address = fragment_values(page)
    before = ask(page, CHOICES, None)

    assert address == {
        "model": "ndka",
        "threshold": "14.5",
        "lower": "9.25",
        "prevalence": "0.025",
        "population": "40000",
        "review": "120",
        "currency": "CHF",
        "unit": "patients & friends=#",
        "layout": "predicted",
        "fn": "8",
        "fp": "0.5",
        "tp": "-1",
        "tn": "-0.25",
        "rp": "2",
        "rn": "0.125",
    }
    _, _, fragment = page.url.partition("#")
    reopened = visit("bleeding", f"#{fragment}")
    assert ask(reopened, CHOICES, None) == before
    assert reopened.input_value("#prevalence") == "2.5"
    assert reopened.input_value("#unit") == "patients & friends=#"
    assert before["headline"].startswith("Of 1,000 patients & friends=#, about ")
    assert " go to a person. " in before["headline"]
    ranking = bleeding()["ndka"].ranking
    assert (before["upper"], before["lower"]) == (ranking.index(14.5), ranking.index(9.25))


@pytest.mark.parametrize(
    "fragment",
    [
        "#threshold=abc&prevalence=2&population=-1&review=-3&fn=x&layout=up&model=nobody",
        "#prevalence=0&lower=&unit=&threshold=",
        "#__proto__=1&constructor=2&toString=3",
        "#%E0%A4%A&&&===",
        "#results",
    ],
)
def test_an_invalid_fragment_is_ignored(visit, fragment):
    usual = ask(visit("bleeding"), CHOICES, None)

    assert ask(visit("bleeding", fragment), CHOICES, None) == usual


def test_predicting_no_positives_is_in_the_address_too(visit):
    page = visit("bleeding", "#threshold=none")

    assert page.input_value("#upper-typed") == "none"
    assert fragment_values(page) == {"threshold": "none"}


def test_a_threshold_that_the_thinned_page_left_out_becomes_the_next_higher_one(visit):
    ranking = EVALUATIONS["thinned"]().ranking
    page = visit("thinned", "#threshold=1.2345")
    index, threshold = ask(
        page,
        """() => {
            const { selection, ranking } = tradeoff.view();
            return [selection.upper, ranking.thresholds[selection.upper]];
        }""",
        None,
    )
    matrix = ranking.at(threshold)

    assert index > 0
    assert threshold >= 1.2345
    assert float(page.input_value("#upper-typed")) == pytest.approx(threshold, rel=1e-6)
    assert ranking.index(float(page.input_value("#upper-typed"))) == ranking.index(threshold)
    counts = page.locator("#matrix .count").all_text_contents()
    assert counts[0] == formatting.format_count(matrix.true_positives)


def test_a_changed_fragment_updates_the_page(visit):
    page = visit("bleeding")
    page.evaluate("() => { location.hash = '#model=wfns&threshold=3&prevalence=0.1'; }")
    page.wait_for_function("() => tradeoff.view().active === 2")

    assert page.input_value("#upper-typed") == "3"
    assert page.input_value("#prevalence") == "10"


def test_a_report_opens_with_the_costs_and_the_threshold_that_it_was_given(opened, tmp_path):
    evaluation = to.evaluate(
        actual=[1, 0, 1, 0, 1, 0],
        score=[0.9, 0.8, 0.6, 0.4, 0.3, 0.1],
        costs=to.Costs(false_negative=4, contact=0.5),
    )
    evaluation.report(tmp_path / "r.html", threshold=0.35, title="Letters")
    page = opened(tmp_path / "r.html").page

    assert page.locator("h1").text_content() == page.title() == "Letters"
    assert page.input_value("#upper-typed") == "0.35"
    assert [page.input_value(f"#{name}") for name in ("fp", "fn", "tp", "tn")] == [
        "0.5",
        "4",
        "0.5",
        "0",
    ]
    page.fill("#fn", "9")
    page.click("#reset")
    frame(page)
    assert page.input_value("#fn") == "4"


# ---- taking numbers along


@pytest.mark.parametrize(
    ("name", "fragment", "costs"),
    [
        ("bleeding", "#model=ndka&threshold=12.5&fn=3", {"fn": 3}),
        ("weighted", "#threshold=0.7&lower=0.31&rp=0.5&rn=0.25", {"rp": 0.5, "rn": 0.25}),
        ("nominal", "#threshold=none", {}),
    ],
)
def test_copied_csv_has_the_numbers_at_the_threshold(visit, name, fragment, costs):
    page = visit(name, fragment)
    rows = list(csv.DictReader(io.StringIO(copied(page, "copy-csv"))))
    csv_rows = {row["name"]: row for row in rows}
    choices = {key: value for key, (value,) in parse_qs(fragment[1:]).items()}
    evaluation = EVALUATIONS[name]()
    model = choices.get("model", next(iter(evaluation)))
    ranking = evaluation[model].ranking
    upper = 0 if choices["threshold"] == "none" else ranking.index(float(choices["threshold"]))
    lower = ranking.index(float(choices["lower"])) if "lower" in choices else upper
    matrix = ranking.banded(upper, lower)

    assert csv_rows["model"]["value"] == model
    assert float(csv_rows["prevalence"]["value"]) == pytest.approx(
        float(matrix.positives) / float(matrix.rows)
    )
    counts = cells(matrix)
    for key, cell in CELLS.items():
        assert float(csv_rows[cell]["value"]) == pytest.approx(counts[key], rel=1e-12)
    total_cost = float(as_costs(**costs).total(matrix))
    assert float(csv_rows["cost"]["value"]) == pytest.approx(total_cost, rel=1e-12)
    priced = {f"cost_{key}": value for key, value in costs.items()}
    for metric, measure in to.METRICS.items():
        metric_measure = measure.with_parameters(**priced) if metric == "expected_cost" else measure
        with np.errstate(all="ignore"):
            value = float(metric_measure(matrix))
        written = csv_rows[metric]["value"]
        assert (written == "") == math.isnan(value), metric
        if written:
            assert float(written) == pytest.approx(value, rel=1e-9, abs=1e-12), metric
    low, high = (float(csv_rows["true_negative_rate"][end]) for end in ("low", "high"))
    assert low <= float(csv_rows["true_negative_rate"]["value"]) <= high


def test_thresholds_in_copied_csv_give_the_same_decisions(visit):
    page = visit("bleeding", "#threshold=0.205&lower=0.1")
    rows = {row[0]: row[1] for row in csv.reader(io.StringIO(copied(page, "copy-csv")))}
    ranking = bleeding()["s100b"].ranking
    upper, lower = float(rows["threshold"]), float(rows["lower_threshold"])

    assert ranking.index(upper) == ranking.index(0.205)
    assert ranking.index(lower) == ranking.index(0.1)


def test_copied_text_is_what_the_page_shows(visit):
    page = visit("bleeding", "#threshold=0.2&fn=3")
    lines = copied(page, "copy-text").split("\n")
    recall = bleeding()["s100b"].metric("recall", 0.2)

    assert lines[0] == page.locator("h1").text_content()
    assert lines[1] == "Model: s100b"
    assert lines[2] == "Flag rows with a score of 0.2 or more."
    assert lines[3] == page.locator("#headline").text_content()
    assert lines[4].endswith(
        "36.3%. Costs: false positive 1, false negative 3, true positive 0, true negative 0."
    )
    assert lines[6:8] == page.locator("#costs p").all_text_contents()
    assert lines[8] == "In parentheses: 95% CI."
    assert lines[9] == f"recall (sensitivity): {format_estimate(recall)}"


def test_a_copied_link_has_the_threshold_and_prevalence(visit):
    link = copied(visit("bleeding", "#threshold=0.3&prevalence=0.05"), "copy-link")

    assert link.startswith("file:")
    assert link.endswith("#threshold=0.3&prevalence=0.05")


def test_with_clipboard_permission_no_dialog_opens(opened, report):
    window = opened(report("nominal"), permissions=["clipboard-read", "clipboard-write"])
    page = window.page
    page.bring_to_front()
    page.click("#share")
    page.click("#copy-csv")
    page.wait_for_function("() => document.getElementById('status').textContent === 'Copied.'")
    clipboard = page.evaluate("() => navigator.clipboard.readText()")

    assert clipboard.startswith("name,value,low,high,method\nmodel,")
    assert not page.locator("#copied").is_visible()
    assert page.locator("#share-menu").is_hidden()


# ---- both layouts of the matrix


def heads(page):
    return [
        page.locator(f"#matrix {part}").all_text_contents() for part in ("thead th", "tbody th")
    ]


def test_the_matrix_can_be_transposed(visit):
    page = visit("nominal", "#threshold=0.5")
    matrix = EVALUATIONS["nominal"]().at(0.5)
    counts = page.locator("#matrix .count").all_text_contents()
    assert heads(page) == [["predicted yes", "predicted no"], ["actual yes", "actual no"]]
    assert counts == [
        str(int(count))
        for count in (
            matrix.true_positives,
            matrix.false_negatives,
            matrix.false_positives,
            matrix.true_negatives,
        )
    ]
    percentages = page.locator("#matrix .percent").all_text_contents()
    open_everything(page)
    page.select_option("#layout", "predicted")
    frame(page)
    transposed_counts = page.locator("#matrix .count").all_text_contents()

    assert heads(page) == [["actual yes", "actual no"], ["predicted yes", "predicted no"]]
    assert transposed_counts == [counts[0], counts[2], counts[1], counts[3]]
    assert page.locator("#matrix .percent").all_text_contents() == [
        percentages[0],
        percentages[2],
        percentages[1],
        percentages[3],
    ]
    assert percentages[:2] == [
        formatting.format_percent(matrix.true_positives / matrix.positives),
        formatting.format_percent(matrix.false_negatives / matrix.positives),
    ]
    assert "actual class" in page.locator("#matrix caption").text_content()


def test_the_matrix_has_a_column_of_undecided_rows_only_if_there_are_some(visit):
    page = visit("probabilities")
    assert page.locator("#matrix thead th").count() == 2
    assert not page.locator("#rp").is_visible()
    page.check("#band")
    frame(page)
    assert page.locator("#matrix thead th").all_text_contents()[2] == "left undecided"
    assert page.locator("#rp").is_visible()
    open_everything(page)
    page.select_option("#layout", "predicted")
    frame(page)
    assert page.locator("#matrix tbody tr").count() == 3
    page.uncheck("#band")
    frame(page)
    assert page.locator("#matrix tbody tr").count() == 2
    assert visit("weighted").locator("#matrix thead th").count() == 3  # some have no score


def test_warnings_are_at_the_top_and_methods_at_the_bottom(visit):
    page = visit("weighted")
    warnings = page.locator("#warnings li").all_text_contents()
    methods = " ".join(page.locator("#how li").all_text_contents())
    e = weighted()
    findings = [finding for finding in ranking_findings(e.models) if finding.is_serious]

    assert any("without a score" in warning for warning in warnings)
    assert warnings[: len(findings)] == [
        f"{finding.sentence} {finding.advice}" for finding in findings
    ]
    assert len(warnings) == len(findings) + len(e.ranking.notes)
    for words in ("tradeoff ", "at or above the threshold", "exact", "seed 0", "95%"):
        assert words in methods
    assert "at or below" in visit("lower").locator("#how").text_content()
    assert "of more than 20,000" in visit("many").locator("#how").text_content().lower()
    assert (
        probabilities().ranking.positive in visit("probabilities").locator("#lead").text_content()
    )
