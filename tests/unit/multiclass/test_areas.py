"""AUCs of several classes: against brute force, other programs and the jackknife."""

import math
from itertools import permutations

import numpy as np
import pytest
from golden.reference import document, table
from hypothesis import given
from hypothesis import strategies as st
from many_classes import CODES, NAMES, NINETY, PROBABILITIES, all_areas, many_classes, rows_of

import tradeoff as to
from tradeoff.measures.averages import average
from tradeoff.multiclass import MultiClass
from tradeoff.multiclass.areas import RowsByClass, micro_area, one_vs_rest_areas, pair_areas
from tradeoff.uncertainty.auc import auc_interval
from tradeoff.uncertainty.bootstrap import MulticlassRows


def pairs_won(positives, negatives):
    won = [(p > n) + (p == n) / 2 for p in positives for n in negatives]
    return sum(won) / len(won)


def brute_force_pair(scores, codes, i, j):
    """A(i|j) by comparing all pairs of rows."""
    return pairs_won(scores[i][codes == i], scores[i][codes == j])


def brute_force_hand_till(scores, codes):
    classes = range(len(scores))
    return np.mean([brute_force_pair(scores, codes, i, j) for i, j in permutations(classes, 2)])


def brute_force_one_vs_rest(scores, codes):
    return [pairs_won(s[codes == c], s[codes != c]) for c, s in enumerate(scores)]


def jackknife(scores, codes, statistic):
    """Jackknife variance of a statistic, stratified by class."""
    variance = 0.0
    for code in np.unique(codes):
        indices = np.flatnonzero(codes == code)
        leave_one_out = [np.delete(np.arange(len(codes)), index) for index in indices]
        values = [statistic(scores[:, remaining], codes[remaining]) for remaining in leave_one_out]
        size = len(indices)
        variance += (size - 1) / size * np.sum((values - np.mean(values)) ** 2)
    return variance


def test_the_aucs_of_five_rows_worked_by_hand():
    # Score of a: rows of a have 3 and 2; b has 2 and 1, c has 0.
    scores = [[3, 2, 2, 1, 0], [1, 3, 3, 1, 0], [0, 0, 1, 1, 2]]
    evaluation = MultiClass(rows_of(scores, [0, 0, 1, 1, 2]))
    pairs = {(pair.first, pair.second): pair for pair in evaluation.pair_areas()}

    # A(a|b): 3 beats 2 and 1, 2 ties with 2 and beats 1. A(b|a): 3 beats 1 and ties with 3,
    # 1 ties with 1 and loses to 3.
    assert pairs["a", "b"].first_above.value == 3.5 / 4
    assert pairs["a", "b"].second_above.value == 2 / 4
    assert pairs["a", "b"].separability.value == 5.5 / 8
    assert pairs["a", "c"].separability.value == pairs["b", "c"].separability.value == 1
    assert evaluation.area("hand_till").value == pytest.approx((5.5 / 8 + 2) / 3)
    # One vs rest, concordant pairs: a 5.5 of 6, b (1.5 + 1) + (0.5 + 1) of 6, c 4 of 4.
    values = [area.value for area in evaluation.class_areas().values()]
    assert values == pytest.approx([5.5 / 6, 4 / 6, 1])
    assert evaluation.area("macro").value == pytest.approx((5.5 / 6 + 4 / 6 + 1) / 3)
    assert evaluation.area("weighted").value == pytest.approx((2 * 5.5 / 6 + 2 * 4 / 6 + 1) / 5)


@given(many_classes())
def test_aucs_agree_with_brute_force_over_all_pairs_of_rows(example):
    scores, codes, _ = example
    evaluation = MultiClass(rows_of(scores, codes))
    one_vs_rest = brute_force_one_vs_rest(scores, codes)
    positives = scores[codes, np.arange(len(codes))]
    negatives = [scores[c][codes != c] for c in range(3)]

    assert evaluation.area("hand_till").value == pytest.approx(brute_force_hand_till(scores, codes))
    assert [a.value for a in evaluation.class_areas().values()] == pytest.approx(one_vs_rest)
    assert evaluation.area("macro").value == pytest.approx(np.mean(one_vs_rest))
    weighted = np.average(one_vs_rest, weights=np.bincount(codes))
    assert evaluation.area("weighted").value == pytest.approx(weighted)
    pooled = pairs_won(positives, np.concatenate(negatives))
    assert micro_area(evaluation.rows, replicates=2).value == pytest.approx(pooled)


