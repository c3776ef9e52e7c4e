"""Several classes: weights, perfect and empty classes, single rows, invalid options."""

import math

import numpy as np
import pytest
from hypothesis import given
from many_classes import CODES, NINETY, PROBABILITIES, all_areas, many_classes, rows_of

import tradeoff as to
from tradeoff.errors import InputError, UnknownName
from tradeoff.measures.averages import average
from tradeoff.multiclass import MultiClass
from tradeoff.multiclass.areas import (
    RowsByClass,
    effective_rows,
    micro_area,
    micro_averaged_ranking,
    variance_of_mean,
)
from tradeoff.sources.class_scores import read_class_scores
from tradeoff.uncertainty.bootstrap import MulticlassRows


@given(many_classes())
def test_integer_weights_equal_repeated_rows(example):
    scores, codes, weights = example
    weighted = rows_of(scores, codes, weights=weights)
    repeated = rows_of(np.repeat(scores, weights, axis=1), np.repeat(codes, weights))

    for first, second in zip(all_areas(weighted), all_areas(repeated), strict=True):
        assert first.value == pytest.approx(second.value, abs=1e-12)
        assert first.variance == pytest.approx(second.variance, abs=1e-12)
        assert first.smallest_class_size == second.smallest_class_size
    first, second = MultiClass(weighted), MultiClass(repeated)
    assert first.matrix.counts.tolist() == second.matrix.counts.tolist()
    assert first.notes == second.notes
    micro = [micro_area(rows, replicates=20, seed=1) for rows in (weighted, repeated)]
    assert micro[0].value == pytest.approx(micro[1].value)
    assert micro[0].variance == pytest.approx(micro[1].variance, abs=1e-12)
    pairs = zip(first.pair_areas(), second.pair_areas(), strict=True)
    for first, second in pairs:
        assert (first.confused.low, first.confused.high) == (
            second.confused.low,
            second.confused.high,
        )


def test_equal_importance_weights_change_nothing_and_unequal_ones_widen_intervals():
    equal = rows_of(PROBABILITIES, CODES, weights=np.full(90, 0.25))
    unequal = rows_of(PROBABILITIES, CODES, weights=np.geomspace(0.01, 10, 90))

    for first, second in zip(all_areas(NINETY), all_areas(equal), strict=True):
        assert (first.value, first.variance) == pytest.approx((second.value, second.variance))
    plain, wide = MultiClass(NINETY).area("macro"), MultiClass(unequal).area("macro")
    assert wide.high - wide.low > 1.5 * (plain.high - plain.low)
    share = MultiClass(unequal).pair_areas()[0].confused
    assert share.high - share.low > 0.2
    assert unequal.ranking("a").effective_rows[0] == pytest.approx(
        RowsByClass.of(unequal).sizes()[0]
    )


def test_the_variance_of_a_weighted_mean_worked_by_hand():
    values, weights = np.array([1.0, 4.0, 6.0]), np.array([2.0, 1.0, 1.0])
    rows = 16 / 6
    # Σw²(v - m)² / (Σw)² with the mean m = 3, made unbiased for equal weights.
    expected = (4 * 4 + 1 + 9) / 16 * rows / (rows - 1)

    assert effective_rows(weights, 3) == pytest.approx(rows)
    assert variance_of_mean(values, weights) == pytest.approx(expected)
    assert variance_of_mean(values, 1e-200 * weights) == pytest.approx(expected)
    assert math.isnan(variance_of_mean(values, np.array([1.0, 1e-30, 1e-30])))


def test_huge_frequency_weights_are_resampled_by_their_proportions(monkeypatch):
    weights = np.full(90, 10**12)
    huge = micro_area(rows_of(PROBABILITIES, CODES, weights=weights), replicates=20)
    monkeypatch.setattr("tradeoff.uncertainty.bootstrap.MAX_UNITS", 0)
    unit = micro_area(rows_of(PROBABILITIES, CODES, weights=np.ones(90, np.int64)), replicates=500)

    assert 0 < huge.variance < 1e-13
    assert unit.variance == pytest.approx(micro_area(NINETY).variance, rel=0.2)


@pytest.mark.parametrize("averaging", ["macro", "weighted", "micro"])
@pytest.mark.parametrize("count", [10**17, 10**18])
def test_averages_over_classes_do_not_overflow(averaging, count):
    # Six classes, each predicted equally often. One class against the rest: 1 TP, 5 FN,
    # 5 FP, 25 TN; six times 25 · 10**17 is more than 64 bits hold. tnr = 25/30.
    matrix = to.ClassMatrix(np.full((6, 6), count), tuple("abcdef"))

    assert average(matrix, "tnr", averaging).value == pytest.approx(25 / 30)
    assert average(matrix, "accuracy", averaging).value == pytest.approx(26 / 36)
    assert average(matrix, "mcc", averaging).value == pytest.approx(0, abs=1e-12)


