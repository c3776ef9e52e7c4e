"""Generate an SQL query that counts rows by score and class in a database, without running it.

It only groups and counts; the positive class and missing values are handled when its result is
read. It therefore needs no column types, and contains quoted names but no string literals.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tradeoff.errors import InputError
from tradeoff.sources.sql_quoting import table_name_parts

RESULT_FILE = "counts.csv"
"""File name of the saved result, as suggested in the comment above the query."""
TABLE_ALIAS = "scored_rows"
INDENT = " " * 4
UNQUOTED_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


@dataclass(frozen=True)
class Dialect:
    """SQL dialect of a counts query: its quotes, rounding, and case of unquoted names."""

    quote: Callable[[str], str]
    rounding: str = "ROUND({score}, {digits})"
    stores_upper_case: bool = False  # whether unquoted names are stored in upper case


@dataclass(frozen=True)
class CountsRequest:
    """Request for a counts query: a table, and the column of each role."""

    table: str
    actual: str
    score: str
    positive: str | None = None
    weight: str | None = None
    weight_means: str = "frequency"
    segment: str | None = None
    fold: str | None = None
    digits: int | None = None
    keep_case: bool = False

    @property
    def groups(self) -> list[str]:
        """Grouping columns, in the order of the result."""
        return [name for name in (self.segment, self.fold, self.score, self.actual) if name]

    @property
    def columns(self) -> list[str]:
        """All columns that the query reads."""
        return [*self.groups, *([self.weight] if self.weight else [])]

    @property
    def count_column(self) -> str:
        """Name of the count column of the result, distinct from the others."""
        name = self.weight or "rows"
        used_names = {group.casefold() for group in self.groups}
        while name.casefold() in used_names:
            name += "_"
        return name


def counts_query(request: CountsRequest, dialect: str = "duckdb") -> str:
    """SQL query that counts rows by score and class, with a comment on how to use its result.

    The result has one row per score and class (in each segment and fold), weighted by its count.

    Example:
        >>> print(counts_query(CountsRequest("scores.predictions", "bought", "model_a")))
        -- Rows of each score and class. Save the result as counts.csv (or .parquet), then:
        -- tradeoff evaluate counts.csv --actual bought --score model_a --weight rows --weight-means frequency
        SELECT
            "model_a",
            "bought",
            COUNT(*) AS "rows"
        FROM "scores"."predictions"
        GROUP BY
            "model_a",
            "bought"
        ORDER BY
            "model_a" DESC NULLS LAST,
            "bought";
    """  # noqa: E501 - a command is one line
    _require_distinct_columns(request)
    sql_dialect = DIALECTS[dialect]
    groups = [sql_dialect.quote(name) for name in request.groups]
    score = sql_dialect.quote(request.score)
    order = [f"{name} DESC NULLS LAST" if name == score else name for name in groups]
    parts = [
        *_usage_comments(request),
        _clause(
            "SELECT",
            [
                *groups,
                f"{_count_sql(request, sql_dialect)} AS {sql_dialect.quote(request.count_column)}",
            ],
        ),
        f"FROM {_from_clause(request, sql_dialect)}",
        _clause("GROUP BY", groups),
        _clause("ORDER BY", order),
    ]
    return "\n".join(parts) + ";"


def _require_distinct_columns(request: CountsRequest) -> None:
    """Require a different column for each role, ignoring case."""
    casefolded_names = [name.casefold() for name in request.columns]
    for name in request.columns:
        if casefolded_names.count(name.casefold()) > 1:
            raise InputError(
                f"Column {name!r} is named twice: actual class, score, weight, segment and fold "
                "need different columns."
            )
    if not (request.actual and request.score) or "" in (
        request.weight,
        request.segment,
        request.fold,
    ):
        raise InputError("A column name cannot be empty.")


def _from_clause(request: CountsRequest, dialect: Dialect) -> str:
    """FROM clause: the table, or a subquery where columns must be rounded or renamed.

    A column computed in a subquery may keep its name. Without a subquery, databases disagree on
    whether GROUP BY refers to the original or the computed column.
    """
    table, columns = _table_sql(request, dialect), request.columns
    expressions = {dialect.quote(name): _column_sql(name, request, dialect) for name in columns}
    if all(name == expression for name, expression in expressions.items()):
        return table
    selection = [
        name if name == expression else f"{expression} AS {name}"
        for name, expression in expressions.items()
    ]
    return f"(\n{_clause('SELECT', selection, INDENT)}\n{INDENT}FROM {table}\n) AS {TABLE_ALIAS}"


def _table_sql(request: CountsRequest, dialect: Dialect) -> str:
    parts = table_name_parts(request.table)
    stored_parts = [
        part if is_quoted else _stored_name(part, request, dialect) for part, is_quoted in parts
    ]
    # BigQuery resolves a name to the table rather than to a column of the same name.
    needs_alias = stored_parts[-1].casefold() in {name.casefold() for name in request.columns}
    return ".".join(map(dialect.quote, stored_parts)) + (
        f" AS {TABLE_ALIAS}" if needs_alias else ""
    )


def _column_sql(name: str, request: CountsRequest, dialect: Dialect) -> str:
    column = dialect.quote(_stored_name(name, request, dialect))
    if name != request.score or request.digits is None:
        return column
    return dialect.rounding.format(score=column, digits=request.digits)


def _stored_name(name: str, request: CountsRequest, dialect: Dialect) -> str:
    """Name as the database stores it if it was created without quotes."""
    return (
        name.upper()
        if dialect.stores_upper_case and not request.keep_case and UNQUOTED_NAME.fullmatch(name)
        else name
    )


def _count_sql(request: CountsRequest, dialect: Dialect) -> str:
    if request.weight is None:
        return "COUNT(*)"
    weight = dialect.quote(request.weight)
    # A sum would skip missing weights and hide negative ones; NULL is detected when it is read.
    return f"CASE WHEN COUNT({weight}) = COUNT(*) AND MIN({weight}) >= 0 THEN SUM({weight}) END"


def _usage_comments(request: CountsRequest) -> list[str]:
    """SQL comments that describe the result and give the command that reads it."""
    subject = "Rows" if request.weight is None else "Sums of weights"
    flags = {
        "--actual": request.actual,
        "--positive": request.positive,
        "--score": request.score,
        "--weight": request.count_column,
        "--weight-means": request.weight_means,
        "--segment": request.segment,
        "--fold": request.fold,
        "--digits": request.digits,
    }
    words = [word for flag, value in flags.items() if value is not None for word in (flag, value)]
    command = ["tradeoff", "evaluate", RESULT_FILE, *map(str, words)]
    lines = [
        f"{subject} of each score and class. Save the result as {RESULT_FILE} (or .parquet), then:"
    ]
    if request.weight_means == "importance":
        command.append("--no-intervals")
        lines.insert(0, "Sums do not show how importances vary: intervals need the rows.")
    return [f"-- {line}" for line in [*lines, " ".join(map(_shell_word, command))]]


def _shell_word(word: str) -> str:
    r"""Quote a word for the shell, on one line: a line break would end the SQL comment.

    Example:
        >>> print(_shell_word("two words"), _shell_word("a\nb's"))
        'two words' $'a\nb\'s'
    """
    if not any(_is_control_character(character) for character in word):
        return shlex.quote(word)
    return "$'" + "".join(map(_escape_character, word)) + "'"


def _is_control_character(character: str) -> bool:
    """Whether a character is a control or formatting character."""
    return unicodedata.category(character) in {"Cc", "Cf", "Zl", "Zp"}


def _escape_character(character: str) -> str:
    if character in "\\'":
        return f"\\{character}"
    if character == "\n":
        return "\\n"
    return f"\\U{ord(character):08x}" if _is_control_character(character) else character


def _clause(keyword: str, items: Iterable[str], indent: str = "") -> str:
    """SQL clause: a keyword, and one item per line."""
    return f"{indent}{keyword}\n" + ",\n".join(f"{indent}{INDENT}{item}" for item in items)


def _quote_function(quote: str) -> Callable[[str], str]:
    return lambda name: quote + name.replace(quote, quote * 2) + quote


def _quote_googlesql_name(name: str) -> str:
    """Quote a name in GoogleSQL, with backslash escapes."""
    escapes = {"\\": "\\\\", "`": "\\`", "\n": "\\n", "\r": "\\r"}
    return "`" + "".join(escapes.get(character, character) for character in name) + "`"


DIALECTS = {
    "duckdb": Dialect(_quote_function('"')),
    "postgresql": Dialect(
        _quote_function('"'),
        # PostgreSQL rounds only NUMERIC values to a number of decimals.
        rounding="CAST(ROUND(CAST({score} AS NUMERIC), {digits}) AS DOUBLE PRECISION)",
    ),
    "spark": Dialect(_quote_function("`")),
    "bigquery": Dialect(_quote_googlesql_name),
    "snowflake": Dialect(_quote_function('"'), stores_upper_case=True),
}
"""SQL dialects, by name on the command line."""