def test_aucs_equal_scikit_learns():
    # scikit-learn 1.9.1: roc_auc_score with multi_class="ovo" (macro) and "ovr" (macro, weighted,
    # micro, None), and confusion_matrix of the largest probability.
    evaluation = MultiClass(NINETY)
    expected = {
        "hand_till": 0.854766803840878,
        "macro": 0.854961236037625,
        "weighted": 0.8476227219282777,
        "micro": 0.8299588477366255,
    }
    by_class = [0.8544238683127572, 0.8412698412698413, 0.810570987654321, 0.9135802469135803]

    assert {n: evaluation.area(n).value for n in expected} == pytest.approx(expected, abs=1e-12)
    assert [a.value for a in evaluation.class_areas().values()] == pytest.approx(
        by_class, abs=1e-12
    )
    matrix = [[25, 1, 2, 8], [6, 14, 5, 2], [2, 5, 9, 2], [1, 0, 1, 7]]
    assert evaluation.matrix.counts.tolist() == matrix


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_aucs_of_weighted_rows_equal_scikit_learns(kind):
    # scikit-learn 1.9.1: roc_auc_score with multi_class="ovr" and the weights below.
    weights = (np.arange(90) % 3 + 1).astype(kind)
    evaluation = MultiClass(rows_of(PROBABILITIES, CODES, weights=weights))
    expected = {
        "macro": 0.853919799015285,
        "weighted": 0.8541565623162846,
        "micro": 0.8379269547325103,
    }

    assert {n: evaluation.area(n).value for n in expected} == pytest.approx(expected, abs=1e-12)


def test_with_two_classes_and_opposite_scores_every_area_is_the_auc():
    score, actual = [0.1, 0.4, 0.4, 0.4, 0.8, 0.9], [0, 1, 1, 0, 1, 0]
    evaluation = MultiClass(rows_of([np.negative(score), score], actual, ("0", "1")))

    for name in ("hand_till", "macro", "weighted"):
        assert evaluation.area(name).value == pytest.approx(to.auc(actual, score), abs=1e-15)
    assert float(to.SUMMARIES["auc"](evaluation.rankings["1"])) == 5 / 9
    assert repr(evaluation.rankings["1"]) == (
        "Ranking(score of 1: 6 rows, 3 '1' and 3 '0', 4 distinct scores)"
    )


@given(many_classes())
def test_aucs_depend_on_the_ranks_of_each_score_only(example):
    scores, codes, _ = example
    transformed = np.stack([np.exp(scores[0]), scores[1] ** 3 - 7, 1e6 * scores[2]])

    before, after = all_areas(rows_of(scores, codes)), all_areas(rows_of(transformed, codes))
    assert [a.value for a in after] == [a.value for a in before]
    assert [a.variance for a in after] == pytest.approx([a.variance for a in before])


@given(many_classes(), st.permutations([0, 1, 2]))
def test_the_order_of_classes_does_not_matter(example, order):
    scores, codes, _ = example
    reordered_rows = rows_of(
        scores[order], np.argsort(order)[codes], tuple(NAMES[index] for index in order)
    )
    original, reordered = MultiClass(rows_of(scores, codes)), MultiClass(reordered_rows)

    for name in ("hand_till", "macro", "weighted"):
        first, second = original.area(name), reordered.area(name)
        assert second.value == pytest.approx(first.value)
        assert (second.low, second.high) == pytest.approx((first.low, first.high), nan_ok=True)


