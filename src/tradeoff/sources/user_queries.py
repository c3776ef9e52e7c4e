"""Users' SQL queries, rewritten so that text files are read like other sources.

DuckDB infers the types of a text file from its first 20,480 rows, and may round later values. Each
file named in a query is therefore replaced by a view of all its rows, and calls of DuckDB's readers
get options that sample all rows and do not guess quotes and comments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from tradeoff.errors import InputError
from tradeoff.sources.sql_quoting import quote_name

CSV_OPTIONS = {"sample_size": "-1", "quote": "'\"'", "escape": "'\"'", "comment": "''", "skip": "0"}
JSON_OPTIONS = {"sample_size": "-1"}
TEXT_READERS = {
    "read_csv": ("read_csv", CSV_OPTIONS),
    "read_csv_auto": ("read_csv", CSV_OPTIONS),
    "read_json": ("read_json", JSON_OPTIONS),
    "read_json_auto": ("read_json", JSON_OPTIONS),
    "read_ndjson": ("read_ndjson", JSON_OPTIONS),
    "read_ndjson_auto": ("read_ndjson", JSON_OPTIONS),
}
SAMPLING_READER = re.compile("READ_(CSV|JSON|NDJSON)_AUTO", re.IGNORECASE)
ASSIGNMENT_OPERATORS = {"=", ":=", "=>"}


class SqlToken(NamedTuple):
    """Token of an SQL query, with its start and end in bytes."""

    start: int
    end: int
    word: str
    is_name: bool = False

    @property
    def name(self) -> str | None:
        """Name or string between quotes; None if the token is not quoted."""
        quote = self.word[:1]
        if quote not in {"'", '"'} or len(self.word) < 2 or self.word[-1] != quote:
            return None
        return self.word[1:-1].replace(quote * 2, quote)


class ReaderCall(NamedTuple):
    """Call of a DuckDB reader in a query: its name, closing parenthesis and arguments."""

    name: SqlToken
    closing_parenthesis: SqlToken
    arguments: Sequence[SqlToken]

    @property
    def options(self) -> dict[str, str]:
        """Options of the call, by name."""
        depth, options = 0, {}
        for index, token in enumerate(self.arguments):
            depth += (token.word in {"(", "[", "{"}) - (token.word in {")", "]", "}"})
            operator = self.arguments[index + 1].word if index + 1 < len(self.arguments) else ""
            if not depth and operator in ASSIGNMENT_OPERATORS:
                options[token.word.strip('"').lower()] = _option_value(self.arguments[index + 2 :])
        return options


def _option_value(tokens: Sequence[SqlToken]) -> str:
    words = [token.word for token in tokens]
    return "".join(words[: words.index(",")] if "," in words else words)


def _tokenize(sql: str) -> list[SqlToken]:
    """Tokens of an SQL query, without comments."""
    import duckdb

    raw_query = sql.encode()
    starts = duckdb.tokenize(sql)
    ends = [*(start for start, _ in starts), len(raw_query)][1:]
    return [
        token
        for (start, kind), end in zip(starts, ends, strict=True)
        if kind != duckdb.token_type.comment
        for token in _split_brackets(
            start,
            raw_query[start:end].decode(errors="replace"),
            kind == duckdb.token_type.identifier,
        )
    ]


def _split_brackets(start: int, text: str, is_name: bool) -> Iterator[SqlToken]:
    """Split a token that consists of several brackets into single brackets."""
    word = text.strip()
    if word and not set(word) - set("()[]{},"):
        for offset, bracket in enumerate(text):
            if bracket.strip():
                yield SqlToken(start + offset, start + offset + 1, bracket)
        return
    yield SqlToken(start, start + len(word.encode()), word, is_name)


def _reader_calls(tokens: Sequence[SqlToken]) -> list[ReaderCall]:
    """Calls of DuckDB's text file readers in a query."""
    calls = []
    for index, token in enumerate(tokens[:-1]):
        if token.word.strip('"').lower() in TEXT_READERS and tokens[index + 1].word == "(":
            depth = 0
            for end in range(index + 1, len(tokens)):
                depth += (tokens[end].word == "(") - (tokens[end].word == ")")
                if not depth:
                    calls.append(ReaderCall(token, tokens[end], tokens[index + 2 : end]))
                    break
    return calls


