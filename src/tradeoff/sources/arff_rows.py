"""The rows of ARFF files, turned into arrays batch by batch."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import InputError, did_you_mean, listed
from tradeoff.sources.arff_dates import DateReader
from tradeoff.sources.arff_words import cell_of, plain_columns, without_commas, words_of
from tradeoff.text import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from tradeoff.sources.arff import Attribute
    from tradeoff.sources.arff_words import Place, Token

    Cell = str | None  # None is a missing value, an unquoted ?
    Cells = list[Cell]
    Reader = Callable[[Cells], NDArray[Any]]

BATCH = 1 << 14
"""Rows that are turned into arrays at once."""


class Rows:
    """The rows of a file: collected as text, then arrays, so that little text is held at once."""

    def __init__(self, attributes: tuple[Attribute, ...], place: Place) -> None:
        self.attributes = attributes
        self.place = place
        self.readers = [_reader(attribute, place) for attribute in attributes]
        # Each column begins with no rows: a file without any has columns of the right kind, too.
        self.parts = [[reader([])] for reader in self.readers]
        self.rows = 0
        self.weighted: dict[int, float] = {}

    def read(self, lines: Iterator[str]) -> None:
        """Take in all rows."""
        while batch := list(islice(lines, BATCH)):
            last = self.place.line
            first = last - len(batch) + 1
            columns = plain_columns(batch, len(self.attributes))
            if columns is None:
                self._store(*self._one_by_one(batch, first))
                self.place.line = last
            else:
                self.rows += len(batch)
                self._store(columns, range(first, last + 1))

    def columns(self) -> dict[str, NDArray[Any]]:
        """Each attribute's values."""
        return {
            attribute.name: np.concatenate(parts)
            for attribute, parts in zip(self.attributes, self.parts, strict=True)
        }

    def weights(self) -> NDArray[np.float64] | None:
        """Each row's weight, 1 where it has none; None where no row has one."""
        if not self.weighted:
            return None
        weights = np.ones(self.rows)
        weights[list(self.weighted)] = list(self.weighted.values())
        return weights

    def _one_by_one(self, batch: list[str], first: int) -> tuple[list[Cells], list[int]]:
        """The columns of rows that are not all simple, and the line of each row."""
        rows: list[Cells] = []
        numbers: list[int] = []
        for self.place.line, line in enumerate(batch, first):
            cells = self._cells(words_of(line, self.place))
            if cells is None:
                continue
            if len(cells) != len(self.attributes):
                raise self.place.error(
                    f"the row has {len(cells):,} values and {len(self.attributes):,} attributes "
                    "are declared: write one value for each, ? where it is missing, and quotes "
                    "around values with blanks or commas."
                )
            rows.append(cells)
            numbers.append(self.place.line)
            self.rows += 1
        return [list(column) for column in zip(*rows, strict=True)], numbers

    def _store(self, columns: list[Cells], numbers: Sequence[int]) -> None:
        if not numbers:
            return
        for attribute, reader, parts, cells in zip(
            self.attributes, self.readers, self.parts, columns, strict=True
        ):
            try:
                parts.append(reader(cells))
            except (InputError, KeyError, ValueError) as problem:
                raise self._first_error(attribute, reader, cells, numbers) from problem

    def _first_error(
        self, attribute: Attribute, reader: Reader, cells: Cells, numbers: Sequence[int]
    ) -> InputError:
        """Find the cell that made its batch fail."""
        for line, cell in zip(numbers, cells, strict=True):
            try:
                reader([cell])
            except (InputError, KeyError, ValueError) as problem:
                self.place.line = line
                return self.place.error(_complaint(attribute, cell or "", problem))
        raise AssertionError  # a batch fails only where one of its cells does

    def _cells(self, tokens: list[Token]) -> Cells | None:
        """The cells of a row that has quotes, braces, comments or blanks; None for no row."""
        if not tokens:
            return None
        if tokens[0].is_mark("{"):
            end = next((n for n, token in enumerate(tokens) if token.is_mark("}")), None)
            if end is None:
                raise self.place.error(
                    "a sparse row begins with { and does not end with }: close it."
                )
            self._weigh(tokens[end + 1 :])
            return self._sparse(without_commas(tokens[1:end], self.place))
        end = next((n for n, token in enumerate(tokens) if token.kind == "brace"), len(tokens))
        gap = end < len(tokens) and tokens[end - 1].is_mark(",")
        self._weigh(tokens[end:])
        return [cell_of(token) for token in without_commas(tokens[: end - gap], self.place)]

    def _sparse(self, tokens: list[Token]) -> Cells:
        cells: Cells = [
            attribute.values[0] if attribute.values else "0" for attribute in self.attributes
        ]
        given: set[int] = set()
        for index, value in zip(tokens[::2], tokens[1::2], strict=False):
            number = int(index.text) if re.fullmatch("[0-9]+", index.text) else -1
            if not 0 <= number < len(cells) or number <= max(given, default=-1):
                raise self.place.error(
                    f"{plain(index.text)!r} does not say which attribute: sparse rows count them "
                    f"from 0 to {len(cells) - 1}, rising, each with one value: {{0 x, 3 4.5}}."
                )
            given.add(number)
            cells[number] = cell_of(value)
        if len(tokens) % 2:
            raise self.place.error(
                f"attribute {plain(tokens[-1].text)} of the sparse row has no value."
            )
        for number, attribute in enumerate(self.attributes):
            if number not in given and not (attribute.values or attribute.kind == "numeric"):
                raise self.place.error(
                    f"the sparse row leaves out {attribute.name!r}, a {attribute.kind} attribute, "
                    "for which no value stands for 0: write it, or ? where it is missing."
                )
        return cells

    def _weigh(self, tokens: list[Token]) -> None:
        if not tokens:
            return
        if tokens[0].is_mark(","):
            tokens = tokens[1:]
        if len(tokens) == 3 and tokens[0].is_mark("{") and tokens[2].is_mark("}"):
            try:
                weight = _number(tokens[1].text)
            except ValueError:
                weight = -1.0
            if 0 <= weight < np.inf:
                self.weighted[self.rows] = weight
                return
        raise self.place.error(
            "after the values only a weight may stand, a number from 0 on in braces such as {2.5}; "
            "values with braces need quotes."
        )


