"""Answers to words that are typed where a command reads files: what they were meant to be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from tradeoff.cli.unknown_options import chart_names, command_flags
from tradeoff.errors import format_list
from tradeoff.formatting import printable
from tradeoff.overview.overview import command_line

LIST_METAVARS = frozenset({"COLUMN", "NAME", "NUMBERS", "METRIC", "MODEL"})
"""Metavars of repeatable options that take values separated by commas."""

WRITTEN_SUFFIXES = frozenset({".html", ".htm", ".md", ".tex", ".png", ".svg", ".pdf"})
"""Extensions of files that commands write and never read."""


def stray_words_error(
    context: click.Context, words: Sequence[str], arguments: Sequence[str]
) -> click.UsageError | None:
    """Error for words that are not files, with the command that was meant; None if unclear.

    Args:
        context: Context of the command.
        words: The words, none of which is a file.
        arguments: Arguments of the command as they were typed.
    """
    command, message = str(context.info_name), f"{format_list(words)} is not a file"
    columns = _columns(context)
    corrected = _with_lists(words, arguments, context.command)
    if corrected is not None:
        message = "Several values of an option are separated by commas"
        if list(words) == ["%"]:
            message = "A percentage is typed without a space"
    elif columns and set(words) <= set(columns):
        kind = "is a column, not a file" if len(words) == 1 else "are columns, not files"
        message = f"{format_list(words)} {kind}"
        corrected = _with_columns(words, arguments)
    elif len(words) == 1 and (other := _other_command(words[0], command)) is not None:
        message, command = f"{words[0]!r} is not an argument of {command}", other
        corrected = _replaced(words[0], [] if words[0] == other else words, arguments)
    elif len(words) == 1 and (option := _option(words[0], context)) is not None:
        corrected = _replaced(words[0], [option, words[0]], arguments)
    else:
        return None
    full = command_line(["tradeoff", command, *corrected])
    full = printable(full, max_length=len(full))
    return click.UsageError(f"{message}. In full: {full}", context)


def _with_lists(
    words: Sequence[str], arguments: Sequence[str], command: click.Command
) -> list[str] | None:
    """Arguments in which words are further values of the options that they follow."""
    corrected: list[str] = []
    flag = ""
    if list(words) == ["%"]:
        position = list(arguments).index("%")
        return [
            *arguments[: position - 1],
            f"{arguments[position - 1]}%",
            *arguments[position + 1 :],
        ]
    remaining = list(words)
    flags = command_flags(command)
    for word in arguments:
        if flag and word in remaining:
            corrected[-1] = f"{corrected[-1].rstrip(',')},{word}"
            remaining.remove(word)
            continue
        option = flags.get(corrected[-1]) if corrected else None
        is_list = option is not None and option.multiple and option.metavar in LIST_METAVARS
        flag = corrected[-1] if is_list else ""
        corrected.append(word)
    return None if remaining else corrected


def _columns(context: click.Context) -> list[str]:
    """Columns of the file that a command reads."""
    from tradeoff.errors import TradeoffError
    from tradeoff.sources.read_columns import read_column_names

    file = context.params.get("file")
    paths = getattr(file, "paths", (file,))
    if paths[0] is None:
        return []
    try:
        return list(read_column_names(paths[0]))
    except TradeoffError:
        return []


def _with_columns(words: Sequence[str], arguments: Sequence[str]) -> list[str]:
    """Arguments in which words are the columns of the class, unless it is named, and of scores."""
    names = list(words)
    others = [word for word in arguments if word not in names]
    actual = [] if "--actual" in others else ["--actual", names.pop(0)]
    return [*others, *actual, *(["--score", ",".join(names)] if names else [])]


def _replaced(word: str, meaning: Sequence[str], arguments: Sequence[str]) -> list[str]:
    index = len(arguments) - 1 - list(reversed(arguments)).index(word)
    return [*arguments[:index], *meaning, *arguments[index + 1 :]]


def _other_command(word: str, command: str) -> str | None:
    """The command that was meant instead: FILE COMMAND, or the explanation of a metric."""
    from tradeoff.cli.program import COMMANDS

    if command == "look" and word in COMMANDS:
        return word
    return "explain" if command == "metrics" else None


def _option(word: str, context: click.Context) -> str | None:
    """The option that a word was meant for: that of a chart, or of the file to write."""
    flags = command_flags(context.command)
    for flag in ("--chart", "--curve"):
        if flag in flags and word in chart_names(flags[flag]):
            return flag
    suffix = Path(word).suffix.casefold()
    is_written = suffix in WRITTEN_SUFFIXES or (suffix[1:2].isalpha() and bool(context.args))
    return "--output" if is_written and "--output" in flags else None