def query_with_file_views(sql: str, create_view: Callable[[str], bool]) -> str:
    """Rewrite a user's query so that types are inferred from all rows of each file.

    Args:
        sql: The query.
        create_view: Function that creates a view of a named file; False if there is no such file.
    """
    tokens = _tokenize(sql)
    calls = _reader_calls(tokens)
    edits = [edit for call in calls for edit in _call_edits(call)]
    names: dict[str, str] = {}
    for index, token in enumerate(tokens):
        is_argument = any(
            call.name.start < token.start < call.closing_parenthesis.start for call in calls
        )
        if token.name is None or is_argument:
            continue
        if not create_view(token.name):
            continue
        spelling = names.setdefault(token.name.casefold(), token.name)
        if spelling != token.name:
            raise InputError(
                f"The query names {spelling!r} and {token.name!r}, which are the same name in SQL: "
                "rename one of the files."
            )
        edits += _alias_edit(tokens, index)
    return _apply_edits(sql, edits)


def _call_edits(call: ReaderCall) -> Iterator[tuple[int, int, str]]:
    """Edits that add missing options to a reader call, so that types are inferred from all rows."""
    reader, defaults = TEXT_READERS[call.name.word.strip('"').lower()]
    options = call.options
    sample_size = options.get("sample_size", "-1")
    if sample_size != "-1":
        raise InputError(
            f"{reader} with sample_size = {sample_size} infers types from the first rows only: use "
            "sample_size = -1."
        )
    missing_options = {option: value for option, value in defaults.items() if option not in options}
    if "quote" in options:
        missing_options.pop("escape", None)
    yield call.name.start, call.name.end, reader
    added_arguments = "".join(f", {option} = {value}" for option, value in missing_options.items())
    yield call.closing_parenthesis.start, call.closing_parenthesis.start, added_arguments


def _alias_edit(tokens: Sequence[SqlToken], index: int) -> Iterator[tuple[int, int, str]]:
    """Edit that adds DuckDB's default alias of a file: its name without folder or extension."""
    token = tokens[index]
    alias = Path(str(token.name)).name.partition(".")[0]
    words = [token.word.lower() for token in tokens]
    is_alias_used = any(
        word == alias.lower() and next_word.startswith(".") for word, next_word in pairwise(words)
    )
    has_alias = index + 1 < len(tokens) and (tokens[index + 1].is_name or words[index + 1] == "as")
    if is_alias_used and not has_alias and index and words[index - 1] in {"from", "join", ","}:
        yield token.end, token.end, f" AS {quote_name(alias)}"


def _apply_edits(sql: str, edits: Sequence[tuple[int, int, str]]) -> str:
    raw_query = sql.encode()
    for start, end, replacement in sorted(edits, reverse=True):
        raw_query = raw_query[:start] + replacement.encode() + raw_query[end:]
    return raw_query.decode()


def require_no_type_guessing(connection: Any, table: Any, sql: str) -> None:
    """Require that a user's query, and the views in it, infer no types from the first rows."""
    if SAMPLING_READER.search(table.explain()) or _has_sampling_view(connection, sql):
        raise InputError(
            "The query reads a text file whose types would be inferred from its first rows: name "
            "the file in quotes in the query itself (FROM 'scores.csv'), or use "
            "read_csv('scores.csv', sample_size = -1)."
        )


def _has_sampling_view(connection: Any, sql: str) -> bool:
    """Whether a view that the query uses, even indirectly, infers types from a sample."""
    views = dict(
        connection.sql("FROM duckdb_views()")
        .filter("NOT internal AND NOT temporary")
        .project("lower(view_name), sql")
        .fetchall()
    )
    queries = [sql]
    for query in queries:  # grows in the loop
        tokens = _tokenize(query)
        if query is not sql and any(
            "sample_size" not in call.options for call in _reader_calls(tokens)
        ):
            return True
        words = {(token.name or token.word).lower() for token in tokens}
        queries += [views.pop(name) for name in words & set(views)]
    return False