def test_the_micro_auc_does_not_overflow():
    random = np.random.default_rng(0)
    actual, scores = random.integers(0, 6, 60), random.random((60, 6))
    unit, huge = (
        micro_area(read_class_scores(actual=actual, score=scores, classes=range(6), weight=weight))
        for weight in (np.ones(60, int), np.full(60, 7 * 10**16))
    )

    assert huge.value == pytest.approx(unit.value, abs=1e-12)


def test_a_perfect_classifier_still_has_an_interval():
    codes = np.repeat([0, 1, 2], [4, 5, 6])
    evaluation = MultiClass(rows_of(np.eye(3)[:, codes], codes))
    worst = MultiClass(rows_of(-np.eye(3)[:, codes], codes))

    for name in ("hand_till", "macro", "weighted"):
        area = evaluation.area(name)
        assert (area.value, area.high, area.method) == (1, 1, "exact-type bound")
        assert area.low == pytest.approx(0.025 ** (1 / 4))
        assert worst.area(name).high == pytest.approx(1 - 0.025 ** (1 / 4))
        assert (worst.area(name).value, worst.area(name).low) == (0, 0)
    assert evaluation.class_areas()["c"].low == pytest.approx(0.025 ** (1 / 6))
    last = evaluation.pair_areas()[-1]
    assert (last.first, last.second) == ("b", "c")
    assert last.separability.low == pytest.approx(0.025 ** (1 / 5))
    # Two rows make one pair of independent decisions: 15 rows make 7.5.
    assert evaluation.area("micro").low == pytest.approx(0.025 ** (1 / 7.5))


def test_a_perfect_classifier_stays_perfect_with_real_weights():
    codes = np.repeat([0, 1, 2], [4, 5, 6])
    weights = np.linspace(0.1, 0.7, 15)
    evaluation = MultiClass(rows_of(np.eye(3)[:, codes], codes, weights=weights))

    assert [evaluation.area(n).value for n in ("hand_till", "macro", "weighted", "micro")] == [
        1
    ] * 4
    class_weights = weights[:4]
    assert evaluation.area("macro").low == pytest.approx(
        0.025 ** (1 / (class_weights.sum() ** 2 / (class_weights**2).sum()))
    )


def test_constant_scores_have_no_interval():
    evaluation = MultiClass(rows_of(np.zeros((3, 9)), np.repeat([0, 1, 2], 3)))

    for name in ("hand_till", "macro", "weighted", "micro"):
        area = evaluation.area(name)
        assert area.value == 0.5
        assert not area.has_interval
        assert area.note.startswith("no interval: the variance within the classes is 0")


def test_one_discordant_pair_among_very_many_still_has_an_interval():
    size = 50_000
    score = np.arange(2.0 * size)
    score[[size - 1, size]] = score[[size, size - 1]]
    codes = (np.arange(2 * size) >= size).astype(int)
    area = MultiClass(rows_of([-score, score], codes)).area("macro")

    assert area.value == pytest.approx(1 - 1 / size**2, abs=1e-15)
    assert area.low < area.value < area.high <= 1


def test_a_class_without_rows_is_left_out_of_averages_with_a_note():
    codes = [0, 0, 0, 1, 1, 1]
    scores = np.array([[3, 2, 0, 1, 0, 0], [0, 1, 1, 3, 2, 0.5], [0.5, 0, 0, 0, 4, 0]])
    evaluation, two_classes = (
        MultiClass(rows_of(scores, codes)),
        MultiClass(rows_of(scores[:2], codes)),
    )

    absent = evaluation.class_areas()["c"]
    assert math.isnan(absent.value)
    assert absent.reason == "no ranked row belongs to class c; both classes are needed"
    for name in ("macro", "weighted", "hand_till"):
        area, expected = evaluation.area(name), two_classes.area(name)
        assert (area.value, area.low, area.high) == pytest.approx(
            (expected.value, expected.low, expected.high)
        )
    assert evaluation.area("macro").note == "2 of 3 classes averaged"
    assert evaluation.area("hand_till").note == "1 of 3 pairs averaged"
    assert [pair.separability.reason for pair in evaluation.pair_areas()][1:] == [
        "no row belongs to class 'c'"
    ] * 2
    assert evaluation.pair_areas()[1].confused.is_defined
    # Its score can still be the largest, and be wrong.
    assert evaluation.matrix.counts[1].tolist() == [0, 2, 1]
    assert evaluation.area("micro").is_defined
    assert evaluation.rankings["c"].positives == 0


def test_one_row_of_a_class_gives_a_value_without_an_interval():
    evaluation = MultiClass(rows_of([[3, 2, 0, 1], [0, 1, 1.5, 3], [0, 0, 4, 1]], [0, 0, 1, 2]))

    for name in ("macro", "hand_till"):
        area = evaluation.area(name)
        assert area.is_defined
        assert not area.has_interval
        assert area.note == (
            "no interval: only one row belongs to class 'b', only one row belongs to class 'c'"
        )
    assert evaluation.class_areas()["b"].note == "no interval: two rows of each class are needed"
    assert evaluation.class_areas()["a"].has_interval
    micro = evaluation.area("micro")
    assert micro.has_interval


