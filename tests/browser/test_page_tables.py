"""Tables of the page have the numbers, the order and the notes of the command line's tables."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest

import tradeoff as to
from browser.conftest import ask, frame
from browser.reports import EVALUATIONS, bleeding, bleeding_compared, churn, lower
from tradeoff import formatting
from tradeoff.render.estimate_text import format_estimate, format_signed_interval
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.metric_intervals import metrics_with_intervals

pytestmark = pytest.mark.browser

TABLE = """(selector) => {
    const table = document.querySelector(selector);
    const text = (cell) => [...cell.childNodes].map((node) => node.textContent.trim())
        .filter(Boolean).join(" ");
    return {
        head: [...table.tHead.rows[0].cells].map((cell) => cell.textContent),
        sorts: [...table.tHead.rows[0].cells].map((cell) => cell.ariaSort),
        rows: [...table.tBodies[0].rows].map((row) => [...row.cells].map(text)),
        active: [...table.tBodies[0].rows].findIndex((row) => row.classList.contains("active")),
    };
}"""


def tab(page, name):
    page.locator(f"#tab-{name}").click()
    frame(page)
    return page


def table(page, name):
    frame(page)
    return ask(page, TABLE, f"#{name} table")


def column(shown, name):
    index = shown["head"].index(name)
    return [row[index] for row in shown["rows"]]


def sections_table(result):
    """The first table of a result's text."""
    return next(section.table for section in result.sections() if section.table)


# Models


def test_each_model_is_at_its_best_threshold_and_the_cheapest_is_first(visit):
    page, evaluation = tab(visit("churn"), "models"), churn()
    shown = table(page, "models")
    decisions = evaluation.thresholds()
    ranked = [decision.ranking.name for decision in decisions.ranked]

    assert column(shown, "model") == [*ranked, "flag everybody", "flag nobody"]
    expected = sections_table(decisions)
    assert expected[0][1:4] == ("threshold", "new data*", "these data")
    for name, cells, texts in zip(ranked, shown["rows"], expected[1:], strict=False):
        values = dict(zip(shown["head"], cells, strict=True))
        matrix = decisions[name].confusion
        assert texts[0] == name
        assert values["best threshold"] == texts[1]
        assert values["cost per customer on new data"] == f"EUR {texts[2]}"
        assert values["on these data"] == f"EUR {texts[3]}"
        assert values["flagged"].replace(" ", " (") + ")" == texts[5]
        assert values["recall"] == texts[6]
        assert values["precision"] == texts[7]
        assert values["flagged"].startswith(formatting.format_count(matrix.predicted_positives))
        assert values["AUC"] == format_estimate(evaluation[name].auc)
        assert values["difference in cost"] == (texts[4] or "best")
    everybody, nobody = shown["rows"][-2:]
    trivial = {row[0]: row[3] for row in expected}
    assert everybody[shown["head"].index("on these data")] == f"EUR {trivial['predict all yes']}"
    assert nobody[shown["head"].index("on these data")] == f"EUR {trivial['predict all no']}"


def test_differences_in_auc_are_those_of_the_comparison(visit):
    page = tab(visit("bleeding"), "models")
    shown = table(page, "models")
    areas = {name: bleeding()[name].auc.value for name in bleeding()}
    ranked = sorted(areas, key=areas.get, reverse=True)
    differences = dict(zip(column(shown, "model"), column(shown, "difference in AUC"), strict=True))

    assert column(shown, "model")[:3] == ranked
    assert differences[ranked[0]] == "best"
    for d in bleeding_compared().differences():
        if ranked[0] not in {d.first, d.second}:
            continue
        sign, name = (1, d.first) if d.second == ranked[0] else (-1, d.second)
        low, high = sorted([sign * d.low, sign * d.high])
        assert differences[name] == format_signed_interval(sign * d.value, low, high)
    assert "95% CI" in page.locator("#models .about").first.text_content()


def test_models_are_sorted_by_the_buttons_of_the_head(visit):
    page = tab(visit("bleeding"), "models")
    orders = {}
    for name in ("flagged", "flagged", "model", "model"):
        page.locator("#models table").first.locator("thead button", has_text=name).click()
        shown = table(page, "models")
        sort = shown["sorts"][shown["head"].index(name)]
        orders[name, sort] = column(shown, "model")[:3]
        assert [value for value in shown["sorts"] if value] == [sort]
    ranking = {name: bleeding()[name].ranking for name in bleeding()}
    page_counts = dict(zip(column(shown, "model")[:3], column(shown, "flagged")[:3], strict=True))
    counts = {name: int(text.split(" ")[0]) for name, text in page_counts.items()}

    assert orders["model", "ascending"] == sorted(ranking)
    assert orders["model", "descending"] == sorted(ranking, reverse=True)
    assert orders["flagged", "descending"] == sorted(counts, key=counts.get, reverse=True)
    assert orders["flagged", "ascending"] == sorted(counts, key=counts.get)


