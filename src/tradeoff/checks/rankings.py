"""Checks of a single ranking: constant scores, hard labels, leakage, near ties and others."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tradeoff.checks.registry import Problem, check
from tradeoff.core.ranking import Ranking
from tradeoff.formatting import (
    format_count,
    format_number,
    format_percent,
    format_threshold,
)
from tradeoff.measures.probabilities import MAX_ROUNDING_ERROR
from tradeoff.measures.summaries.areas import auc, is_significantly_worse_than_chance
from tradeoff.threads import cache_blocks
from tradeoff.wording import Wording, quote_class

Floats = NDArray[np.float64]

MIN_ROWS_PER_CLASS = 10
"""If a class has fewer rows, confidence intervals are too wide to be useful."""
NEARLY_PERFECT_AUC = 0.999
MIN_SUSPICIOUS_ROWS = 50
"""If each class has this many rows, a perfect ranking is implausible."""
TIE_TOLERANCE = 1e-9
"""Scores with a smaller relative difference differ only by rounding error."""
NOTABLE_TIE_PROPORTION = 0.01
"""Near ties deserve a warning if they exceed this proportion of the distinct scores."""
MIN_VALID_PROPORTION = 0.9
"""If this proportion of the scores is between 0 and 1, they are meant to be probabilities."""
NEAR_ONE_LIMIT = 0.999
"""Probabilities above this are crowded near 1."""
PERCENTAGE_NAME = re.compile(r"percent|pct|prob|%", re.IGNORECASE)
MIN_PERCENTAGES = 10
"""Minimum number of distinct percentages; ratings and ages have fewer, or do not span the scale."""
MAX_EXCESS = 0.5
"""Invalid probabilities are outside 0 to 1 by at most this; other scores are measurements."""


@check("ranking", "an empty table")
def no_rows(ranking: Ranking) -> Problem:
    """Check whether a ranking is empty."""
    if ranking.rows:
        return None
    units = ranking.wording.units
    return "error", f"There are no {units}.", "Check whether a filter or a join removed them."


@check("ranking", "a single class")
def one_class(ranking: Ranking) -> Problem:
    """Check whether a ranking has rows of a single class only."""
    if not ranking.rows or (ranking.positives and ranking.negatives):
        return None
    present_class, absent_class = ranking.positive, ranking.negative
    wording = ranking.wording
    if not ranking.positives:
        present_class, absent_class = absent_class, present_class
    return (
        "error",
        (
            f"No {wording.unit} belongs to class {quote_class(absent_class)} (all {wording.units} "
            f"are of class {quote_class(present_class)}), so there is nothing to tell apart."
        ),
        (
            f"Add {wording.units} of the other class, or check that the right class is named as "
            "positive."
        ),
    )


@check("ranking", f"classes with fewer than {MIN_ROWS_PER_CLASS} rows")
def few_rows_of_a_class(ranking: Ranking) -> Problem:
    """Check whether a ranking has too few rows of a class for useful estimates."""
    if not (ranking.positives and ranking.negatives):
        return None
    sizes = dict(zip((ranking.positive, ranking.negative), ranking.effective_rows, strict=True))
    name = min(sizes, key=lambda class_name: sizes[class_name])
    if sizes[name] >= MIN_ROWS_PER_CLASS:
        return None
    qualifier = "" if ranking.squares is None else " (effective sample size)"
    verb = "belongs" if sizes[name] == 1 else "belong"
    return (
        "warning",
        (
            f"Only {_format_size(sizes[name], ranking.wording)}{qualifier} {verb} to class "
            f"{quote_class(name)}, so rates and AUCs will be very imprecise."
        ),
        f"Collect more {ranking.wording.units} of that class before relying on them.",
    )


@check("ranking", "constant scores")
def constant_scores(ranking: Ranking) -> Problem:
    """Check whether all scores of a ranking are equal."""
    if ranking.distinct != 1 or ranking.rows < 2:
        return None
    unit = ranking.wording.unit
    return (
        "error",
        (
            f"Every {unit} has the same score in {ranking.name}, "
            f"{format_threshold(_lowest_score(ranking))}, so no {unit} is ranked above another."
        ),
        "Check that the right column was named and that the model was trained.",
    )


@check("ranking", "predicted classes instead of scores")
def hard_labels(ranking: Ranking) -> Problem:
    """Check whether a ranking has only two distinct scores, as predicted classes do."""
    if ranking.distinct != 2 or ranking.rows <= 4:
        return None
    low, high = sorted(ranking.thresholds[1:].tolist())
    hint = " They look like predicted classes." if (low, high) in {(0, 1), (-1, 1)} else ""
    return (
        "warning",
        (
            f"{ranking.name} has only two values, {format_threshold(low)} and "
            f"{format_threshold(high)}.{hint} There is only one threshold to "
            "choose, and the ROC curve is a single point."
        ),
        (
            "Pass the probability or score behind the decision; for a test or rule with only two "
            "outcomes, this is as expected."
        ),
    )


@check("ranking", "reversed scores")
def wrong_class(ranking: Ranking) -> Problem:
    """Check whether a ranking is significantly worse than chance, as with reversed scores."""
    if not is_significantly_worse_than_chance(ranking):
        return None
    actual, expected = ("high", "low") if ranking.lower_is_positive else ("low", "high")
    remedy = "declare that lower scores mean positive"
    if ranking.lower_is_positive:
        remedy = "do not declare that lower scores mean positive"
    return (
        "warning",
        (
            f"{ranking.name} ranks worse than chance: its AUC is {format_number(auc(ranking))}; "
            f"{ranking.wording.units} of class {quote_class(ranking.positive)} tend to have "
            f"{actual} scores, but {expected} ones were expected."
        ),
        (
            f"Check whether it is the score of class {quote_class(ranking.negative)}: name the "
            f"other column or the other positive class, or {remedy}."
        ),
    )


@check("ranking", "rankings too good to be true")
def too_good(ranking: Ranking) -> Problem:
    """Check whether a ranking is nearly perfect, as if the class had leaked into the scores."""
    rows_of_smaller_class = min(ranking.effective_rows)
    if rows_of_smaller_class < MIN_ROWS_PER_CLASS or auc(ranking) < NEARLY_PERFECT_AUC:
        return None
    return (
        "warning" if rows_of_smaller_class >= MIN_SUSPICIOUS_ROWS else "note",
        f"{ranking.name} ranks almost perfectly (AUC {format_number(auc(ranking))}).",
        (
            f"Check for leakage: was the model trained on these {ranking.wording.units}, or does "
            "it use anything that becomes known only after the class?"
        ),
    )


@check("ranking", "percentages instead of probabilities")
def percentages(ranking: Ranking) -> Problem:
    """Check whether a ranking's scores look like percentages: probabilities from 0 to 100."""
    if not _are_percentages(ranking):
        return None
    low, high = sorted(ranking.thresholds[1:][[0, -1]].tolist())
    return (
        "note",
        (
            f"The scores in {ranking.name} look like percentages: they lie between 0 and 100 "
            f"({format_threshold(low)} to {format_threshold(high)})."
        ),
        (
            "The ranking and its AUC are the same on either scale. For thresholds of probabilities "
            "and for calibration, divide them by 100."
        ),
    )


