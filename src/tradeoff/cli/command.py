"""What holds for every command: options are unambiguous, and no input is overwritten."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from itertools import combinations
from pathlib import Path
from typing import Any

import click

from tradeoff.errors import InputError, StorageError
from tradeoff.text import plain

QUOTED_OR_DOTTED = re.compile(r"""'((?:[^']|'')+)'|"([^"]+)"|\$\$(.+?)\$\$|([\w./-]+\.\w+)""")
"""How a query may name a file."""


class InputPath(click.Path):
    """Where rows, rankings or tables are read."""


class OutputPath(click.Path):
    """Where a command writes a file. It is never a file that the command reads.

    Args:
        folder_of: The command writes several files with this ending into a folder instead.
    """

    def __init__(self, *, folder_of: str | None = None) -> None:
        super().__init__()
        self.folder_of = folder_of

    def written_files(self, path: str) -> list[Path]:
        """The files that are there and may be replaced."""
        if self.folder_of is not None:
            return sorted(Path(path).glob(f"*{self.folder_of}"))
        return [Path(path)]


class LateOption(click.Option):
    """An option whose help takes imports: a function that is asked when help is shown."""

    def __init__(self, *names: Any, late_help: Callable[[], str], **more: Any) -> None:
        super().__init__(*names, **more)
        self.late_help = late_help

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and what it is for."""
        self.help = self.late_help()
        return super().get_help_record(ctx)


class Command(click.Command):
    """A command whose options are given once, and whose outputs are not among its inputs."""

    def __init__(
        self, name: str | None, *, epilog: str | Callable[[], str] | None = None, **more: Any
    ) -> None:
        """An `epilog` that takes imports may be a function, which is asked when help is shown."""
        super().__init__(name, epilog=None if callable(epilog) else epilog, **more)
        self.late_epilog = epilog if callable(epilog) else None

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The text below the options."""
        if self.late_epilog is not None:
            self.epilog = self.late_epilog()
        super().format_epilog(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse an option with two values: click would take the last one without a word."""
        if not ctx.resilient_parsing:
            self._require_single_values(ctx, args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless it would overwrite what it reads."""
        self._require_new_outputs(ctx.params)
        return super().invoke(ctx)

    def _require_single_values(self, ctx: click.Context, args: list[str]) -> None:
        single = [option for option in self.params if _takes_one_value(option)]
        collecting = copy(self)
        collecting.params = [_collecting(p) if p in single else p for p in self.params]
        values, _, _ = collecting.make_parser(ctx).parse_args(list(args))
        for option in single:
            texts = [_as_typed(option, value) for value in values.get(str(option.name), ())]
            if len(texts) > 1:
                times = "twice" if len(texts) == 2 else f"{len(texts)} times"
                raise InputError(
                    f"{_flag(option)} was given {times} ({', '.join(texts[:-1])} and {texts[-1]}); "
                    "it takes one value."
                )

    def _require_new_outputs(self, values: dict[str, Any]) -> None:
        outputs = [
            (option, option.type, str(values[str(option.name)]))
            for option in self.params
            if isinstance(option.type, OutputPath) and values.get(str(option.name)) is not None
        ]
        for (first, _, path), (second, _, other) in combinations(outputs, 2):
            if os.path.realpath(path) == os.path.realpath(other):
                raise StorageError(
                    f"{_flag(first)} and {_flag(second)} both name {path}: give each its own file."
                )
        for option, kind, path in outputs:
            for written in filter(Path.is_file, kind.written_files(path)):
                self._require_unread(written, _flag(option), values)

    def _require_unread(self, written: Path, flag: str, values: dict[str, Any]) -> None:
        for read in self._files_read(values):
            if written.samefile(read):
                same = "" if read == written else f"the same file as {read}, which is "
                raise StorageError(
                    f"{written} is {same}among the inputs and would be overwritten: name another "
                    f"place for {flag}."
                )

    def _files_read(self, values: dict[str, Any]) -> Iterator[Path]:
        """Every file that these options name, in paths, folders, patterns or a query."""
        for parameter in self.params:
            value = values.get(str(parameter.name))
            if isinstance(parameter.type, InputPath):
                yield from _files_of(value)
            elif parameter.name == "query" and value is not None:
                for name in QUOTED_OR_DOTTED.findall(value):
                    yield from _files_of("".join(name).replace("''", "'"))


def command(**settings: Any) -> Callable[[Callable[..., Any]], Command]:
    """A function as a command."""
    return click.command(cls=Command, **settings)


def _files_of(source: Any) -> Iterable[Path]:
    """The files that a path, a folder, a pattern or several of them stand for."""
    from tradeoff.sources.files import files_of

    if isinstance(source, tuple):
        return [path for part in source for path in _files_of(part)]
    if hasattr(source, "paths"):
        return _files_of(source.paths)
    if source is None or Path(source).is_file():
        return [] if source is None else [Path(source)]
    try:
        return [path for path in files_of(source) if path.is_file()]
    except InputError:
        return []  # the command itself says what is wrong with it


def _takes_one_value(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Option) and not (
        parameter.multiple or parameter.is_flag or parameter.count
    )


def _collecting(option: click.Parameter) -> click.Parameter:
    """The same option as one that collects all its values."""
    twin = copy(option)
    twin.multiple = True
    return twin


def _as_typed(option: click.Parameter, value: Any) -> str:
    """A value as it stood on the command line; `--chart` alone stands for its usual value."""
    return plain(value if isinstance(value, str) else getattr(option, "flag_value", value))


def _flag(option: click.Parameter) -> str:
    return max(option.opts, key=len)