def test_a_row_selects_its_model_by_mouse_and_by_key(visit):
    page = tab(visit("bleeding"), "models")
    page.locator("#models tbody tr", has_text="ndka").locator("td").nth(2).click()
    frame(page)
    clicked = page.locator("#model option:checked").text_content() or ""
    active = table(page, "models")["active"]
    name = column(table(page, "models"), "model")[active]
    page.locator("#models button.name", has_text="wfns").focus()
    page.keyboard.press("Enter")
    frame(page)

    assert clicked == name == "ndka"
    assert page.locator("#model option:checked").text_content() == "wfns"
    pressed = page.locator("#models button.name[aria-pressed=true]")
    assert pressed.text_content() == "wfns"


def test_without_a_goal_each_model_has_its_own_threshold(visit):
    page = tab(visit("bleeding"), "models")
    page.select_option("#goal", "number")
    page.select_option("#model", label="ndka")
    page.fill("#upper-typed", "10")
    page.keyboard.press("Enter")
    shown = table(page, "models")
    thresholds = dict(zip(column(shown, "model"), column(shown, "threshold"), strict=True))

    assert thresholds["ndka"] == "10"
    assert thresholds["s100b"] == "0.22"
    matrix = bleeding()["ndka"].ranking.at(10)
    row = shown["rows"][column(shown, "model").index("ndka")]
    assert row[shown["head"].index("recall")] == formatting.format_percent(
        float(to.METRICS["recall"](matrix))
    )


def test_names_never_break_inside_words(opened, report):
    page = opened(report("churn"), viewport={"width": 390, "height": 844}).page
    tab(page, "models")
    heights = page.evaluate(
        """() => [...document.querySelectorAll("#models button.name bdi")].map((name) =>
            name.getBoundingClientRect().height)"""
    )
    scroll = page.evaluate(
        """() => { const { scrollWidth, clientWidth } = document.querySelector("#models .scroll");
            const { documentElement } = document;
            return [scrollWidth > clientWidth, documentElement.scrollWidth <= innerWidth]; }"""
    )

    assert max(heights) < 30  # one line
    assert scroll == [True, True]  # inside its own region, which shows that there is more


def test_all_differences_between_models_are_those_of_the_comparison(visit):
    page = tab(visit("bleeding"), "models")
    rows = ask(page, TABLE, "#differences")["rows"]
    expected = [
        [
            difference.first,
            difference.second,
            format_signed_interval(difference.value, difference.low, difference.high),
            formatting.format_p_value(difference.p_value, difference.significance),
            formatting.format_p_value(difference.adjusted, difference.significance),
            formatting.format_percent(difference.first_better),
        ]
        for difference in bleeding_compared().differences()
    ]

    assert rows == expected


@pytest.mark.parametrize("name", ["nominal", "bleeding", "weighted"])
@pytest.mark.parametrize("prevalence", [None, 0.7])
def test_measures_without_a_threshold_follow_the_prevalence(visit, name, prevalence):
    page = visit(name, "" if prevalence is None else f"#prevalence={prevalence}")
    tab(page, "models")
    evaluation = EVALUATIONS[name]()
    summaries = page.locator("#models table").nth(1)
    heads = summaries.locator("thead th").all_text_contents()
    rows = {
        row.locator("th").text_content(): row.locator("td").all_text_contents()
        for row in summaries.locator("tbody tr").all()
    }
    for model in evaluation:
        cells = dict(zip(heads[1:], rows[model], strict=True))
        for summary in ("average_precision", "brier", "log_loss"):
            estimate = evaluation[model].summary(summary)
            if prevalence is not None:
                ranking = evaluation[model].ranking.at_prevalence(prevalence)
                estimate = to.SUMMARIES[summary].estimate(ranking)
            label = to.SUMMARIES[summary].label
            if label not in heads:  # what no model has is left out
                assert not estimate.is_defined
            elif not estimate.is_defined:
                assert cells[label] == "undefined"
            elif prevalence is None:
                assert cells[label] == format_estimate(estimate)
            else:
                assert cells[label] == formatting.format_number(estimate.value)


# Cut-offs


