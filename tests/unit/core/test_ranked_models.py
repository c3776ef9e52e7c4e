"""Ranked models: selecting one of several, and reweighting to another prevalence."""

import numpy as np
import pytest

from tradeoff import Costs, Ranking
from tradeoff.core.ranked_models import RankedModels, rankings_at_prevalence
from tradeoff.wording import ROWS, Wording

BOTH_CLASSES = Ranking.of(np.array([0.9, 0.4, 0.3, 0.1]), np.array([True, False, True, False]))
NEGATIVES_ONLY = Ranking.of(np.array([0.8, 0.2]), np.array([False, False]))


def ranked_models():
    return RankedModels(
        {"tree": BOTH_CLASSES, "forest": BOTH_CLASSES},
        folds={"tree": {"1": BOTH_CLASSES, "2": NEGATIVES_ONLY}},
        costs={"tree": Costs(fp=1, fn=5)},
    )


def test_rankings_are_named_after_their_models():
    assert [ranking.name for ranking in ranked_models().rankings.values()] == ["tree", "forest"]


def test_one_model_keeps_its_folds_and_costs():
    tree, forest = ranked_models().of("tree"), ranked_models().of("forest")
    assert (list(tree.rankings), list(tree.folds["tree"])) == (["tree"], ["1", "2"])
    assert tree.costs == {"tree": Costs(fp=1, fn=5)}
    assert (forest.folds, forest.costs) == ({}, {})


def test_a_prevalence_reweights_rankings_with_both_classes():
    reweighted = rankings_at_prevalence({"1": BOTH_CLASSES, "2": NEGATIVES_ONLY}, 0.1)
    assert reweighted["1"].positives / reweighted["1"].total == pytest.approx(0.1)
    assert reweighted["2"] == NEGATIVES_ONLY


def test_models_are_unchanged_without_a_prevalence():
    models = ranked_models()
    assert models.at_prevalence(None) is models
    assert models.at_prevalence(0.25).folds["tree"]["2"] == NEGATIVES_ONLY


def test_the_words_of_models_reach_their_folds_and_what_is_derived_from_them():
    patients = Wording("patients")
    models = ranked_models().with_wording(patients)
    derived = models.at_prevalence(0.25)

    assert models == ranked_models()
    assert ranked_models().wording == ROWS
    assert models.wording == models.folds["tree"]["2"].wording == patients
    assert derived.wording == derived.folds["tree"]["1"].wording == patients
    assert derived.rankings["tree"].within(4).best_case.wording == patients
    assert (models.rankings["tree"] + models.rankings["forest"]).wording == patients
    assert models.with_wording(patients) is models
