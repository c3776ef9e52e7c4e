"""Files of any size, read once in batches: each row is checked, counted and forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.cells import is_coarse
from tradeoff.core.external_sort import SCORE, Pieces
from tradeoff.core.merge import added
from tradeoff.core.models import RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally
from tradeoff.core.streaming import BYTES, GrowingRanking
from tradeoff.errors import InputError
from tradeoff.files import passing_folder
from tradeoff.sources import groups
from tradeoff.sources.batches import ahead, batches, cut
from tradeoff.sources.classes import (
    Labels,
    NamedClasses,
    NumberedClasses,
    TextsAfterAll,
    WrittenClasses,
    missing_rows,
)
from tradeoff.sources.coded import are_plain, coded_ranking
from tradeoff.sources.columns import Columns
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
from tradeoff.sources.files import (
    SOME,
    Query,
    Source,
    connected,
    is_text,
    relation,
    row_count,
    told,
)
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.policy import (
    NO_WEIGHTS,
    SHOWN,
    CheckedBatch,
    Fault,
    RowCheck,
    RowPolicy,
    absent_rows,
    no_number,
    no_weight,
    require_exact,
    ties_note,
)
from tradeoff.sources.quoting import quoted
from tradeoff.sources.text_cells import (
    SURE,
    kinds_of,
    longer_than_needed,
    losing_digits,
    written_text,
)

# Rankings in the making: one pile of rows for each model, and each of its folds and segments.


BYTES_PER_ROW = 64
FEWEST = 1000
"""However little memory there is, a ranking keeps so many thresholds."""


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

    def add(self, batch: CheckedBatch) -> None:
        """Rows without a score that are rejected are counted, and all others ranked."""
        rejected, rows = batch.rejected, batch.decided
        if rejected is not None:
            self.rejected_rows += rejected.row_count
            self.rejected += [rejected.counts(power) for power in (1, 2)]
        self.growing.add(
            rows.scores, rows.labels.positive_rows, rows.weights, importance=rows.importance
        )

    def ranking(self, *, whole: bool, **described: Any) -> Ranking:
        """The rows so far; `whole` says that weights are whole numbers, or that there are none."""
        ranking = self.growing.ranking(**described)
        kind: Any = int if whole else float
        counts, squared = (
            {"rejected_positives": kind(p), "rejected_negatives": kind(n)} for p, n in self.rejected
        )
        rows = ranking.rows + self.rejected_rows
        squares = ranking.squares and replace(ranking.squares, rows=rows, **described, **squared)
        return replace(ranking, rows=rows, squares=squares, **counts)


def _as_frequencies(ranking: Ranking) -> Ranking:
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
        self, options: ReadOptions, *, lower_is_positive: bool, in_cells: bool = True
    ) -> None:
        self.options, self.lower_is_positive, self.in_cells = options, lower_is_positive, in_cells
        self.piles: dict[PileKey, Pile] = {}
        self.room = options.share
        self._shared = 0
        self._met: dict[str, set[str]] = {}

    def add(self, batch: CheckedBatch, parts: Mapping[tuple[str, str], Any]) -> None:
        """Add the rows of a batch, to the pile of all and to those of the parts they are in."""
        self._pile(PileKey(batch.name)).add(batch)
        for (role, value), which in parts.items():
            self._pile(PileKey(batch.name, role, value)).add(batch.at(which))
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
            most = min(self.options.most, max(self.room // BYTES, FEWEST))
            growing = GrowingRanking(most, lower_is_positive=self.lower_is_positive)
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
        growing.waiting = min(rows, self.options.waiting)
        # A grid of cells takes some megabytes, whatever it counts; those of whole models are few.
        in_cells = not key.role or rows >= self.options.cells_from
        growing.counts_in_cells = self.in_cells and in_cells
        growing.first = min(rows, growing.most)

    def _keep_to_room(self) -> None:
        """Where rankings grow larger than there is room for, all keep fewer thresholds."""
        if sum(pile.growing.bytes for pile in self.piles.values()) < self.room:
            return
        each = self.room // BYTES // len(self.piles) // 2
        for pile in self.piles.values():
            pile.growing.shrink(max(each, FEWEST))


class Codes(NamedTuple):
    """Folds or segments, and which of them each row of a batch is in."""

    names: list[str]
    codes: NDArray[np.intp]


class Scan:
    """One passage over the rows of a source, for all models, folds and segments at once."""

    def __init__(
        self,
        columns: Columns,
        policy: RowPolicy,
        options: ReadOptions,
        *,
        in_cells: bool = True,
        as_texts: bool = False,
    ) -> None:
        self.columns, self.policy, self.options = columns, policy, options
        self.in_cells, self.as_texts = in_cells, as_texts
        self.check = RowCheck(policy, columns.actual, str(columns.fold))
        self.of_text = False
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
        numbers = dict.fromkeys(columns.models, "DOUBLE")
        with (
            connected(source, self.options.share) as connection,
            told(source),
            demand_whole(source, columns.names, numbers),
        ):
            table = self._table(connection, source)
            classes = self._classes(table)
            chosen = table.project(", ".join(self._expressions(classes.expression)))
            lower = self.policy.lower_is_positive
            self.piles = to or Piles(self.options, lower_is_positive=lower, in_cells=self.in_cells)
            total = row_count(connection, source)
            quick = to is None and self.in_cells
            if quick and self._counted_by_codes(connection, source, table, classes):
                self.labels = classes.names()
                return
            stream = batches(chosen)
            if isinstance(source, Query):  # which may take long before it gives a first row
                stream = ahead(stream, connection.interrupt)
            if self.options.batch is not None:
                stream = cut(stream, self.options.batch)
            try:
                with closing(stream):  # while its connection is open
                    for batch in stream:
                        self._take(batch, classes)
                        if self.options.progress is not None:
                            self.options.progress(self.check.rows, total)
            except duckdb.Error:
                self._require_numbers()
                raise
            if self.options.skips:
                self.skipped = skipped_note(connection, source)
                if not self.check.rows and self.skipped:
                    raise InputError(f"{source} has no line that can be read: {self.skipped}.")
            self.check.require_known()
            self.labels = classes.names()
            self.ties = ties_of(self.cells, self._may_tie())
            self._require_exact()
            self.check.require_sound()

    def _counted_by_codes(self, connection: Any, source: Source, table: Any, classes: Any) -> bool:
        """Try the quick way; False where rows must be looked at."""
        if not (classes.are_bits and are_plain(source, self.columns, self.policy, self.kinds)):
            return False
        ranking = coded_ranking(connection, source, table, self.columns, self.options)
        if ranking is None:
            return False
        self.piles.take(self.columns.models[0], ranking)
        classes.found |= {1} if ranking.positives else set()
        classes.found |= {0} if ranking.negatives else set()
        return True

    def _table(self, connection: Any, source: Source) -> Any:
        names, skip = self.columns.names, self.options.skips
        self.of_text = is_text(source)
        self.cells = table = relation(connection, source, names=names, skip=skip)
        demand_columns(connection, source, names, table.columns)
        self.declared = declared = types_of(table)
        self.kinds = {name: kind_of(declared[name]) for name in names}
        numbers = [*self.columns.models, self.columns.weight]
        if self.of_text:
            written = [name for name in names if declared[name] in {"VARCHAR", "JSON"}]
            self.kinds |= kinds_of(table.limit(SOME), written)
            # Types that later lines cannot surprise: a guess by the first lines is none.
            types = {name: "DOUBLE" for name in written if name in numbers}
            table = relation(connection, source, names=names, types=types, skip=skip)
            self.kinds |= {name: "DOUBLE" for name in types if name in self.columns.models}
        else:
            self.kinds |= exact_kinds(table, [self.columns.actual])
        return table

    def _classes(self, table: Any) -> Any:
        """How classes are told apart, by what their column holds."""
        name, positive = self.columns.actual, self.policy.positive
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
        scores = (f"{self._number(name)} AS s{at}" for at, name in enumerate(columns.models))
        expressions = [f"{classes} AS actual", *scores]
        if columns.weight is not None:
            whole = self.kinds[columns.weight] in INTEGERS and not self.of_text
            width = "BIGINT" if whole else "DOUBLE"
            expressions.append(f"{quoted(columns.weight)}::{width} AS weight")
        for role in ("fold", "segment"):
            name = getattr(columns, role)
            if name is not None:
                column = self._text(name)
                if self.kinds[name] in REALS and not self.of_text:
                    column = f"CASE WHEN isnan({quoted(name)}) THEN NULL ELSE {column} END"
                expressions.append(f"{column} AS {role}")
        return expressions

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
        return self.policy.are_importances(whole=self._whole_weights)

    @property
    def are_frequencies_after_all(self) -> bool:
        """Whether all weights turned out to be whole, though their column could hold others."""
        is_open = self.importance and self.policy.weight_means is None
        return is_open and not self.check.fractional and self.check.total_weight < 2**53

    def _take(self, batch: Mapping[str, NDArray[Any]], classes: Any) -> None:
        """Check and count the rows of one batch; none is counted once one has broken a rule."""
        check, batch = self.check, dict(batch)
        start, size = check.rows, len(batch["actual"])
        weights = self._weights(batch.pop("weight", None))
        keep = check.keep(absent_rows(batch["actual"]), weights, size=size)
        codes: dict[str, Codes] = {
            role: self._codes(batch.pop(role), role, start)
            for role in ("fold", "segment")
            if role in batch
        }
        places = np.arange(size) if codes else None
        if keep is not None:
            batch = {role: values[keep] for role, values in batch.items()}
            weights = None if weights is None else weights[keep]
            places = np.flatnonzero(keep)
        check.unequal = check.unequal or (weights is not None and bool((weights != 1).any()))
        labels = Labels(classes.positives(batch["actual"]), "", "")
        parts = self._parts(codes, places)
        for place, name in enumerate(self.columns.models):
            rows = CheckedBatch(
                self._scores(batch[f"s{place}"], name),
                labels,
                weights,
                places,
                name=name,
                importance=self.importance,
            )
            rows = check.scored(rows, start)
            if check.is_sound:
                left_out = rows.places is not places
                self.piles.add(rows, self._parts(codes, rows.places) if left_out else parts)

    def _weights(self, values: NDArray[Any] | None) -> NDArray[Any] | None:
        if values is None:
            return None
        check = self.check
        check.weigh(values)
        if not self._whole_weights or not check.is_sound:
            return values.astype(np.float64)
        odd = values != np.floor(values)
        if odd.any() and self.policy.weight_means is None:
            raise InputError(
                f"Row {check.rows + int(np.argmax(odd)) + 1} has a weight that is no whole number, "
                "and those before are: say what they mean, weight_means='importance' or "
                "'frequency'."
            )
        # Sums of integers must not overflow.
        whole = check.total_weight < 2**62 and not odd.any()
        return values.astype(np.int64 if whole else np.float64)

    def _scores(self, values: NDArray[Any], name: str) -> NDArray[Any]:
        kind = self.kinds[name]
        values = values.astype(np.float64) if kind in INTEGERS else values
        # Reals and decimals have no digits to lose here; numbers in texts may.
        may_lose = self.of_text or kind not in {*REALS, DECIMAL, "BOOLEAN"}
        if may_lose and np.abs(values).max(initial=0, where=np.isfinite(values)) >= SURE:
            self.large.add(name)
        return self.policy.rounded(values)

    def _may_tie(self) -> list[str]:
        """Models whose scores may have more digits than floats; in text files the first rows tell.

        It is for a note alone, which is not worth another passage over every text file.
        """
        if not self.of_text:
            return self.columns.models
        cells = [name for name in self.columns.models if self.declared[name] == "VARCHAR"]
        return longer_than_needed(self.cells.limit(SOME), cells)

    def _require_exact(self) -> None:
        """No integer is another one as a float; where one was large, all are looked at again."""
        for name in self.columns.models:
            if name in self.large or self.ties.get(name):
                losing = losing_digits(f"{quoted(name)}::VARCHAR")
                lost = self._first_rows(losing)
                require_exact(Fault(len(lost), [row for row, _ in lost]), name)

    def _require_numbers(self) -> None:
        """Every text among scores and weights is a number."""
        for name in (*self.columns.models, self.columns.weight):
            if name is None or self.kinds[name] in {*NUMBERS, "BOOLEAN"}:
                continue
            cell = self._text(name)
            odd = f"{cell} IS NOT NULL AND TRY_CAST({cell} AS DOUBLE) IS NULL"
            for row, text in self._first_rows(odd, cell)[:1]:
                example = f"{text!r} in row {row}"
                if name == self.columns.weight:
                    raise InputError(no_weight(example))
                raise InputError(
                    f"{no_number(name, example)}. Predicted classes are not scores where rows are "
                    "read in batches: write 1 and 0."
                )

    def _first_rows(self, condition: str, cell: str = "NULL") -> list[tuple[int, Any]]:
        """The numbers of the first rows for which a condition holds, each with a cell of it."""
        numbered = self.cells.project(
            f"row_number() OVER () AS row, {cell} AS cell, {condition} AS holds"
        )
        rows: list[tuple[int, Any]]
        rows = numbered.filter("holds").order("row").limit(SHOWN).project("row, cell").fetchall()
        return rows

    def _codes(self, values: NDArray[Any], role: str, start: int) -> Codes:
        """The fold or segment of each row of a batch, also of those that do not count."""
        absent = missing_rows(values)
        if absent.any() and role == "fold":
            self.check.find_folds(absent, start)
        values = np.where(absent, groups.NO_VALUE, values) if absent.any() else values
        names: dict[str, int] = {}
        code = np.array([names.setdefault(value, len(names)) for value in values], np.intp)
        self.piles.meet(role, names)
        return Codes(list(names), code)

    def _parts(
        self, codes: Mapping[str, Codes], places: NDArray[np.intp] | None
    ) -> dict[tuple[str, str], NDArray[np.intp]]:
        """Which of the rows at some places of a batch are in each fold or segment."""
        parts: dict[tuple[str, str], NDArray[np.intp]] = {}
        for role, (names, every) in codes.items():
            code = every[places]
            ends = np.cumsum(np.bincount(code, minlength=len(names)))
            split = np.split(np.argsort(code, kind="stable"), ends[:-1])
            parts |= {(role, name): part for name, part in zip(names, split, strict=True)}
        return parts

    def ranked(self) -> RankedModels:
        """All that was counted."""
        rankings = {name: self._ranking(name) for name in self.columns.models}
        folds = self._grouped("fold") if self.columns.fold is not None else {}
        segments = self._grouped("segment") if self.columns.segment is not None else {}
        return RankedModels(rankings, folds, segments)

    def is_coarse(self, models: RankedModels) -> bool:
        """Whether the first rows have chosen cells that do not fit the others."""
        if self.columns.weight is not None:  # rows with weights are not counted in cells
            return False
        rankings = models.rankings.items()
        return any(is_coarse(ranking, self.piles.most(name)) for name, ranking in rankings)

    def _ranking(self, name: str, role: str = "", value: str = "") -> Ranking:
        labels = self.labels
        assert labels is not None  # noqa: S101 - set by `run`
        ranking = self.piles.ranking(
            PileKey(name, role, value),
            whole=self._whole_weights,
            positive=labels.positive,
            negative=labels.negative,
            name=name,
            notes=self._notes(name),
        )
        return _as_frequencies(ranking) if self.are_frequencies_after_all else ranking

    def _grouped(self, role: str) -> dict[str, dict[str, Ranking]]:
        column = getattr(self.columns, role)
        numbers = self.of_text or self.kinds[column] in NUMBERS
        names = groups.in_order(self.piles.values(role), numbers=numbers)
        by_name: dict[str, list[str]] = {}
        for value, group in names.items():
            by_name.setdefault(group, []).append(value)
        return {
            name: {
                group: added([self._ranking(name, role, value) for value in values])
                for group, values in by_name.items()
            }
            for name in self.columns.models
        }

    def _notes(self, name: str) -> tuple[str, ...]:
        """What was done to rows."""
        ties = [ties_note(name, self.ties[name])] if self.ties.get(name) else []
        importance = self.importance and not self.are_frequencies_after_all
        notes = self.check.notes(name, ties, importance=importance)
        return (self.skipped, *notes) if self.skipped else notes


def streamed_models(
    source: Source, columns: Columns, policy: RowPolicy, options: ReadOptions
) -> RankedModels:
    """The rankings of all models in a source, read in batches."""
    policy.require_weight_meaning(weighted=columns.weight is not None)
    if options.exact and columns.weight is not None:
        raise InputError(NO_WEIGHTS)
    scan = _run(source, columns, policy, options)
    models = scan.ranked()
    if scan.is_coarse(models):
        # Every batch is ranked, and bins follow all rows so far: it takes longer, but fits.
        scan = _run(source, columns, policy, options, in_cells=False)
        models = scan.ranked()
    if not options.exact:
        return models
    return _recounted(models, source, columns, policy, options, as_texts=scan.as_texts)


def _run(
    source: Source,
    columns: Columns,
    policy: RowPolicy,
    options: ReadOptions,
    *,
    in_cells: bool = True,
) -> Scan:
    """One passage; and another, should a late row show that classes are texts after all."""
    scan = Scan(columns, policy, options, in_cells=in_cells)
    try:
        scan.run(source)
    except TextsAfterAll:
        scan = Scan(columns, policy, options, in_cells=in_cells, as_texts=True)
        scan.run(source)
    return scan


# Rows are read a second time, so that areas are exact although rankings keep bins.


SORTED_ROW = 40
"""What sorting a piece takes."""


class PiecesOfModels:
    """The rows of a second passage, for each model whose ranking is not exact."""

    def __init__(self, pieces: Mapping[str, Pieces]) -> None:
        self.pieces = pieces

    def add(self, batch: CheckedBatch, parts: Mapping[tuple[str, str], Any]) -> None:  # noqa: ARG002 - as piles do
        """Take the rows that are ranked."""
        rows = batch.decided
        self.pieces[rows.name].add(rows.scores, rows.labels.positive_rows)


def _recounted(  # noqa: PLR0913 - what a passage is told, and what the first has found
    models: RankedModels,
    source: Source,
    columns: Columns,
    policy: RowPolicy,
    options: ReadOptions,
    *,
    as_texts: bool = False,
) -> RankedModels:
    """The rankings with pairs by every score, where bins had lost some."""
    binned = models.with_lost_pairs
    if not binned:
        return models
    with ExitStack() as stack:
        pieces = {
            name: _pieces(ranking, options, len(binned), stack) for name, ranking in binned.items()
        }
        columns = replace(columns, scores=list(binned), fold=None, segment=None)
        scan = Scan(columns, policy, options, as_texts=as_texts)
        scan.run(source, PiecesOfModels(pieces))
        exact = {name: binned[name].with_pairs(part.pairs()) for name, part in pieces.items()}
    return replace(models, rankings={**models.rankings, **exact})


def _pieces(ranking: Any, options: ReadOptions, models: int, stack: ExitStack) -> Pieces:
    """Pieces that fit into memory, or wait on disk until the end."""
    room = options.share // 2 // models
    rows = int(ranking.total)
    folder = None
    if 2 * SCORE * rows > room:
        folder = stack.enter_context(passing_folder())
    return Pieces(ranking, max(room // SORTED_ROW, 1000), folder)
