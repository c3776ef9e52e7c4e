"""The query that counts rows by score and class in a database. Nothing here runs it.

It only groups and counts: which class is positive and what becomes of missing values is decided
where its result is read, as for rows. So it needs no type of any column and holds no literal of
the user's; names are all that is quoted.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tradeoff.errors import InputError
from tradeoff.sources.quoting import table_parts

RESULT = "counts.csv"
"""What the advice above a query calls its saved result."""
ALIAS = "scored_rows"
INDENT = " " * 4
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


@dataclass(frozen=True)
class Dialect:
    """How a database writes names, rounds, and takes names that are not quoted."""

    quoted: Callable[[str], str]
    rounded: str = "ROUND({score}, {digits})"
    upper: bool = False  # plain names are stored in upper case


@dataclass(frozen=True)
class Counting:
    """Which rows are counted: a table, and the columns that play each part."""

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
        """The columns by which rows are grouped, in the order of the result."""
        return [name for name in (self.segment, self.fold, self.score, self.actual) if name]

    @property
    def columns(self) -> list[str]:
        """All columns that are read."""
        return [*self.groups, *([self.weight] if self.weight else [])]

    @property
    def counted(self) -> str:
        """What the result calls its counts: a name that no other column has."""
        name = self.weight or "rows"
        taken = {group.casefold() for group in self.groups}
        while name.casefold() in taken:
            name += "_"
        return name


def counts_query(asked: Counting, dialect: str = "duckdb") -> str:
    """The query, with a comment on top that says what to do with its result.

    The result has a line for each score and class (in each segment and fold), which is read as a
    row that was seen so often.

    Example:
        >>> print(counts_query(Counting("scores.predictions", "bought", "model_a")))
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
    _demand_columns(asked)
    own = DIALECTS[dialect]
    groups = [own.quoted(name) for name in asked.groups]
    falling = own.quoted(asked.score)
    order = [f"{name} DESC NULLS LAST" if name == falling else name for name in groups]
    parts = [
        *_advice(asked),
        _clause("SELECT", [*groups, f"{_count(asked, own)} AS {own.quoted(asked.counted)}"]),
        f"FROM {_rows(asked, own)}",
        _clause("GROUP BY", groups),
        _clause("ORDER BY", order),
    ]
    return "\n".join(parts) + ";"


def _demand_columns(asked: Counting) -> None:
    """Each part is played by a column of its own, also where capitals are not told apart."""
    folded = [name.casefold() for name in asked.columns]
    for name in asked.columns:
        if folded.count(name.casefold()) > 1:
            raise InputError(
                f"Column {name!r} is named twice: the actual class, score, weight, segment and "
                "fold are each a column of their own."
            )
    if not (asked.actual and asked.score) or "" in (asked.weight, asked.segment, asked.fold):
        raise InputError("The name of a column cannot be empty.")


def _rows(asked: Counting, own: Dialect) -> str:
    """The table, or a selection from it where columns must be rounded or renamed first.

    The selection is nested so that a new column may have the name of the one it is made from:
    databases disagree which of the two GROUP BY would mean.
    """
    table, columns = _table(asked, own), asked.columns
    made = {own.quoted(name): _expression(name, asked, own) for name in columns}
    if all(name == expression for name, expression in made.items()):
        return table
    chosen = [name if name == of else f"{of} AS {name}" for name, of in made.items()]
    return f"(\n{_clause('SELECT', chosen, INDENT)}\n{INDENT}FROM {table}\n) AS {ALIAS}"


def _table(asked: Counting, own: Dialect) -> str:
    parts = table_parts(asked.table)
    stored = [part if quoted else _stored(part, asked, own) for part, quoted in parts]
    # Of a table and a column by the same name, BigQuery takes the table.
    alike = stored[-1].casefold() in {name.casefold() for name in asked.columns}
    return ".".join(map(own.quoted, stored)) + (f" AS {ALIAS}" if alike else "")


