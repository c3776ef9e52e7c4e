"""What checks find in bad rows, and that they find nothing in good ones."""

import numpy as np
import pytest
from hypothesis import given
from strategies import rankings

import tradeoff as to
from tradeoff.checks import (
    CHECKS,
    Finding,
    GivenRows,
    GivenScores,
    findings_of,
    findings_of_rows,
    worst_level,
)
from tradeoff.checks.folds import _against, _coarse, fold_shift
from tradeoff.core.models import RankedModels


def good(seed, size=400, prevalence=0.3):
    """Honest probabilities of a fair model: actual classes are drawn from them."""
    random = np.random.default_rng(seed)
    score = random.beta(2 * prevalence, 2 * (1 - prevalence), size)
    return random, (random.random(size) < score).astype(int), score


def found_in(e, against=None, **names):
    other = {} if against is None else against.rankings
    return findings_of(e.models, against=other, **names)


def found(actual, score, **options):
    return {one.name: one for one in found_in(to.evaluate(actual=actual, score=score, **options))}


def test_good_rows_raise_hardly_any_alarm():
    alarms = 0
    for seed in range(200):
        random, actual, score = good(seed)
        groups = {"fold": random.integers(0, 5, 400), "segment": random.integers(0, 4, 400)}
        evaluation = to.evaluate(actual=actual, score=score, **groups)
        _, again, other = good(seed + 1000)
        against = to.evaluate(actual=again, score=other)
        alarms += any(one.matters for one in found_in(evaluation, against))
    assert alarms < 4


@pytest.mark.parametrize("size", [50, 20_000, 1_000_000])
def test_good_rows_of_any_number_raise_no_alarm(size):
    random, actual, score = good(1, size)
    e = to.evaluate(actual=actual, score=score, segment=random.integers(0, 3, size))
    assert not [one for one in found_in(e) if one.matters]


def test_scores_of_every_usual_kind_raise_no_alarm():
    _, actual, score = good(2)
    logits = np.log(score / (1 - score))
    for column in (score, logits, 100 * score, score.round(2), score.astype(np.float32)):
        assert not [one for one in found(actual, column).values() if one.matters]


@pytest.mark.parametrize(("values", "looks"), [((0, 1), True), ((-1, 1), True), ((2, 7), False)])
def test_two_values_are_hardly_scores(values, looks):
    _, actual, score = good(3)
    finding = found(actual, np.where(score > 0.4, values[1], values[0]))["hard_labels"]
    assert finding.level == "warning"
    assert f"two values, {values[0]} and {values[1]}" in finding.sentence
    assert ("look like predicted classes" in finding.sentence) is looks


def test_three_values_may_be_scores():
    _, actual, score = good(3)
    assert "hard_labels" not in found(actual, np.digitize(score, [0.3, 0.6]))


def test_scores_of_the_other_class_are_noticed_either_way():
    _, actual, score = good(4)
    finding = found(actual, 1 - score)["wrong_class"]
    assert finding.level == "warning"
    assert "tend to have low scores, though high" in finding.sentence
    lower = found(actual, score, lower_is_positive=True)["wrong_class"]
    assert "tend to have high scores, though low" in lower.sentence
    assert "wrong_class" not in found(actual, 1 - score, lower_is_positive=True)


def test_large_importances_do_not_make_chance_look_sure():
    # AUC 2/6 of seven rows: by weight sums of thousands it would be surely below 1/2.
    actual, score = [1, 0, 1, 0, 0, 1, 0], [1, 2, 3, 4, 5, 6, 7]
    weight = [1000.5] * 7
    assert "wrong_class" not in found(actual, score, weight=weight)


@pytest.mark.parametrize(("size", "level"), [(200, "warning"), (40, "note")])
def test_perfect_ranks_are_suspicious(size, level):
    actual = np.arange(size) % 2
    random = np.random.default_rng(0)
    finding = found(actual, actual + random.uniform(0, 0.5, size))["too_good"]
    assert finding.level == level
    assert "AUC 1.0000" in finding.sentence


def test_a_few_perfect_rows_are_no_leak():
    assert "too_good" not in found([0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6])


def test_probabilities_outside_their_range_are_counted():
    _, actual, score = good(5, 200)
    spoilt = score.clip(0.01, 0.99)
    spoilt[:3], spoilt[3:5] = 1.2, -0.1
    finding = found(actual, spoilt)["outside_probabilities"]
    assert finding.level == "warning"
    assert finding.sentence.startswith("2.5 % of the scores in score lie outside 0 to 1")
    assert "from -0.1 to 1.2" in finding.sentence
    low = found(actual, spoilt, lower_is_positive=True)["outside_probabilities"]
    assert low.sentence == finding.sentence


