"""Scores of several models for the same rows: placements, checked pair by pair, and subsets."""

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
    positive_placements, negative_placements = paired(
        np.array([3.0, 2.0, 2.0, 1.0]), np.array([1, 1, 0, 0], bool)
    ).placements("a")

    assert (positive_placements.tolist(), negative_placements.tolist()) == (
        [1.0, 0.75],
        [0.75, 1.0],
    )


@given(scored(scores=TIED, min_size=2))
def test_placements_are_means_over_all_pairs_of_rows(rows):
    scores, positive, _ = rows
    assume(positive.any() and not positive.all())
    wins = pairs_won(scores, positive)

    positive_placements, negative_placements = paired(scores, positive).placements("a")

    assert positive_placements == pytest.approx(wins.mean(axis=1), abs=1e-12)
    assert negative_placements == pytest.approx(wins.mean(axis=0), abs=1e-12)


@given(scored(scores=TIED, min_size=2))
def test_weighted_placements_are_weighted_means(rows):
    scores, positive, weights = rows
    weights = weights + 0.5
    assume(positive.any() and not positive.all())
    wins = pairs_won(scores, positive)

    positive_placements, negative_placements = paired(scores, positive, weights).placements("a")

    assert positive_placements == pytest.approx(
        np.average(wins, axis=1, weights=weights[~positive]), abs=1e-12
    )
    assert negative_placements == pytest.approx(
        np.average(wins, axis=0, weights=weights[positive]), abs=1e-12
    )


@given(scored(scores=TIED, min_size=2), st.booleans())
def test_the_mean_placement_of_either_class_is_the_auc(rows, lower_is_positive):
    scores, positive, _ = rows
    assume(positive.any() and not positive.all())
    pair = paired(scores, positive, lower_is_positive=lower_is_positive)
    auc = to.SUMMARIES["auc"](pair.rankings["a"])

    means = [placements.mean() for placements in pair.placements("a")]
    assert means == pytest.approx([auc, auc], abs=1e-12)


@given(scored(scores=TIED, min_size=2))
def test_low_scores_as_positive_equal_negated_scores(rows):
    scores, positive, _ = rows
    assume(positive.any() and not positive.all())

    plain = paired(scores, positive).placements("a")
    negated = paired(-scores, positive, lower_is_positive=True).placements("a")

    assert [values.tolist() for values in negated] == [values.tolist() for values in plain]


def test_placements_of_many_rows_sorted_in_parallel():
    # Enough rows for several threads.
    random = np.random.default_rng(0)
    scores, positive = random.integers(0, 5000, 400_000) / 7, random.random(400_000) < 0.3
    pair = paired(scores, positive)
    positive_placements, _ = pair.placements("a")
    negatives = np.sort(scores[~positive])
    ranks = (np.searchsorted(negatives, scores[positive], side) for side in ("left", "right"))

    assert positive_placements == pytest.approx(sum(ranks) / 2 / len(negatives), abs=1e-12)
    assert positive_placements.mean() == pytest.approx(to.auc(positive, scores), abs=1e-12)


def test_each_model_has_the_ranking_of_its_own_scores():
    pair = PairedRanking(MODELS, ACTUAL, positive="yes", negative="no")

    assert (pair.models, pair.rows) == (("a", "b"), len(ACTUAL))
    for name in pair.models:
        expected = to.Ranking.of(MODELS[name], ACTUAL)
        assert columns(pair.rankings[name]) == columns(expected)
        assert (pair.rankings[name].name, pair.rankings[name].positive) == (name, "yes")
    assert repr(pair) == f"PairedRanking(2 models, {len(ACTUAL)} rows)"


@pytest.mark.parametrize("importance", [True, False])
def test_importance_weights_add_squares_to_rankings(importance):
    weights = np.linspace(0.5, 2, len(ACTUAL))
    ranking = PairedRanking(MODELS, ACTUAL, weights, importance=importance).rankings["a"]

    assert (ranking.squares is not None) == importance
    if importance:
        assert ranking.squares.positives == pytest.approx((weights[ACTUAL] ** 2).sum())


def test_selected_rows_keep_their_scores_weights_and_clusters():
    clusters, weights = np.arange(len(ACTUAL)) // 3, np.arange(1, len(ACTUAL) + 1)
    pair = PairedRanking(MODELS, ACTUAL, weights, clusters)
    mask = np.arange(len(ACTUAL)) % 4 == 1

    part = pair.select_rows(mask).select_models("b")

    assert part.models == ("b",)
    assert part.scores["b"].tolist() == MODELS["b"][mask].tolist()
    assert part.positive_rows.tolist() == ACTUAL[mask].tolist()
    assert part.weights.tolist() == weights[mask].tolist()
    assert part.clusters.tolist() == clusters[mask].tolist()
    assert pair.select_rows(np.array([5, 3])).scores["a"].tolist() == MODELS["a"][[5, 3]].tolist()


def test_reweighting_rows_to_a_prevalence_equals_reweighting_their_ranking():
    pair = PairedRanking(MODELS, ACTUAL)

    reweighted, expected = pair.at_prevalence(0.1), pair.rankings["a"].at_prevalence(0.1)

    ranking = reweighted.rankings["a"]
    assert ranking.true_positives == pytest.approx(expected.true_positives)
    assert ranking.false_positives == pytest.approx(expected.false_positives)
    assert ranking.effective_rows == pytest.approx(expected.effective_rows)


def test_rows_of_one_class_cannot_be_reweighted_to_a_prevalence():
    with pytest.raises(InputError, match="both classes"):
        paired(np.array([1.0, 2.0]), np.array([True, True])).at_prevalence(0.1)
