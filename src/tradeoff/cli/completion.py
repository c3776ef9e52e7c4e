"""Shell completion: the script for a shell, and the names of columns in the file that was typed.

`tradeoff completion bash` prints a script that asks the program for completions at each Tab. click
completes options and choices, and has the shell complete files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from tradeoff.cli.command import InputPath, command
from tradeoff.cli.shells import SHELLS

MAX_COMPRESSED_SIZE = 10_000_000
"""Size in bytes above which a compressed or binary file is not opened for its column names."""
QUICK_FORMATS = (".csv", ".tsv", ".txt", ".parquet", ".pq", ".json", ".jsonl", ".ndjson")
"""Extensions of files whose columns are known from their beginning or end."""
EXAMPLES = """\b
Install it for one user:
  bash  tradeoff completion bash > ~/.local/share/bash-completion/completions/tradeoff
  zsh   tradeoff completion zsh > ~/.zfunc/_tradeoff  (with fpath+=~/.zfunc before compinit)
  fish  tradeoff completion fish > ~/.config/fish/completions/tradeoff.fish
\b
Or for this session only: eval "$(tradeoff completion bash)"
"""


@command(epilog=EXAMPLES)
@click.argument("shell", type=click.Choice(list(SHELLS)))
def completion_command(*, shell: str) -> None:
    """Print a script that completes commands, options, files and columns in a shell."""
    from tradeoff.cli.program import COMPLETION_VARIABLE, main

    completion = SHELLS[shell](main, {}, "tradeoff", COMPLETION_VARIABLE)
    # Not `completion.source()`, which for bash starts the bash of this machine.
    click.echo(completion.source_template % completion.source_vars())


def complete_columns(ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
    """Completions of a column name, or of the last of several separated by commas."""
    columns = list(dict.fromkeys(_columns_of_inputs(ctx)))
    typed, comma, last = incomplete.rpartition(",")
    items = [name for name in columns if name.startswith(incomplete)]
    if not items and comma:
        items = [f"{typed},{name}" for name in columns if name.startswith(last)]
    return [CompletionItem(item) for item in items]


def complete_measures(incomplete: str) -> list[CompletionItem[Any]]:
    """Completions of the name or alias of a metric or summary, with their labels."""
    from tradeoff.measures import metrics, summaries  # noqa: F401 - fill the registries
    from tradeoff.measures.registry import METRICS, SUMMARIES

    labels = {
        alias: measure.label
        for registry in (SUMMARIES, METRICS)
        for measure in registry.values()
        for alias in (measure.name, *measure.aliases)
        if alias.isidentifier()
    }
    return [
        CompletionItem(name, help=label)
        for name, label in labels.items()
        if name.startswith(incomplete)
    ]


def _columns_of_inputs(ctx: click.Context) -> Iterator[str]:
    """Column names in the files that were typed so far; none of a file that cannot be read."""
    for path in _input_paths(ctx):
        with suppress(Exception):  # completion must never disturb the prompt
            yield from (name for name in column_names(path) if name.isprintable())


def _input_paths(ctx: click.Context) -> Iterator[Path]:
    """Existing files among the words that were typed."""
    words: list[Any] = list(ctx.args)
    for parameter in ctx.command.params:
        if isinstance(parameter.type, InputPath):
            words += _paths_of(ctx.params.get(str(parameter.name)))
    for word in dict.fromkeys(map(str, words)):
        path = Path(word).expanduser()
        if path.is_file():
            yield path


def _paths_of(value: Any) -> Iterable[Any]:
    """Paths in the value of an option or argument: none, one, or several."""
    if value is None:
        return ()
    if hasattr(value, "paths"):
        return tuple(value.paths)
    return value if isinstance(value, tuple | list) else (value,)


def column_names(path: Path) -> list[str]:
    """Column names of a file for completion, without reading its rows."""
    from tradeoff.sources.duckdb_relations import duckdb_connection, duckdb_relation
    from tradeoff.sources.files import whole_file_reader

    is_quick = path.name.lower().endswith(QUICK_FORMATS)
    if not is_quick and path.stat().st_size > MAX_COMPRESSED_SIZE:
        return []
    source = str(path)
    if read_whole := whole_file_reader(source):
        return list(read_whole())
    with duckdb_connection(source) as connection:
        return list(duckdb_relation(connection, source).columns)
