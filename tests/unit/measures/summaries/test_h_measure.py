"""The H-measure against direct numerical integration of its definition."""

import numpy as np
import pytest

import tradeoff as to


def integrated(ranking):
    """1 - ∫ best cost / ∫ best trivial cost, over a fine grid of cost shares."""
    share = ranking.positives / (ranking.positives + ranking.negatives)
    tpr = ranking.true_positives / ranking.positives
    fpr = ranking.false_positives / ranking.negatives
    cost = (np.arange(200_000) + 0.5) / 200_000
    density = cost**share * (1 - cost) ** (1 - share)
    best = np.full_like(cost, np.inf)
    for up, right in zip(tpr, fpr, strict=True):
        best = np.minimum(best, cost * (1 - share) * right + (1 - cost) * share * (1 - up))
    trivial = np.minimum(cost * (1 - share), (1 - cost) * share)
    return 1 - (best * density).sum() / (trivial * density).sum()


@pytest.mark.parametrize("seed", range(5))
def test_the_h_measure_is_its_defining_integral(seed):
    rng = np.random.default_rng(seed)
    actual = rng.random(60) < 0.1 + 0.15 * seed
    actual[:2] = True, False
    ranking = to.Ranking.of(np.round(rng.normal(size=60) + actual, 1), actual)

    assert to.SUMMARIES["h_measure"](ranking) == pytest.approx(integrated(ranking), abs=1e-8)


@pytest.mark.parametrize(("score", "expected"), [([1, 2, 3, 4], 1.0), ([4, 3, 2, 1], 0.0)])
def test_the_h_measure_of_perfect_and_inverted_rankings(score, expected):
    e = to.evaluate(actual=[0, 0, 1, 1], score=score)

    assert float(e.summary("h_measure")) == pytest.approx(expected, abs=1e-12)