def test_measurements_and_rounding_leave_the_range_with_a_note_alone():
    _, actual, score = good(5, 200)
    score[score.argmax()] = 3.0
    assert found(actual, score)["outside_probabilities"].level == "note"
    score[score.argmax()] = 1 + 1e-12
    assert "by rounding alone" in found(actual, score)["outside_probabilities"].sentence


def test_infinite_scores_are_not_taken_for_probabilities_out_of_range():
    _, actual, score = good(5, 200)
    score[:4] = [np.inf, np.inf, -np.inf, -np.inf]
    assert "outside_probabilities" not in found(actual, score)
    assert "outside_probabilities" not in found(actual, score, lower_is_positive=True)


def test_noise_in_the_last_digits_is_counted():
    random, actual, score = good(6, 1000)
    grid = score.round(2).clip(0.01, 0.99)
    noisy = grid * (1 + random.integers(-3, 4, 1000) * 2.3e-16)
    finding = found(actual, noisy)["near_ties"]
    distinct = len(np.unique(noisy))
    assert finding.level == "warning"
    assert finding.sentence.startswith(f"{distinct - len(np.unique(grid)):,} of {distinct:,} ")
    assert "near_ties" not in found(actual, noisy, digits=9)


@pytest.mark.parametrize("lower", [False, True])
def test_a_confident_models_scores_are_no_noise(lower):
    # Log odds from -30 to 30 in steps of 0.06; near 1 probabilities are 1 - e**-z, so that beyond
    # log odds of 20.7 all lie within 1e-9 of 1, and of each other.
    random = np.random.default_rng(0)
    odds = np.linspace(-30, 30, 1001)
    score = 1 / (1 + np.exp(-odds))
    actual = (random.random(1001) < 1 / (1 + np.exp(-odds / 10))).astype(int)
    findings = found(actual, score, positive=0 if lower else 1, lower_is_positive=lower)

    assert "near_ties" not in findings
    assert findings["squeezed_scores"].level == "note"
    assert "squeezed against 1; their log odds differ by more" in (
        findings["squeezed_scores"].sentence
    )
    # Scores apart by less than 1e-9, relative to about 1: those whose 1 - s changes by less.
    plain = np.count_nonzero(np.diff(score) <= 1e-9 * score[:-1])
    assert findings["squeezed_scores"].sentence.startswith(f"{plain:,} of 1,001 distinct scores")


def test_noise_next_to_1_is_noise_in_log_odds_too():
    # 1 - s is 1e-4 to 1e-2; noise of 1e-16 moves log odds by 1e-12 of their size or so.
    random, actual, _ = good(6, 1000)
    noisy = 1 - random.integers(1, 100, 1000) * 1e-4 + random.integers(-3, 4, 1000) * 2.3e-16

    findings = found(actual, noisy)

    assert findings["near_ties"].level == "warning"
    assert "squeezed_scores" not in findings


def test_measurements_are_judged_by_their_own_size():
    random, actual, _ = good(6, 1000)
    noisy = random.integers(1, 100, 1000) * (1 + random.integers(-3, 4, 1000) * 2.3e-16)

    assert found(actual, noisy)["near_ties"].level == "warning"


def test_constant_scores_and_a_single_class_are_errors():
    same = found([0, 1] * 20, [0.5] * 40)
    assert same["constant_scores"].level == "error"
    alone = found([1] * 20, np.arange(20))
    assert alone["one_class"].level == "error"
    assert "No ranked row is 0: every one is 1" in alone["one_class"].sentence
    assert "No ranked row is 1" in found([0] * 20, np.arange(20))["one_class"].sentence


def test_no_rows_are_an_error_and_nothing_else():
    assert list(found([], [])) == ["no_rows"]


def test_few_rows_of_a_class_are_named():
    _, actual, score = good(7, 300)
    few = np.concatenate([np.flatnonzero(actual)[:9], np.flatnonzero(actual == 0)])
    finding = found(actual[few], score[few])["few_rows_of_a_class"]
    assert finding.sentence.startswith("Only 9 rows are 1:")
    enough = np.concatenate([np.flatnonzero(actual)[:10], np.flatnonzero(actual == 0)])
    assert "few_rows_of_a_class" not in found(actual[enough], score[enough])


