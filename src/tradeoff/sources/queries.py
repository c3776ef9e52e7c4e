"""A query of the user's, in which files are read as they are read everywhere else.

DuckDB by itself would let the first 20,480 rows of a text file decide on its types, and round what
comes later. So each file that a query names becomes a view of all its rows, and calls of DuckDB's
own readers are told to look at all rows and to guess no quotes and comments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from tradeoff.errors import InputError
from tradeoff.sources.quoting import quoted

CSV_OPTIONS = {"sample_size": "-1", "quote": "'\"'", "escape": "'\"'", "comment": "''", "skip": "0"}
JSON_OPTIONS = {"sample_size": "-1"}
READERS = {
    "read_csv": ("read_csv", CSV_OPTIONS),
    "read_csv_auto": ("read_csv", CSV_OPTIONS),
    "read_json": ("read_json", JSON_OPTIONS),
    "read_json_auto": ("read_json", JSON_OPTIONS),
    "read_ndjson": ("read_ndjson", JSON_OPTIONS),
    "read_ndjson_auto": ("read_ndjson", JSON_OPTIONS),
}
GUESSING = re.compile("READ_(CSV|JSON|NDJSON)_AUTO", re.IGNORECASE)
SIGNS = {"=", ":=", "=>"}


class Token(NamedTuple):
    """A word, a text or a sign of a query, and where it starts and ends in its bytes."""

    start: int
    end: int
    word: str
    is_name: bool = False

    @property
    def name(self) -> str | None:
        """What is written between quotes."""
        mark = self.word[:1]
        if mark not in {"'", '"'} or len(self.word) < 2 or self.word[-1] != mark:
            return None
        return self.word[1:-1].replace(mark * 2, mark)


class Call(NamedTuple):
    """A call of a reader: its name and its closing bracket, and what stands between."""

    name: Token
    close: Token
    arguments: Sequence[Token]

    @property
    def options(self) -> dict[str, str]:
        """The options that are given, by their names."""
        depth, found = 0, {}
        for at, token in enumerate(self.arguments):
            depth += (token.word in {"(", "[", "{"}) - (token.word in {")", "]", "}"})
            sign = self.arguments[at + 1].word if at + 1 < len(self.arguments) else ""
            if not depth and sign in SIGNS:
                found[token.word.strip('"').lower()] = _value(self.arguments[at + 2 :])
        return found


def _value(tokens: Sequence[Token]) -> str:
    words = [token.word for token in tokens]
    return "".join(words[: words.index(",")] if "," in words else words)


def _tokens_of(sql: str) -> list[Token]:
    """The words and signs of a query, without its comments."""
    import duckdb

    raw = sql.encode()
    found = duckdb.tokenize(sql)
    ends = [*(start for start, _ in found), len(raw)][1:]
    return [
        part
        for (start, kind), end in zip(found, ends, strict=True)
        if kind != duckdb.token_type.comment
        for part in _parts(
            start, raw[start:end].decode(errors="replace"), kind == duckdb.token_type.identifier
        )
    ]


def _parts(start: int, written: str, is_name: bool) -> Iterator[Token]:
    """A token as it is; brackets one by one."""
    word = written.strip()
    if word and not set(word) - set("()[]{},"):
        for at, sign in enumerate(written):
            if sign.strip():
                yield Token(start + at, start + at + 1, sign)
        return
    yield Token(start, start + len(word.encode()), word, is_name)


def _calls_of(tokens: Sequence[Token]) -> list[Call]:
    """The calls of DuckDB's readers of text files."""
    found = []
    for at, token in enumerate(tokens[:-1]):
        if token.word.strip('"').lower() in READERS and tokens[at + 1].word == "(":
            depth = 0
            for end in range(at + 1, len(tokens)):
                depth += (tokens[end].word == "(") - (tokens[end].word == ")")
                if not depth:
                    found.append(Call(token, tokens[end], tokens[at + 2 : end]))
                    break
    return found


def with_whole_files(sql: str, make_view: Callable[[str], bool]) -> str:
    """The query, such that no type is guessed by the first rows of a file.

    Args:
        sql: The query.
        make_view: Makes a view of the file of a name, and tells whether there is one.
    """
    tokens = _tokens_of(sql)
    calls = _calls_of(tokens)
    edits = [edit for call in calls for edit in _edits(call)]
    names: dict[str, str] = {}
    for at, token in enumerate(tokens):
        inside = any(call.name.start < token.start < call.close.start for call in calls)
        if token.name is None or inside:
            continue
        if not make_view(token.name):
            continue
        first = names.setdefault(token.name.casefold(), token.name)
        if first != token.name:
            raise InputError(
                f"The query names {first!r} and {token.name!r}, which SQL takes for one name: "
                "rename a file."
            )
        edits += _alias(tokens, at)
    return _edited(sql, edits)


def _edits(call: Call) -> Iterator[tuple[int, int, str]]:
    """What a call lacks: its types shall follow all rows."""
    name, wanted = READERS[call.name.word.strip('"').lower()]
    given = call.options
    sample = given.get("sample_size", "-1")
    if sample != "-1":
        raise InputError(
            f"{name} with sample_size = {sample} lets the first rows decide on types: say "
            "sample_size = -1."
        )
    missing = {option: value for option, value in wanted.items() if option not in given}
    if "quote" in given:
        missing.pop("escape", None)
    yield call.name.start, call.name.end, name
    more = "".join(f", {option} = {value}" for option, value in missing.items())
    yield call.close.start, call.close.start, more


def _alias(tokens: Sequence[Token], at: int) -> Iterator[tuple[int, int, str]]:
    """DuckDB calls a file by its name without folder and ending, if the query calls it nothing."""
    token = tokens[at]
    alias = Path(str(token.name)).name.partition(".")[0]
    words = [one.word.lower() for one in tokens]
    used = any(one == alias.lower() and after.startswith(".") for one, after in pairwise(words))
    is_called = at + 1 < len(tokens) and (tokens[at + 1].is_name or words[at + 1] == "as")
    if used and not is_called and at and words[at - 1] in {"from", "join", ","}:
        yield token.end, token.end, f" AS {quoted(alias)}"


def _edited(sql: str, edits: Sequence[tuple[int, int, str]]) -> str:
    raw = sql.encode()
    for start, end, new in sorted(edits, reverse=True):
        raw = raw[:start] + new.encode() + raw[end:]
    return raw.decode()


def demand_no_guess(connection: Any, table: Any, sql: str) -> None:
    """No file is left whose types its first rows decide on: a view may read one, for example."""
    if GUESSING.search(table.explain()) or _views_guess(connection, sql):
        raise InputError(
            "The query reads a text file whose first rows would decide on its types: name the file "
            "in quotes in the query itself (FROM 'scores.csv'), or say read_csv('scores.csv', "
            "sample_size = -1)."
        )


def _views_guess(connection: Any, sql: str) -> bool:
    """Whether a view that the query names, or that such a view names, samples a text file."""
    views = dict(
        connection.sql("FROM duckdb_views()")
        .filter("NOT internal AND NOT temporary")
        .project("lower(view_name), sql")
        .fetchall()
    )
    texts = [sql]
    for text in texts:  # which grows
        tokens = _tokens_of(text)
        if text is not sql and any("sample_size" not in call.options for call in _calls_of(tokens)):
            return True
        words = {(token.name or token.word).lower() for token in tokens}
        texts += [views.pop(name) for name in words & set(views)]
    return False