def test_variances_of_two_classes_equal_procs():
    rows = table("proc_aSAH_data.csv")
    proc = document("proc_s100b_summary.json")
    codes = (rows["poor"] == 1).astype(int)
    groups = RowsByClass.of(rows_of([-rows["s100b"], rows["s100b"]], codes, ("Good", "Poor")))

    rest, (pairs, hand_till) = one_vs_rest_areas(groups), pair_areas(groups)
    for area in (rest.macro, rest.weighted, hand_till):
        assert area.value == pytest.approx(proc["auc"], abs=1e-12)
        assert area.variance == pytest.approx(proc["delong_variance"], abs=1e-12)
    for area in (*rest.by_class, pairs[0].first_above):
        # The limits are those of auRoc's DL.corr.
        estimate = area.estimate("auc", 0.95)
        assert estimate.value == pytest.approx(proc["auc"], abs=1e-12)
        assert (estimate.low, estimate.high) == pytest.approx((0.618682992399, 0.820419537648))


@given(many_classes())
def test_variances_of_pairs_equal_the_jackknifes(example):
    # A(i|j) is linear in the rows of each class, so leaving rows out gives the same variance.
    scores, codes, _ = example
    pairs, hand_till = pair_areas(RowsByClass.of(rows_of(scores, codes)))

    assert hand_till.variance == pytest.approx(
        jackknife(scores, codes, brute_force_hand_till), abs=1e-12
    )
    for pair in pairs:
        i, j = pair.first, pair.second

        def separability(s, c):
            return (brute_force_pair(s, c, i, j) + brute_force_pair(s, c, j, i)) / 2

        in_pair = (codes == i) | (codes == j)
        expected = jackknife(scores[:, in_pair], codes[in_pair], separability)
        assert pair.mean.variance == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("averaging", ["macro", "weighted"])
@given(example=many_classes())
def test_variances_of_averages_equal_the_jackknifes_with_fixed_class_proportions(
    example, averaging
):
    scores, codes, _ = example
    counts = np.bincount(codes)
    weights = np.ones(3) if averaging == "macro" else counts

    def average_auc(s, c):
        one_vs_rest = [
            sum(counts[j] * brute_force_pair(s, c, i, j) for j in range(3) if j != i)
            / (counts.sum() - counts[i])
            for i in range(3)
        ]
        return np.average(one_vs_rest, weights=weights)

    area = getattr(one_vs_rest_areas(RowsByClass.of(rows_of(scores, codes))), averaging)
    assert area.value == pytest.approx(average_auc(scores, codes))
    assert area.variance == pytest.approx(jackknife(scores, codes, average_auc), abs=1e-12)


def test_variances_agree_with_the_bootstrap():
    rest, (_, hand_till) = (
        one_vs_rest_areas(RowsByClass.of(NINETY)),
        pair_areas(RowsByClass.of(NINETY)),
    )

    def values(weights):
        # Weights that are whole numbers, some of them 0: bootstrap resamples.
        resample = np.repeat(np.arange(90), weights.astype(int))
        groups = RowsByClass.of(rows_of(PROBABILITIES[:, resample], CODES[resample]))
        return one_vs_rest_areas(groups).macro.value, pair_areas(groups)[1].value

    resamples = MulticlassRows(NINETY).resample(np.random.default_rng(3), 700)
    macro, pairs = np.var([values(weights) for weights in resamples], axis=0, ddof=1)
    # Resampled rows vary less than new ones by 1 - 1/n, with n = 9 in the smallest class.
    assert rest.macro.variance == pytest.approx(macro, rel=0.12)
    assert hand_till.variance == pytest.approx(pairs, rel=0.12)


def test_the_variance_of_the_micro_auc_is_close_to_the_jackknifes():
    def pooled(scores, codes):
        return micro_area(rows_of(scores, codes), replicates=2).value

    expected = jackknife(PROBABILITIES, CODES, pooled)
    area = micro_area(NINETY)
    assert area.variance == pytest.approx(expected, rel=0.15)
    assert area.method == "bootstrap standard error, 500 resamples, logit"


