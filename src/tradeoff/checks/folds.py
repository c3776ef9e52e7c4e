"""Checks of folds, segments and files: shifted scores, differing prevalence, a single class."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.checks.registry import Problem, check
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally
from tradeoff.errors import format_list
from tradeoff.formatting import format_number, format_percent, printable
from tradeoff.measures.curves.average import pool_folds
from tradeoff.measures.registry import SUMMARIES
from tradeoff.stats.significance import two_sided_p_value
from tradeoff.wording import ROWS

Parts = Mapping[str, Ranking]

SIGNIFICANCE_LEVEL = 1e-3
"""Differences with a smaller p-value are reported."""
MIN_EXPLAINED_VARIANCE = 0.01
"""Proportion of the variance of ranks that folds must explain; in large data any shift is
significant."""


def fold_shift(folds: Mapping[str, Ranking]) -> str | None:
    """Warning if scores are shifted between folds (Kruskal–Wallis test within classes), or None."""
    if len(folds) < 2:
        return None
    rescaled = _with_effective_sizes(folds)
    pooled = pool_folds(rescaled)
    if not (pooled.positives and pooled.negatives):
        return None
    names = list(folds)
    for kind in ("negatives", "positives"):
        p_value, explained_variance, mean_ranks = _kruskal_wallis(rescaled, pooled, kind)
        if p_value < SIGNIFICANCE_LEVEL and explained_variance > MIN_EXPLAINED_VARIANCE:
            if pooled.lower_is_positive:  # high ranks are then low scores
                mean_ranks = -mean_ranks
            highest_fold, lowest_fold = (
                names[int(find_index(mean_ranks))] for find_index in (np.nanargmax, np.nanargmin)
            )
            mean_auc = np.mean([float(SUMMARIES["auc"](fold)) for fold in folds.values()])
            return (
                "scores are shifted between folds (those of class "
                f"{getattr(pooled, kind[:-1])} are highest in fold {printable(highest_fold)}, "
                f"lowest in {printable(lowest_fold)}): the pooled AUC is "
                f"{format_number(float(SUMMARIES['auc'](pooled)))}, the mean over folds "
                f"{format_number(float(mean_auc))}; pool the folds only if they will share a "
                "threshold"
            )
    return None


def _with_effective_sizes(folds: Mapping[str, Ranking]) -> Mapping[str, Ranking]:
    """Folds with importance weights rescaled to each class's effective sample size (Kish 1965).

    A test would otherwise treat sums of weights as numbers of rows.
    """
    squared_weights = [fold.squares for fold in folds.values() if fold.squares is not None]
    if len(squared_weights) < len(folds) or not folds:
        return folds
    sums = [
        (
            sum(float(ranking.positives) for ranking in rankings),
            sum(float(ranking.negatives) for ranking in rankings),
        )
        for rankings in (folds.values(), squared_weights)
    ]
    positive_factor, negative_factor = (
        total / squares if squares else 1.0 for total, squares in zip(*sums, strict=True)
    )
    return {
        name: replace(fold.weighed(positive_factor, negative_factor), squares=None)
        for name, fold in folds.items()
    }


def _kruskal_wallis(
    folds: Mapping[str, Ranking], pooled_ranking: Ranking, kind: str
) -> tuple[float, float, NDArray[np.float64]]:
    """Kruskal–Wallis test of folds: p-value, explained variance, and mean rank of each fold."""
    from scipy.special import chdtrc

    column = "true_positives" if kind == "positives" else "false_positives"
    tie_sizes = np.diff(getattr(pooled_ranking, column)).astype(np.float64)
    total = tie_sizes.sum()
    # Midranks in ascending order: the highest score has the highest rank.
    midranks = total - np.cumsum(tie_sizes) + (tie_sizes + 1) / 2
    fold_sizes, fold_means = [], []
    for fold in folds.values():
        counts = np.diff(getattr(fold, column)).astype(np.float64)
        ranks = midranks[pooled_ranking.places(fold.thresholds[1:]) - 1]
        fold_sizes.append(counts.sum())
        fold_means.append((counts * ranks).sum() / counts.sum() if counts.sum() else np.nan)
    rows, mean_ranks = np.array(fold_sizes), np.array(fold_means)
    tie_correction = 1 - (tie_sizes**3 - tie_sizes).sum() / max(total**3 - total, 1.0)
    sum_of_squares = np.nansum(rows * (mean_ranks - (total + 1) / 2) ** 2)
    groups = int((rows > 0).sum())
    if tie_correction <= 0 or groups < 2 or total <= groups:
        return 1.0, 0.0, mean_ranks
    h = 12 / (total * (total + 1)) * sum_of_squares / tie_correction
    explained_variance = float((h - groups + 1) / (total - groups))
    return float(chdtrc(groups - 1, h)), explained_variance, mean_ranks


MIN_ODDS_RATIO = 1.5
"""Minimum odds ratio of prevalences that is reported: 50% and 60%, or 1% and 1.5%. In large data
every difference is significant, and a smaller one does not change any decision."""
LARGE_ODDS_RATIO = 3.0
"""Segments naturally differ; only from this odds ratio on do they deserve a warning."""
MAX_LISTED = 3
GRID_SIZE = 2048


@check("folds", "folds with a single class")
def one_class_folds(folds: Parts) -> Problem:
    """Check whether some folds have rows of a single class, and hence no AUC."""
    names = _single_class_parts(folds)
    if not names:
        return None
    units = _units(folds)
    if len(names) == len(folds):
        return (
            "warning",
            f"Every fold has {units} of a single class, so no fold has an AUC.",
            f"After leave-one-out, pool all {units}; otherwise stratify the folds by class.",
        )
    return (
        "warning",
        (
            f"{len(names)} of {len(folds)} folds have {units} of a single class: "
            f"{format_list(names, MAX_LISTED)}. They have no AUC and are left out of averages."
        ),
        "Stratify the folds by class, or use fewer folds.",
    )


@check("folds", "scores shifted between folds")
def shifted_folds(folds: Parts) -> Problem:
    """Check whether scores are shifted between folds, so that they should not be pooled."""
    single_class_names = set(_single_class_parts(folds))
    usable_folds = {name: fold for name, fold in folds.items() if name not in single_class_names}
    # Coarse rankings show quickly that there is no shift; only a finding needs exact values.
    warning = fold_shift(_coarsen(usable_folds)) and fold_shift(usable_folds)
    if warning is None:
        return None
    sentence, _, advice = warning.rpartition("; ")
    return (
        "warning",
        f"{_capitalize(sentence)}.",
        f"{_capitalize(advice)}; otherwise average over folds.",
    )


@check("segments", "segments with a single class")
def one_class_segments(segments: Parts) -> Problem:
    """Check whether some segments have rows of a single class, and hence no AUC."""
    names = _single_class_parts(segments)
    if not names:
        return None
    verb = "segments have" if len(names) > 1 else "segment has"
    single_class = f"{verb} {_units(segments)} of a single class"
    return (
        "note",
        f"{len(names)} {single_class}: {format_list(names, MAX_LISTED)}.",
        "Merge small segments; these have no AUC, and rates for one class only.",
    )


@check("segments", "prevalence that differs between segments")
def prevalence_of_segments(segments: Parts) -> Problem:
    """Check whether the prevalence differs between segments (chi-squared test)."""
    deviations = _deviating_prevalences(segments)
    if not deviations:
        return None
    is_large = any(part.odds_ratio >= LARGE_ODDS_RATIO for part in deviations)
    return (
        "warning" if is_large else "note",
        f"The prevalence differs between segments: {_format_prevalences(deviations)}.",
        (
            "Precision, accuracy and lift differ for that reason alone: compare recall and "
            "specificity, and check whether all segments were sampled in the same way."
        ),
    )


@check("files", "prevalence that differs between files")
def prevalence_of_files(files: Parts) -> Problem:
    """Check whether the prevalence differs between two files (chi-squared test)."""
    deviations = _deviating_prevalences(files)
    if not deviations:
        return None
    return (
        "warning",
        f"The prevalence differs between the files: {_format_prevalences(deviations)}.",
        (
            "Metrics that depend on the prevalence (precision, accuracy, lift, costs) do not carry "
            "over: state the prevalence for which they are meant, and choose the threshold again."
        ),
    )


class PartPrevalence(NamedTuple):
    """Prevalence in one segment or file and in the others, with odds ratio and p-value."""

    name: str
    prevalence: float
    other_prevalence: float
    odds_ratio: float
    p_value: float


def _deviating_prevalences(parts: Parts) -> list[PartPrevalence]:
    """The parts whose prevalence differs from that of all others, largest odds ratio first."""
    sizes = {name: _effective_sizes(part) for name, part in parts.items()}
    sizes = {name: size for name, size in sizes.items() if sum(size) > 0}
    if len(sizes) < 2:
        return []
    positives, negatives = (sum(size[side] for size in sizes.values()) for side in (0, 1))
    prevalences = [
        _compare_prevalence(name, size, (positives, negatives)) for name, size in sizes.items()
    ]
    level = SIGNIFICANCE_LEVEL / len(prevalences)  # Bonferroni
    deviations = [
        part for part in prevalences if part.odds_ratio >= MIN_ODDS_RATIO and part.p_value < level
    ]
    return sorted(deviations, key=lambda part: -part.odds_ratio)


def _compare_prevalence(
    name: str, part_sizes: tuple[float, float], whole_sizes: tuple[float, float]
) -> PartPrevalence:
    """Comparison of a part's prevalence with that of all others (Pearson's chi-squared test)."""
    rest_sizes = (
        max(whole_sizes[0] - part_sizes[0], 0.0),
        max(whole_sizes[1] - part_sizes[1], 0.0),
    )
    totals = sum(part_sizes), sum(rest_sizes)
    prevalences = part_sizes[0] / totals[0], rest_sizes[0] / totals[1]
    pooled = whole_sizes[0] / sum(whole_sizes)
    standard_error = math.sqrt(pooled * (1 - pooled) * (1 / totals[0] + 1 / totals[1]))
    z = (prevalences[0] - prevalences[1]) / standard_error if standard_error else 0.0
    # Half a row is added to each cell, as an empty cell would make the odds ratio infinite.
    log_odds = math.log(
        (part_sizes[0] + 0.5)
        * (rest_sizes[1] + 0.5)
        / ((part_sizes[1] + 0.5) * (rest_sizes[0] + 0.5))
    )
    return PartPrevalence(name, *prevalences, math.exp(abs(log_odds)), two_sided_p_value(z))


def _effective_sizes(part: Ranking) -> tuple[float, float]:
    """Effective numbers of positives and negatives, rejected rows included."""
    positives = float(part.positives + part.rejected_positives)
    negatives = float(part.negatives + part.rejected_negatives)
    if part.squares is None:
        return positives, negatives
    squares = float(part.squares.total)
    scale = (positives + negatives) / squares if squares else 0.0
    return positives * scale, negatives * scale


def _coarsen(parts: Parts) -> Parts:
    """Reduce large rankings to a few thousand common thresholds."""
    if not parts or max(part.distinct for part in parts.values()) <= GRID_SIZE:
        return parts
    widest = max(parts.values(), key=lambda part: part.distinct)
    indices = np.linspace(1, widest.distinct, GRID_SIZE).astype(np.intp)
    # Other parts may have rows beyond the last score of the widest one.
    last_thresholds = [part.thresholds[-1:] for part in parts.values()]
    outermost_threshold = max(last_thresholds) if widest.lower_is_positive else min(last_thresholds)
    grid = np.unique(np.concatenate([widest.thresholds[indices], outermost_threshold]))
    grid = grid if widest.lower_is_positive else grid[::-1]
    return {name: _at_thresholds(part, grid) for name, part in parts.items()}


def _at_thresholds(part: Ranking, grid: NDArray[np.float64]) -> Ranking:
    """A ranking reduced to the thresholds of a grid."""
    indices = np.concatenate([[0], part.places(grid)])
    _, true_positives, false_positives = (column[indices] for column in part.tally)
    thresholds = np.concatenate([part.thresholds[:1], grid])
    tally = Tally(thresholds, true_positives, false_positives)
    squares = None if part.squares is None else _at_thresholds(part.squares, grid)
    return replace(part, tally=tally, squares=squares, levels=None)


def _single_class_parts(parts: Parts) -> list[str]:
    """Names of the parts whose rows all have the same class."""
    return [
        name
        for name, part in parts.items()
        if part.rows and not (part.positives and part.negatives)
    ]


def _units(parts: Parts) -> str:
    """The user's word for the rows of folds, segments or files."""
    return next((part.wording.units for part in parts.values()), ROWS.units)


def _format_prevalences(parts: list[PartPrevalence]) -> str:
    phrases = [
        f"{format_percent(part.prevalence)} in {part.name}, "
        f"{format_percent(part.other_prevalence)} elsewhere"
        for part in parts[:MAX_LISTED]
    ]
    more = f"; and {len(parts) - MAX_LISTED} more" if len(parts) > MAX_LISTED else ""
    return "; ".join(phrases) + more


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
