"""Rows that tests of smooth curves share."""

import numpy as np
import pytest
from golden.reference import table

import tradeoff as to

every_marker = pytest.mark.parametrize("marker", ["s100b", "ndka"])
every_model = pytest.mark.parametrize("model", ["binormal", "kernel"])


def ranked(score, positive, weights=None, **described):
    return to.Ranking.of(np.asarray(score, float), np.asarray(positive, bool), weights, **described)


def marker_ranking(marker):
    rows = table("proc_aSAH_data.csv")
    return ranked(rows[marker], rows["poor"] == 1, name=marker)


def binormal_sample(a, b, positives, negatives, seed):
    rng = np.random.default_rng(seed)
    scores = [rng.normal(a / b, 1 / b, positives), rng.normal(size=negatives)]
    return np.concatenate(scores), np.arange(positives + negatives) < positives


SIXTY = ranked(*binormal_sample(1.0, 0.8, 25, 35, seed=4))
