"""Rows of files of any size, read once in batches: each is checked, counted and forgotten.

The conventions, notes and sentences are those of `arrays` and `groups`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import InputError
from tradeoff.ranking.adding import added
from tradeoff.ranking.cells import is_coarse
from tradeoff.sources import arrays, groups
from tradeoff.sources.arrays import scored_rows
from tradeoff.sources.batches import ahead, batches
from tradeoff.sources.classes import NamedClasses, NumberedClasses
from tradeoff.sources.coded import are_plain, coded_ranking
from tradeoff.sources.files import demand_columns
from tradeoff.sources.labels import first_rows, missing_rows
from tradeoff.sources.piles import PileKey, Piles, Rows
from tradeoff.sources.ranked import NO_WEIGHTS, RankedModels
from tradeoff.sources.relations import (
    SOME,
    Query,
    connected,
    is_csv,
    quoted,
    relation,
    row_count,
    told,
)
from tradeoff.sources.scores import as_weights
from tradeoff.sources.skipping import demand_whole, skipped_note
from tradeoff.text import rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tradeoff.ranking.ranking import Ranking
    from tradeoff.sources.labels import Labels
    from tradeoff.sources.ranked import Choices, Columns, Effort
    from tradeoff.sources.relations import Source

INTEGERS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}
REALS = {"FLOAT", "DOUBLE"}
LONG = {"UBIGINT", "HUGEINT", "UHUGEINT"}
WIDE = LONG | {"DECIMAL"}
"""Numbers that are read as floats."""
NUMBERS = INTEGERS | REALS | WIDE
SURE = 1 << 53
"""Floats hold every integer up to here."""


class Scan:
    """One passage over the rows of a source, for all models, folds and segments at once."""

    def __init__(
        self,
        columns: Columns,
        choices: Choices,
        effort: Effort,
        *,
        in_cells: bool = True,
    ) -> None:
        self.columns, self.choices, self.effort = columns, choices, effort
        self.in_cells = in_cells
        self.absent = dict.fromkeys(columns.scores, 0)
        self.seen = self.without_class = 0
        self.unequal = self.of_text = False
        self.weighed = 0.0
        self.kinds: dict[str, str] = {}
        self.labels: Labels | None = None
        self.skipped = ""

    def run(self, source: Source, to: Any = None) -> None:
        """Read every row once, in order, and add it to piles of our own or of the caller's."""
        columns = self.columns
        numbers = dict.fromkeys(columns.scores, "DOUBLE")
        with (
            connected(source, self.effort.share) as connection,
            told(source),
            demand_whole(source, columns.names, numbers),
        ):
            table = self._table(connection, source)
            classes = _classes(table, columns.actual, self.kinds, self.choices.positive)
            chosen = table.project(", ".join(self._expressions(classes.expression)))
            self.piles = to or Piles(
                self.choices, self.effort, importance=self.importance, in_cells=self.in_cells
            )
            total = row_count(connection, source)
            quick = to is None and self.in_cells
            if quick and self._counted_by_codes(connection, source, table, classes):
                self.labels = classes.names()
                return
            found = batches(chosen)
            if isinstance(source, Query):  # which may take long before it gives a first row
                found = ahead(found, connection.interrupt)
            for batch in found:
                self._take(batch, classes)
                if self.effort.progress is not None:
                    self.effort.progress(self.seen, total)
            if self.effort.skips:
                self.skipped = skipped_note(connection, source)
                if not self.seen and self.skipped:
                    raise InputError(f"{source} has no line that can be read: {self.skipped}.")
            self.labels = classes.names()

    def _counted_by_codes(self, connection: Any, source: Source, table: Any, classes: Any) -> bool:
        """Try the quick way; False where rows must be looked at."""
        if not (classes.are_bits and are_plain(source, self.columns, self.choices, self.kinds)):
            return False
        found = coded_ranking(connection, source, table, self.columns, self.effort)
        if found is None:
            return False
        self.piles.take(self.columns.scores[0], found)
        classes.found |= {1} if found.positives else set()
        classes.found |= {0} if found.negatives else set()
        return True

    def _table(self, connection: Any, source: Source) -> Any:
        names = self.columns.names
        skip = self.effort.skips
        table = relation(connection, source, sample=SOME, skip=skip)
        demand_columns(source, names, table.columns)
        kinds = dict(zip(table.columns, map(str, table.types), strict=True))
        self.kinds = {name: kinds[name].partition("(")[0] for name in names}
        if is_csv(source):
            types = self._csv_types()
            table = relation(connection, source, sample=SOME, types=types, skip=skip)
            self.kinds |= dict.fromkeys(self.columns.scores, "DOUBLE")
            self.of_text = True
        for name in self.columns.scores:
            if self.kinds[name] not in {*NUMBERS, "BOOLEAN"}:
                raise InputError(
                    f"`{name}` must hold numbers, not {self.kinds[name]}, where rows are read in "
                    "batches."
                )
        return table

    def _csv_types(self) -> dict[str, str]:
        """Types that later lines cannot surprise: a guess by the first lines is none."""
        columns = self.columns
        types = dict.fromkeys([columns.fold, columns.segment], "VARCHAR")
        types |= dict.fromkeys([*columns.scores, columns.weight], "DOUBLE")
        types[columns.actual] = "DOUBLE" if self.kinds[columns.actual] in NUMBERS else "VARCHAR"
        return {name: kind for name, kind in types.items() if name is not None}

    def _expressions(self, classes: str) -> list[str]:
        columns = self.columns
        wide = {name: f"{quoted(name)}::{self._width(name)}" for name in columns.scores}
        found = [f"{classes} AS actual", *(f"{sql} AS s{i}" for i, sql in enumerate(wide.values()))]
        if columns.weight is not None:
            whole = self.kinds[columns.weight] in INTEGERS and not self.of_text
            width = "BIGINT" if whole else "DOUBLE"
            found.append(f"{quoted(columns.weight)}::{width} AS weight")
        for role in ("fold", "segment"):
            name = getattr(columns, role)
            if name is not None:
                column = quoted(name)
                if self.kinds[name] in REALS and not self.of_text:
                    column = f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END"
                found.append(f"({column})::VARCHAR AS {role}")
        return found

    def _width(self, name: str) -> str:
        return "BIGINT" if self.kinds[name] in INTEGERS else "DOUBLE"

    @property
    def _whole_weights(self) -> bool:
        weight = self.columns.weight
        return weight is None or self.kinds[weight] in {*INTEGERS, *LONG, "BOOLEAN"}

    @property
    def importance(self) -> bool:
        """Whether weights say how much a row matters."""
        if self.columns.weight is None:
            return False
        means = self.choices.weight_means
        return not self._whole_weights if means is None else means == "importance"

    def _take(self, batch: Mapping[str, NDArray[Any]], classes: Any) -> None:
        """Check and count the rows of one batch."""
        start = self.seen
        self.seen += len(batch["actual"])
        batch = dict(batch)
        weights = self._weights(batch.pop("weight", None), start)
        keep = None if weights is None or (weights > 0).all() else weights > 0
        keep = self._with_class(batch["actual"], keep, start)
        parts = {
            part: which
            for role in ("fold", "segment")
            if role in batch
            for part, which in self._parts(batch.pop(role), role, start, keep).items()
        }
        places = None
        if keep is not None:
            batch = {role: values[keep] for role, values in batch.items()}
            weights = None if weights is None else weights[keep]
            places = np.flatnonzero(keep)
        positive = classes.positives(batch["actual"])
        for place, name in enumerate(self.columns.scores):
            scores = self._scores(batch[f"s{place}"], name)
            absent = np.isnan(scores) if len(scores) and np.isnan(scores.min()) else None
            rows = Rows(scores, positive, weights, absent)
            if absent is not None:
                rows = self._with_score(name, rows, start, places)
            self.piles.add(name, rows, parts)

    def _weights(self, values: NDArray[Any] | None, start: int) -> NDArray[Any] | None:
        if values is None:
            return None
        weights = as_weights(values, str(self.columns.weight), start=start)
        self.unequal = self.unequal or bool((weights != 1).any())
        self.weighed += float(weights.sum(dtype=np.float64))
        if not self._whole_weights:
            return weights.astype(np.float64)
        odd = weights != np.floor(weights)
        if odd.any() and self.choices.weight_means is None:
            raise InputError(
                f"{first_rows(odd, start=start, most=1).capitalize()} has a weight that is no "
                "whole number, and those before are: say what they mean, "
                "weight_means='importance' or 'frequency'."
            )
        # Sums of integers must not overflow.
        whole = self.weighed < 2**62 and not odd.any()
        return weights.astype(np.int64 if whole else np.float64)

    def _with_class(
        self, actual: NDArray[Any], keep: NDArray[np.bool_] | None, start: int
    ) -> NDArray[np.bool_] | None:
        if actual.dtype.kind != "f" or not np.isnan(actual.min(initial=0)):
            return keep
        absent = np.isnan(actual)
        if self.choices.missing != "drop":
            raise InputError(
                f"{first_rows(absent, start=start, most=1).capitalize()} has no class in "
                f"{self.columns.actual!r}. A row without its actual class cannot be judged: "
                'fill it in, or leave such rows out with missing="drop".'
            )
        self.without_class += int(absent.sum())
        return np.asarray(~absent if keep is None else keep & ~absent)

    def _scores(self, values: NDArray[Any], name: str) -> NDArray[Any]:
        if self.kinds[name] in INTEGERS | LONG and len(values):
            # A missing one makes floats of all, which have lost the digit beyond.
            sure = SURE if values.dtype.kind in "iu" else SURE - 1
            if max(-int(np.nanmin(values, initial=0)), int(np.nanmax(values, initial=0))) > sure:
                raise InputError(
                    f"`{name}` holds integers above 2**53 that floating point cannot tell apart. "
                    "Divide or rank them first."
                )
            values = values.astype(np.float64)
        digits = self.choices.digits
        return values if digits is None else np.round(values, digits)

    def _with_score(
        self, name: str, rows: Rows, start: int, places: NDArray[np.intp] | None
    ) -> Rows:
        """The rows, of which some have no score, as the caller wants them."""
        absent = np.asarray(rows.absent)
        if self.choices.missing == "error":
            raise InputError(
                f"{first_rows(absent, places, start=start, most=1).capitalize()} has no score in "
                f'`{name}`. Fill it in, or say missing="drop", "reject" (undecided) or "negative" '
                "(ranked last); the output will tell."
            )
        self.absent[name] += int(absent.sum())
        if self.choices.missing != "negative":
            return rows
        last = np.inf if self.choices.lower_is_positive else -np.inf
        return rows._replace(scores=np.where(absent, last, rows.scores), absent=None)

    def _parts(
        self, values: NDArray[Any], role: str, start: int, keep: NDArray[np.bool_] | None
    ) -> dict[tuple[str, str], NDArray[np.intp]]:
        """Which of the rows that are kept are in each fold or segment."""
        absent = missing_rows(values)
        if absent.any() and role == "fold":
            raise InputError(
                f"{first_rows(absent, start=start, most=1).capitalize()} has no fold in "
                f"{self.columns.fold!r}: each row belongs to the fold that it was tested in."
            )
        values = np.where(absent, groups.NO_VALUE, values) if absent.any() else values
        known: dict[str, int] = {}
        code = np.array([known.setdefault(value, len(known)) for value in values], np.intp)
        self.piles.meet(role, known)
        code = code if keep is None else code[keep]
        ends = np.cumsum(np.bincount(code, minlength=len(known)))
        parts = np.split(np.argsort(code, kind="stable"), ends[:-1])
        return {(role, name): part for name, part in zip(known, parts, strict=True)}

    def ranked(self) -> RankedModels:
        """All that was counted."""
        rankings = {name: self._ranking(name) for name in self.columns.scores}
        folds = self._grouped("fold") if self.columns.fold is not None else {}
        segments = self._grouped("segment") if self.columns.segment is not None else {}
        return RankedModels(rankings, folds, segments)

    def is_coarse(self, ranked: RankedModels) -> bool:
        """Whether the first rows have chosen cells that do not fit the others."""
        if self.columns.weight is not None:  # rows with weights are not counted in cells
            return False
        return any(is_coarse(one, self.piles.most(name)) for name, one in ranked.rankings.items())

    def _ranking(self, name: str, role: str = "", value: str = "") -> Ranking:
        known = self.labels
        assert known is not None  # noqa: S101 - set by `run`
        return self.piles.ranking(
            PileKey(name, role, value),
            whole=self._whole_weights,
            positive=known.positive,
            negative=known.negative,
            name=name,
            notes=self._notes(name),
        )

    def _grouped(self, role: str) -> dict[str, dict[str, Ranking]]:
        column = getattr(self.columns, role)
        numbers = self.kinds[column] in NUMBERS
        named = groups.in_order(self.piles.values(role), numbers=numbers)
        shown: dict[str, list[str]] = {}
        for value, own in named.items():
            shown.setdefault(own, []).append(value)
        return {
            name: {
                own: added([self._ranking(name, role, value) for value in values])
                for own, values in shown.items()
            }
            for name in self.columns.scores
        }

    def _notes(self, name: str) -> tuple[str, ...]:
        """What was done to rows, in the words of `arrays`."""
        notes = [self.skipped] if self.skipped else []
        if self.without_class:
            notes.append(f"{rows(self.without_class)} without a class: left out")
        if self.unequal and self.choices.weight_means is None:
            notes.append(arrays.weighing_note(importance=self.importance))
        if self.choices.digits is not None:
            notes.append(f"{name} was rounded to {self.choices.digits} decimals")
        if self.absent[name]:
            done = {"drop": "left out", "reject": "counted as rejected", "negative": "ranked last"}
            notes.append(f"{rows(self.absent[name])} without a score: {done[self.choices.missing]}")
        return tuple(notes)


