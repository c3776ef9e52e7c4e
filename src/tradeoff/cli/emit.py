"""How a command writes its result: one function for all commands and formats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tradeoff.render.sections import Section
    from tradeoff.results import Result


def emit(result: Result, form: str, *, more: Sequence[Section] = (), **choices: Any) -> None:
    """Print a result as text, Markdown, JSON, CSV or JUnit's XML.

    `more` follows the result's own sections; `choices` are those that its views take.
    """
    click.echo(written(result, form, more=more, **choices))


def written(result: Result, form: str, *, more: Sequence[Section] = (), **choices: Any) -> str:
    """A result in one of the formats."""
    if form == "json":
        from tradeoff.render.values import as_json

        return as_json(result.to_dict(**choices))
    if form == "csv":
        return result.to_csv()
    if form == "junit":
        from tradeoff.results import view_of

        return str(view_of(result, "junit")(result))
    return as_written([*result.sections(**choices), *more], form)


def as_written(sections: Sequence[Section], form: str) -> str:
    """Sections as text or Markdown."""
    from tradeoff.render.sections import as_markdown, as_text

    return as_markdown(sections) if form == "markdown" else as_text(sections)