def test_one_row_outside_a_class_gives_no_interval_either():
    evaluation = MultiClass(rows_of([[3, 2, 1], [0, 1, 1]], [0, 0, 1]))

    assert evaluation.class_areas()["a"].note == "no interval: two rows of each class are needed"
    assert evaluation.area("weighted").note == "no interval: only one row belongs to class 'b'"


def test_a_single_class_has_no_auc():
    evaluation = MultiClass(rows_of([[3, 2, 0], [1, 2, 3]], [0, 0, 0]))

    assert (
        evaluation.class_areas()["a"].reason
        == "every ranked row belongs to class a; both classes are needed"
    )
    assert (
        evaluation.class_areas()["b"].reason
        == "no ranked row belongs to class b; both classes are needed"
    )
    for name in ("macro", "weighted", "hand_till"):
        assert evaluation.area(name).reason == (
            "every row belongs to class 'a'; rows of two classes are needed"
        )
    assert evaluation.area("micro").value == pytest.approx(4 / 9)  # 2½ + 1½ + 0 pairs


def test_no_rows_leave_everything_undefined_with_a_reason():
    evaluation = MultiClass(rows_of(np.zeros((3, 0)), []))

    for name in ("macro", "weighted", "hand_till", "micro"):
        assert evaluation.area(name).reason == "there are no rows"
    assert {area.reason for area in evaluation.class_areas().values()} == {"there are no rows"}
    pairs = evaluation.pair_areas()
    assert {pair.separability.reason for pair in pairs} == {"there are no rows"}
    assert pairs[0].confused.reason == "no row belongs to class 'a' or 'b'"
    assert evaluation.matrix.rows == 0
    assert "undefined" in repr(evaluation)


def test_a_single_row_has_no_interval():
    evaluation = MultiClass(rows_of([[3], [1]], [0]))

    assert evaluation.area("micro").note == "no interval: there is only one row"
    assert evaluation.area("micro").value == 1
    assert not evaluation.area("macro").is_defined


def test_infinite_scores_are_ordinary_ranks():
    finite = rows_of([[9, 1, 0, 1], [0, 1, 9, 1], [-9, -9, 5, 3]], [0, 0, 1, 2])
    infinite = rows_of(
        [[np.inf, 1, 0, 1], [0, 1, np.inf, 1], [-np.inf, -np.inf, 5, 3]], [0, 0, 1, 2]
    )

    assert [a.value for a in all_areas(infinite)] == [a.value for a in all_areas(finite)]
    assert MultiClass(infinite).matrix.counts.tolist() == MultiClass(finite).matrix.counts.tolist()


def test_invalid_options_are_refused_with_a_remedy():
    evaluation = MultiClass(NINETY)

    with pytest.raises(
        UnknownName, match=r"'marco'\. Did you mean 'macro'\? The available ones are 'hand_till'"
    ):
        evaluation.area("marco")
    with pytest.raises(InputError, match=r"between 0 and 1, not 95 \(95% is 0\.95\)"):
        evaluation.area("macro", level=95)
    with pytest.raises(InputError, match="between 0 and 1"):
        MultiClass(rows_of(np.zeros((2, 0)), [])).class_areas(level=2)
    with pytest.raises(InputError, match="seed must be a non-negative integer, not -1"):
        evaluation.area("micro", seed=-1)
    with pytest.raises(InputError, match="replicates must be at least 2, not 1"):
        micro_area(NINETY, replicates=1)
    with pytest.raises(InputError, match=r"There is no class 'aa'\. Did you mean 'a'\?"):
        NINETY.ranking("aa")


def test_resampled_rows_have_random_class_totals():
    resamples = MulticlassRows(NINETY).resample(np.random.default_rng(0), 400)
    sums = [np.bincount(CODES, weights).tolist() for weights in resamples]

    assert {sum(class_sums) for class_sums in sums} == {90}
    assert np.mean(sums, axis=0) == pytest.approx([36, 27, 18, 9], abs=1)
    # 90 rows at random: the size of the first class varies by 90 * 0.4 * 0.6.
    assert np.var(sums, axis=0)[0] == pytest.approx(90 * 0.4 * 0.6, rel=0.25)


@pytest.mark.parametrize("units", [10**7, 0])
def test_resampling_by_class_keeps_the_class_totals(units, monkeypatch):
    monkeypatch.setattr("tradeoff.uncertainty.bootstrap.MAX_UNITS", units)
    frequencies = np.arange(90) % 3 + 1
    rows = rows_of(PROBABILITIES, CODES, weights=frequencies)

    for weights in MulticlassRows(rows).resample(np.random.default_rng(0), 20, by_class=True):
        assert np.bincount(CODES, weights).tolist() == np.bincount(CODES, frequencies).tolist()


def test_pooled_scores_are_one_ranking():
    ranking = micro_averaged_ranking(NINETY)

    assert (ranking.positives, ranking.negatives) == (90, 270)