def _expression(name: str, asked: Counting, own: Dialect) -> str:
    column = own.quoted(_stored(name, asked, own))
    if name != asked.score or asked.digits is None:
        return column
    return own.rounded.format(score=column, digits=asked.digits)


def _stored(name: str, asked: Counting, own: Dialect) -> str:
    """A name as the database keeps it, if it was written as one writes it without quotes."""
    return name.upper() if own.upper and not asked.keep_case and PLAIN.fullmatch(name) else name


def _count(asked: Counting, own: Dialect) -> str:
    if asked.weight is None:
        return "COUNT(*)"
    weight = own.quoted(asked.weight)
    # A sum passes over missing weights and hides negative ones. No count at all is seen on reading.
    return f"CASE WHEN COUNT({weight}) = COUNT(*) AND MIN({weight}) >= 0 THEN SUM({weight}) END"


def _advice(asked: Counting) -> list[str]:
    """Comment lines: what the result is, and the command that reads it."""
    what = "Rows" if asked.weight is None else "Sums of weights"
    flags = {
        "--actual": asked.actual,
        "--positive": asked.positive,
        "--score": asked.score,
        "--weight": asked.counted,
        "--weight-means": asked.weight_means,
        "--segment": asked.segment,
        "--fold": asked.fold,
        "--digits": asked.digits,
    }
    words = [word for flag, value in flags.items() if value is not None for word in (flag, value)]
    command = ["tradeoff", "evaluate", RESULT, *map(str, words)]
    lines = [f"{what} of each score and class. Save the result as {RESULT} (or .parquet), then:"]
    if asked.weight_means == "importance":
        command.append("--no-intervals")
        lines.insert(0, "Sums do not tell how unequal importances are: intervals need the rows.")
    return [f"-- {line}" for line in [*lines, " ".join(map(_shell_word, command))]]


def _shell_word(word: str) -> str:
    r"""A word as a shell takes it, on one line: a comment must not end inside it.

    Example:
        >>> print(_shell_word("two words"), _shell_word("a\nb's"))
        'two words' $'a\nb\'s'
    """
    if not any(_is_unseen(character) for character in word):
        return shlex.quote(word)
    return "$'" + "".join(map(_escaped, word)) + "'"


def _is_unseen(character: str) -> bool:
    """Whether a character acts (ends a line, moves the cursor) instead of being seen."""
    return unicodedata.category(character) in {"Cc", "Cf", "Zl", "Zp"}


def _escaped(character: str) -> str:
    if character in "\\'":
        return f"\\{character}"
    if character == "\n":
        return "\\n"
    return f"\\U{ord(character):08x}" if _is_unseen(character) else character


def _clause(keyword: str, items: Iterable[str], indent: str = "") -> str:
    """A keyword and one item a line; line breaks inside an item are part of a name."""
    return f"{indent}{keyword}\n" + ",\n".join(f"{indent}{INDENT}{item}" for item in items)


def _doubling(quote: str) -> Callable[[str], str]:
    return lambda name: quote + name.replace(quote, quote * 2) + quote


def _escaping(name: str) -> str:
    """A name with the escapes of GoogleSQL's strings, which may hold no line break."""
    escapes = {"\\": "\\\\", "`": "\\`", "\n": "\\n", "\r": "\\r"}
    return "`" + "".join(escapes.get(character, character) for character in name) + "`"


DIALECTS = {
    "duckdb": Dialect(_doubling('"')),
    "postgresql": Dialect(
        _doubling('"'),
        # PostgreSQL rounds to decimals only what is NUMERIC.
        rounded="CAST(ROUND(CAST({score} AS NUMERIC), {digits}) AS DOUBLE PRECISION)",
    ),
    "spark": Dialect(_doubling("`")),
    "bigquery": Dialect(_escaping),
    "snowflake": Dialect(_doubling('"'), upper=True),
}
"""The databases whose words are known, by the name that the command line takes."""
