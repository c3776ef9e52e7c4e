"""What folds, segments and files show when they are held against each other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.checks.registry import Told, check
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally
from tradeoff.errors import listed
from tradeoff.measures.curves.average import pooled
from tradeoff.measures.registry import SUMMARIES
from tradeoff.stats.normal import two_sided
from tradeoff.text import number, plain, share

Parts = Mapping[str, Ranking]


# Whether scores mean the same in every fold: only then may folds be pooled.


RARE = 1e-3
"""So improbable must differences between folds be by chance."""
NOTABLE = 0.01
"""And so much of the variance of ranks must they explain: in large data all is improbable."""


def fold_shift(folds: Mapping[str, Ranking]) -> str | None:
    """A warning when a class's scores lie higher in some folds than in others.

    The test is that of Kruskal and Wallis on the ranks of each class.
    """
    if len(folds) < 2:
        return None
    counted = _evened(folds)
    together = pooled(counted)
    if not (together.positives and together.negatives):
        return None
    names = list(folds)
    for kind in ("negatives", "positives"):
        chance, explained, ranks = _kruskal_wallis(counted, together, kind)
        if chance < RARE and explained > NOTABLE:
            if together.lower_is_positive:  # the most positive rank has the lowest score
                ranks = -ranks
            high, low = names[int(np.nanargmax(ranks))], names[int(np.nanargmin(ranks))]
            mean = np.mean([float(SUMMARIES["auc"](fold)) for fold in folds.values()])
            return (
                f"scores are shifted between folds (those of {getattr(together, kind[:-1])} lie "
                f"highest in fold {plain(high)}, lowest in {plain(low)}): pooled, the AUC is "
                f"{number(float(SUMMARIES['auc'](together)))}, averaged over folds "
                f"{number(float(mean))}; pool only if one threshold will serve all"
            )
    return None


def _evened(folds: Mapping[str, Ranking]) -> Mapping[str, Ranking]:
    """Importances scaled so that they add up to what the rows of each class are worth.

    Their sums are no numbers of rows, and a test would take them for such (Kish 1965).
    """
    squared = [fold.squares for fold in folds.values() if fold.squares is not None]
    if len(squared) < len(folds) or not folds:
        return folds
    sums = [
        (sum(float(p.positives) for p in some), sum(float(p.negatives) for p in some))
        for some in (folds.values(), squared)
    ]
    up, down = (own / square if square else 1.0 for own, square in zip(*sums, strict=True))
    return {name: replace(fold.weighed(up, down), squares=None) for name, fold in folds.items()}


def _kruskal_wallis(
    folds: Mapping[str, Ranking], together: Ranking, kind: str
) -> tuple[float, float, NDArray[np.float64]]:
    """The chance of such differences, the variance they explain, and the folds' mean ranks."""
    from scipy.special import chdtrc

    column = "true_positives" if kind == "positives" else "false_positives"
    sizes = np.diff(getattr(together, column)).astype(np.float64)
    total = sizes.sum()
    # From low to high: the highest score has the highest rank.
    middle = total - np.cumsum(sizes) + (sizes + 1) / 2
    rows, means = [], []
    for fold in folds.values():
        counts = np.diff(getattr(fold, column)).astype(np.float64)
        ranks = middle[together.places(fold.thresholds[1:]) - 1]
        rows.append(counts.sum())
        means.append((counts * ranks).sum() / counts.sum() if counts.sum() else np.nan)
    size, mean = np.array(rows), np.array(means)
    ties = 1 - (sizes**3 - sizes).sum() / max(total**3 - total, 1.0)
    between = np.nansum(size * (mean - (total + 1) / 2) ** 2)
    groups = int((size > 0).sum())
    if ties <= 0 or groups < 2 or total <= groups:
        return 1.0, 0.0, mean
    h = 12 / (total * (total + 1)) * between / ties
    return float(chdtrc(groups - 1, h)), float((h - groups + 1) / (total - groups)), mean


ODDS = 1.5
"""So many times must the odds of being positive differ: 50 % and 60 %, or 1 % and 1.5 %. Large
data make every difference improbable, and a smaller one changes no decision."""
LARGE_ODDS = 3.0
"""Segments differ by nature; so much is worth a warning."""
SHOWN = 3
GRID = 2048


@check("folds", "a fold has rows of one class alone")
def one_class_folds(folds: Parts) -> Told:
    """Which folds have no area of their own."""
    lone = _of_one_class(folds)
    if not lone:
        return None
    if len(lone) == len(folds):
        return (
            "warning",
            "Every fold has rows of one class alone, so no fold has an area of its own.",
            "After leaving one row out at a time, pool all rows; else deal rows to folds by class.",
        )
    return (
        "warning",
        (
            f"{len(lone)} of {len(folds)} folds have rows of one class alone: "
            f"{listed(lone, SHOWN)}. They have no area and drop out of averages."
        ),
        "Deal rows to folds class by class (stratified), or take fewer folds.",
    )


@check("folds", "scores lie higher in some folds than in others")
def shifted_folds(folds: Parts) -> Told:
    """Whether scores mean the same in every fold."""
    lone = set(_of_one_class(folds))
    whole = {name: fold for name, fold in folds.items() if name not in lone}
    # Coarse rankings tell at once that nothing is wrong; only a finding needs the exact numbers.
    said = fold_shift(_coarse(whole)) and fold_shift(whole)
    if said is None:
        return None
    what, _, advice = said.rpartition("; ")
    return "warning", f"{_capital(what)}.", f"{_capital(advice)}; else average over folds."


