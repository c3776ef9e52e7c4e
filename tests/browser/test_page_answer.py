"""The page answers first: a recommended threshold, or the question whose answer recommends one."""

import re

import numpy as np
import pytest

import tradeoff as to
from browser.conftest import ask, frame
from browser.reports import bleeding, churn, probabilities
from tradeoff import formatting

pytestmark = pytest.mark.browser

COSTS = to.Costs(fp=5, fn=60)


def text(page, name):
    return page.locator(f"#{name}").inner_text()


def threshold_text(page):
    return page.input_value("#upper-typed")


def index(page, model=None):
    return page.evaluate(
        "(model) => { const { active, selections } = tradeoff.state();"
        " return selections[model ?? active].upper; }",
        model,
    )


@pytest.fixture(scope="module")
def priced(visit):
    """Opens the report of churn with costs as it is when it is first seen."""
    return lambda fragment="": visit("churn", fragment)


def test_with_costs_the_page_opens_at_the_recommended_threshold_of_the_best_model(priced):
    page = priced()
    evaluation = churn()
    decisions = evaluation.thresholds()
    best = decisions.best

    assert page.evaluate("() => tradeoff.view().ranking.name") == best.ranking.name
    assert index(page) == best.index
    assert threshold_text(page) == f"{best.threshold:g}"
    assert text(page, "answer-rule") == (
        f"Flag customers with a score of {best.threshold:g} or more."
    )
    expected = best.out_of_sample.estimate.value
    assert f"Expect a cost per customer of EUR {expected:.2f} on new data" in text(
        page, "answer-text"
    )
    assert text(page, "use") == "In use"
    for model, name in enumerate(evaluation):
        assert index(page, model) == decisions[name].index


def test_the_answer_names_the_thresholds_that_are_as_good_and_the_auc(priced):
    page = priced()
    best = churn().thresholds().best
    low, high = sorted(
        next(
            limits
            for limits in best.out_of_sample.within
            if min(limits) <= best.threshold <= max(limits)
        )
    )
    answer = text(page, "answer-text")

    assert f"Any threshold from {low:.3g} to {high:.3g} is as good" in answer
    assert f"AUC {churn()[best.ranking.name].auc.value:.3f} (" in answer


def test_why_opens_the_reasons(priced):
    page = priced()
    assert not page.locator("#reasons").is_visible()
    page.click("#why")
    reasons = text(page, "reasons")
    best = churn().thresholds().best

    assert page.get_attribute("#why", "aria-expanded") == "true"
    assert "Lowest cost, if a false positive costs EUR 5 and a false negative EUR 60." in reasons
    assert "out-of-bag bootstrap, 200 resamples, seed 0" in reasons
    assert "Over bootstrap resamples, the chosen threshold ranges from" in reasons
    matrix = best.ranking.at(0.5)
    conventional = float(COSTS.total(matrix)) / float(matrix.rows)
    assert f"threshold 0.5 EUR {conventional:.3g}" in reasons
    assert "5 / (5 + 60) = 0.0769" in reasons
    page.click("#why")
    assert not page.locator("#reasons").is_visible()


def test_use_it_moves_the_threshold_there(priced):
    page = priced()
    recommended = index(page)
    page.fill("#upper-typed", "0.4")
    page.keyboard.press("Enter")
    frame(page)
    assert index(page) != recommended
    assert text(page, "use") == f"Use {churn().thresholds().best.threshold:g}"
    assert "or more." in text(page, "answer-rule")  # the answer stays what it is
    page.click("#use")
    frame(page)

    assert index(page) == recommended
    assert page.locator("#use").is_disabled()


def test_use_it_ends_a_band(priced):
    page = priced("#threshold=0.3&lower=0.1")
    page.click("#use")
    frame(page)

    assert not page.is_checked("#band")
    assert index(page) == churn().thresholds().best.index


