"""Print the result of a command in an output format."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tradeoff.render.sections import Section
    from tradeoff.results import Result


def emit(
    result: Result,
    output_format: str,
    *,
    extra_sections: Sequence[Section] = (),
    **view_options: Any,
) -> None:
    """Print the result of a command as text, Markdown, HTML, LaTeX, JSON, CSV or JUnit.

    `extra_sections` follow those of the result; `view_options` are parameters of its views.
    """
    click.echo(format_result(result, output_format, extra_sections=extra_sections, **view_options))


def emit_hint(hint: str, output_format: str = "text") -> None:
    """Print suggestions (separated by " · ") below a result, in text format only."""
    if output_format != "text":
        return
    from tradeoff.cli.terminal import terminal_width
    from tradeoff.text_layout import wrap_items

    click.echo()
    click.echo("\n".join(wrap_items(hint.split(" · "), terminal_width(sys.stdout))))


def emit_message(message: str) -> None:
    """Print a message, wrapped to the width of the terminal."""
    from tradeoff.cli.terminal import terminal_width
    from tradeoff.text_layout import wrap_sentences

    click.echo("\n".join(wrap_sentences([message], terminal_width(sys.stdout))))


def format_result(
    result: Result,
    output_format: str,
    *,
    extra_sections: Sequence[Section] = (),
    **view_options: Any,
) -> str:
    """The result of a command as a string in an output format."""
    from tradeoff.results import find_view

    if output_format == "json":
        from tradeoff.render.json_csv import format_json

        return format_json(find_view(result, "document")(result, **view_options))
    if output_format == "csv":
        return result.to_csv(**_csv_options(result, view_options))
    if output_format == "junit":
        return str(find_view(result, "junit")(result))
    sections = find_view(result, "sections")(result, **view_options)
    return format_sections([*sections, *extra_sections], output_format)


def _csv_options(result: Result, options: dict[str, Any]) -> dict[str, Any]:
    """The view options that `to_csv` of a result accepts."""
    from inspect import signature

    return {name: options[name] for name in signature(result.to_csv).parameters if name in options}


def format_sections(sections: Sequence[Section], output_format: str) -> str:
    """Sections of a result as text, Markdown, HTML or LaTeX."""
    from tradeoff.cli.terminal import terminal_width
    from tradeoff.render.sections import format_text
    from tradeoff.results import renderer

    if output_format != "text":
        text = str(renderer(output_format)(sections))
        # Browsers and word processors would read a file without it in a national encoding.
        return f'<meta charset="utf-8">\n{text}' if output_format == "html" else text
    return format_text(sections, terminal_width(sys.stdout))