@pytest.mark.parametrize(
    ("name", "model"), [("churn", "logistic"), ("bleeding", "s100b"), ("lower", "days")]
)
def test_cutoffs_are_those_of_the_command_line(visit, name, model):
    page, evaluation = visit(name), EVALUATIONS[name]()
    if page.locator("#model option").count() > 1:
        page.select_option("#model", label=model)
    tab(page, "cutoffs")
    shown = table(page, "cutoffs")
    expected = sections_table(evaluation[model].cutoffs())
    texts = list(expected[0][1:])
    rows = {float(row[0].split()[0]): row for row in shown["rows"]}

    assert shown["head"][0] == expected[0][0]
    assert [text for text in texts if text not in shown["head"]] == []
    for first, *cells in expected[1:]:
        threshold, *label = first.split()
        row = dict(zip(shown["head"], rows[float(threshold)], strict=True))
        assert [row[text] for text in texts] == cells, threshold
        if label:
            assert "Youden" in row[shown["head"][0]]
    thresholds = [float(row[0].split()[0]) for row in shown["rows"]]
    assert thresholds == sorted(thresholds)
    assert shown["sorts"][0] == "ascending"


def test_the_recommended_and_the_chosen_cutoff_are_listed_with_their_cost(visit):
    page, ranking = tab(visit("churn"), "cutoffs"), None
    model = page.locator("#model option:checked").text_content()
    ranking = churn()[model].ranking
    opened_table = table(page, "cutoffs")
    page.evaluate("() => tradeoff.moveThreshold('upper', 33)")
    shown = table(page, "cutoffs")
    row = dict(zip(shown["head"], shown["rows"][shown["active"]], strict=True))
    matrix = ranking.at_place(33)
    cost = 5 * matrix.false_positives + 60 * matrix.false_negatives

    assert "recommended, chosen" in opened_table["rows"][opened_table["active"]][0]
    assert sum("chosen" in cells[0] for cells in shown["rows"]) == 1
    assert sum("recommended" in cells[0] for cells in shown["rows"]) == 1
    assert row["TP"] == formatting.format_count(matrix.true_positives)
    assert row["flagged"].startswith(formatting.format_count(matrix.predicted_positives))
    assert row["cost, EUR"] == formatting.format_count(cost)


def test_a_cutoff_moves_the_threshold_and_keeps_the_focus(visit):
    page = tab(visit("churn"), "cutoffs")
    button = page.locator("#cutoffs button.name", has_text="0.3").first
    text = button.locator("span").text_content()
    button.focus()
    page.keyboard.press("Enter")
    frame(page)
    frame(page)

    assert page.input_value("#upper-typed") == text
    assert page.evaluate("() => document.activeElement.firstChild.textContent") == text


def test_cutoffs_hold_at_the_prevalence_of_the_page(visit):
    page = visit("bleeding", "#prevalence=0.1&model=s100b")
    shown = table(tab(page, "cutoffs"), "cutoffs")
    result = replace(bleeding()["s100b"], prevalence=0.1).cutoffs([0.22])
    expected = dict(zip(*sections_table(result), strict=True))
    row = next(row for row in shown["rows"] if row[0].startswith("0.22"))
    row = dict(zip(shown["head"], row, strict=True))

    for name in ("TP", "TN", "sensitivity", "specificity", "PPV", "NPV"):
        assert row[name] == expected[name], name
    assert "prevalence of 10.0%" in page.locator("#cutoffs .about").first.text_content()


def copied(page, selector):
    """What a button copies: without a clipboard, it is offered in a dialog."""
    page.locator(selector).click()
    text = page.input_value("#copied-text")
    page.locator("#copied-close").click()
    return text


def test_cutoffs_are_copied_as_csv_and_markdown(visit):
    page = tab(visit("churn"), "cutoffs")
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }"
    )
    shown = table(page, "cutoffs")
    rows = list(csv.DictReader(io.StringIO(copied(page, "#cutoffs button:text('CSV')"))))
    markdown = copied(page, "#cutoffs button:text('Markdown')").split("\n")
    columns = churn()[page.locator("#model option:checked").text_content()].cutoffs().columns()
    index = {row["cutoff"]: row for row in rows}

    for place, cutoff in enumerate(columns["cutoff"]):
        row = index[f"{cutoff:g}"]
        for name in ("true_positives", "true_positive_rate", "precision_low", "precision_high"):
            assert float(row[name]) == pytest.approx(columns[name][place], rel=1e-9), name
    assert len(markdown) == len(shown["rows"]) + 2
    assert markdown[1].startswith("| :-- | --: |")
    assert markdown[2].split(" | ")[4] == shown["rows"][0][4]