def test_folds_of_one_class_are_named():
    _, actual, score = good(8, 200)
    fold = np.where(actual == 1, np.arange(200) % 3, np.arange(200) % 4)
    finding = found(actual, score, fold=fold)["one_class_folds"]
    assert finding.level == "warning"
    assert finding.sentence.startswith("1 of 4 folds have rows of one class alone: '3'.")
    alone = found(actual, score, fold=np.arange(200))["one_class_folds"]
    assert alone.sentence.startswith("Every fold")


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("size", [2000, 40_000])
def test_shifted_folds_are_found_and_told_with_exact_numbers(size, lower):
    random, actual, score = good(9, size)
    fold = random.integers(0, 4, size)
    sign = -1 if lower else 1
    moved = sign * (score + 0.4 * (fold == 2))
    e = to.evaluate(actual=actual, score=moved, fold=fold, lower_is_positive=lower)
    finding = {one.name: one for one in found_in(e)}["shifted_folds"]
    exact = fold_shift(e.folds["score"])
    assert finding.sentence[1:-1] == exact.rpartition("; ")[0][1:]
    assert finding.level == "warning"


def test_importances_are_not_taken_for_numbers_of_rows_between_folds():
    alarms, shifts = 0, 0
    for seed in range(50):
        random, actual, score = good(seed, 500)
        groups = {"fold": random.integers(0, 5, 500), "weight": random.exponential(5, 500) + 0.01}
        alarms += "shifted_folds" in found(actual, score, **groups)
        moved = score + 0.5 * (groups["fold"] == 1)
        shifts += "shifted_folds" in found(actual, moved, **groups)
    assert alarms < 2
    assert shifts == 50


@pytest.mark.parametrize("lower", [False, True])
def test_coarse_folds_count_the_same_rows(lower):
    random, actual, score = good(10, 30_000)
    fold = random.integers(0, 3, 30_000)
    folds = to.evaluate(actual=actual, score=score, fold=fold, lower_is_positive=lower).folds
    exact, coarse = folds["score"], _coarse(folds["score"])
    for name, fold in exact.items():
        assert coarse[name].distinct <= 2049
        assert coarse[name].positives == fold.positives
        assert coarse[name].negatives == fold.negatives
        line = float(coarse[name].thresholds[700])
        assert coarse[name].at(line).true_positives == fold.at(line).true_positives


def test_prevalence_between_files_is_worked_by_hand():
    # 30 of 100 against 60 of 100: the common share is 0.45, z = -0.3 / √(0.45·0.55·0.02).
    part = _against("a", (30, 70), (90, 110))
    assert part.prevalence == pytest.approx(0.3)
    assert part.others == pytest.approx(0.6)
    z = 0.3 / np.sqrt(0.45 * 0.55 * 0.02)
    # Pearson's chi-squared of [[30, 70], [60, 40]] is 200·(30·40 - 70·60)² / (100·100·90·110).
    assert z**2 == pytest.approx(200 * (30 * 40 - 70 * 60) ** 2 / (100 * 100 * 90 * 110))
    assert part.p_value == pytest.approx(2.1e-5, rel=0.05)
    assert part.odds == pytest.approx(70.5 * 60.5 / (30.5 * 40.5))


def of_prevalence(seed, size, prevalence):
    random = np.random.default_rng(seed)
    actual = (np.arange(size) < round(prevalence * size)).astype(int)
    return to.evaluate(actual=actual, score=random.normal(size=size) + actual)


@pytest.mark.parametrize(
    ("size", "first", "second", "told"),
    [
        (500, 0.3, 0.6, True),
        (1_000_000, 0.30, 0.31, False),  # sure, but small
        (40, 0.3, 0.45, False),  # large, but by chance
        (100_000, 0.001, 0.003, True),
    ],
)
def test_prevalence_must_differ_surely_and_by_much(size, first, second, told):
    one, other = of_prevalence(0, size, first), of_prevalence(1, size, second)
    names = [each.name for each in found_in(one, other, names=("a.csv", "b.csv"))]
    assert ("prevalence_of_files" in names) is told


@pytest.mark.parametrize(("share", "level"), [(0.4, "note"), (0.7, "warning")])
def test_a_segment_with_many_positives_is_named(share, level):
    size = 4000
    segment = np.arange(size) % 4
    random = np.random.default_rng(3)
    actual = (random.random(size) < np.where(segment == 2, share, 0.2)).astype(int)
    finding = found(actual, random.normal(size=size) + actual, segment=segment)
    assert finding["prevalence_of_segments"].level == level
    assert "in 2 against" in finding["prevalence_of_segments"].sentence


def test_weights_scale_evidence_not_alarm():
    random = np.random.default_rng(4)
    segment = np.arange(60) % 2
    actual = (random.random(60) < np.where(segment, 0.55, 0.4)).astype(int)
    score = random.normal(size=60) + actual
    heavy = found(actual, score, segment=segment, weight=np.full(60, 1000.5))
    assert "prevalence_of_segments" not in heavy