def _complaint(attribute: Attribute, text: str, problem: Exception) -> str:
    if attribute.kind == "date":
        return f"in {attribute.name!r}, {problem}: correct it, or write ? if it is missing."
    if attribute.kind == "numeric":
        return (
            f"{plain(text)!r} in {attribute.name!r} is no number: correct it, write ? if it is "
            "missing, or declare the attribute as string."
        )
    return (
        f"{plain(text)!r} is not among the declared values of {attribute.name!r}, "
        f"{listed(attribute.values)}.{did_you_mean(text, attribute.values)} "
        "Correct it, or add it to the declaration."
    )


def _reader(attribute: Attribute, place: Place) -> Reader:
    """The function that turns a column's cells into an array."""
    if attribute.kind == "numeric":
        return _numbers
    if attribute.kind == "nominal":
        known: dict[Cell, Cell] = {None: None, **{value: value for value in attribute.values}}
        return lambda cells: _objects([known[cell] for cell in cells])
    if attribute.kind == "string":
        return _objects
    try:
        return _dates(DateReader.of(attribute.pattern))
    except InputError as problem:
        raise place.error(f"attribute {attribute.name!r} cannot be read: {problem}.") from None


def _numbers(cells: Cells) -> NDArray[np.float64]:
    known = [cell for cell in cells if cell is not None]
    together = "".join(known)
    # Python reads 1_000 and digits of other scripts, which ARFF does not have.
    read = float if together.isascii() and "_" not in together else _number
    if len(known) == len(cells):
        return np.array(list(map(read, known)), dtype=np.float64)
    return np.array([np.nan if cell is None else read(cell) for cell in cells], dtype=np.float64)


def _number(text: str) -> float:
    if "_" in text or not text.isascii():
        raise ValueError
    return float(text)


def _objects(cells: Cells) -> NDArray[Any]:
    found = np.empty(len(cells), dtype=object)
    found[:] = cells
    return found


def _dates(reader: DateReader) -> Reader:
    seen: dict[Cell, np.datetime64] = {None: np.datetime64("NaT", "ms")}

    def read(cells: Cells) -> NDArray[Any]:
        for cell in cells:
            if cell not in seen and cell is not None:
                seen[cell] = reader.read(cell)
        return np.array([seen[cell] for cell in cells], dtype="datetime64[ms]")

    return read