def test_copied_names_are_neither_formulas_nor_markup(page):
    from tradeoff.report.page import page_file

    for name in ("numbers.js", "svg.js", "words.js", "tables.js"):
        page.add_script_tag(content=page_file(name))
    names = ["=1+1", "+x", "-x", "@x", 'a"b,c', "a|b`c`", "<b>[x](y)*_", "a\nb", "plain"]
    written = ask(
        page,
        "(names) => names.map((name) => [Tables.csvField(name), Tables.markdownText(name)])",
        names,
    )
    fields = [row for (row,) in csv.reader(io.StringIO("\n".join(field for field, _ in written)))]

    assert fields[:4] == ["'=1+1", "'+x", "'-x", "'@x"]
    assert fields[4] == names[4]
    for (_, text), name in zip(written, names, strict=True):
        assert re.sub(r"\\(.)", r"\1", text) == name.replace("\n", " ")
        assert not re.search(r"(?<!\\)[|`<>*_\[\]]", text)


# Deciles


def mailing():
    """Tied scores of 230 letters, with what a letter costs and a response is worth."""
    random = np.random.default_rng(8)
    score = random.integers(1, 25, 230) / 25
    return to.evaluate(
        actual=random.random(230) < score**2,
        score={"response": score},
        costs=to.Costs(contact=2, value=9),
        unit="letters",
    )


@pytest.fixture(scope="module")
def mailing_page(opened, tmp_path_factory):
    path = tmp_path_factory.mktemp("deciles") / "mailing.html"
    mailing().report(path)
    return tab(opened(path).page, "deciles")


def test_deciles_are_those_of_the_command_line(mailing_page):
    shown = table(mailing_page, "deciles")
    gains = mailing().gains(costs=to.Costs(contact=2, value=9), check=False)
    expected = sections_table(gains)
    notes = [line for section in gains.sections() for line in section.lines]
    ties = next(line for line in notes if "equal scores" in line)

    assert shown["head"][0] == expected[0][0] == "decile"
    assert [tuple(row) for row in shown["rows"]] == [tuple(row) for row in expected[1:]]
    assert ties.split(":")[0] in mailing_page.locator("#deciles .about").text_content()
    assert "expected values" in mailing_page.locator("#deciles .about").text_content()


def test_deciles_that_are_flagged_are_shaded(mailing_page):
    page, ranking = mailing_page, mailing().ranking
    for index in (0, 7, 20):
        page.evaluate(f"() => tradeoff.moveThreshold('upper', {index})")
        frame(page)
        flagged = int(ranking.at_place(index).predicted_positives)
        shaded = page.locator("#deciles tr.flagged").count()
        assert shaded == flagged // 23


# Segments


def test_segments_are_intervals_beside_the_value_of_all_rows(visit):
    page = tab(visit("bleeding"), "segments")
    ranking = bleeding()["s100b"]
    page.select_option("#model", label="s100b")
    page.select_option("#goal", "number")
    page.fill("#upper-typed", "0.3")
    page.keyboard.press("Enter")
    frame(page)
    names = {
        "true_positive_rate": "recall",
        "precision": "precision",
        "false_positive_rate": "false positive rate",
        "auc": "AUC",
    }
    for metric, label in names.items():
        page.select_option("#segments select", metric)
        shown = table(page, "segments")
        values = dict(zip(column(shown, "segment"), column(shown, f"{label} (CI)"), strict=True))
        by_segment = replace(ranking, threshold=0.3).by_segment([metric])
        assert set(values) == {"Female", "Male"}
        estimates = by_segment.metrics[0].estimates
        assert values == {name: format_estimate(estimates[name]) for name in values}
        numbers = [estimates[name].value for name in column(shown, "segment")]
        worst_first = sorted(numbers, reverse=metric == "false_positive_rate")
        assert numbers == worst_first


SEGMENT_METRICS = ("true_positive_rate", "false_positive_rate", "precision", "accuracy")


@pytest.mark.parametrize(
    ("name", "model", "threshold"), [("bleeding", "wfns", 3), ("weighted", "weighted", 0.61)]
)
def test_segments_are_counted_at_the_threshold(visit, name, model, threshold):
    page = tab(visit(name, f"#model={model}&threshold={threshold}"), "segments")
    evaluation = EVALUATIONS[name]()
    for metric in SEGMENT_METRICS:
        page.select_option("#segments select", metric)
        rows = {row[0]: row[1:] for row in table(page, "segments")["rows"]}
        assert set(rows) == set(evaluation.segments[model])
        for segment, ranking in evaluation.segments[model].items():
            matrix = ranking.at(threshold)
            estimate = metrics_with_intervals([to.METRICS[metric]], matrix, Confidence())[metric]
            share = formatting.format_percent(float(matrix.positives) / float(matrix.rows))
            assert rows[segment][:2] == [formatting.format_count(ranking.rows), share]
            assert rows[segment][-1] == format_estimate(estimate)