@check("ranking", "probabilities outside 0 to 1")
def outside_probabilities(ranking: Ranking) -> Problem:
    """Check whether a ranking that looks like probabilities has scores outside 0 to 1."""
    lowest = np.finfo(np.float64).min
    limits = (lowest, 0.0, math.nextafter(1, 2), np.inf)
    total_count, nonnegative_count, above_one_count, infinite_count = (
        _rows_scoring_at_least(ranking, limit) for limit in limits
    )
    finite_count, outside_count = (
        total_count - infinite_count,
        (total_count - nonnegative_count) + (above_one_count - infinite_count),
    )
    if not outside_count > 0 or outside_count >= finite_count / 2 or _are_percentages(ranking):
        return None
    scores = ranking.thresholds[1:][np.isfinite(ranking.thresholds[1:])]
    low, high = sorted((float(scores[0]), float(scores[-1])))
    percentage = format_percent(outside_count / finite_count)
    sentence = f"{percentage} of the scores in {ranking.name} are outside 0 to 1"
    if max(-low, high - 1) < MAX_ROUNDING_ERROR:
        return "note", f"{sentence}, but only by rounding error.", "Clip them to 0 and 1."
    are_meant_as_probabilities = (
        outside_count <= (1 - MIN_VALID_PROPORTION) * finite_count
        and max(-low, high - 1) <= MAX_EXCESS
    )
    return (
        "warning" if are_meant_as_probabilities else "note",
        (
            f"{sentence} (range {format_threshold(low)} to {format_threshold(high)}): if they "
            "are meant to be probabilities, some are invalid."
        ),
        "Correct them (for example by calibration), or do not treat them as probabilities.",
    )


