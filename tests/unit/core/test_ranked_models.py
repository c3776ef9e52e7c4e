"""Ranked models: one model of several, and reweighting to another prevalence."""

import numpy as np
import pytest

from tradeoff import Costs, Ranking
from tradeoff.core.ranked_models import RankedModels, rankings_at_prevalence

BOTH = Ranking.of(np.array([0.9, 0.4, 0.3, 0.1]), np.array([True, False, True, False]))
ONLY_NEGATIVE = Ranking.of(np.array([0.8, 0.2]), np.array([False, False]))


def models():
    return RankedModels(
        {"tree": BOTH, "forest": BOTH},
        folds={"tree": {"1": BOTH, "2": ONLY_NEGATIVE}},
        costs={"tree": Costs(fp=1, fn=5)},
    )


def test_rankings_are_named_after_their_models():
    assert [ranking.name for ranking in models().rankings.values()] == ["tree", "forest"]


def test_one_model_keeps_its_folds_and_costs():
    tree, forest = models().of("tree"), models().of("forest")
    assert (list(tree.rankings), list(tree.folds["tree"])) == (["tree"], ["1", "2"])
    assert tree.costs == {"tree": Costs(fp=1, fn=5)}
    assert (forest.folds, forest.costs) == ({}, {})


def test_a_prevalence_reweights_rankings_with_both_classes():
    reweighted = rankings_at_prevalence({"1": BOTH, "2": ONLY_NEGATIVE}, 0.1)
    assert reweighted["1"].positives / reweighted["1"].total == pytest.approx(0.1)
    assert reweighted["2"] == ONLY_NEGATIVE


def test_models_without_a_prevalence_stay_as_they_are():
    unchanged = models()
    assert unchanged.at_prevalence(None) is unchanged
    assert unchanged.at_prevalence(0.25).folds["tree"]["2"] == ONLY_NEGATIVE
