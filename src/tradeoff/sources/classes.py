"""Classes met batch by batch: which rows are positive, before all classes are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.sources.labels import Labels, as_class_number, class_name, labels, missing_rows
from tradeoff.sources.relations import quoted, text

if TYPE_CHECKING:
    from numpy.typing import NDArray

MANY = 1000
"""Messages list a few classes; that there are more is all one needs to know."""
PROBE = 10_000
TRUE_OR_FALSE = {"true": 1, "1": 1, "false": 0, "0": 0}


class NumberedClasses:
    """A column of numbers or booleans."""

    def __init__(
        self, relation: Any, name: str, positive: Any, width: str, *, boolean: bool
    ) -> None:
        self.name = name
        self.boolean = boolean
        self.given = positive
        self.expression = f"{quoted(name)}{width}"
        self.found: set[float] = set()
        first = np.array([row[0] for row in _few(relation, quoted(name))], object)
        first = first[~missing_rows(first)]
        if len(first) and positive is not None and self._wanted() is None:
            labels(first, positive, name=name)

    @property
    def are_bits(self) -> bool:
        """Whether 1 is positive, so that classes of 0 and 1 say it by themselves."""
        return self._wanted() == 1

    def positives(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Which rows are positive."""
        wanted = self._wanted()
        if wanted == 1 and values.dtype.itemsize == 1 and values.view(np.uint8).max(initial=0) <= 1:
            # Bytes of 0 and 1 are booleans, as they stand.
            positive = values.view(np.bool_)
            self.found |= {1} if positive.any() else set()
            self.found |= set() if positive.all() else {0}
            return positive
        positive = np.asarray(values == (np.nan if wanted is None else wanted))
        self._learn(values, positive)
        return positive

    def names(self) -> Labels:
        """The two classes by their names, or an error where rows do not say which is positive."""
        kind: Any = np.bool_ if self.boolean else None
        return labels(np.array(sorted(self.found), kind), self.given, name=self.name)

    def _wanted(self) -> float | None:
        if self.given is None:
            return 1
        if self.boolean:
            return TRUE_OR_FALSE.get(str(self.given).casefold())
        return as_class_number(self.given)

    def _learn(self, values: NDArray[Any], positive: NDArray[np.bool_]) -> None:
        """Remember classes; mostly there is nothing new, which is quick to see."""
        seen = int(np.count_nonzero(positive))
        wanted = self._wanted()
        if seen and wanted is not None:
            self.found.add(wanted)
        for other in self.found - {wanted}:
            seen += int(np.count_nonzero(values == other))
        if seen < len(values) and len(self.found) < MANY:
            self.found |= set(np.unique(values[~positive])[:MANY].tolist())


class NamedClasses:
    """A column of texts: DuckDB compares them, so that they need not be fetched."""

    are_bits = False

    def __init__(self, relation: Any, name: str, positive: Any) -> None:
        self.name = name
        self.relation = relation
        few = _few(relation, f"{quoted(name)}::VARCHAR")
        first = [row[0] for row in few if row[0] is not None]
        # A text column of true and false alone explains itself, as one of booleans would.
        words = bool(first) and {w.casefold() for w in first} <= {"true", "false"}
        self.boolean = words
        if first and positive is None and not words:
            labels(np.array(first, object), None, name=name)
        self.given = positive
        column = f"lower({quoted(name)})" if words else f"{quoted(name)}::VARCHAR"
        self.column = column
        wanted = class_name(positive)
        if words:
            truth = TRUE_OR_FALSE.get("true" if positive is None else str(positive).casefold())
            wanted = "neither" if truth is None else ("false", "true")[truth]
        others = [word for word in first if (word.casefold() if words else word) != wanted]
        self.only = (others[0].casefold() if words else others[0]) if others else None
        second = "" if self.only is None else f"WHEN {column} = {text(self.only)} THEN 0 "
        self.expression = (
            f"(CASE WHEN {column} = {text(wanted)} THEN 1 {second}"
            f"WHEN {column} IS NULL THEN NULL ELSE 2 END)::TINYINT"
        )
        self.wanted = wanted
        self.found: set[int] = set()

    def positives(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Which rows are positive."""
        self.found |= set(np.flatnonzero(np.bincount(values.astype(np.intp), minlength=3)).tolist())
        return np.asarray(values == 1)

    def names(self) -> Labels:
        """The two classes by their names."""
        known = {1: self.wanted, 0: self.only}
        names = [known[code] for code in sorted(self.found, reverse=True) if code in known]
        if 2 in self.found:
            distinct = self.relation.project(f"{self.column} AS c").distinct().limit(MANY)
            names = [row[0] for row in distinct.fetchall() if row[0] is not None]
            names += [self.wanted] if 1 in self.found and self.wanted not in names else []
        if self.boolean and {*names} <= {"true", "false"}:
            truths = np.array([word == "true" for word in names], np.bool_)
            return labels(truths, self.given, name=self.name)
        return labels(np.array(sorted(map(str, names)), object), self.given, name=self.name)


def _few(relation: Any, column: str) -> list[tuple[Any, ...]]:
    """The classes among the first rows."""
    few = relation.project(f"{column} AS c").limit(PROBE).distinct().order("c")
    rows: list[tuple[Any, ...]] = few.fetchall()
    return rows
