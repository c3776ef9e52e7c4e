"""Files of any size, read once in batches: each row is checked, counted and forgotten.

The conventions, notes and sentences are those of `arrays` and `groups`.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.core.cells import is_coarse
from tradeoff.core.external_sort import SCORE, Pieces
from tradeoff.core.merge import added
from tradeoff.core.models import RankedModels
from tradeoff.core.sort import Tally
from tradeoff.core.streaming import BYTES, WAITING, GrowingRanking
from tradeoff.errors import InputError
from tradeoff.files import passing_folder
from tradeoff.sources import groups, policy
from tradeoff.sources.batches import ahead, batches
from tradeoff.sources.classes import (
    NamedClasses,
    NumberedClasses,
    TextsAfterAll,
    WrittenClasses,
    first_rows,
    missing_rows,
)
from tradeoff.sources.coded import are_plain, coded_ranking
from tradeoff.sources.csv_errors import demand_columns, demand_whole, skipped_note
from tradeoff.sources.duckdb_types import (
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
from tradeoff.sources.files import SOME, Query, connected, is_text, relation, row_count, told
from tradeoff.sources.options import NO_WEIGHTS
from tradeoff.sources.policy import are_whole, as_weights, large_integers, scored_rows, ties_note
from tradeoff.sources.quoting import quoted
from tradeoff.sources.text_cells import (
    SURE,
    kinds_of,
    longer_than_needed,
    losing_digits,
    written_text,
)
from tradeoff.text import rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking
    from tradeoff.sources.classes import Labels
    from tradeoff.sources.files import Source
    from tradeoff.sources.options import Choices, Columns, Effort


# Rankings in the making: one pile of rows for each model, and each of its folds and segments.


BYTES_PER_ROW = 64
ENOUGH_FOR_CELLS = 1 << 17
"""A grid of cells takes some megabytes, whatever it counts; those of whole models are few."""
FEWEST = 1000
"""However little memory there is, a ranking keeps so many thresholds."""


class Rows(NamedTuple):
    """Checked rows of one batch; scores may be missing where `absent` says so."""

    scores: NDArray[Any]
    positive: NDArray[np.bool_]
    weights: NDArray[Any] | None = None
    absent: NDArray[np.bool_] | None = None

    def among(self, which: Any) -> Rows:
        """Some of them."""
        weights = None if self.weights is None else self.weights[which]
        absent = None if self.absent is None else self.absent[which]
        return Rows(self.scores[which], self.positive[which], weights, absent)


class PileKey(NamedTuple):
    """Whose rows a pile holds; all rows of a model where it is of no fold or segment."""

    model: str
    role: str = ""
    value: str = ""


@dataclass(eq=False)
class Pile:
    """The rows of one ranking; those without a score may be rejected, and are only counted then."""

    growing: GrowingRanking
    rejected_rows: int = 0
    rejected: NDArray[Any] = field(default_factory=lambda: np.zeros((2, 2)))

    def add(self, rows: Rows, missing: str, *, importance: bool) -> None:
        """Rows without a score are left out or rejected; those that rank last have one by now."""
        if rows.absent is not None and rows.absent.any():
            if missing == "reject":
                self._reject(rows.among(rows.absent))
            rows = rows.among(~rows.absent)
        self.growing.add(*rows[:3], importance=importance)

    def _reject(self, rows: Rows) -> None:
        own = np.ones(len(rows.positive)) if rows.weights is None else rows.weights
        self.rejected_rows += len(rows.positive)
        for power in (1, 2):
            counted = own.astype(np.float64) ** power
            positives = counted[rows.positive].sum()
            self.rejected[power - 1] += positives, counted.sum() - positives

    def ranking(self, *, whole: bool, **described: Any) -> Ranking:
        """The rows so far; `whole` says that weights are whole numbers, or that there are none."""
        found = self.growing.ranking(**described)
        kind: Any = int if whole else float
        own, squared = (
            {"rejected_positives": kind(p), "rejected_negatives": kind(n)} for p, n in self.rejected
        )
        rows = found.rows + self.rejected_rows
        squares = found.squares and replace(found.squares, rows=rows, **described, **squared)
        return replace(found, rows=rows, squares=squares, **own)


def as_frequencies(ranking: Ranking) -> Ranking:
    """The ranking of weights that are whole numbers after all: they count rows."""
    thresholds, *counts = ranking.tally
    tally = Tally(thresholds, *(np.round(column).astype(np.int64) for column in counts))
    rows = replace(
        ranking,
        tally=tally,
        rejected_positives=int(ranking.rejected_positives),
        rejected_negatives=int(ranking.rejected_negatives),
        squares=None,
    )
    return rows.with_pairs(ranking.pairs)


class Piles:
    """All piles of one passage, which share the memory that there is."""

    def __init__(
        self,
        choices: Choices,
        effort: Effort,
        *,
        importance: bool,
        in_cells: bool = True,
    ) -> None:
        self.choices, self.effort, self.importance = choices, effort, importance
        self.in_cells = in_cells
        self.piles: dict[PileKey, Pile] = {}
        self.room = effort.share
        self._shared = 0
        self._met: dict[str, set[str]] = {}

    def add(self, model: str, rows: Rows, parts: Mapping[tuple[str, str], Any]) -> None:
        """Add the rows of a batch, to the pile of all and to those of the parts they are in."""
        missing = self.choices.missing
        self._pile(PileKey(model)).add(rows, missing, importance=self.importance)
        for (role, value), which in parts.items():
            own = self._pile(PileKey(model, role, value))
            own.add(rows.among(which), missing, importance=self.importance)
        self._keep_to_room()

    def take(self, model: str, ranking: Ranking) -> None:
        """Add rows that are ranked already."""
        self._pile(PileKey(model)).growing += ranking
        self._keep_to_room()

    def ranking(self, key: PileKey, *, whole: bool, **described: Any) -> Ranking:
        """The ranking of a pile; that of no rows, where none came."""
        return self._pile(key).ranking(whole=whole, **described)

    def meet(self, role: str, values: Iterable[str]) -> None:
        """Take note of folds or segments, which are there even if none of their rows counts."""
        self._met.setdefault(role, set()).update(values)

    def values(self, role: str) -> set[str]:
        """The folds or segments that were met."""
        return self._met.get(role, set())

    def _pile(self, key: PileKey) -> Pile:
        if key not in self.piles:
            lower = self.choices.lower_is_positive
            most = min(self.effort.most, max(self.room // BYTES, FEWEST))
            growing = GrowingRanking(most, lower_is_positive=lower)
            self.piles[key] = Pile(growing)
            # All are looked at again only when they are half as many more.
            if len(self.piles) > 1.5 * self._shared:
                self._share()
            else:
                self._give(key)
        return self.piles[key]

    def most(self, model: str) -> int:
        """How many thresholds the ranking of a model may have, by now."""
        return self._pile(PileKey(model)).growing.most

    def _share(self) -> None:
        """The more piles there are, the fewer rows may wait in each."""
        self._shared = len(self.piles)
        for key in self.piles:
            self._give(key)

    def _give(self, key: PileKey) -> None:
        rows = max(self.room // int(1.5 * self._shared) // BYTES_PER_ROW, FEWEST)
        growing = self.piles[key].growing
        growing.waiting = min(rows, WAITING)
        growing.counts_in_cells = self.in_cells and (not key.role or rows >= ENOUGH_FOR_CELLS)
        growing.first = min(rows, growing.most)

    def _keep_to_room(self) -> None:
        """Where rankings grow larger than there is room for, all keep fewer thresholds."""
        if sum(pile.growing.bytes for pile in self.piles.values()) < self.room:
            return
        each = self.room // BYTES // len(self.piles) // 2
        for pile in self.piles.values():
            pile.growing.shrink(max(each, FEWEST))


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
            notes.append(policy.weighing_note(importance=importance))
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


# Rows gone through once more, so that areas are exact although rankings keep bins.


SORTED_ROW = 40
"""What sorting a piece takes."""


class PiecesOfModels:
    """The rows of a second passage, for each model whose ranking is not exact."""

    def __init__(self, pieces: Mapping[str, Pieces]) -> None:
        self.pieces = pieces

    def add(self, model: str, rows: Rows, parts: Mapping[tuple[str, str], Any]) -> None:  # noqa: ARG002 - as piles do
        """Take the rows that are ranked."""
        if rows.absent is not None:
            rows = rows.among(~rows.absent)
        self.pieces[model].add(rows.scores, rows.positive)


def recounted(  # noqa: PLR0913 - what a passage is told, and what the first has found
    ranked: RankedModels,
    source: Source,
    columns: Columns,
    choices: Choices,
    effort: Effort,
    *,
    as_texts: bool = False,
) -> RankedModels:
    """The rankings with pairs by every score, where bins had lost some."""
    binned = {name: one for name, one in ranked.rankings.items() if not one.exact}
    binned = {name: one for name, one in binned.items() if one.positives and one.negatives}
    if not binned:
        return ranked
    with ExitStack() as stack:
        pieces = {name: _pieces(one, effort, len(binned), stack) for name, one in binned.items()}
        columns = columns._replace(scores=list(binned), fold=None, segment=None)
        scan = Scan(columns, choices, effort, as_texts=as_texts)
        scan.run(source, PiecesOfModels(pieces))
        found = {name: binned[name].with_pairs(own.pairs()) for name, own in pieces.items()}
    return replace(ranked, rankings={**ranked.rankings, **found})


def _pieces(ranking: Any, effort: Effort, models: int, stack: ExitStack) -> Pieces:
    """Pieces that fit into memory, or wait on disk until the end."""
    room = effort.share // 2 // models
    rows = int(ranking.total)
    folder = None
    if 2 * SCORE * rows > room:
        folder = stack.enter_context(passing_folder())
    return Pieces(ranking, max(room // SORTED_ROW, 1000), folder)
