"""Several models' scores of the same rows: placements over all pairs, and parts of them."""

import numpy as np
import pytest
from brute_force import pairs_won, two_models
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import SCORES, columns, scored

import tradeoff as to
from tradeoff.core.paired import PairedRanking
from tradeoff.errors import InputError

ACTUAL, MODELS = two_models()
TIED = st.one_of(st.integers(-2, 2).map(float), SCORES)


def paired(scores, positive, weights=None, **options):
    return PairedRanking({"a": scores}, positive, weights, **options)


def test_placements_by_hand():
    # Positives at 3 and 2, negatives at 2 and 1: the second positive ties with one negative.
    up, down = paired(np.array([3.0, 2.0, 2.0, 1.0]), np.array([1, 1, 0, 0], bool)).placements("a")

    assert (up.tolist(), down.tolist()) == ([1.0, 0.75], [0.75, 1.0])


@given(scored(scores=TIED, min_size=2))
def test_placements_are_means_over_all_pairs_of_rows(rows):
    scores, positive, _ = rows
    assume(positive.any() and not positive.all())
    won = pairs_won(scores, positive)

    up, down = paired(scores, positive).placements("a")

    assert up == pytest.approx(won.mean(axis=1), abs=1e-12)
    assert down == pytest.approx(won.mean(axis=0), abs=1e-12)


@given(scored(scores=TIED, min_size=2))
def test_weighted_placements_are_weighted_means(rows):
    scores, positive, weights = rows
    weights = weights + 0.5
    assume(positive.any() and not positive.all())
    won = pairs_won(scores, positive)

    up, down = paired(scores, positive, weights).placements("a")

    assert up == pytest.approx(np.average(won, axis=1, weights=weights[~positive]), abs=1e-12)
    assert down == pytest.approx(np.average(won, axis=0, weights=weights[positive]), abs=1e-12)


@given(scored(scores=TIED, min_size=2), st.booleans())
def test_the_mean_placement_of_either_class_is_the_area(rows, lower_is_positive):
    scores, positive, _ = rows
    assume(positive.any() and not positive.all())
    pair = paired(scores, positive, lower_is_positive=lower_is_positive)
    area = to.SUMMARIES["auc"](pair.rankings["a"])

    assert [side.mean() for side in pair.placements("a")] == pytest.approx([area, area], abs=1e-12)


@given(scored(scores=TIED, min_size=2))
def test_low_scores_that_are_positive_are_high_ones_negated(rows):
    scores, positive, _ = rows
    assume(positive.any() and not positive.all())

    plain = paired(scores, positive).placements("a")
    turned = paired(-scores, positive, lower_is_positive=True).placements("a")

    assert [side.tolist() for side in turned] == [side.tolist() for side in plain]


def test_placements_of_many_rows_are_those_of_few():
    # Enough rows for the sort to be done in parts.
    random = np.random.default_rng(0)
    scores, positive = random.integers(0, 5000, 400_000) / 7, random.random(400_000) < 0.3
    pair = paired(scores, positive)
    up, _ = pair.placements("a")
    negatives = np.sort(scores[~positive])
    sides = (np.searchsorted(negatives, scores[positive], side) for side in ("left", "right"))

    assert up == pytest.approx(sum(sides) / 2 / len(negatives), abs=1e-12)
    assert up.mean() == pytest.approx(to.auc(positive, scores), abs=1e-12)


def test_each_model_has_the_ranking_of_its_own_rows():
    pair = PairedRanking(MODELS, ACTUAL, positive="yes", negative="no")

    assert (pair.models, pair.rows) == (("a", "b"), len(ACTUAL))
    for name in pair.models:
        expected = to.Ranking.of(MODELS[name], ACTUAL)
        assert columns(pair.rankings[name]) == columns(expected)
        assert (pair.rankings[name].name, pair.rankings[name].positive) == (name, "yes")
    assert repr(pair) == f"PairedRanking(2 models, {len(ACTUAL)} rows)"


@pytest.mark.parametrize("importance", [True, False])
def test_importances_bring_their_squares(importance):
    weights = np.linspace(0.5, 2, len(ACTUAL))
    ranking = PairedRanking(MODELS, ACTUAL, weights, importance=importance).rankings["a"]

    assert (ranking.squares is not None) == importance
    if importance:
        assert ranking.squares.positives == pytest.approx((weights[ACTUAL] ** 2).sum())


def test_parts_keep_rows_together():
    clusters, weights = np.arange(len(ACTUAL)) // 3, np.arange(1, len(ACTUAL) + 1)
    pair = PairedRanking(MODELS, ACTUAL, weights, clusters)
    some = np.arange(len(ACTUAL)) % 4 == 1

    part = pair.select_rows(some).select_models("b")

    assert part.models == ("b",)
    assert part.scores["b"].tolist() == MODELS["b"][some].tolist()
    assert part.positive_rows.tolist() == ACTUAL[some].tolist()
    assert part.weights.tolist() == weights[some].tolist()
    assert part.clusters.tolist() == clusters[some].tolist()
    assert pair.select_rows(np.array([5, 3])).scores["a"].tolist() == MODELS["a"][[5, 3]].tolist()


def test_rows_weighed_to_a_prevalence_are_those_of_the_ranking():
    pair = PairedRanking(MODELS, ACTUAL)

    weighed, expected = pair.at_prevalence(0.1), pair.rankings["a"].at_prevalence(0.1)

    ranking = weighed.rankings["a"]
    assert ranking.true_positives == pytest.approx(expected.true_positives)
    assert ranking.false_positives == pytest.approx(expected.false_positives)
    assert ranking.effective_rows == pytest.approx(expected.effective_rows)


def test_rows_of_one_class_cannot_be_weighed_to_a_prevalence():
    with pytest.raises(InputError, match="both classes"):
        paired(np.array([1.0, 2.0]), np.array([True, True])).at_prevalence(0.1)
