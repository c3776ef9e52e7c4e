"""Suggestions below a result: options that were not typed, and commands for the same rows."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import click

from tradeoff.cli.emit import output_path
from tradeoff.cli.inferred_columns import ARGUMENTS

ROW_PARAMETERS = ("table", "missing", "digits", "lower_is_positive", "weight", "weight_means")
"""Parameters of rows, besides their source and main columns, that all commands share."""


@dataclass(frozen=True)
class Suggestion:
    """A suggestion: what it gives, and the options to add or the command to run.

    Args:
        purpose: What the suggestion gives, in a few words.
        words: Options to add, or a whole command.
        unless: Options besides these with which it would be wrong, or add nothing.
    """

    purpose: str
    words: str
    unless: tuple[str, ...] = ()

    @property
    def flags(self) -> set[str]:
        """Options that the suggestion adds or excludes."""
        return {word for word in self.words.split() if word.startswith("-")} | {*self.unless}

    @property
    def is_command(self) -> bool:
        """Whether the suggestion is a whole command."""
        return self.words.startswith("tradeoff ")


def emit_suggestions(output_format: str, *suggestions: Suggestion) -> None:
    """Print suggestions below a result, in text format only; options that were typed are left out.

    Options are wrapped to the width of the terminal, and commands have a line each, to be copied.
    """
    if output_format != "text" or output_path() is not None:
        return
    from tradeoff.cli.terminal import terminal_width
    from tradeoff.formatting import printable
    from tradeoff.text_layout import wrap_items

    typed = typed_flags()
    options = [s for s in suggestions if not s.is_command and not s.flags & typed]
    commands = [s for s in suggestions if s.is_command and not {*s.unless} & typed]
    first, *others = [f"{suggestion.purpose}: {suggestion.words}" for suggestion in options] or [""]
    lines = wrap_items([_capitalized(first), *others], terminal_width(sys.stdout)) if first else []
    for suggestion in commands:  # to copy: not wrapped
        command = printable(suggestion.words, max_length=len(suggestion.words))
        lines += [f"{_capitalized(suggestion.purpose)}:", f"  {command}"]
    if lines:
        click.echo("\n" + "\n".join(lines))


def typed_flags() -> set[str]:
    """All spellings of the options that were typed for the running command."""
    context = click.get_current_context()
    words = {word.partition("=")[0] for word in context.meta.get(ARGUMENTS, [])}
    return {
        flag for option in context.command.params if words & {*option.opts} for flag in option.opts
    }


def next_command(name: str, *words: str) -> str:
    """Another command for the same rows, with further words at its end."""
    from tradeoff.overview.overview import command_line

    return command_line(["tradeoff", name, *_row_arguments(click.get_current_context()), *words])


def _row_arguments(context: click.Context) -> Iterator[str]:
    """Arguments that name the rows and the columns of the running command."""
    from tradeoff.overview.overview import score_arguments, source_arguments

    values = context.params
    if values.get("query") is not None:
        yield from ("--query", str(values["query"]))
    if values.get("file") is not None:
        yield from source_arguments(values["file"])
    for name in ("actual", "positive"):
        if values.get(name) is not None:
            yield from (f"--{name}", str(values[name]))
    if values.get("predicted"):
        yield from ("--predicted", ",".join(values["predicted"]))
    if values.get("scores"):
        yield from score_arguments(values["scores"])
    for option in context.command.params:
        value = values.get(str(option.name))
        if option.name in ROW_PARAMETERS and value not in {None, option.get_default(context)}:
            yield max(option.opts, key=len)
            if not isinstance(value, bool):
                yield str(value)


def _capitalized(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