@check("segments", "a segment has rows of one class alone")
def one_class_segments(segments: Parts) -> Told:
    """Which segments have no area of their own."""
    lone = _of_one_class(segments)
    if not lone:
        return None
    verb = "segments have" if len(lone) > 1 else "segment has"
    return (
        "note",
        f"{len(lone)} {verb} rows of one class alone: {listed(lone, SHOWN)}.",
        "Join small segments, or do not expect areas and rates of both classes of them.",
    )


@check("segments", "segments differ much in their share of positives")
def prevalence_of_segments(segments: Parts) -> Told:
    """Whether positives are much more frequent in some segments than in the others."""
    apart = _apart(segments)
    if not apart:
        return None
    large = any(one.odds >= LARGE_ODDS for one in apart)
    return (
        "warning" if large else "note",
        f"Positives are not equally frequent in all segments: {_listed(apart)}.",
        (
            "Precision, accuracy and lift will differ for that reason alone: compare rates by "
            "class, and look whether segments were drawn in the same way."
        ),
    )


@check("files", "files differ much in their share of positives")
def prevalence_of_files(files: Parts) -> Told:
    """Whether positives are much more frequent in one file than in the other."""
    apart = _apart(files)
    if not apart:
        return None
    return (
        "warning",
        f"Positives are not equally frequent in both files: {_listed(apart)}.",
        (
            "Numbers that depend on the share of positives (precision, accuracy, lift, costs) do "
            "not carry over: say at which prevalence they are wanted, and choose the line anew."
        ),
    )


class Part(NamedTuple):
    """How frequent positives are in a part, among the others, and how improbable by chance."""

    name: str
    prevalence: float
    others: float
    odds: float
    p_value: float


def _apart(parts: Parts) -> list[Part]:
    """The parts whose share of positives differs from that of all others, the furthest first."""
    sizes = {name: _effective(part) for name, part in parts.items()}
    sizes = {name: own for name, own in sizes.items() if sum(own) > 0}
    if len(sizes) < 2:
        return []
    whole = [sum(own[side] for own in sizes.values()) for side in (0, 1)]
    found = [_against(name, own, (whole[0], whole[1])) for name, own in sizes.items()]
    # As many chances to err as there are parts (Bonferroni).
    apart = [one for one in found if one.odds >= ODDS and one.p_value < RARE / len(found)]
    return sorted(apart, key=lambda one: -one.odds)


def _against(name: str, own: tuple[float, float], whole: tuple[float, float]) -> Part:
    """Two shares compared with their common variance, as Pearson's chi-squared test does."""
    rest = (max(whole[0] - own[0], 0.0), max(whole[1] - own[1], 0.0))
    sizes = sum(own), sum(rest)
    shares = own[0] / sizes[0], rest[0] / sizes[1]
    common = whole[0] / sum(whole)
    error = math.sqrt(common * (1 - common) * (1 / sizes[0] + 1 / sizes[1]))
    z = (shares[0] - shares[1]) / error if error else 0.0
    # Half a row more in each cell: an empty one would make the odds infinite.
    odds = math.log((own[0] + 0.5) * (rest[1] + 0.5) / ((own[1] + 0.5) * (rest[0] + 0.5)))
    return Part(name, *shares, math.exp(abs(odds)), two_sided(z))


def _effective(part: Ranking) -> tuple[float, float]:
    """Positives and negatives, all rows counted; importances scaled to what they are worth."""
    positives = float(part.positives + part.rejected_positives)
    negatives = float(part.negatives + part.rejected_negatives)
    if part.squares is None:
        return positives, negatives
    squares = part.squares
    worth = float(squares.total)
    scale = (positives + negatives) / worth if worth else 0.0
    return positives * scale, negatives * scale


def _coarse(parts: Parts) -> Parts:
    """Large rankings at a few thousand thresholds that all have in common."""
    if not parts or max(part.distinct for part in parts.values()) <= GRID:
        return parts
    widest = max(parts.values(), key=lambda part: part.distinct)
    steps = np.linspace(1, widest.distinct, GRID).astype(np.intp)
    # Beyond the widest part's last score others may have more rows.
    last = [part.thresholds[-1:] for part in parts.values()]
    ends = max(last) if widest.lower_is_positive else min(last)
    grid = np.unique(np.concatenate([widest.thresholds[steps], ends]))
    grid = grid if widest.lower_is_positive else grid[::-1]
    return {name: _on(part, grid) for name, part in parts.items()}


def _on(part: Ranking, grid: NDArray[np.float64]) -> Ranking:
    places = np.concatenate([[0], part.places(grid)])
    _, found, alarms = (column[places] for column in part.tally)
    thresholds = np.concatenate([part.thresholds[:1], grid])
    squares = None if part.squares is None else _on(part.squares, grid)
    return replace(part, tally=Tally(thresholds, found, alarms), squares=squares, levels=None)


def _of_one_class(parts: Parts) -> list[str]:
    return [
        name
        for name, part in parts.items()
        if part.rows and not (part.positives and part.negatives)
    ]


def _listed(apart: list[Part]) -> str:
    said = [
        f"{share(one.prevalence)} in {one.name} against {share(one.others)} elsewhere"
        for one in apart[:SHOWN]
    ]
    more = f"; and {len(apart) - SHOWN} more" if len(apart) > SHOWN else ""
    return "; ".join(said) + more


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