def test_segments_of_one_class_are_a_note():
    _, actual, score = good(11, 200)
    finding = found(actual, score, segment=np.where(actual == 1, "sick", "all"))
    assert finding["one_class_segments"].level == "note"


def test_what_several_models_share_is_said_once():
    _, actual, score = good(12, 300)
    few = np.concatenate([np.flatnonzero(actual)[:5], np.flatnonzero(actual == 0)])
    e = to.evaluate(actual=actual[few], score={"a": score[few], "b": score[few] ** 2})
    assert [(one.name, one.where) for one in found_in(e)] == [("few_rows_of_a_class", "a, b")]


def test_findings_come_worst_first():
    _, actual, score = good(13, 200)
    e = to.evaluate(actual=actual, score={"bad": 1 - score, "same": np.zeros(200)})
    levels = [one.level for one in found_in(e)]
    assert levels == sorted(levels, key=["error", "warning", "note"].index)
    assert worst_level(found_in(e)) == "error"
    assert worst_level([]) is None


def test_copies_are_warned_of_and_contradictions_are_errors():
    classes = np.array(["yes", "no", "yes", "no"])
    once = GivenRows(classes, ids=np.array(["a", "b", "c", "d"]))
    copies = GivenRows(classes, ids=np.array(["a", "b", "a", "d"]))
    clash = GivenRows(classes, ids=np.array(["a", "a", "c", "d"]))
    assert findings_of_rows(once) == []
    assert [one.level for one in findings_of_rows(copies)] == ["warning"]
    (finding,) = findings_of_rows(clash)
    assert (finding.name, finding.level) == ("duplicate_ids", "error")
    assert "differ in class" in finding.sentence


def test_copies_in_different_folds_are_a_note():
    classes, ids = np.array(["y", "n", "y", "n"]), np.array(["a", "b", "a", "b"])
    apart = GivenRows(classes, ids=ids, folds=np.array(["1", "1", "2", "2"]))
    within = GivenRows(classes, ids=ids, folds=np.array(["1", "1", "1", "2"]))
    assert [one.level for one in findings_of_rows(apart)] == ["note"]
    assert [one.level for one in findings_of_rows(within)] == ["warning"]


def test_missing_ids_are_no_copies_of_each_other():
    ids = np.array(["a", "None", "None"])
    rows = GivenRows(np.array(["y", "n", "y"]), ids=ids, no_id=ids == "None")
    assert [(one.name, one.level) for one in findings_of_rows(rows)] == [("missing_ids", "note")]


def test_rows_in_both_files_and_classes_in_one_are_named():
    rows = GivenRows(
        np.array(["y", "n"]),
        ids=np.array(["a", "b"]),
        other="old.csv",
        other_classes=("n", "maybe"),
        other_ids=np.array(["b", "c"]),
    )
    told = {one.name: one.sentence for one in findings_of_rows(rows)}
    assert told["shared_ids"] == "1 id is in old.csv too: 'b'."
    assert "'y' not in old.csv, 'maybe' only there" in told["unseen_classes"]


@pytest.mark.parametrize(
    ("weights", "level"),
    [([1, -1], "error"), ([1, np.nan], "error"), ([0, 0], "error"), ([0, 1], "note")],
)
def test_weights_that_cannot_count_are_told(weights, level):
    rows = GivenRows(np.array(["y", "n"]), weights=np.array(weights, float))
    assert [(one.name, one.level) for one in findings_of_rows(rows)] == [("wrong_weights", level)]


def test_missing_scores_are_told_by_class():
    classes = np.array(["n", "n", "y", "y"])
    column = GivenScores("m", np.array([True, False, False, False]), classes)
    (finding,) = findings_of_rows(GivenRows(classes), [column])
    assert finding.sentence == "1 of 4 rows has no score in m (n 50.0 %, y 0 %)."
    assert (finding.level, finding.where) == ("error", "m")


def test_predicted_classes_that_no_row_has_are_errors():
    classes = np.array(["n", "y"])
    column = GivenScores("m", np.zeros(2, bool), classes, predicted=("n", "Y"))
    (finding,) = findings_of_rows(GivenRows(classes), [column])
    assert finding.sentence == "m holds 'Y', which no row has as its actual class."


def test_every_check_has_a_phrase_and_a_sentence_on_itself():
    for name, one in CHECKS.items():
        assert one.phrase
        assert not one.phrase.endswith(".")
        assert one.function.__doc__
        assert one.name == name


@given(rankings())
def test_any_ranking_can_be_checked(ranking):
    for one in findings_of(RankedModels({"m": ranking}, {"m": {"a": ranking}})):
        assert isinstance(one, Finding)
        assert one.sentence.endswith(".")
        assert one.advice.endswith(".")
