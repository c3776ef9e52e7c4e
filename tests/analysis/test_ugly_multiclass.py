"""Many classes: weights, perfect and empty classes, single rows, and wrong questions."""

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
    Groups,
    effective_rows,
    micro_area,
    pooled_ranking,
    variance_of_mean,
)
from tradeoff.sources.class_scores import class_rows
from tradeoff.uncertainty.bootstrap import ClassRows


@given(many_classes())
def test_a_row_seen_three_times_is_three_rows(drawn):
    scores, codes, weights = drawn
    weighted = rows_of(scores, codes, weights=weights)
    repeated = rows_of(np.repeat(scores, weights, axis=1), np.repeat(codes, weights))

    for one, two in zip(all_areas(weighted), all_areas(repeated), strict=True):
        assert one.value == pytest.approx(two.value, abs=1e-12)
        assert one.variance == pytest.approx(two.variance, abs=1e-12)
        assert one.fewest == two.fewest
    first, second = MultiClass(weighted), MultiClass(repeated)
    assert first.matrix.counts.tolist() == second.matrix.counts.tolist()
    assert first.notes == second.notes
    micro = [micro_area(rows, replicates=20, seed=1) for rows in (weighted, repeated)]
    assert micro[0].value == pytest.approx(micro[1].value)
    assert micro[0].variance == pytest.approx(micro[1].variance, abs=1e-12)
    pairs = zip(first.pair_areas(), second.pair_areas(), strict=True)
    for one, two in pairs:
        assert (one.confused.low, one.confused.high) == (two.confused.low, two.confused.high)


def test_equal_importances_change_nothing_and_unequal_ones_widen():
    equal = rows_of(PROBABILITIES, CODES, weights=np.full(90, 0.25))
    unequal = rows_of(PROBABILITIES, CODES, weights=np.geomspace(0.01, 10, 90))

    for one, two in zip(all_areas(NINETY), all_areas(equal), strict=True):
        assert (one.value, one.variance) == pytest.approx((two.value, two.variance))
    plain, wide = MultiClass(NINETY).area("macro"), MultiClass(unequal).area("macro")
    assert wide.high - wide.low > 1.5 * (plain.high - plain.low)
    share = MultiClass(unequal).pair_areas()[0].confused
    assert share.high - share.low > 0.2
    assert unequal.ranking("a").effective_rows[0] == pytest.approx(Groups.of(unequal).sizes()[0])


def test_the_variance_of_a_weighted_mean_is_that_of_the_literature():
    values, weights = np.array([1.0, 4.0, 6.0]), np.array([2.0, 1.0, 1.0])
    rows = 16 / 6
    # Σw²(v - m)² / (Σw)² with the mean m = 3, made unbiased for equal weights.
    expected = (4 * 4 + 1 + 9) / 16 * rows / (rows - 1)

    assert effective_rows(weights, 3) == pytest.approx(rows)
    assert variance_of_mean(values, weights) == pytest.approx(expected)
    assert variance_of_mean(values, 1e-200 * weights) == pytest.approx(expected)
    assert math.isnan(variance_of_mean(values, np.array([1.0, 1e-30, 1e-30])))


def test_rows_seen_a_million_million_times_are_drawn_by_their_shares(monkeypatch):
    weights = np.full(90, 10**12)
    many = micro_area(rows_of(PROBABILITIES, CODES, weights=weights), replicates=20)
    monkeypatch.setattr("tradeoff.uncertainty.bootstrap.MOST_UNITS", 0)
    few = micro_area(rows_of(PROBABILITIES, CODES, weights=np.ones(90, np.int64)), replicates=500)

    assert 0 < many.variance < 1e-13
    assert few.variance == pytest.approx(micro_area(NINETY).variance, rel=0.2)


@pytest.mark.parametrize("how", ["macro", "weighted", "micro"])
@pytest.mark.parametrize("times", [10**17, 10**18])
def test_averages_over_classes_do_not_overflow(how, times):
    # Six classes, each row called any of them alike. One class against the rest: 1 hit, 5 misses,
    # 5 alarms, 25 others; six times 25 · 10**17 is more than 64 bits hold. tnr = 25/30.
    matrix = to.ClassMatrix(np.full((6, 6), times), tuple("abcdef"))

    assert average(matrix, "tnr", how).value == pytest.approx(25 / 30)
    assert average(matrix, "accuracy", how).value == pytest.approx(26 / 36)
    assert average(matrix, "mcc", how).value == pytest.approx(0, abs=1e-12)


