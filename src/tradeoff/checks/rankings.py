"""What one model's ranking alone can show to be wrong with its rows."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tradeoff.checks.registry import Told, check
from tradeoff.core.ranking import Ranking
from tradeoff.measures.summaries.areas import auc, surely_worse_than_chance
from tradeoff.text import count, number, rows, share
from tradeoff.text import threshold as written
from tradeoff.threads import blocks

Floats = NDArray[np.float64]

FEW = 10
"""With fewer rows of a class, intervals are so wide that little can be said."""
PERFECT = 0.999
ENOUGH = 50
"""So many rows of each class make a perfect ranking hard to believe."""
NEAR = 1e-9
"""Scores that differ by less, relative to their size, differ by rounding."""
NOTABLE = 0.01
"""This share of distinct scores must be near ties before they matter."""
MOSTLY = 0.9
"""This share of scores between 0 and 1 says that they are meant as probabilities."""
ROUNDING = 1e-6
NEARLY = 0.999
"""Probabilities above this are squeezed against 1."""
FAR = 0.5
"""Bad probabilities leave their range by less; what goes further is a measurement."""


@check("ranking", "there are no rows")
def no_rows(ranking: Ranking) -> Told:
    """Whether there is nothing to judge."""
    if ranking.rows:
        return None
    return "error", "There are no rows.", "Look whether a filter or a join left them out."


@check("ranking", "all rows are of one class")
def one_class(ranking: Ranking) -> Told:
    """Whether a class is missing."""
    if not ranking.rows or (ranking.positives and ranking.negatives):
        return None
    only, none = ranking.positive, ranking.negative
    if not ranking.positives:
        only, none = none, only
    return (
        "error",
        f"No ranked row is {none}: every one is {only}, so nothing can be told apart.",
        "Add rows of the other class, or look whether the right class was called positive.",
    )


@check("ranking", f"a class has fewer than {FEW} rows")
def few_rows_of_a_class(ranking: Ranking) -> Told:
    """Whether one class has too few rows to say much."""
    if not (ranking.positives and ranking.negatives):
        return None
    sizes = dict(zip((ranking.positive, ranking.negative), ranking.effective_rows, strict=True))
    name = min(sizes, key=lambda one: sizes[one])
    if sizes[name] >= FEW:
        return None
    weighed = "" if ranking.squares is None else ", weights considered"
    return (
        "warning",
        f"Only {rows_of(sizes[name])} {name}{weighed}: rates and areas will be very unsure.",
        f"Find more rows of {name} before you rely on them.",
    )


@check("ranking", "every row has the same score")
def constant_scores(ranking: Ranking) -> Told:
    """Whether the scores rank nothing."""
    if ranking.distinct != 1 or ranking.rows < 2:
        return None
    return (
        "error",
        (
            f"Every row has the same score in {ranking.name}, {written(_lowest(ranking))}: "
            "it ranks nothing."
        ),
        "Look whether the right column was named and whether the model was trained.",
    )


@check("ranking", "scores have two values, as predicted classes have")
def hard_labels(ranking: Ranking) -> Told:
    """Whether classes were passed where scores were meant."""
    if ranking.distinct != 2 or ranking.rows <= 4:
        return None
    low, high = sorted(ranking.thresholds[1:].tolist())
    looks = " They look like predicted classes." if (low, high) in {(0, 1), (-1, 1)} else ""
    return (
        "warning",
        (
            f"{ranking.name} has only two values, {written(low)} and {written(high)}.{looks} "
            "No other threshold can be chosen, and its ROC curve is a single point."
        ),
        (
            "Pass the probability or score behind the decision; for a test or rule that has only "
            "two results this is as it should be."
        ),
    )


@check("ranking", "high scores belong to the negative class")
def wrong_class(ranking: Ranking) -> Told:
    """Whether the scores are surely worse than chance, as those of the other class are."""
    if not surely_worse_than_chance(ranking):
        return None
    ways = ("high", "low") if ranking.lower_is_positive else ("low", "high")
    return (
        "warning",
        (
            f"{ranking.name} ranks worse than chance would: its AUC is {number(auc(ranking))}, and "
            f"rows that are {ranking.positive} tend to have {ways[0]} scores, though {ways[1]} "
            "ones should speak for it."
        ),
        (
            f"Look whether it is the score of {ranking.negative}: name the other column or the "
            f"other positive class, or say which way the scores point."
        ),
    )


@check("ranking", "scores rank suspiciously well")
def too_good(ranking: Ranking) -> Told:
    """Whether the area is so large that the answer may have leaked into the scores."""
    least = min(ranking.effective_rows)
    if least < FEW or auc(ranking) < PERFECT:
        return None
    return (
        "warning" if least >= ENOUGH else "note",
        f"{ranking.name} ranks almost without a mistake (AUC {number(auc(ranking))}).",
        (
            "Look whether the model was trained on these rows, or saw something that is known only "
            "after the class is."
        ),
    )


@check("ranking", "some scores lie outside 0 to 1 while most lie inside")
def outside_probabilities(ranking: Ranking) -> Told:
    """Whether scores that look like probabilities leave their range."""
    ends = np.finfo(np.float64)
    at = [_rows_from(ranking, x) for x in (ends.min, 0.0, math.nextafter(1, 2), np.inf)]
    all_finite, outside = at[0] - at[3], (at[0] - at[1]) + (at[2] - at[3])
    if not outside > 0 or outside >= all_finite / 2:
        return None
    finite = ranking.thresholds[1:][np.isfinite(ranking.thresholds[1:])]
    low, high = sorted((float(finite[0]), float(finite[-1])))
    said = f"{share(outside / all_finite)} of the scores in {ranking.name} lie outside 0 to 1"
    spread = f"{said} (they run from {written(low)} to {written(high)})"
    if max(-low, high - 1) < ROUNDING:
        return "note", f"{said}, by rounding alone.", "Clip them to 0 and 1."
    close = outside <= (1 - MOSTLY) * all_finite and max(-low, high - 1) <= FAR
    return (
        "warning" if close else "note",
        f"{spread}: if they are meant as probabilities, some are wrong.",
        "Correct them (calibration can), or do not read them as probabilities.",
    )


@check("ranking", "scores differ by rounding alone")
def near_ties(ranking: Ranking) -> Told:
    """How many distinct scores would be one but for noise in their last digits.

    Among millions of scores some are close by chance. Where no noise is, gaps up to ten times as
    wide are nine times as many; noise makes the narrowest the most. Probabilities are close where
    their log odds are: a confident model's scores crowd near 0 and 1, and still say something.
    """
    close = _noise(ranking, _of_odds if _are_shares(ranking) else np.abs)
    if not close:
        return None
    matters = close > NOTABLE * ranking.distinct
    return (
        "warning" if matters else "note",
        (
            f"{count(close)} of {count(ranking.distinct)} distinct scores in {ranking.name} differ "
            "from the next by less than one part in a billion: rounding noise breaks ties."
        ),
        "Round the scores to 9 digits or so.",
    )


@check("ranking", "scores are squeezed against 1")
def squeezed_scores(ranking: Ranking) -> Told:
    """How many probabilities differ little because they are near 1, but do in their log odds."""
    close = _noise(ranking, _near_1) if _are_shares(ranking) else 0
    if not close or _noise(ranking, _of_odds):
        return None
    return (
        "note",
        (
            f"{count(close)} of {count(ranking.distinct)} distinct scores in {ranking.name} differ "
            "from the next by less than one part in a billion, as they are squeezed against 1; "
            "their log odds differ by more."
        ),
        "Nothing, as their order holds; to put a threshold among them, pass the log odds.",
    )


def rows_of(size: float) -> str:
    """So many rows and their verb, whole or not.

    Example:
        >>> rows_of(1), rows_of(3.0), rows_of(2.5)
        ('1 row is', '3 rows are', '2.5 rows are')
    """
    if float(size).is_integer():
        return f"{rows(int(size))} {'is' if size == 1 else 'are'}"
    return f"{size:.3g} rows are"


def _noise(ranking: Ranking, size_of: Callable[[Floats], Floats]) -> int:
    """How many scores are so close to the next that it must be noise; 0 where chance may do it."""
    close, wider = _close(ranking, size_of)
    return close if close >= 3 and close > wider - close else 0


def _close(ranking: Ranking, size_of: Callable[[Floats], Floats]) -> tuple[int, int]:
    """How many scores differ from the next by less than rounding, and than ten times as much."""
    close = wider = 0
    for start, stop in blocks((1, ranking.distinct)):
        scores = ranking.tally.thresholds[start : stop + 1].astype(np.float64, copy=False)
        with np.errstate(over="ignore", invalid="ignore"):  # infinite scores are near to none
            gaps = np.abs(np.diff(scores))
            sizes = size_of(scores)
            size = np.minimum(sizes[1:], sizes[:-1])
            some = gaps <= 10 * NEAR * size
        if some.any():
            wider += int(np.count_nonzero(some))
            close += int(np.count_nonzero(gaps[some] <= NEAR * size[some]))
    return close, wider


def _of_odds(scores: Floats) -> Floats:
    """What a difference of probabilities is judged by: log odds differ by dp / (p (1 - p))."""
    return np.minimum(scores, 1 - scores)


def _near_1(scores: Floats) -> Floats:
    """The scores near 1 alone, as if no other were close to anything."""
    return np.where(scores > NEARLY, scores, 0.0)


def _are_shares(ranking: Ranking) -> bool:
    ends = ranking.tally.thresholds[1:][[0, -1]] if ranking.distinct else np.zeros(2)
    return bool(ends.min() >= 0 and ends.max() <= 1)


def _lowest(ranking: Ranking) -> float:
    return float(ranking.thresholds[1:].min())


def _rows_from(ranking: Ranking, score: float) -> float:
    """Ranked rows whose score is at least this, whichever way scores point."""
    total = float(ranking.positives) + float(ranking.negatives)
    if not ranking.lower_is_positive:
        return float(ranking.at(score).predicted_positives)
    return total - float(ranking.at(math.nextafter(score, -math.inf)).predicted_positives)
