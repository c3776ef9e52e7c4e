"""What can be wrong with rows before they are ranked: ids, weights, classes, missing values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.checks.registry import Told, check
from tradeoff.errors import listed
from tradeoff.text import count, rows, share

SHOWN = 3


@dataclass(frozen=True, eq=False)
class GivenRows:
    """Rows as they were given: which have no class, the classes, and columns of ids and weights.

    `classes` are names, `ids` and `folds` numbers or names, one a row; `no_id` tells which ids are
    missing. `other_classes` and `other_ids` are those of another file, named `other`. `allowed`:
    the caller has said what becomes of rows without a class.

    Example:
        >>> given = GivenRows(np.array(["yes", "no", "yes"]), ids=np.array(["a", "b", "a"]))
        >>> duplicate_ids(given)[1]
        "1 id occurs more than once: 'a' (2 of 3 rows)."
    """

    classes: NDArray[Any]
    no_class: NDArray[np.bool_] | None = None
    ids: NDArray[Any] | None = None
    no_id: NDArray[np.bool_] | None = None
    weights: NDArray[np.float64] | None = None
    folds: NDArray[Any] | None = None
    other: str = ""
    other_classes: tuple[str, ...] | None = None
    other_ids: NDArray[Any] | None = None
    allowed: bool = False

    @property
    def known_classes(self) -> NDArray[Any]:
        """The distinct classes of rows that have one."""
        present = self.classes if self.no_class is None else self.classes[~self.no_class]
        return np.unique(present)


@dataclass(frozen=True, eq=False)
class GivenScores:
    """One column of scores as it was given: which are missing, and predicted classes if any.

    `classes` are those that rows have. `allowed`: the caller has said what becomes of rows
    without a score.

    Example:
        >>> scores = GivenScores("model", np.array([True, False]), np.array(["a", "b"]))
        >>> missing_scores(scores)[1]
        '1 of 2 rows has no score in model (a 100 %, b 0 %).'
    """

    name: str
    absent: NDArray[np.bool_]
    classes: NDArray[Any]
    predicted: tuple[str, ...] = ()
    allowed: bool = False


@check("rows", "rows have no class")
def missing_classes(given: GivenRows) -> Told:
    """How many rows cannot be judged at all."""
    absent = 0 if given.no_class is None else int(given.no_class.sum())
    if not absent:
        return None
    return (
        "note" if given.allowed else "error",
        f"{_of(absent, len(given.classes))} no actual class.",
        "Fill the classes in, or leave such rows out; they cannot be judged.",
    )


@check("rows", "an id occurs more than once")
def duplicate_ids(given: GivenRows) -> Told:
    """Whether rows were entered twice, and whether they then agree on the class."""
    if given.ids is None or not len(given.ids):
        return None
    named = np.ones(len(given.ids), np.bool_) if given.no_id is None else ~given.no_id
    _, first, code = np.unique(given.ids[named], return_index=True, return_inverse=True)
    sizes = np.bincount(code)
    again = np.flatnonzero(sizes > 1)
    if not len(again):
        return None
    own = given.ids[named][first[again]]
    verb = "id occurs" if len(own) == 1 else "ids occur"
    said = (
        f"{count(len(own))} {verb} more than once: {listed(_shown(own))}"
        f"{' and others' if len(own) > SHOWN else ''} "
        f"({count(sizes[again].sum())} of {rows(len(given.ids))})"
    )
    classes = given.classes[named]
    if (sizes[code[classes != classes[first][code]]] > 1).any():
        return "error", f"{said}, and rows of one id differ in class.", "Find out which is right."
    if given.folds is not None and not _twice_in_a_fold(code, given.folds[named]):
        return (
            "note",
            f"{said}, each in different folds.",
            (
                "As rows of repeated cross-validation that is right; they are no new evidence, so "
                "let intervals go by id (as clusters)."
            ),
        )
    return (
        "warning",
        f"{said}.",
        (
            "Leave copies out; if an id is a patient or user with several rows, let intervals go "
            "by it (as clusters)."
        ),
    )


@check("rows", "rows have no id")
def missing_ids(given: GivenRows) -> Told:
    """How many rows cannot be told apart from others."""
    absent = 0 if given.no_id is None else int(given.no_id.sum())
    if not absent:
        return None
    said = f"{_of(absent, len(given.classes))} no id."
    return "note", said, "Fill ids in: copies among these rows cannot be found."


@check("rows", "rows occur in both files")
def shared_ids(given: GivenRows) -> Told:
    """Whether rows of one file are in the other too, as when training rows are tested."""
    if given.ids is None or given.other_ids is None:
        return None
    ids = given.ids if given.no_id is None else given.ids[~given.no_id]
    both = np.intersect1d(ids, given.other_ids)
    if not len(both):
        return None
    verb = "id is" if len(both) == 1 else "ids are"
    return (
        "warning",
        (
            f"{count(len(both))} {verb} in {given.other} too: {listed(_shown(both))}"
            f"{' and others' if len(both) > SHOWN else ''}."
        ),
        "If one file trained the model, leave its rows out of the other.",
    )


@check("rows", "a class occurs in one file alone")
def unseen_classes(given: GivenRows) -> Told:
    """Which classes only one of two files has."""
    if given.other_classes is None:
        return None
    own, others = set(given.known_classes.tolist()), set(given.other_classes)
    parts = [
        f"{listed(sorted(only))} {where}"
        for only, where in ((own - others, f"not in {given.other}"), (others - own, "only there"))
        if only
    ]
    if not parts:
        return None
    return (
        "warning",
        f"The files do not hold the same classes: {', '.join(parts)}.",
        "Look whether classes are spelled alike, and whether one file lacks rows.",
    )


@check("rows", "weights are negative, missing or all 0")
def wrong_weights(given: GivenRows) -> Told:
    """Whether weights can be counted with."""
    weights = given.weights
    if weights is None or not len(weights):
        return None
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        size = int(wrong.sum())
        return (
            "error",
            (
                f"{count(size)} of {count(len(weights))} weights {'is' if size == 1 else 'are'} "
                "negative, missing or infinite."
            ),
            "A weight says how often or how much a row counts: 0 or more.",
        )
    if not weights.any():
        return "error", "Every weight is 0, so no row counts.", "Look at the column of weights."
    none = int((weights == 0).sum())
    if none:
        said = f"{_of(none, len(weights))} weight 0 and {'does' if none == 1 else 'do'} not count."
        return "note", said, "Nothing, if that is meant."
    return None


@check("scores", "rows have no score")
def missing_scores(given: GivenScores) -> Told:
    """How many scores are missing, and in which class."""
    absent = int(given.absent.sum())
    if not absent:
        return None
    names, code = np.unique(given.classes, return_inverse=True)
    shares = np.bincount(code, weights=given.absent) / np.bincount(code)
    by_class = [f"{name} {share(own)}" for name, own in zip(names, shares, strict=True)]
    shown = f" ({', '.join(by_class)})" if 1 < len(names) <= SHOWN + 1 else ""
    return (
        "note" if given.allowed else "error",
        f"{_of(absent, len(given.absent))} no score in {given.name}{shown}.",
        (
            "Find out why. Then leave such rows out, count them as rejected or rank them last; if "
            "a class lacks more scores than the other, leaving rows out distorts every number."
        ),
    )


@check("scores", "predictions name a class that no row has")
def unseen_predictions(given: GivenScores) -> Told:
    """Which predicted classes no row has."""
    unseen = sorted(set(given.predicted) - set(np.unique(given.classes).tolist()))
    if not unseen:
        return None
    return (
        "error",
        f"{given.name} holds {listed(unseen, 6)}, which no row has as its actual class.",
        "Look whether classes are spelled alike, or pass numbers as scores.",
    )


def _twice_in_a_fold(code: NDArray[np.intp], folds: NDArray[Any]) -> bool:
    _, fold = np.unique(folds, return_inverse=True)
    pairs = code.astype(np.int64) * (int(fold.max()) + 1) + fold
    return len(np.unique(pairs)) < len(pairs)


def _of(some: int, total: int) -> str:
    return f"{count(some)} of {rows(total)} {'has' if some == 1 else 'have'}"


def _shown(ids: NDArray[Any]) -> list[str]:
    """The first ids as people write them: 7, not 7.0."""
    return [f"{one:.15g}" if isinstance(one, float) else str(one) for one in ids[:SHOWN].tolist()]