def test_without_costs_one_question_recommends_a_threshold(visit):
    page = visit("probabilities")
    assert text(page, "answer-rule") == "Flag rows with a score of 0.5 or more."
    assert "the conventional one for probabilities" in text(page, "answer-text")
    assert page.locator("#use").is_hidden()
    assert threshold_text(page) == "0.5"
    page.fill("#ratio", "8")
    page.keyboard.press("Enter")
    frame(page)
    best = probabilities().best(costs=to.Costs(fp=1, fn=8))

    assert index(page) == best.index
    assert (page.input_value("#fn"), page.input_value("#fp")) == ("8", "1")
    assert page.input_value("#goal") == "cost"
    assert page.locator("#question").is_hidden()
    assert text(page, "answer-rule") == f"Flag rows with a score of {best.threshold:g} or more."
    assert f"A cost of {best.value:.3g}" in text(page, "answer-text").rstrip("0")
    assert "on these rows" in text(page, "answer-text")  # the page has no new data


def test_a_false_alarm_may_be_worse(visit):
    page = visit("bleeding")
    page.select_option("#worse", "fp")
    assert text(page, "worse-than") == "times as bad as a miss"
    page.fill("#ratio", "3,5")
    page.click("#question button")
    frame(page)
    best = bleeding()["s100b"].best(costs=to.Costs(fp=3.5, fn=1))

    assert index(page) == best.index
    for model, name in enumerate(bleeding()):  # the others stood at their best, and follow
        assert index(page, model) == bleeding()[name].best(costs=to.Costs(fp=3.5, fn=1)).index


@pytest.mark.parametrize("ratio", ["", "0", "-2", "much"])
def test_an_answer_without_a_number_is_refused(visit, ratio):
    page = visit("probabilities")
    page.fill("#ratio", ratio)
    page.click("#question button")
    frame(page)

    assert text(page, "status") == "Enter how many times as bad: a number above 0."
    assert page.get_attribute("#ratio", "aria-invalid") == "true"
    assert threshold_text(page) == "0.5"


@pytest.mark.parametrize("name", ["probabilities", "many"])
def test_the_pages_own_half_is_exactly_that(visit, name):
    page = visit(name, "#threshold=0.3")
    page.click("#reset")
    frame(page)

    assert threshold_text(page) == "0.5"
    assert text(page, "status") == ""
    page.fill("#upper-typed", "0.5")
    page.keyboard.press("Enter")
    frame(page)
    assert threshold_text(page) == "0.5"
    assert text(page, "status") == ""


def test_a_threshold_of_youdens_j_is_marked_as_provisional(visit):
    page = visit("bleeding")

    assert text(page, "answer-label").startswith("Provisional threshold · Youden’s J · s100b")
    assert text(page, "answer-rule") == "Flag rows with a score of 0.22 or more."
    assert "where Youden's J is highest" in text(page, "answer-text")
    assert page.locator("#question").is_visible()
    assert page.input_value("#goal") == "youden"


def test_a_goal_of_the_report_is_the_goal_of_the_page(opened, tmp_path):
    evaluation = to.evaluate(
        actual=probabilities_columns()[0], score=probabilities_columns()[1], by="recall", target=0.9
    )
    evaluation.report(tmp_path / "goal.html")
    page = opened(tmp_path / "goal.html").page

    assert page.input_value("#goal") == "tpr"
    assert page.input_value("#goal-value") == "90"
    assert index(page) == evaluation.best("tpr", target=0.9).index
    assert re.search(r"Expect a recall of \d\d\.\d% and ", text(page, "answer-text"))
    assert page.locator("#question").is_hidden()


def probabilities_columns():
    """Rows and scores of `probabilities`, without folds."""
    random = np.random.default_rng(1)
    score = random.integers(1, 100, 300) / 100
    return random.random(300) < score**1.5, score


def test_a_threshold_follows_the_costs_until_it_is_dragged(priced):
    page = priced()
    ranking = churn()[churn().thresholds().best.ranking.name]
    page.fill("#fn", "20")
    frame(page)
    assert index(page) == ranking.best(costs=to.Costs(fp=5, fn=20)).index
    page.locator("#upper-slider").focus()
    page.keyboard.press("ArrowRight")
    frame(page)
    moved = index(page)
    page.fill("#fn", "10")
    frame(page)

    assert index(page) == moved
    best = ranking.best(costs=to.Costs(fp=5, fn=10))
    assert text(page, "use") == f"Use {formatting.format_threshold(best.threshold)}"


# ---- the pin


