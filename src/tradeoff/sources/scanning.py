"""Rows of files of any size, read once in batches: each is checked, counted and forgotten.

The conventions, notes and sentences are those of `arrays` and `groups`.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.cells import is_coarse
from tradeoff.core.merge import added
from tradeoff.core.models import RankedModels
from tradeoff.errors import InputError
from tradeoff.sources import arrays, groups
from tradeoff.sources.arrays import scored_rows
from tradeoff.sources.batches import ahead, batches
from tradeoff.sources.classes import (
    NamedClasses,
    NumberedClasses,
    TextsAfterAll,
    WrittenClasses,
)
from tradeoff.sources.coded import are_plain, coded_ranking
from tradeoff.sources.files import demand_columns
from tradeoff.sources.kinds import (
    DECIMAL,
    INTEGERS,
    LONG,
    NUMBERS,
    REALS,
    as_name,
    exact_kinds,
    kind_of,
    ties_of,
    types_of,
)
from tradeoff.sources.labels import first_rows, missing_rows
from tradeoff.sources.piles import PileKey, Piles, Rows, as_frequencies
from tradeoff.sources.quoting import quoted
from tradeoff.sources.ranked import NO_WEIGHTS
from tradeoff.sources.relations import (
    SOME,
    Query,
    connected,
    is_text,
    relation,
    row_count,
    told,
)
from tradeoff.sources.scores import are_whole, as_weights, large_integers, ties_note
from tradeoff.sources.skipping import demand_whole, skipped_note
from tradeoff.sources.written import (
    SURE,
    kinds_of,
    longer_than_needed,
    losing_digits,
    written_text,
)
from tradeoff.text import rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking
    from tradeoff.sources.labels import Labels
    from tradeoff.sources.ranked import Choices, Columns, Effort
    from tradeoff.sources.relations import Source


class Scan:
    """One passage over the rows of a source, for all models, folds and segments at once."""

    def __init__(
        self,
        columns: Columns,
        choices: Choices,
        effort: Effort,
        *,
        in_cells: bool = True,
        as_texts: bool = False,
    ) -> None:
        self.columns, self.choices, self.effort = columns, choices, effort
        self.in_cells, self.as_texts = in_cells, as_texts
        self.absent = dict.fromkeys(columns.scores, 0)
        self.seen = self.without_class = 0
        self.unequal = self.of_text = self.fractional = False
        self.weighed = 0.0
        self.kinds: dict[str, str] = {}
        self.declared: dict[str, str] = {}
        self.labels: Labels | None = None
        self.skipped = ""
        self.large: set[str] = set()
        self.ties: dict[str, int] = {}

    def run(self, source: Source, to: Any = None) -> None:
        """Read every row once, in order, and add it to piles of our own or of the caller's."""
        import duckdb

        columns = self.columns
        numbers = dict.fromkeys(columns.scores, "DOUBLE")
        with (
            connected(source, self.effort.share) as connection,
            told(source),
            demand_whole(source, columns.names, numbers),
        ):
            table = self._table(connection, source)
            classes = self._classes(table)
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
            try:
                with closing(found):  # while its connection is open
                    for batch in found:
                        self._take(batch, classes)
                        if self.effort.progress is not None:
                            self.effort.progress(self.seen, total)
            except duckdb.Error:
                self._demand_numbers()
                raise
            if self.effort.skips:
                self.skipped = skipped_note(connection, source)
                if not self.seen and self.skipped:
                    raise InputError(f"{source} has no line that can be read: {self.skipped}.")
            self.ties = ties_of(self.cells, self._may_tie())
            self._demand_exact()
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
        names, skip = self.columns.names, self.effort.skips
        self.of_text = is_text(source)
        self.cells = table = relation(connection, source, names=names, skip=skip)
        demand_columns(connection, source, names, table.columns)
        self.declared = declared = types_of(table)
        self.kinds = {name: kind_of(declared[name]) for name in names}
        numbers = [*self.columns.scores, self.columns.weight]
        if self.of_text:
            written = [name for name in names if declared[name] in {"VARCHAR", "JSON"}]
            self.kinds |= kinds_of(table.limit(SOME), written)
            # Types that later lines cannot surprise: a guess by the first lines is none.
            types = {name: "DOUBLE" for name in written if name in numbers}
            table = relation(connection, source, names=names, types=types, skip=skip)
            self.kinds |= {name: "DOUBLE" for name in types if name in self.columns.scores}
        else:
            self.kinds |= exact_kinds(table, [self.columns.actual])
        return table

    def _classes(self, table: Any) -> Any:
        """How classes are told apart, by what their column holds."""
        name, positive = self.columns.actual, self.choices.positive
        kind = self.kinds[name]
        if self.of_text and not self.as_texts and kind in {"BIGINT", "DOUBLE"}:
            return WrittenClasses(table, name, positive)
        if not (self.of_text or self.as_texts) and kind in {*NUMBERS, "BOOLEAN"}:
            width = {"BOOLEAN": "::TINYINT", "DOUBLE": "::DOUBLE", "BIGINT": "::BIGINT"}
            return NumberedClasses(
                table, name, positive, width.get(kind, ""), boolean=kind == "BOOLEAN"
            )
        return NamedClasses(
            table, name, positive, self._text(name), may_be_truths=not self.as_texts
        )

    def _text(self, name: str) -> str:
        """SQL for a column's values by their names."""
        if self.of_text:
            return written_text(name, json=self.declared[name] == "JSON")
        return as_name(name, self.kinds[name])

    def _expressions(self, classes: str) -> list[str]:
        columns = self.columns
        scores = (f"{self._number(name)} AS s{at}" for at, name in enumerate(columns.scores))
        found = [f"{classes} AS actual", *scores]
        if columns.weight is not None:
            whole = self.kinds[columns.weight] in INTEGERS and not self.of_text
            width = "BIGINT" if whole else "DOUBLE"
            found.append(f"{quoted(columns.weight)}::{width} AS weight")
        for role in ("fold", "segment"):
            name = getattr(columns, role)
            if name is not None:
                column = self._text(name)
                if self.kinds[name] in REALS and not self.of_text:
                    column = f"CASE WHEN isnan({quoted(name)}) THEN NULL ELSE {column} END"
                found.append(f"{column} AS {role}")
        return found

    def _number(self, name: str) -> str:
        """SQL for a column of scores; texts may be numbers too."""
        if self.kinds[name] in {*NUMBERS, "BOOLEAN"}:
            width = "BIGINT" if self.kinds[name] in INTEGERS else "DOUBLE"
            return f"{quoted(name)}::{width}"
        return f"{self._text(name)}::DOUBLE"

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

    @property
    def are_frequencies_after_all(self) -> bool:
        """Whether all weights turned out to be whole, though their column could hold others."""
        is_open = self.importance and self.choices.weight_means is None
        return is_open and not self.fractional and self.weighed < 2**53

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
            self.fractional = self.fractional or not are_whole(weights)
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
        kind = self.kinds[name]
        values = values.astype(np.float64) if kind in INTEGERS else values
        # Reals and decimals have no digits to lose here; numbers in texts may.
        may_lose = self.of_text or kind not in {*REALS, DECIMAL, "BOOLEAN"}
        if may_lose and np.abs(values).max(initial=0, where=np.isfinite(values)) >= SURE:
            self.large.add(name)
        digits = self.choices.digits
        return values if digits is None else np.round(values, digits)

    def _may_tie(self) -> list[str]:
        """Models whose scores may have more digits than floats; in text files the first rows tell.

        It is for a note alone, which is not worth another passage over every text file.
        """
        scores = list(self.columns.scores)
        if not self.of_text:
            return scores
        cells = [name for name in scores if self.declared[name] == "VARCHAR"]
        return longer_than_needed(self.cells.limit(SOME), cells)

    def _demand_exact(self) -> None:
        """No integer is another one as a float; where one was large, all are looked at again."""
        for name in self.large | {name for name, ties in self.ties.items() if ties}:
            losing = losing_digits(f"{quoted(name)}::VARCHAR")
            if self.cells.filter(losing).limit(1).fetchall():
                raise InputError(large_integers(name))

    def _demand_numbers(self) -> None:
        """Every text among scores is a number."""
        for name in self.columns.scores:
            if self.kinds[name] in {*NUMBERS, "BOOLEAN"}:
                continue
            cells = self.cells.project(f"{self._text(name)} AS cell, row_number() OVER () AS row")
            odd = "cell IS NOT NULL AND TRY_CAST(cell AS DOUBLE) IS NULL"
            for cell, row in cells.filter(odd).order("row").limit(1).fetchall():
                raise InputError(
                    f"`{name}` must hold numbers, but {cell!r} in row {row:,} is none. Predicted "
                    "classes are not scores where rows are read in batches: write 1 and 0."
                )

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
        ranking = self.piles.ranking(
            PileKey(name, role, value),
            whole=self._whole_weights,
            positive=known.positive,
            negative=known.negative,
            name=name,
            notes=self._notes(name),
        )
        return as_frequencies(ranking) if self.are_frequencies_after_all else ranking

    def _grouped(self, role: str) -> dict[str, dict[str, Ranking]]:
        column = getattr(self.columns, role)
        numbers = self.of_text or self.kinds[column] in NUMBERS
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
        if self.ties.get(name):
            notes.append(ties_note(name, self.ties[name]))
        if self.unequal and self.choices.weight_means is None:
            importance = self.importance and not self.are_frequencies_after_all
            notes.append(arrays.weighing_note(importance=importance))
        if self.choices.digits is not None:
            notes.append(f"{name} was rounded to {self.choices.digits} decimals")
        if self.absent[name]:
            done = {"drop": "left out", "reject": "counted as rejected", "negative": "ranked last"}
            notes.append(f"{rows(self.absent[name])} without a score: {done[self.choices.missing]}")
        return tuple(notes)


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
    scan = _run(source, columns, choices, effort)
    ranked = scan.ranked()
    if scan.is_coarse(ranked):
        # Every batch is ranked, and bins follow all rows so far: it takes longer, but fits.
        scan = _run(source, columns, choices, effort, in_cells=False)
        ranked = scan.ranked()
    if not effort.exact:
        return ranked
    from tradeoff.sources.recounting import recounted

    return recounted(ranked, source, columns, choices, effort, as_texts=scan.as_texts)


def _run(
    source: Source,
    columns: Columns,
    choices: Choices,
    effort: Effort,
    *,
    in_cells: bool = True,
) -> Scan:
    """One passage; and another, should a late row show that classes are texts after all."""
    scan = Scan(columns, choices, effort, in_cells=in_cells)
    try:
        scan.run(source)
    except TextsAfterAll:
        scan = Scan(columns, choices, effort, in_cells=in_cells, as_texts=True)
        scan.run(source)
    return scan