def _classes(table: Any, name: str, kinds: Mapping[str, str], positive: Any) -> Any:
    kind = kinds[name]
    if kind in {*NUMBERS, "BOOLEAN"}:
        width = "::TINYINT" if kind == "BOOLEAN" else "::DOUBLE" if kind in WIDE else ""
        return NumberedClasses(table, name, positive, width, boolean=kind == "BOOLEAN")
    return NamedClasses(table, name, positive)


def scanned_models(
    source: Source, columns: Columns, choices: Choices, effort: Effort
) -> RankedModels:
    """The rankings of all models in a source, read in batches."""
    scored_rows(  # one row stands for all: what is legal
        [1],
        [0.0],
        weight=None if columns.weight is None else [1],
        weight_means=choices.weight_means,
        missing=choices.missing,
        digits=choices.digits,
    )
    if effort.exact and columns.weight is not None:
        raise InputError(NO_WEIGHTS)
    scan = Scan(columns, choices, effort)
    scan.run(source)
    ranked = scan.ranked()
    if scan.is_coarse(ranked):
        # Every batch is ranked, and bins follow all rows so far: it takes longer, but fits.
        scan = Scan(columns, choices, effort, in_cells=False)
        scan.run(source)
        ranked = scan.ranked()
    if not effort.exact:
        return ranked
    from tradeoff.sources.recounting import recounted

    return recounted(ranked, source, columns, choices, effort)