@check("ranking", "scores that differ only by rounding")
def near_ties(ranking: Ranking) -> Problem:
    """Check a ranking for near ties: distinct scores that differ only by rounding noise.

    Among millions of scores, some are close by chance. Without noise, gaps one to ten times as wide
    as the tolerance are nine times as frequent as narrower ones; with noise, the narrowest gaps
    are the most frequent. Probabilities are compared by their log odds: those of a confident model
    crowd near 0 and 1, and still rank the rows.
    """
    tie_count = _noise_tie_count(ranking, _odds_scale if _has_probabilities(ranking) else np.abs)
    if not tie_count:
        return None
    return (
        "warning" if tie_count > NOTABLE_TIE_PROPORTION * ranking.distinct else "note",
        (
            f"{format_count(tie_count)} of {format_count(ranking.distinct)} distinct scores in "
            f"{ranking.name} differ from the next by less than one part in a billion: rounding "
            "noise breaks ties."
        ),
        "Round the scores to about 9 digits.",
    )


@check("ranking", "scores crowded near 1")
def squeezed_scores(ranking: Ranking) -> Problem:
    """Check a ranking for probabilities so close to 1 that only log odds tell them apart."""
    tie_count = _noise_tie_count(ranking, _scale_near_one) if _has_probabilities(ranking) else 0
    if not tie_count or _noise_tie_count(ranking, _odds_scale):
        return None
    return (
        "note",
        (
            f"{format_count(tie_count)} of {format_count(ranking.distinct)} distinct scores in "
            f"{ranking.name} differ from the next by less than one part in a billion because they "
            "are crowded near 1; their log odds differ by more."
        ),
        "Their order is right; to choose a threshold among them, pass the log odds instead.",
    )


def _format_size(size: float, wording: Wording) -> str:
    """Number of rows, whole or not: "1 row", "2.5 rows"."""
    return wording.count(size) if float(size).is_integer() else f"{size:.3g} {wording.units}"


def _noise_tie_count(ranking: Ranking, scale: Callable[[Floats], Floats]) -> int:
    """Number of near ties; 0 if chance may explain them."""
    tie_count, wider_count = _near_tie_counts(ranking, scale)
    is_noise = tie_count >= 3 and tie_count > wider_count - tie_count
    return tie_count if is_noise else 0


def _near_tie_counts(ranking: Ranking, scale: Callable[[Floats], Floats]) -> tuple[int, int]:
    """Numbers of gaps within the tolerance, and within ten times the tolerance."""
    tie_count = wider_count = 0
    for start, stop in cache_blocks((1, ranking.distinct)):
        scores = ranking.tally.thresholds[start : stop + 1].astype(np.float64, copy=False)
        with np.errstate(over="ignore", invalid="ignore"):  # infinite scores have no gap
            gaps = np.abs(np.diff(scores))
            scales = scale(scores)
            gap_scales = np.minimum(scales[1:], scales[:-1])
            is_near = gaps <= 10 * TIE_TOLERANCE * gap_scales
        if is_near.any():
            wider_count += int(np.count_nonzero(is_near))
            tie_count += int(np.count_nonzero(gaps[is_near] <= TIE_TOLERANCE * gap_scales[is_near]))
    return tie_count, wider_count


def _odds_scale(scores: Floats) -> Floats:
    """Scale of differences between probabilities: log odds differ by dp / (p (1 - p))."""
    return np.minimum(scores, 1 - scores)


def _scale_near_one(scores: Floats) -> Floats:
    """Scale that is 0 for scores not near 1, so that these are never counted as near ties."""
    return np.where(scores > NEAR_ONE_LIMIT, scores, 0.0)


def _are_percentages(ranking: Ranking) -> bool:
    """Whether scores span 0 to 100, or part of it if their name suggests probabilities."""
    if ranking.distinct < MIN_PERCENTAGES:
        return False
    low, high = sorted(ranking.thresholds[1:][[0, -1]].tolist())
    if low < 0 or high > 100 or high <= 1 + MAX_EXCESS:
        return False
    spans_scale = low < 10 and high > 50
    return bool(spans_scale or PERCENTAGE_NAME.search(ranking.name))


def _has_probabilities(ranking: Ranking) -> bool:
    limits = ranking.tally.thresholds[1:][[0, -1]] if ranking.distinct else np.zeros(2)
    return bool(limits.min() >= 0 and limits.max() <= 1)


def _lowest_score(ranking: Ranking) -> float:
    return float(ranking.thresholds[1:].min())


def _rows_scoring_at_least(ranking: Ranking, score: float) -> float:
    """Number of ranked rows with this score or a higher one, whichever direction is positive."""
    total = float(ranking.positives) + float(ranking.negatives)
    if not ranking.lower_is_positive:
        return float(ranking.at(score).predicted_positives)
    return total - float(ranking.at(math.nextafter(score, -math.inf)).predicted_positives)
