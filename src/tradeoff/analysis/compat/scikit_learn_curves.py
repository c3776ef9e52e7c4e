"""scikit-learn's curves (1.9): the columns that its functions return, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.compat.peers import like
from tradeoff.analysis.compat.scikit_learn import TOOL, finite
from tradeoff.measures.registry import Undefined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking

Columns = dict[str, Any]


@like(
    TOOL,
    "roc_curve",
    ours=None,
    gives="curve",
    why="The first threshold is inf, as here. Points in the middle of a straight piece are left "
    "out unless drop_intermediate=False; here a curve keeps every point.",
)
def roc_curve(ranking: Ranking, *, drop_intermediate: bool = True) -> Columns:
    """False and true positive rate from (0, 0) on, with thresholds."""
    found, alarms = _counts(finite(ranking))
    kept = np.ones(len(found), bool)
    if drop_intermediate and ranking.distinct > 2:
        # A corner is where either count bends; (0, 0) is added after the dropping.
        bends = (np.diff(found[1:], 2) != 0) | (np.diff(alarms[1:], 2) != 0)
        kept = np.concatenate([[True, True], bends, [True]])
    return {
        "fpr": _share(alarms, ranking.negatives)[kept],
        "tpr": _share(found, ranking.positives)[kept],
        "thresholds": _falling(ranking)[kept],
    }


@like(
    TOOL,
    "precision_recall_curve",
    ours=None,
    gives="curve",
    why="Rises with the threshold, and an added point (recall 0, precision 1) without a threshold "
    "(NaN here) closes it. Here precision where nothing is predicted is undefined.",
)
def precision_recall_curve(ranking: Ranking) -> Columns:
    """Precision and recall, the highest recall first."""
    found, alarms = _counts(finite(ranking))
    precision = found[1:] / (found + alarms)[1:]
    recall = found[1:] / ranking.positives if ranking.positives else np.ones(ranking.distinct)
    return {
        "precision": np.append(precision[::-1], 1.0),
        "recall": np.append(recall[::-1], 0.0),
        "thresholds": np.append(_falling(ranking)[:0:-1], np.nan),
    }


@like(
    TOOL,
    "det_curve",
    ours=None,
    gives="curve",
    why="Runs from the last threshold that finds every positive row to the first without a false "
    "alarm, so its ends are cut off; here the curve keeps both ends.",
)
def det_curve(ranking: Ranking) -> Columns:
    """False positive and false negative rate, thresholds rising."""
    if not (ranking.positives and ranking.negatives):
        raise Undefined(f"{TOOL} stops: only one class is present")
    found, alarms = _counts(finite(ranking))
    first = int(np.searchsorted(alarms, 0, "right")) - 1
    last = int(np.searchsorted(found, found[-1])) + 1
    part = slice(first, last)
    return {
        "fpr": (alarms[part] / ranking.negatives)[::-1],
        "fnr": ((ranking.positives - found[part]) / ranking.positives)[::-1],
        "thresholds": _falling(ranking)[part][::-1],
    }


def _counts(ranking: Ranking) -> tuple[NDArray[Any], NDArray[Any]]:
    return ranking.true_positives, ranking.false_positives


def _falling(ranking: Ranking) -> NDArray[np.float64]:
    """Thresholds as scikit-learn was told: where low scores are positive, of the negated ones."""
    return -ranking.thresholds if ranking.lower_is_positive else ranking.thresholds


def _share(counts: NDArray[Any], of: Any) -> NDArray[np.float64]:
    return np.asarray(counts / of if of else np.full(len(counts), np.nan))