@pytest.mark.parametrize("name", ["hand_till", "macro"])
def test_intervals_keep_their_coverage(name):
    rng = np.random.default_rng(8)
    sizes = np.array([14, 22, 18])
    codes = np.repeat([0, 1, 2], sizes)
    shifts = np.array([[1.2, 0.5, 0.0], [0.0, 1.2, 0.5], [0.5, 0.0, 1.2]])
    # Normal scores of variance 1 + ½ that share a part: A(i|j) = Φ(shift / √3).
    above = np.vectorize(math.erf)((np.diag(shifts)[:, None] - shifts) / math.sqrt(6)) / 2 + 0.5
    shares = np.ones((3, 3)) if name == "hand_till" else np.tile(sizes, (3, 1))
    np.fill_diagonal(shares, 0)
    truth = np.mean([np.average(above[i], weights=shares[i]) for i in range(3)])

    covered = []
    for _ in range(400):
        shared = math.sqrt(0.5) * rng.normal(size=len(codes)) * np.array([[1], [-1], [1]])
        scores = rng.normal(size=(3, len(codes))) + shared + shifts[:, codes]
        area = MultiClass(rows_of(scores, codes)).area(name)
        covered.append(area.low <= truth <= area.high)
    assert 0.925 <= np.mean(covered) <= 0.975


def test_intervals_are_symmetric_on_the_logit_scale():
    area = MultiClass(NINETY).area("hand_till", level=0.9)
    variance = pair_areas(RowsByClass.of(NINETY))[1].variance
    value = area.value
    half_width = 1.6448536269514722 * math.sqrt(variance) / (value * (1 - value))

    assert area.method == "DeLong components, logit"
    assert area.level == 0.9
    assert math.log(area.high / (1 - area.high)) == pytest.approx(
        math.log(value / (1 - value)) + half_width
    )
    assert math.log(area.low / (1 - area.low)) == pytest.approx(
        math.log(value / (1 - value)) - half_width
    )


def test_bootstrap_intervals_repeat_with_the_seed():
    evaluation = MultiClass(NINETY)

    assert evaluation.area("micro", seed=4) == evaluation.area("micro", seed=4)
    assert evaluation.area("micro", seed=4) != evaluation.area("micro", seed=5)
    assert evaluation.area("macro", seed=4) == evaluation.area("macro", seed=5)


def test_ties_predict_the_first_listed_class_with_a_note():
    scores = [[1, 2, 0, 0], [1, 2, 3, 0], [0, 2, 3, 1]]
    evaluation = MultiClass(rows_of(scores, [0, 1, 2, 2]))

    assert evaluation.matrix.counts.tolist() == [[1, 0, 0], [1, 0, 0], [0, 1, 1]]
    (note,) = evaluation.notes
    assert note.startswith("3 rows have the same largest score for several classes: the class")


def test_ties_below_the_largest_score_have_no_note():
    assert MultiClass(rows_of([[1, 1], [1, 0], [2, 0]], [0, 1])).notes == ()


def test_averages_and_summaries_apply_to_the_matrix_and_the_rankings():
    evaluation = MultiClass(NINETY)
    recalls = [25 / 36, 14 / 27, 9 / 18, 7 / 9]

    assert float(average(evaluation.matrix, "recall", "macro")) == pytest.approx(np.mean(recalls))
    assert list(evaluation.rankings) == list(evaluation.classes) == list(NAMES)
    for name, area in evaluation.class_areas().items():
        assert float(to.SUMMARIES["auc"](evaluation.rankings[name])) == pytest.approx(area.value)
        assert 0 < float(to.SUMMARIES["average_precision"](evaluation.rankings[name])) < 1
    assert evaluation.rankings["a"].negative == "not a"


@given(many_classes())
def test_a_pairwise_auc_has_the_interval_of_a_binary_auc(rows):
    scores, codes, weights = rows
    for pair in MultiClass(rows_of(scores, codes, weights=weights)).pair_areas():
        first, second = (NAMES.index(name) for name in (pair.first, pair.second))
        in_pair = (codes == first) | (codes == second)
        ranking = to.Ranking.of(scores[first][in_pair], codes[in_pair] == first, weights[in_pair])
        if ranking.distinct > 1:
            expected = auc_interval(ranking)
            estimate = pair.first_above
            assert (estimate.low, estimate.high) == pytest.approx((expected.low, expected.high))
            assert (estimate.method, estimate.note) == (expected.method, expected.note)