def test_the_micro_area_does_not_overflow():
    random = np.random.default_rng(0)
    actual, scores = random.integers(0, 6, 60), random.random((60, 6))
    ones, many = (
        micro_area(class_rows(actual=actual, scores=scores, classes=range(6), weight=weight))
        for weight in (np.ones(60, int), np.full(60, 7 * 10**16))
    )

    assert many.value == pytest.approx(ones.value, abs=1e-12)


def test_a_perfect_classifier_is_not_certain():
    codes = np.repeat([0, 1, 2], [4, 5, 6])
    judged = MultiClass(rows_of(np.eye(3)[:, codes], codes))
    worst = MultiClass(rows_of(-np.eye(3)[:, codes], codes))

    for name in ("hand_till", "macro", "weighted"):
        area = judged.area(name)
        assert (area.value, area.high, area.method) == (1, 1, "exact-type bound")
        assert area.low == pytest.approx(0.025 ** (1 / 4))
        assert worst.area(name).high == pytest.approx(1 - 0.025 ** (1 / 4))
        assert (worst.area(name).value, worst.area(name).low) == (0, 0)
    assert judged.class_areas()["c"].low == pytest.approx(0.025 ** (1 / 6))
    last = judged.pair_areas()[-1]
    assert (last.first, last.second) == ("b", "c")
    assert last.separability.low == pytest.approx(0.025 ** (1 / 5))
    # Two rows make one pair of independent decisions: 15 rows make 7.5.
    assert judged.area("micro").low == pytest.approx(0.025 ** (1 / 7.5))


def test_a_perfect_classifier_stays_perfect_with_real_weights():
    codes = np.repeat([0, 1, 2], [4, 5, 6])
    weights = np.linspace(0.1, 0.7, 15)
    judged = MultiClass(rows_of(np.eye(3)[:, codes], codes, weights=weights))

    assert [judged.area(n).value for n in ("hand_till", "macro", "weighted", "micro")] == [1] * 4
    own = weights[:4]
    assert judged.area("macro").low == pytest.approx(
        0.025 ** (1 / (own.sum() ** 2 / (own**2).sum()))
    )


def test_scores_that_say_nothing_have_no_interval():
    judged = MultiClass(rows_of(np.zeros((3, 9)), np.repeat([0, 1, 2], 3)))

    for name in ("hand_till", "macro", "weighted", "micro"):
        area = judged.area(name)
        assert area.value == 0.5
        assert not area.has_interval
        assert area.note.startswith("no interval: all rows of a class say the same")


def test_one_lost_pair_among_very_many_still_has_an_interval():
    size = 50_000
    score = np.arange(2.0 * size)
    score[[size - 1, size]] = score[[size, size - 1]]
    codes = (np.arange(2 * size) >= size).astype(int)
    area = MultiClass(rows_of([-score, score], codes)).area("macro")

    assert area.value == pytest.approx(1 - 1 / size**2, abs=1e-15)
    assert area.low < area.value < area.high <= 1


def test_a_class_without_rows_is_left_out_of_averages_and_told():
    codes = [0, 0, 0, 1, 1, 1]
    scores = np.array([[3, 2, 0, 1, 0, 0], [0, 1, 1, 3, 2, 0.5], [0.5, 0, 0, 0, 4, 0]])
    judged, two = MultiClass(rows_of(scores, codes)), MultiClass(rows_of(scores[:2], codes))

    absent = judged.class_areas()["c"]
    assert math.isnan(absent.value)
    assert absent.reason == "no ranked row is c; both classes are needed"
    for name in ("macro", "weighted", "hand_till"):
        area, own = judged.area(name), two.area(name)
        assert (area.value, area.low, area.high) == pytest.approx((own.value, own.low, own.high))
    assert judged.area("macro").note == "2 of 3 classes averaged"
    assert judged.area("hand_till").note == "1 of 3 pairs averaged"
    assert [pair.separability.reason for pair in judged.pair_areas()][1:] == ["no row is c"] * 2
    assert judged.pair_areas()[1].confused.is_defined
    # Its score can still be the largest, and be wrong.
    assert judged.matrix.counts[1].tolist() == [0, 2, 1]
    assert judged.area("micro").is_defined
    assert judged.rankings["c"].positives == 0


def test_one_row_of_a_class_gives_a_value_without_an_interval():
    judged = MultiClass(rows_of([[3, 2, 0, 1], [0, 1, 1.5, 3], [0, 0, 4, 1]], [0, 0, 1, 2]))

    for name in ("macro", "hand_till"):
        area = judged.area(name)
        assert area.is_defined
        assert not area.has_interval
        assert area.note == "no interval: only one row is b, only one row is c"
    assert judged.class_areas()["b"].note == "no interval: it needs two rows of each class"
    assert judged.class_areas()["a"].has_interval
    micro = judged.area("micro")
    assert micro.has_interval


