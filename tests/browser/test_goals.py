"""Goals on the page choose the thresholds and bands that the library chooses, to the row."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from command_line import run

import tradeoff as to
from browser.conftest import ask
from browser.reports import as_costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.report.page import LOADER, SCRIPTS, page_file
from tradeoff.thresholds.decision import best_threshold
from tradeoff.thresholds.reject_band import best_band

pytestmark = pytest.mark.browser

COMPUTING = [LOADER, *SCRIPTS[: SCRIPTS.index("rankings.js") + 1]]
SCRIPT = "\n".join(map(page_file, COMPUTING))
NO_COSTS = {"fp": 1, "fn": 1, "tp": 0, "tn": 0, "rp": 0, "rn": 0, "fixed": 0}

DECODE = """async (text) => {
    const data = await Documents.decode(JSON.parse(text));
    globalThis.ranking = new Rankings.Ranking(data.models[0], data.lower_is_positive);
}"""
CHOOSE = """(questions) => {
    const { ranking } = globalThis;
    return questions.map(({ goal, value, costs, prevalence, population }) => {
        const prior = {
            prevalence: prevalence ?? ranking.prevalence, population: population ?? ranking.rows,
            isSample: prevalence === undefined,
        };
        const choose = {
            cost: () => Rankings.lowestCostIndex(ranking, costs, prior),
            youden: () => Rankings.youdenIndex(ranking),
            tpr: () => Rankings.indexForTpr(ranking, value),
            fpr: () => Rankings.indexForFpr(ranking, value),
            precision: () => Rankings.indexForPrecision(ranking, value, prior),
            capacity: () => Rankings.indexForCapacity(ranking, value, prior),
            number: () => ranking.indexOf(Rankings.thresholdNumber(value)),
            band: () => Rankings.lowestCostBand(ranking, costs, prior, value ?? Infinity),
        };
        const answer = choose[goal]();
        const [upper, lower] = Array.isArray(answer) ? answer : [answer, answer];
        if (upper === null) return null;
        const { truePositives, falsePositives } = ranking;
        return {
            upper: [truePositives[upper], falsePositives[upper]],
            lower: [truePositives[lower], falsePositives[lower]],
            threshold: ranking.thresholds[upper], text: ranking.text(upper),
        };
    });
}"""


@pytest.fixture(scope="module")
def page(chromium):
    """A page with the scripts that compute, and nothing else."""
    context = chromium.new_context(offline=True)
    page = context.new_page()
    page.set_content(f"<!doctype html><script>{SCRIPT}</script>")
    yield page
    context.close()


def chosen(page, evaluation, questions):
    """What the page chooses for each question."""
    page.evaluate(DECODE, json.dumps(evaluation._page_document(), allow_nan=False))
    return ask(
        page,
        CHOOSE,
        [question | {"costs": NO_COSTS | question.get("costs", {})} for question in questions],
    )


def rows_of(size, seed=0, spread=1.6):
    random = np.random.default_rng(seed)
    positive = random.random(size) < 0.2
    return positive, random.normal(size=size) + spread * positive


def plain(size):
    positive, score = rows_of(size)
    return to.evaluate(actual=positive, score=1 / (1 + np.exp(2 - score)))


def tied(size):
    """As many rows as twice the distinct scores."""
    positive, score = rows_of(2 * size, seed=1)
    return to.evaluate(actual=positive, score=np.floor(score * size / 8) / 100)


def whole_weights(size):
    positive, score = rows_of(size, seed=2)
    weight = np.random.default_rng(3).integers(1, 9, size)
    return to.evaluate(actual=positive, score=score, weight=weight)


def real_weights(size):
    positive, score = rows_of(size, seed=4)
    weight = np.random.default_rng(5).gamma(2, 1.3, size)
    return to.evaluate(actual=positive, score=score, weight=weight)


def low_is_positive(size):
    positive, score = rows_of(size, seed=6)
    return to.evaluate(actual=positive, score=3 - score, lower_is_positive=True)


def without_scores(size):
    positive, score = rows_of(size, seed=7)
    score[::11] = np.nan
    return to.evaluate(actual=positive, score=score, missing="reject")


KINDS = {
    "plain": plain,
    "tied": tied,
    "whole weights": whole_weights,
    "real weights": real_weights,
    "low is positive": low_is_positive,
    "without scores": without_scores,
}
CASES = [(kind, size) for kind in KINDS for size in (2_000, 5_000, 20_000)]
PREVALENCES = [None, 0.01, 0.6]
COSTS = [
    {"fp": 5, "fn": 60},
    {"fn": 12.5, "fp": 0.7},
    {"fp": 1, "fn": 1},
    {"fp": 2, "fn": 0, "tp": -9},
    {"fn": 3, "fixed": 40},
]
BAND_COSTS = [
    {"fp": 5, "fn": 60, "rp": 4, "rn": 4},
    {"fn": 5, "rp": 0.5, "rn": 0.2},
    {"fp": 3, "fn": 2, "tp": -1, "rp": 1, "rn": 1},
]
RATES = [0, 0.001, 0.033, 0.1, 0.5, 2 / 3, 0.9, 0.95, 0.999, 1]


@cache
def evaluation_of(kind, size):
    return KINDS[kind](size)


def library_counts(ranking, index):
    return [float(ranking.true_positives[index]), float(ranking.false_positives[index])]


def best(ranking, by, **options):
    """What the library chooses; None where no threshold reaches the target."""
    try:
        return best_threshold(ranking, by, **options)
    except InputError:
        return None


def library_costs(costs):
    amounts = {name: value for name, value in costs.items() if name != "fixed"}
    return replace(as_costs(**amounts), fixed=float(costs.get("fixed", 0)))


every_case = pytest.mark.parametrize(("kind", "size"), CASES)


@every_case
def test_goals_choose_the_librarys_threshold_to_the_row(page, kind, size):
    evaluation = evaluation_of(kind, size)
    ranking = evaluation.ranking
    total = float(ranking.total)
    questions, decisions = [], []

    def add(goal, value, decision, **more):
        questions.append({"goal": goal, "value": value} | more)
        decisions.append(decision)

    for prevalence in PREVALENCES:
        given = {} if prevalence is None else {"prevalence": prevalence}
        for costs in COSTS:
            decision = best(ranking, "cost", costs=library_costs(costs), prevalence=prevalence)
            add("cost", None, decision, costs=costs, **given)
        for rate in RATES:
            decision = best(ranking, "precision", target=rate, prevalence=prevalence)
            add("precision", rate, decision, **given)
        for rows in (0, 1, 17, 250, 500, round(total / 3), round(total), 10 * round(total)):
            decision = best(ranking, "capacity", target=rows, prevalence=prevalence)
            add("capacity", rows, decision, **given)
    for rate in RATES:
        add("tpr", rate, best(ranking, "tpr", target=rate))
        add("fpr", rate, best(ranking, "fpr", target=rate))
    add("youden", None, best(ranking, "youden"))

    answers = chosen(page, evaluation, questions)
    for question, decision, answer in zip(questions, decisions, answers, strict=True):
        assert (answer is None) == (decision is None), question
        if decision is not None:
            assert answer["upper"] == library_counts(ranking, decision.index), question


@every_case
def test_thresholds_of_the_page_decide_the_same_in_python(page, kind, size):
    """As they are, as they are written, and as numbers that a reader types."""
    evaluation = evaluation_of(kind, size)
    ranking = evaluation.ranking
    random = np.random.default_rng(8)
    low, high = sorted([float(ranking.thresholds[1]), float(ranking.thresholds[-1])])
    typed = [
        float(f"{x:.{digits}g}") for x in random.uniform(low, high, 60) for digits in (2, 4, 6)
    ]
    exact = ranking.thresholds[random.integers(1, len(ranking), 200)].tolist()
    numbers = [*typed, *exact, low - 1, high + 1, 0]
    answers = chosen(page, evaluation, [{"goal": "number", "value": x} for x in numbers])

    for number, answer in zip(numbers, answers, strict=True):
        counts = library_counts(ranking, ranking.index(number))
        assert answer["upper"] == counts, number
        if answer["text"] != "none":
            assert library_counts(ranking, ranking.index(float(answer["text"]))) == counts
            assert library_counts(ranking, ranking.index(answer["threshold"])) == counts


@every_case
def test_reject_bands_are_the_librarys_to_the_row(page, kind, size):
    evaluation = evaluation_of(kind, size)
    ranking = evaluation.ranking
    questions, bands = [], []
    for costs in BAND_COSTS:
        for prevalence in (None, 0.05):
            for capacity in (None, 0, 3, 214, 700):
                given = {} if prevalence is None else {"prevalence": prevalence}
                questions.append({"goal": "band", "value": capacity, "costs": costs} | given)
                bands.append(
                    best_band(
                        ranking,
                        costs=library_costs(costs),
                        capacity=capacity,
                        prevalence=prevalence,
                    )
                )

    answers = chosen(page, evaluation, questions)
    for question, band, answer in zip(questions, bands, answers, strict=True):
        assert answer["upper"] == library_counts(ranking, band.upper_index), question
        assert answer["lower"] == library_counts(ranking, band.lower_index), question


def test_a_capacity_counts_rows_of_the_population(page):
    evaluation = evaluation_of("plain", 5_000)
    question = {"goal": "capacity", "value": 100, "population": 1000, "prevalence": 0.05}
    (answer,) = chosen(page, evaluation, [question])
    decision = best(evaluation.ranking, "capacity", target=500, prevalence=0.05)

    assert answer["upper"] == library_counts(evaluation.ranking, decision.index)


@cache
def many():
    positive, score = rows_of(300_000, seed=9)
    return to.Evaluation({"many": Ranking.of(score, positive)})


def test_of_very_many_thresholds_those_for_usual_goals_are_kept(page):
    ranking = many().rankings["many"]
    questions, decisions = [], []
    for goal, values in {
        "tpr": [0.05, 0.5, 0.905, 0.95, 0.99, 0.999],
        "fpr": [0.0005, 0.001, 0.01, 0.05, 0.1, 0.335, 0.5],
        "precision": [0.3, 0.5, 0.75, 0.9, 0.99],
        "capacity": [1, 20, 250, 500, 1000, 12_000, 150_000],
    }.items():
        for value in values:
            questions.append({"goal": goal, "value": value})
            decisions.append(best(ranking, goal, target=value))
    for costs in COSTS:
        questions.append({"goal": "cost", "costs": costs})
        decisions.append(best(ranking, "cost", costs=library_costs(costs)))
    questions.append({"goal": "youden"})
    decisions.append(best(ranking, "youden"))

    answers = chosen(page, many(), questions)
    for question, decision, answer in zip(questions, decisions, answers, strict=True):
        assert answer["upper"] == library_counts(ranking, decision.index), question


def test_of_very_many_thresholds_the_next_that_reaches_a_goal_is_chosen(page):
    """Never one that misses the goal, and hardly worse than the library's."""
    ranking = many().rankings["many"]
    goals = [("tpr", 0.91234), ("fpr", 0.12345), ("precision", 0.61803), ("capacity", 12_345)]
    answers = chosen(page, many(), [{"goal": goal, "value": value} for goal, value in goals])

    for (goal, value), answer in zip(goals, answers, strict=True):
        matrix = ranking.at(answer["threshold"])
        measure = to.METRICS["tpr" if goal == "tpr" else goal] if goal != "capacity" else None
        reached = float(matrix.predicted_positives if measure is None else measure(matrix))
        assert reached >= value if goal in {"tpr", "precision"} else reached <= value
        decision = best(ranking, goal, target=value)
        difference = abs(matrix.predicted_positives - decision.confusion.predicted_positives)
        assert difference <= ranking.rows / 1000


