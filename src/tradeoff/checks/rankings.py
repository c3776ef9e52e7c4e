"""Checks of a single ranking: constant scores, hard labels, leaks, near ties and others."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tradeoff.checks.registry import Problem, check
from tradeoff.core.ranking import Ranking
from tradeoff.measures.summaries.areas import auc, is_significantly_worse_than_chance
from tradeoff.text import format_count, format_number, format_percent, format_rows, format_threshold
from tradeoff.threads import cache_blocks

Floats = NDArray[np.float64]

FEW_ROWS = 10
"""With fewer rows of a class, confidence intervals are too wide to be useful."""
PERFECT_AUC = 0.999
SUSPICIOUS_ROWS = 50
"""With this many rows of each class, a perfect ranking is hard to believe."""
TIE_TOLERANCE = 1e-9
"""Scores with a smaller relative difference differ only by rounding."""
NOTABLE_TIES = 0.01
"""Share of the distinct scores that must be near ties before they matter."""
PROBABILITY_SHARE = 0.9
"""With this share of the scores between 0 and 1, they are meant as probabilities."""
ROUNDING = 1e-6
NEAR_ONE = 0.999
"""Probabilities above this are squeezed against 1."""
MAX_EXCESS = 0.5
"""Bad probabilities leave their range by less; scores beyond are measurements."""


@check("ranking", "an empty table")
def no_rows(ranking: Ranking) -> Problem:
    """Check whether a ranking is empty."""
    if ranking.rows:
        return None
    return "error", "There are no rows.", "Check whether a filter or a join removed them."


@check("ranking", "a single class")
def one_class(ranking: Ranking) -> Problem:
    """Check whether a ranking has rows of a single class only."""
    if not ranking.rows or (ranking.positives and ranking.negatives):
        return None
    present, absent = ranking.positive, ranking.negative
    if not ranking.positives:
        present, absent = absent, present
    return (
        "error",
        f"No row is {absent}: all rows are {present}, so there is nothing to discriminate.",
        "Add rows of the other class, or check whether the right class is named as positive.",
    )


@check("ranking", f"classes with fewer than {FEW_ROWS} rows")
def few_rows_of_a_class(ranking: Ranking) -> Problem:
    """Check whether a ranking has too few rows of a class for useful estimates."""
    if not (ranking.positives and ranking.negatives):
        return None
    sizes = dict(zip((ranking.positive, ranking.negative), ranking.effective_rows, strict=True))
    name = min(sizes, key=lambda class_name: sizes[class_name])
    if sizes[name] >= FEW_ROWS:
        return None
    weighted = "" if ranking.squares is None else " (effective sample size)"
    return (
        "warning",
        (
            f"Only {_rows_with_verb(sizes[name])} {name}{weighted}: estimates of rates and areas "
            "will be very imprecise."
        ),
        f"Collect more rows of {name} before you rely on them.",
    )


@check("ranking", "constant scores")
def constant_scores(ranking: Ranking) -> Problem:
    """Check whether all scores of a ranking are equal."""
    if ranking.distinct != 1 or ranking.rows < 2:
        return None
    return (
        "error",
        (
            f"Every row has the same score in {ranking.name}, "
            f"{format_threshold(_lowest(ranking))}: "
            "it ranks nothing."
        ),
        "Check whether the right column was named and whether the model was trained.",
    )


@check("ranking", "predicted classes instead of scores")
def hard_labels(ranking: Ranking) -> Problem:
    """Check whether a ranking has two distinct scores, as predicted classes have."""
    if ranking.distinct != 2 or ranking.rows <= 4:
        return None
    low, high = sorted(ranking.thresholds[1:].tolist())
    hint = " They look like predicted classes." if (low, high) in {(0, 1), (-1, 1)} else ""
    return (
        "warning",
        (
            f"{ranking.name} has only two values, {format_threshold(low)} and "
            f"{format_threshold(high)}.{hint} "
            "There is only one threshold to choose, and the ROC curve is a single point."
        ),
        (
            "Pass the probability or score behind the decision; for a test or rule with only two "
            "outcomes this is as it should be."
        ),
    )


@check("ranking", "reversed scores")
def wrong_class(ranking: Ranking) -> Problem:
    """Check whether a ranking is significantly worse than chance, as with reversed scores."""
    if not is_significantly_worse_than_chance(ranking):
        return None
    actual, expected = ("high", "low") if ranking.lower_is_positive else ("low", "high")
    return (
        "warning",
        (
            f"{ranking.name} ranks worse than chance: its AUC is {format_number(auc(ranking))}; "
            "rows that "
            f"are {ranking.positive} tend to have {actual} scores, but {expected} ones were "
            "expected."
        ),
        (
            f"Check whether it is the score of {ranking.negative}: name the other column or the "
            "other positive class, or say that lower scores mean positive."
        ),
    )


@check("ranking", "rankings too good to be true")
def too_good(ranking: Ranking) -> Problem:
    """Check whether a ranking is nearly perfect, as when the class leaked into the scores."""
    rows_of_smaller_class = min(ranking.effective_rows)
    if rows_of_smaller_class < FEW_ROWS or auc(ranking) < PERFECT_AUC:
        return None
    return (
        "warning" if rows_of_smaller_class >= SUSPICIOUS_ROWS else "note",
        f"{ranking.name} ranks almost perfectly (AUC {format_number(auc(ranking))}).",
        (
            "Check for leakage: was the model trained on these rows, or does it use anything that "
            "is known only after the class is?"
        ),
    )


@check("ranking", "probabilities outside 0 to 1")
def outside_probabilities(ranking: Ranking) -> Problem:
    """Check whether a ranking that looks like probabilities has scores outside 0 to 1."""
    lowest = np.finfo(np.float64).min
    at = [_rows_from(ranking, x) for x in (lowest, 0.0, math.nextafter(1, 2), np.inf)]
    all_finite, outside = at[0] - at[3], (at[0] - at[1]) + (at[2] - at[3])
    if not outside > 0 or outside >= all_finite / 2:
        return None
    finite = ranking.thresholds[1:][np.isfinite(ranking.thresholds[1:])]
    low, high = sorted((float(finite[0]), float(finite[-1])))
    sentence = (
        f"{format_percent(outside / all_finite)} of the scores in {ranking.name} lie outside 0 to 1"
    )
    if max(-low, high - 1) < ROUNDING:
        return "note", f"{sentence}, but only by rounding.", "Clip them to 0 and 1."
    as_probabilities = (
        outside <= (1 - PROBABILITY_SHARE) * all_finite and max(-low, high - 1) <= MAX_EXCESS
    )
    return (
        "warning" if as_probabilities else "note",
        (
            f"{sentence} (range {format_threshold(low)} to {format_threshold(high)}): if they "
            "are meant as "
            "probabilities, some are wrong."
        ),
        "Correct them (for example by calibration), or do not read them as probabilities.",
    )


@check("ranking", "scores that differ only by rounding")
def near_ties(ranking: Ranking) -> Problem:
    """Check a ranking for near ties: distinct scores that differ only by rounding noise.

    Among millions of scores some are close by chance. Without noise, gaps up to ten times as wide
    are nine times as many; with noise the narrowest are the most frequent. Probabilities are
    compared by their log odds: those of a confident model crowd near 0 and 1 and still rank.
    """
    close = _noise_ties(ranking, _odds_scale if _are_probabilities(ranking) else np.abs)
    if not close:
        return None
    return (
        "warning" if close > NOTABLE_TIES * ranking.distinct else "note",
        (
            f"{format_count(close)} of {format_count(ranking.distinct)} distinct scores in "
            f"{ranking.name} differ "
            "from the next by less than one part in a billion: rounding noise breaks ties."
        ),
        "Round the scores to about 9 digits.",
    )


@check("ranking", "scores squeezed against 1")
def squeezed_scores(ranking: Ranking) -> Problem:
    """Check a ranking for probabilities so near 1 that only their log odds differ clearly."""
    close = _noise_ties(ranking, _only_near_one) if _are_probabilities(ranking) else 0
    if not close or _noise_ties(ranking, _odds_scale):
        return None
    return (
        "note",
        (
            f"{format_count(close)} of {format_count(ranking.distinct)} distinct scores in "
            f"{ranking.name} differ "
            "from the next by less than one part in a billion because they are squeezed against 1; "
            "their log odds differ by more."
        ),
        "Their order is right; to choose a threshold among them, pass the log odds instead.",
    )


def _rows_with_verb(size: float) -> str:
    """Number of rows, whole or not, with its verb: "1 row is", "2.5 rows are"."""
    if float(size).is_integer():
        return f"{format_rows(int(size))} {'is' if size == 1 else 'are'}"
    return f"{size:.3g} rows are"


def _noise_ties(ranking: Ranking, scale: Callable[[Floats], Floats]) -> int:
    """Number of near ties; 0 where chance may explain them."""
    close, wider = _near_tie_counts(ranking, scale)
    return close if close >= 3 and close > wider - close else 0


def _near_tie_counts(ranking: Ranking, scale: Callable[[Floats], Floats]) -> tuple[int, int]:
    """Numbers of gaps within the tolerance, and within ten times the tolerance."""
    close = wider = 0
    for start, stop in cache_blocks((1, ranking.distinct)):
        scores = ranking.tally.thresholds[start : stop + 1].astype(np.float64, copy=False)
        with np.errstate(over="ignore", invalid="ignore"):  # infinite scores have no gap
            gaps = np.abs(np.diff(scores))
            sizes = scale(scores)
            size = np.minimum(sizes[1:], sizes[:-1])
            near = gaps <= 10 * TIE_TOLERANCE * size
        if near.any():
            wider += int(np.count_nonzero(near))
            close += int(np.count_nonzero(gaps[near] <= TIE_TOLERANCE * size[near]))
    return close, wider


def _odds_scale(scores: Floats) -> Floats:
    """Scale of differences of probabilities: log odds differ by dp / (p (1 - p))."""
    return np.minimum(scores, 1 - scores)


def _only_near_one(scores: Floats) -> Floats:
    """Scale that is 0 for scores not near 1, so that none of them counts as close."""
    return np.where(scores > NEAR_ONE, scores, 0.0)


def _are_probabilities(ranking: Ranking) -> bool:
    extremes = ranking.tally.thresholds[1:][[0, -1]] if ranking.distinct else np.zeros(2)
    return bool(extremes.min() >= 0 and extremes.max() <= 1)


def _lowest(ranking: Ranking) -> float:
    return float(ranking.thresholds[1:].min())


def _rows_from(ranking: Ranking, score: float) -> float:
    """Number of ranked rows with this score or a higher one, whatever the direction."""
    total = float(ranking.positives) + float(ranking.negatives)
    if not ranking.lower_is_positive:
        return float(ranking.at(score).predicted_positives)
    return total - float(ranking.at(math.nextafter(score, -math.inf)).predicted_positives)