def tiles(page):
    return ask(
        page,
        """() => Object.fromEntries([...document.querySelectorAll(".tile")].map((tile) => {
            const text = (part) => {
                const node = tile.querySelector(`.${part}`);
                return [part, node.hidden ? null : node.textContent];
            };
            return [tile.id.slice(5), Object.fromEntries(["value", "range", "change"].map(text))];
        }))""",
        None,
    )


def test_a_page_with_costs_is_compared_with_the_conventional_threshold(priced):
    page = priced()
    best = churn().thresholds().best
    matrices = [best.ranking.at(threshold) for threshold in (best.threshold, 0.5)]
    recall = [float(to.METRICS["tpr"](matrix)) for matrix in matrices]
    cost = [float(COSTS.total(matrix)) for matrix in matrices]
    shown = tiles(page)

    assert (
        shown["true_positive_rate"]["change"]
        == f"+{100 * (recall[0] - recall[1]):.1f} points vs 0.5"
    )
    assert shown["cost"]["value"] == f"EUR {cost[0]:,.0f}"
    assert shown["cost"]["change"] == f"EUR −{cost[1] - cost[0]:,.0f} vs 0.5"
    classes = {
        name: page.get_attribute(f"#tile-{name} .change", "class").split()[1:]
        for name in ("true_positive_rate", "false_positive_rate", "flagged", "cost")
    }
    assert classes == {
        "true_positive_rate": ["good"],
        "false_positive_rate": ["bad"],
        "flagged": [],
        "cost": ["good"],
    }


def test_pinning_keeps_a_threshold_to_compare_with(visit):
    page = visit("bleeding", "#threshold=0.3")
    assert all(tile["change"] is None for tile in tiles(page).values())
    page.click("#pin")
    frame(page)
    assert tiles(page)["flagged"]["change"] == "0 vs 0.3"
    page.fill("#upper-typed", "0.1")
    page.keyboard.press("Enter")
    frame(page)
    ranking = bleeding()["s100b"].ranking
    flagged = [
        int(ranking.at(t).true_positives + ranking.at(t).false_positives) for t in (0.1, 0.3)
    ]

    assert tiles(page)["flagged"]["change"] == f"+{flagged[0] - flagged[1]} vs 0.3"
    assert page.locator(".pinned-label").text_content() == "pinned 0.3"
    page.select_option("#model", label="ndka")
    frame(page)
    assert tiles(page)["flagged"]["change"].endswith(" vs s100b 0.3")
    assert page.locator(".pinned-label").is_hidden()  # 0.3 is no threshold of this model
    page.click("#pin")
    frame(page)
    assert all(tile["change"] is None for tile in tiles(page).values())


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.33, 2.5])
def test_tiles_have_the_librarys_rates_with_their_intervals(visit, threshold):
    page = visit("bleeding", f"#threshold={threshold}")
    model = bleeding()["s100b"]
    for name in ("true_positive_rate", "false_positive_rate", "precision"):
        estimate = model.metric(name, threshold)
        shown = tiles(page)[name]
        if not estimate.is_defined:
            assert shown["value"] == "undefined"
            continue
        low, high = (formatting.format_percent(limit) for limit in (estimate.low, estimate.high))
        assert shown["value"] == formatting.format_percent(estimate.value)
        assert shown["range"] == f"95% CI {low[:-1]}–{high}"


# ---- predicted labels


def test_predicted_labels_have_no_slider_and_no_goal(opened, tmp_path):
    random = np.random.default_rng(0)
    actual = random.random(200) < 0.3
    guess = np.where(random.random(200) < 0.8, actual, ~actual)
    evaluation = to.evaluate_labels(actual, {"rule": guess}, positive=True)
    evaluation.report(tmp_path / "labels.html")
    page = opened(tmp_path / "labels.html").page
    right = float(np.mean(actual == guess))
    before = tiles(page)
    page.locator("#chart-roc svg").first.hover(force=True)
    page.mouse.down()
    page.mouse.up()
    frame(page)

    for hidden in (
        "line",
        "goal-row",
        "band-card",
        "question",
        "use",
        "tab-cutoffs",
        "tab-deciles",
    ):
        assert not page.locator(f"#{hidden}").is_visible(), hidden
    assert text(page, "answer-rule") == (
        f"{formatting.format_percent(right)} of 200 rows are classified correctly."
    )
    assert page.locator("#matrix .count").count() == 4
    assert page.locator("figure.chart").count() == 1
    assert tiles(page) == before
