"""The H-measure against direct numerical integration of its definition."""

import numpy as np
import pytest

import tradeoff as to


def integrated_h_measure(ranking):
    """1 - ∫ lowest cost / ∫ lowest trivial cost, by numerical integration over cost shares."""
    prevalence = ranking.positives / (ranking.positives + ranking.negatives)
    tpr = ranking.true_positives / ranking.positives
    fpr = ranking.false_positives / ranking.negatives
    cost = (np.arange(200_000) + 0.5) / 200_000
    density = cost**prevalence * (1 - cost) ** (1 - prevalence)
    lowest = np.full_like(cost, np.inf)
    for t, f in zip(tpr, fpr, strict=True):
        expected = cost * (1 - prevalence) * f + (1 - cost) * prevalence * (1 - t)
        lowest = np.minimum(lowest, expected)
    trivial = np.minimum(cost * (1 - prevalence), (1 - cost) * prevalence)
    return 1 - (lowest * density).sum() / (trivial * density).sum()


@pytest.mark.parametrize("seed", range(5))
def test_the_h_measure_is_its_defining_integral(seed):
    rng = np.random.default_rng(seed)
    actual = rng.random(60) < 0.1 + 0.15 * seed
    actual[:2] = True, False
    ranking = to.Ranking.of(np.round(rng.normal(size=60) + actual, 1), actual)

    assert to.SUMMARIES["h_measure"](ranking) == pytest.approx(
        integrated_h_measure(ranking), abs=1e-8
    )


@pytest.mark.parametrize(("score", "expected"), [([1, 2, 3, 4], 1.0), ([4, 3, 2, 1], 0.0)])
def test_the_h_measure_of_perfect_and_inverted_rankings(score, expected):
    e = to.evaluate(actual=[0, 0, 1, 1], score=score)

    assert float(e.summary("h_measure")) == pytest.approx(expected, abs=1e-12)