def test_segments_follow_a_reject_band(visit):
    page = tab(visit("bleeding", "#model=s100b&threshold=0.5&lower=0.2"), "segments")
    page.select_option("#segments select", "precision")
    ranking = bleeding().segments["s100b"]["Female"]
    rows = {row[0]: row for row in table(page, "segments")["rows"]}
    matrix = ranking.banded(ranking.index(0.5), ranking.index(0.2))
    estimates = metrics_with_intervals([to.METRICS["precision"]], matrix, Confidence())

    assert rows["Female"][-1] == format_estimate(estimates["precision"])


def test_points_and_bars_of_segments_stand_at_their_values(visit):
    page = tab(visit("bleeding"), "segments")
    drawn = page.evaluate(
        """() => {
            const number = (node, name) => Number(node.getAttribute(name));
            const ticks = [...document.querySelectorAll("#segments .axis text")].map((text) =>
                [Number(text.textContent), number(text, "x")]);
            const rows = [...document.querySelectorAll("#segments tbody tr")].map((row) => [
                row.cells[row.cells.length - 1].textContent,
                number(row.querySelector("circle"), "cx"),
                ...row.querySelector(".whisker").getAttribute("d").match(/-?[\\d.]+/g).map(Number),
                Number(row.querySelector(".overall").getAttribute("d").match(/-?[\\d.]+/)[0]),
            ]);
            const { view } = tradeoff;
            return { ticks, rows, overall: view().ranking.tpr(view().selection.upper) };
        }"""
    )
    (first, start), *_, (last, end) = drawn["ticks"]

    def value(pixel):
        return first + (pixel - start) / (end - start) * (last - first)

    for text, point, low, _, high, overall in drawn["rows"]:
        numbers = [float(part) for part in re.findall(r"[\d.]+", text)]
        assert [value(point), value(low), value(high)] == pytest.approx(numbers, abs=0.004)
        assert value(overall) == pytest.approx(drawn["overall"], abs=0.002)


def forty_segments():
    random = np.random.default_rng(9)
    score = random.random(6000)
    clinic = np.array([f"clinic {number:02}" for number in range(40)], object)
    return to.evaluate(
        actual=random.random(6000) < score,
        score={"risk": np.round(score, 3)},
        segment=clinic[random.integers(0, 40, 6000)],
        unit="patients",
    )


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_forty_segments_are_listed_without_a_sideways_scroll(opened, tmp_path, width):
    path = tmp_path / "forty.html"
    forty_segments().report(path)
    page = tab(opened(path, viewport={"width": width, "height": 900}).page, "segments")
    frame(page)
    sizes = page.evaluate(
        """() => { const { scrollWidth, clientWidth } = document.querySelector("#segments .scroll");
            return [scrollWidth, clientWidth]; }"""
    )
    page.locator("#segments thead button", has_text="segment").click()
    shown = table(page, "segments")
    names = [row[0].split(" ")[1][:2] for row in shown["rows"]]

    assert sizes[0] <= sizes[1]
    assert names == [f"{number:02}" for number in range(40)]


def test_segments_change_places_when_the_threshold_rests(opened, tmp_path):
    path = tmp_path / "forty.html"
    forty_segments().report(path)
    page = tab(opened(path).page, "segments")
    frame(page)
    before = column(table(page, "segments"), "segment")
    page.evaluate("() => tradeoff.moveThreshold('upper', 120)")
    frame(page)
    moving = column(table(page, "segments"), "segment")
    page.wait_for_function(
        """(before) => [...document.querySelectorAll("#segments tbody bdi")]
            .map((name) => name.textContent).join() !== before.join()""",
        arg=before,
    )
    shown = table(page, "segments")
    values = [float(text.split(" ")[0]) for text in column(shown, "recall (CI)")]

    assert moving == before
    assert values == sorted(values)


def test_lower_scores_have_their_sign_in_the_head_of_the_cutoffs(visit):
    page = tab(visit("lower"), "cutoffs")

    assert table(page, "cutoffs")["head"][0] == "days ≤"
    assert lower().ranking.lower_is_positive
