"""Many classes: against brute force, other programs and the jackknife."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from golden.reference import document, table
from hypothesis import given
from hypothesis import strategies as st
from many_classes import CODES, NAMES, NINETY, PROBABILITIES, all_areas, many_classes, rows_of

import tradeoff as to
from tradeoff.measures.averages import average
from tradeoff.multiclass import MultiClass
from tradeoff.multiclass.areas import Groups, micro_area, pair_areas, rest_areas
from tradeoff.uncertainty.auc import area_interval
from tradeoff.uncertainty.bootstrap import ClassRows


def pairs_won(positives, negatives):
    won = [(p > n) + (p == n) / 2 for p in positives for n in negatives]
    return sum(won) / len(won)


def brute_pair(scores, codes, i, j):
    """A(i|j) by looking at all pairs of rows."""
    return pairs_won(scores[i][codes == i], scores[i][codes == j])


def brute_hand_till(scores, codes):
    classes = range(len(scores))
    return np.mean([brute_pair(scores, codes, i, j) for i, j in permutations(classes, 2)])


def brute_rest(scores, codes):
    return [pairs_won(s[codes == c], s[codes != c]) for c, s in enumerate(scores)]


def jackknife(scores, codes, statistic):
    """The variance of a statistic when one row at a time is left out, class by class."""
    variance = 0.0
    for own in np.unique(codes):
        places = np.flatnonzero(codes == own)
        without = [np.delete(np.arange(len(codes)), place) for place in places]
        values = [statistic(scores[:, rest], codes[rest]) for rest in without]
        size = len(places)
        variance += (size - 1) / size * np.sum((values - np.mean(values)) ** 2)
    return variance


def test_five_rows_by_hand():
    # Score of a: rows of a have 3 and 2; b has 2 and 1, c has 0.
    scores = [[3, 2, 2, 1, 0], [1, 3, 3, 1, 0], [0, 0, 1, 1, 2]]
    judged = MultiClass(rows_of(scores, [0, 0, 1, 1, 2]))
    pairs = {(pair.first, pair.second): pair for pair in judged.pair_areas()}

    # A(a|b): 3 beats 2 and 1, 2 ties with 2 and beats 1. A(b|a): 3 beats 1 and ties with 3,
    # 1 ties with 1 and loses to 3.
    assert pairs["a", "b"].first_above.value == 3.5 / 4
    assert pairs["a", "b"].second_above.value == 2 / 4
    assert pairs["a", "b"].separability.value == 5.5 / 8
    assert pairs["a", "c"].separability.value == pairs["b", "c"].separability.value == 1
    assert judged.area("hand_till").value == pytest.approx((5.5 / 8 + 2) / 3)
    # Against the rest: a wins 5.5 of 6, b (1.5 + 1) + (0.5 + 1) of 6, c 4 of 4.
    values = [area.value for area in judged.class_areas().values()]
    assert values == pytest.approx([5.5 / 6, 4 / 6, 1])
    assert judged.area("macro").value == pytest.approx((5.5 / 6 + 4 / 6 + 1) / 3)
    assert judged.area("weighted").value == pytest.approx((2 * 5.5 / 6 + 2 * 4 / 6 + 1) / 5)


@given(many_classes())
def test_areas_are_what_all_pairs_of_rows_say(drawn):
    scores, codes, _ = drawn
    judged = MultiClass(rows_of(scores, codes))
    rest = brute_rest(scores, codes)
    own = scores[codes, np.arange(len(codes))]
    others = [scores[c][codes != c] for c in range(3)]

    assert judged.area("hand_till").value == pytest.approx(brute_hand_till(scores, codes))
    assert [a.value for a in judged.class_areas().values()] == pytest.approx(rest)
    assert judged.area("macro").value == pytest.approx(np.mean(rest))
    weighted = np.average(rest, weights=np.bincount(codes))
    assert judged.area("weighted").value == pytest.approx(weighted)
    pooled = pairs_won(own, np.concatenate(others))
    assert micro_area(judged.rows, replicates=2).value == pytest.approx(pooled)


def test_scikit_learn_finds_the_same_areas():
    # scikit-learn 1.9.1: roc_auc_score with multi_class="ovo" (macro) and "ovr" (macro, weighted,
    # micro, None), and confusion_matrix of the largest probability.
    judged = MultiClass(NINETY)
    expected = {
        "hand_till": 0.854766803840878,
        "macro": 0.854961236037625,
        "weighted": 0.8476227219282777,
        "micro": 0.8299588477366255,
    }
    by_class = [0.8544238683127572, 0.8412698412698413, 0.810570987654321, 0.9135802469135803]

    assert {n: judged.area(n).value for n in expected} == pytest.approx(expected, abs=1e-12)
    assert [a.value for a in judged.class_areas().values()] == pytest.approx(by_class, abs=1e-12)
    matrix = [[25, 1, 2, 8], [6, 14, 5, 2], [2, 5, 9, 2], [1, 0, 1, 7]]
    assert judged.matrix.counts.tolist() == matrix


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_scikit_learn_finds_the_same_areas_of_weighted_rows(kind):
    # scikit-learn 1.9.1: roc_auc_score with multi_class="ovr" and the weights below.
    weights = (np.arange(90) % 3 + 1).astype(kind)
    judged = MultiClass(rows_of(PROBABILITIES, CODES, weights=weights))
    expected = {
        "macro": 0.853919799015285,
        "weighted": 0.8541565623162846,
        "micro": 0.8379269547325103,
    }

    assert {n: judged.area(n).value for n in expected} == pytest.approx(expected, abs=1e-12)


def test_with_two_classes_and_opposite_scores_every_area_is_the_auc():
    score, actual = [0.1, 0.4, 0.4, 0.4, 0.8, 0.9], [0, 1, 1, 0, 1, 0]
    judged = MultiClass(rows_of([np.negative(score), score], actual, ("0", "1")))

    for name in ("hand_till", "macro", "weighted"):
        assert judged.area(name).value == pytest.approx(to.auc(actual, score), abs=1e-15)
    assert float(to.SUMMARIES["auc"](judged.rankings["1"])) == 5 / 9
    assert repr(judged.rankings["1"]) == (
        "Ranking(score of 1: 6 rows, 3 '1' and 3 '0', 4 distinct scores)"
    )


@given(many_classes())
def test_only_the_order_of_each_score_matters_except_when_pooled(drawn):
    scores, codes, _ = drawn
    stretched = np.stack([np.exp(scores[0]), scores[1] ** 3 - 7, 1e6 * scores[2]])

    before, after = all_areas(rows_of(scores, codes)), all_areas(rows_of(stretched, codes))
    assert [a.value for a in after] == [a.value for a in before]
    assert [a.variance for a in after] == pytest.approx([a.variance for a in before])


@given(many_classes(), st.permutations([0, 1, 2]))
def test_the_order_of_classes_does_not_matter(drawn, order):
    scores, codes, _ = drawn
    moved = rows_of(scores[order], np.argsort(order)[codes], tuple(NAMES[at] for at in order))
    one, two = MultiClass(rows_of(scores, codes)), MultiClass(moved)

    for name in ("hand_till", "macro", "weighted"):
        first, second = one.area(name), two.area(name)
        assert second.value == pytest.approx(first.value)
        assert (second.low, second.high) == pytest.approx((first.low, first.high), nan_ok=True)


def test_variances_of_two_classes_are_those_of_proc():
    rows = table("proc_aSAH_data.csv")
    known = document("proc_s100b_summary.json")
    codes = (rows["poor"] == 1).astype(int)
    groups = Groups.of(rows_of([-rows["s100b"], rows["s100b"]], codes, ("Good", "Poor")))

    rest, (pairs, hand_till) = rest_areas(groups), pair_areas(groups)
    for area in (rest.macro, rest.weighted, hand_till):
        assert area.value == pytest.approx(known["auc"], abs=1e-12)
        assert area.variance == pytest.approx(known["delong_variance"], abs=1e-12)
    for area in (*rest.by_class, pairs[0].first_above):
        # The ends are those of auRoc's DL.corr.
        found = area.estimate("auc", 0.95)
        assert found.value == pytest.approx(known["auc"], abs=1e-12)
        assert (found.low, found.high) == pytest.approx((0.618682992399, 0.820419537648))


@given(many_classes())
def test_variances_of_pairs_are_those_of_the_jackknife(drawn):
    # A(i|j) is linear in the rows of each class, so leaving rows out gives the same variance.
    scores, codes, _ = drawn
    pairs, hand_till = pair_areas(Groups.of(rows_of(scores, codes)))

    assert hand_till.variance == pytest.approx(jackknife(scores, codes, brute_hand_till), abs=1e-12)
    for pair in pairs:
        i, j = pair.first, pair.second

        def separability(s, c):
            return (brute_pair(s, c, i, j) + brute_pair(s, c, j, i)) / 2

        two = (codes == i) | (codes == j)
        expected = jackknife(scores[:, two], codes[two], separability)
        assert pair.both.variance == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("which", ["macro", "weighted"])
@given(drawn=many_classes())
def test_variances_of_averages_are_those_of_the_jackknife_with_shares_of_classes_kept(drawn, which):
    scores, codes, _ = drawn
    counts = np.bincount(codes)
    weights = np.ones(3) if which == "macro" else counts

    def averaged(s, c):
        rest = [
            sum(counts[j] * brute_pair(s, c, i, j) for j in range(3) if j != i)
            / (counts.sum() - counts[i])
            for i in range(3)
        ]
        return np.average(rest, weights=weights)

    area = getattr(rest_areas(Groups.of(rows_of(scores, codes))), which)
    assert area.value == pytest.approx(averaged(scores, codes))
    assert area.variance == pytest.approx(jackknife(scores, codes, averaged), abs=1e-12)


def test_variances_are_those_of_many_rows_drawn_again():
    rest, (_, hand_till) = rest_areas(Groups.of(NINETY)), pair_areas(Groups.of(NINETY))

    def values(weights):
        # Weights that are whole numbers, some of them 0: rows drawn again.
        kept = np.repeat(np.arange(90), weights.astype(int))
        groups = Groups.of(rows_of(PROBABILITIES[:, kept], CODES[kept]))
        return rest_areas(groups).macro.value, pair_areas(groups)[1].value

    resamples = ClassRows(NINETY).resample(np.random.default_rng(3), 700)
    macro, pairs = np.var([values(weights) for weights in resamples], axis=0, ddof=1)
    # Drawn rows vary less than fresh ones by 1 - 1/n, with n = 9 in the smallest class.
    assert rest.macro.variance == pytest.approx(macro, rel=0.12)
    assert hand_till.variance == pytest.approx(pairs, rel=0.12)


def test_the_variance_of_the_micro_area_is_near_that_of_the_jackknife():
    def pooled(scores, codes):
        return micro_area(rows_of(scores, codes), replicates=2).value

    expected = jackknife(PROBABILITIES, CODES, pooled)
    area = micro_area(NINETY)
    assert area.variance == pytest.approx(expected, rel=0.15)
    assert area.method == "bootstrap standard error, 500 resamples, logit"


@pytest.mark.parametrize("name", ["hand_till", "macro"])
def test_intervals_hold_the_truth_as_often_as_they_say(name):
    rng = np.random.default_rng(8)
    sizes = np.array([14, 22, 18])
    codes = np.repeat([0, 1, 2], sizes)
    shifts = np.array([[1.2, 0.5, 0.0], [0.0, 1.2, 0.5], [0.5, 0.0, 1.2]])
    # Normal scores of variance 1 + ½ that share a part: A(i|j) = Φ(shift / √3).
    above = np.vectorize(math.erf)((np.diag(shifts)[:, None] - shifts) / math.sqrt(6)) / 2 + 0.5
    shares = np.ones((3, 3)) if name == "hand_till" else np.tile(sizes, (3, 1))
    np.fill_diagonal(shares, 0)
    truth = np.mean([np.average(above[i], weights=shares[i]) for i in range(3)])

    held = []
    for _ in range(400):
        shared = math.sqrt(0.5) * rng.normal(size=len(codes)) * np.array([[1], [-1], [1]])
        scores = rng.normal(size=(3, len(codes))) + shared + shifts[:, codes]
        area = MultiClass(rows_of(scores, codes)).area(name)
        held.append(area.low <= truth <= area.high)
    assert 0.925 <= np.mean(held) <= 0.975


def test_an_interval_lies_on_the_logit_scale():
    area = MultiClass(NINETY).area("hand_till", level=0.9)
    variance = pair_areas(Groups.of(NINETY))[1].variance
    value = area.value
    half = 1.6448536269514722 * math.sqrt(variance) / (value * (1 - value))

    assert area.method == "DeLong components, logit"
    assert area.level == 0.9
    assert math.log(area.high / (1 - area.high)) == pytest.approx(
        math.log(value / (1 - value)) + half
    )
    assert math.log(area.low / (1 - area.low)) == pytest.approx(
        math.log(value / (1 - value)) - half
    )


def test_the_seed_decides_what_is_drawn():
    judged = MultiClass(NINETY)

    assert judged.area("micro", seed=4) == judged.area("micro", seed=4)
    assert judged.area("micro", seed=4) != judged.area("micro", seed=5)
    assert judged.area("macro", seed=4) == judged.area("macro", seed=5)


def test_pairs_tell_who_is_called_what():
    pairs = MultiClass(NINETY).pair_areas()
    parted = [pair.separability.value for pair in pairs]
    one = next(pair for pair in pairs if (pair.first, pair.second) == ("a", "b"))

    assert parted == sorted(parted)
    assert len(pairs) == len(list(combinations(NAMES, 2)))
    assert (one.first_called_second, one.second_called_first) == (1, 6)
    assert one.confused.value == 7 / 63
    # Wilson for 7 of 63, by the formula with z² = 3.8414588.
    z2 = 3.8414588206941254
    half = math.sqrt(z2 * (7 * 56 / 63 + z2 / 4)) / (63 + z2)
    middle = (7 + z2 / 2) / (63 + z2)
    assert (one.confused.low, one.confused.high) == pytest.approx((middle - half, middle + half))
    assert repr(one) == f"Pair('a' and 'b': separability {one.separability.value:.4f}, 7 confused)"


def test_equally_separable_pairs_are_ordered_by_what_is_confused():
    # All three scores separate perfectly, but b's are so high that it is predicted for all.
    codes = np.repeat([0, 1, 2], [3, 3, 6])
    scores = np.eye(3)[:, codes] + np.array([[0], [5], [0]])
    pairs = MultiClass(rows_of(scores, codes)).pair_areas()

    assert [(pair.first, pair.second) for pair in pairs] == [("b", "c"), ("a", "b"), ("a", "c")]
    assert [pair.confused.value for pair in pairs] == [6 / 9, 3 / 6, 0]


def test_on_a_tie_the_class_that_is_listed_first_is_predicted_and_told():
    scores = [[1, 2, 0, 0], [1, 2, 3, 0], [0, 2, 3, 1]]
    judged = MultiClass(rows_of(scores, [0, 1, 2, 2]))

    assert judged.matrix.counts.tolist() == [[1, 0, 0], [1, 0, 0], [0, 1, 1]]
    (note,) = judged.notes
    assert note.startswith("3 rows with the same largest score for several classes: the class")


def test_a_later_larger_score_ends_a_tie():
    assert MultiClass(rows_of([[1, 1], [1, 0], [2, 0]], [0, 1])).notes == ()


def test_every_average_and_summary_of_the_library_works_on_the_parts():
    judged = MultiClass(NINETY)
    recalls = [25 / 36, 14 / 27, 9 / 18, 7 / 9]

    assert float(average(judged.matrix, "recall", "macro")) == pytest.approx(np.mean(recalls))
    assert list(judged.rankings) == list(judged.classes) == list(NAMES)
    for name, area in judged.class_areas().items():
        assert float(to.SUMMARIES["auc"](judged.rankings[name])) == pytest.approx(area.value)
        assert 0 < float(to.SUMMARIES["average_precision"](judged.rankings[name])) < 1
    assert judged.rankings["a"].negative == "not a"


@given(many_classes())
def test_one_class_above_another_has_the_interval_of_two_classes(rows):
    scores, codes, weights = rows
    for pair in MultiClass(rows_of(scores, codes, weights=weights)).pair_areas():
        first, second = (NAMES.index(name) for name in (pair.first, pair.second))
        both = (codes == first) | (codes == second)
        ranking = to.Ranking.of(scores[first][both], codes[both] == first, weights[both])
        if ranking.distinct > 1:
            expected = area_interval(ranking)
            found = pair.first_above
            assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
            assert (found.method, found.note) == (expected.method, expected.note)
