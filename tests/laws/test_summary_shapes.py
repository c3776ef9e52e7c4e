"""Declared properties of summaries, verified by brute force over random rankings."""

from functools import cache

import numpy as np
import pytest

import tradeoff as to
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.summary_intervals import summaries_with_intervals

ROUNDING = 1e-9


@cache
def samples():
    """Probabilities with ties and their classes, of many sizes and prevalences."""
    random = np.random.default_rng(11)
    labelled_scores = []
    for rows, prevalence in ((30, 0.3), (30, 0.5), (45, 0.4), (60, 0.2), (80, 0.7), (25, 0.6)):
        for digits in (1, 2):
            positive = np.zeros(rows, bool)
            positive[: round(rows * prevalence)] = True
            scores = np.clip(random.normal(0.4 + 0.2 * positive, 0.25), 0.01, 0.99).round(digits)
            labelled_scores.append((scores, positive))
    return labelled_scores


def ranked(sample):
    return to.Ranking.of(*sample)


@cache
def values(name):
    return np.array([to.SUMMARIES[name](ranked(sample)) for sample in samples()])


def line(first, second):
    """Slope and intercept of the line from the first values to the second; None if none fits."""
    finite = np.isfinite(first).all() and np.isfinite(second).all()
    if not finite or np.ptp(first) < ROUNDING or np.ptp(second) < ROUNDING:
        return None
    factor, constant = np.polyfit(first, second, 1)
    return (factor, constant) if np.allclose(factor * first + constant, second) else None


@pytest.mark.parametrize("name", to.SUMMARIES)
def test_summaries_linear_in_the_auc_are_declared_so(name):
    fitted, declared = line(values("auc"), values(name)), to.SUMMARIES[name].linear_in_auc

    assert (declared is not None) == (fitted is not None)
    assert declared is None or declared == pytest.approx(fitted)


def is_mean_over_rows(name, power=1):
    """Whether the value of two pooled samples is the mean of theirs, weighted by size."""
    summary = to.SUMMARIES[name]
    pairs = zip(samples()[:-3], samples()[3:], strict=True)  # different prevalences
    for first, second in pairs:
        pooled = tuple(np.concatenate(parts) for parts in zip(first, second, strict=True))
        first_value, second_value = (summary(ranked(sample)) ** power for sample in (first, second))
        mean = (first_value * len(first[0]) + second_value * len(second[0])) / len(pooled[0])
        if not abs(summary(ranked(pooled)) ** power - mean) < ROUNDING:
            return False
    return True


@pytest.mark.parametrize("name", to.SUMMARIES)
def test_a_mean_over_rows_or_its_root_has_the_interval_of_a_mean(name):
    has_mean_interval = estimated(name, samples()[0]).method == "mean over rows, Hall"

    assert has_mean_interval == any(is_mean_over_rows(name, power) for power in (1, 2))


def estimated(name, sample):
    return summaries_with_intervals(
        [to.SUMMARIES[name]], ranked(sample), Confidence(replicates=20)
    )[name]


LINES = [
    (first, second)
    for first in to.SUMMARIES
    for second in to.SUMMARIES
    if first < second
    if line(values(first)[:4], values(second)[:4]) and line(values(first), values(second))
]


def test_known_linearly_related_summaries_are_detected():
    assert ("partial_auc", "partial_auc_share") in LINES


@pytest.mark.parametrize(("first", "second"), LINES)
def test_linearly_related_summaries_have_linearly_related_intervals(first, second):
    factor, constant = line(values(first), values(second))
    for sample in samples()[:4]:
        first_estimate, second_estimate = estimated(first, sample), estimated(second, sample)
        ends = sorted(factor * end + constant for end in (first_estimate.low, first_estimate.high))

        assert (second_estimate.low, second_estimate.high) == pytest.approx(
            tuple(ends), nan_ok=True
        )


@pytest.mark.parametrize("name", to.SUMMARIES)
def test_fitted_summaries_have_a_wald_interval_only_on_request(name):
    summary = to.SUMMARIES[name]
    plain, estimate = summary.estimate(ranked(samples()[0])), estimated(name, samples()[0])

    assert not plain.has_interval
    if summary.returns_interval:
        assert estimate.value == plain.value
        assert estimate.method.startswith("Wald")


@pytest.mark.parametrize("name", to.SUMMARIES)
def test_summaries_change_with_the_prevalence_as_declared(name):
    summary = to.SUMMARIES[name]
    deviations = []
    for ranking in map(ranked, samples()):
        parts = [summary(ranking.at_prevalence(share)) for share in (0.2, 0.4, 0.6)]
        middle = (parts[0] + parts[2]) / 2
        deviations.append((np.ptp(parts), abs(parts[1] - middle)))
    is_constant, is_linear = (max(column) < ROUNDING for column in zip(*deviations, strict=True))

    assert summary.mean_over_rows == is_mean_over_rows(name)
    assert (summary.effect_of_prevalence == "rates") == is_constant
    assert summary.effect_of_prevalence != "classes" or is_linear


@pytest.mark.parametrize("registry", [to.METRICS, to.SUMMARIES], ids=["metrics", "summaries"])
def test_headline_ranks_are_unique(registry):
    places = {where for measure in registry.values() for where in measure.headline}
    for where in places:
        ranks = [measure.headline[where] for measure in registry.headlines(where)]

        assert ranks == sorted(set(ranks))