COMMANDS = {
    ("cost", None): "--cost-fp 5 --cost-fn 60",
    ("tpr", 0.9): "--by tpr --target 0.9",
    ("fpr", 0.1): "--by fpr --target 0.1",
    ("precision", 0.5): "--by precision --target 0.5",
    ("capacity", 500): "--by capacity --target 500",
    ("youden", None): "--by youden",
}


def test_the_command_line_chooses_the_same(page, tmp_path):
    """2,900 rows: "at most 500" used to be 491 rows on the page."""
    evaluation = evaluation_of("plain", 2_900)
    ranking = evaluation.ranking
    positive = np.diff(ranking.true_positives).astype(bool)
    file = tmp_path / "scores.csv"
    rows = zip(positive.astype(int).tolist(), ranking.thresholds[1:].tolist(), strict=True)
    lines = [f"{actual},{score!r}" for actual, score in rows]
    file.write_text("\n".join(["actual,score", *lines]))
    questions = [
        {"goal": goal, "value": value, "costs": {"fp": 5, "fn": 60}} for goal, value in COMMANDS
    ]

    answers = chosen(page, evaluation, questions)
    for options, answer in zip(COMMANDS.values(), answers, strict=True):
        code, printed, errors = run(
            "threshold", file, "--actual", "actual", "--score", "score", "--no-check",
            "--format", "json", *options.split(),
        )  # fmt: skip
        assert code == 0, errors
        matrix = json.loads(printed)["confusion"]
        assert answer["upper"] == [matrix["true_positives"], matrix["false_positives"]], options
    assert sum(answers[4]["upper"]) == 500
