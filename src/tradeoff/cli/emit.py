"""Print the result of a command in an output format, or write it to a file."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from tradeoff.render.sections import Section
    from tradeoff.results import Result

OUTPUT = "tradeoff.output"
"""Key of the file for the result in the context of click."""
FORMATS_BY_SUFFIX = {
    ".txt": "text",
    ".md": "markdown",
    ".html": "html",
    ".htm": "html",
    ".tex": "latex",
    ".json": "json",
    ".csv": "csv",
    ".xml": "junit",
}
"""Format of a file by its extension, unless --format is given."""
OTHER_PROGRAMS = {
    ".xlsx": " Excel opens .csv files.",
    ".xls": " Excel opens .csv files.",
    ".docx": " Word opens .html files.",
    ".doc": " Word opens .html files.",
    ".pdf": " For a chart, use tradeoff plot.",
    ".png": " For a chart, use tradeoff plot.",
    ".svg": " For a chart, use tradeoff plot.",
}
"""Advice on extensions that no command of results writes."""
FILE_WIDTH = 100
"""Width of the lines of a text file."""


def take_output(context: click.Context) -> None:
    """Note the file that --output of a command names, and the format of its extension."""
    path = context.params.pop("result_path", None)
    if path is None:
        return
    context.meta[OUTPUT] = path
    suffix = Path(path).suffix.casefold()
    is_default = context.get_parameter_source("output_format") is ParameterSource.DEFAULT
    if not (suffix and is_default):
        return
    option = next(o for o in context.command.params if o.name == "output_format")
    choices: Sequence[str] = option.type.choices  # type: ignore[attr-defined]
    output_format = FORMATS_BY_SUFFIX.get(suffix)
    if output_format not in choices:
        suffixes = [end for end, name in FORMATS_BY_SUFFIX.items() if name in choices]
        raise click.UsageError(
            f"{path} should end in {', '.join(suffixes[:-1])} or {suffixes[-1]}."
            f"{OTHER_PROGRAMS.get(suffix, '')}",
            context,
        )
    context.params["output_format"] = output_format


def output_path() -> str | None:
    """The file for the result of the running command; None if it is printed."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(OUTPUT)


def emit_text(text: str, output_format: str = "text", *, colour: bool | None = None) -> None:
    """Print the result of a command, or write it to the file that --output names."""
    path = output_path()
    if path is None:
        click.echo(text, color=colour)
        return
    from tradeoff.files.atomic_write import write_atomically

    if output_format == "html":
        title = escape(f"tradeoff {click.get_current_context().info_name}")
        text = f"<!DOCTYPE html>\n<title>{title}</title>\n{text}"
    write_atomically(path, lambda file: file.write(f"{text}\n".encode()))
    emit_message(f"Wrote {path}.")


def emit(
    result: Result,
    output_format: str,
    *,
    leading_sections: Sequence[Section] = (),
    extra_sections: Sequence[Section] = (),
    **view_options: Any,
) -> None:
    """Print or write the result of a command as text, Markdown, HTML, LaTeX, JSON, CSV or JUnit.

    `leading_sections` precede those of the result, and `extra_sections` follow them; `view_options`
    are parameters of its views.
    """
    text = format_result(
        result,
        output_format,
        leading_sections=leading_sections,
        extra_sections=extra_sections,
        **view_options,
    )
    emit_text(text, output_format)


def emit_message(message: str) -> None:
    """Print a message, wrapped to the width of the terminal."""
    from tradeoff.cli.terminal import terminal_width
    from tradeoff.text_layout import wrap_sentences

    click.echo("\n".join(wrap_sentences([message], terminal_width(sys.stdout))))


def format_result(
    result: Result,
    output_format: str,
    *,
    leading_sections: Sequence[Section] = (),
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
    return format_sections([*leading_sections, *sections, *extra_sections], output_format)


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
    width = terminal_width(sys.stdout) if output_path() is None else FILE_WIDTH
    return format_text(sections, width)