def test_one_row_that_is_not_of_the_class_gives_no_interval_either():
    judged = MultiClass(rows_of([[3, 2, 1], [0, 1, 1]], [0, 0, 1]))

    assert judged.class_areas()["a"].note == "no interval: it needs two rows of each class"
    assert judged.area("weighted").note == "no interval: only one row is b"


def test_a_single_class_has_no_areas():
    judged = MultiClass(rows_of([[3, 2, 0], [1, 2, 3]], [0, 0, 0]))

    assert judged.class_areas()["a"].reason == "every ranked row is a; both classes are needed"
    assert judged.class_areas()["b"].reason == "no ranked row is b; both classes are needed"
    for name in ("macro", "weighted", "hand_till"):
        assert judged.area(name).reason == "every row is a; rows of two classes are needed"
    assert judged.area("micro").value == pytest.approx(4 / 9)  # 2½ + 1½ + 0 pairs


def test_no_rows_give_reasons():
    judged = MultiClass(rows_of(np.zeros((3, 0)), []))

    for name in ("macro", "weighted", "hand_till", "micro"):
        assert judged.area(name).reason == "there are no rows"
    assert {area.reason for area in judged.class_areas().values()} == {"there are no rows"}
    pairs = judged.pair_areas()
    assert {pair.separability.reason for pair in pairs} == {"there are no rows"}
    assert pairs[0].confused.reason == "no row is a or b"
    assert judged.matrix.rows == 0
    assert "undefined" in repr(judged)


def test_one_row_is_not_enough():
    judged = MultiClass(rows_of([[3], [1]], [0]))

    assert judged.area("micro").note == "no interval: there is only one row"
    assert judged.area("micro").value == 1
    assert not judged.area("macro").is_defined


def test_infinite_scores_are_ordinary_ranks():
    finite = rows_of([[9, 1, 0, 1], [0, 1, 9, 1], [-9, -9, 5, 3]], [0, 0, 1, 2])
    infinite = rows_of(
        [[np.inf, 1, 0, 1], [0, 1, np.inf, 1], [-np.inf, -np.inf, 5, 3]], [0, 0, 1, 2]
    )

    assert [a.value for a in all_areas(infinite)] == [a.value for a in all_areas(finite)]
    assert MultiClass(infinite).matrix.counts.tolist() == MultiClass(finite).matrix.counts.tolist()


def test_wrong_questions_are_answered_with_a_remedy():
    judged = MultiClass(NINETY)

    with pytest.raises(
        UnknownName, match=r"'marco'\. Did you mean 'macro'\? There are 'hand_till'"
    ):
        judged.area("marco")
    with pytest.raises(InputError, match=r"between 0 and 1, not at 95 \(95 % is 0\.95\)"):
        judged.area("macro", level=95)
    with pytest.raises(InputError, match="between 0 and 1"):
        MultiClass(rows_of(np.zeros((2, 0)), [])).class_areas(level=2)
    with pytest.raises(InputError, match="A seed is a whole number from 0 on, not -1"):
        judged.area("micro", seed=-1)
    with pytest.raises(InputError, match="replicates must be at least 2, not 1"):
        micro_area(NINETY, replicates=1)
    with pytest.raises(InputError, match=r"There is no class 'aa'\. Did you mean 'a'\?"):
        NINETY.ranking("aa")


def test_drawn_rows_have_random_class_totals():
    resamples = ClassRows(NINETY).resample(np.random.default_rng(0), 400)
    sums = [np.bincount(CODES, weights).tolist() for weights in resamples]

    assert {sum(own) for own in sums} == {90}
    assert np.mean(sums, axis=0) == pytest.approx([36, 27, 18, 9], abs=1)
    # 90 rows at random: the size of the first class varies by 90 * 0.4 * 0.6.
    assert np.var(sums, axis=0)[0] == pytest.approx(90 * 0.4 * 0.6, rel=0.25)


@pytest.mark.parametrize("units", [10**7, 0])
def test_class_totals_stay_where_rows_are_resampled_by_class(units, monkeypatch):
    monkeypatch.setattr("tradeoff.uncertainty.bootstrap.MOST_UNITS", units)
    seen = np.arange(90) % 3 + 1
    rows = rows_of(PROBABILITIES, CODES, weights=seen)

    for weights in ClassRows(rows).resample(np.random.default_rng(0), 20, by_class=True):
        assert np.bincount(CODES, weights).tolist() == np.bincount(CODES, seen).tolist()


def test_pooled_scores_are_one_ranking():
    ranking = pooled_ranking(NINETY)

    assert (ranking.positives, ranking.negatives) == (90, 270)
