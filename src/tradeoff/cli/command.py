"""The command class: grouped help with examples, no repeated options, no overwritten inputs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

import click

from tradeoff.cli.emit import take_output
from tradeoff.cli.inferred_columns import ARGUMENTS, complete_columns, missing_option_error
from tradeoff.cli.input_file import complete_file, missing_files, require_percentage_scale
from tradeoff.cli.numbers import number_type
from tradeoff.errors import InputError, StorageError
from tradeoff.formatting import printable

FILE_NAME_PATTERN = re.compile(r"""'((?:[^']|'')+)'|"([^"]+)"|\$\$(.+?)\$\$|([\w./-]+\.\w+)""")
"""Ways to name a file in an SQL query: quoted, or unquoted with an extension."""
HEADINGS = (
    "Input",
    "Columns",
    "Analysis",
    "Pilot study",
    "Decision",
    "Costs",
    "Uncertainty",
    "Output",
)
"""Headings of the groups of options in the help of a command, in order."""
Function = TypeVar("Function", bound=Callable[..., Any])


class InputPath(click.Path):
    """Path of a file that a command reads."""


class OutputPath(click.Path):
    """Path of a file that a command writes; it must not be one that the command reads.

    Args:
        folder_suffix: Extension of the files to write, if the path is a folder.
    """

    def __init__(self, *, folder_suffix: str | None = None) -> None:
        super().__init__()
        self.folder_suffix = folder_suffix

    def written_files(self, path: str) -> list[Path]:
        """Existing files that the command may replace."""
        if self.folder_suffix is not None:
            return sorted(Path(path).glob(f"*{self.folder_suffix}"))
        return [Path(path)]


class ColumnName(click.types.StringParamType):
    """Parameter type of a command: a column name, which shells complete from the files typed."""

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 - click's signature
        incomplete: str,
    ) -> list[Any]:
        """Columns whose names begin with a word."""
        from tradeoff.cli.completion import complete_columns

        return complete_columns(ctx, incomplete)


class CriterionName(click.types.StringParamType):
    """Parameter type of a command: a criterion; its target is an option of its own."""

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        """Refuse a criterion with its target, such as recall=0.9."""
        parts = re.fullmatch(r"\s*(.+?)\s*(?:[<>]=?|[=≥≤:])\s*([\d.]+)\s*", str(value))
        if parts is not None:
            self.fail(f"Give the target beside it: --by {parts[1]} --target {parts[2]}", param, ctx)
        return str(super().convert(value, param, ctx))


class MeasureName(click.types.StringParamType):
    """Parameter type of a command: the name of a metric or summary, which shells complete."""

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[Any]:
        """Measures whose names begin with a word."""
        from tradeoff.cli.completion import complete_measures

        return complete_measures(incomplete)


class LateOption(click.Option):
    """Command option whose help text needs slow imports and is computed only when it is shown."""

    def __init__(self, *names: Any, late_help: Callable[[], str], **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.late_help = late_help

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help text."""
        self.help = self.late_help()
        return super().get_help_record(ctx)


class ListOption(click.Option):
    """Option that is repeated for several values, or takes them separated by commas."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """The values of the option, each of its type."""
        if value is not None:
            value = [part.strip() for text in value for part in str(text).split(",")]
            value = list(filter(None, value))
        return super().type_cast_value(ctx, value)


def option_group(heading: str, *options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Decorator that adds options under a heading in the help of a command."""

    def decorate(command: Function) -> Function:
        for option in reversed(options):
            command = option(command)
            command.__click_params__[-1].heading = heading  # type: ignore[attr-defined]
        return command

    return decorate


class Command(click.Command):
    """A command with grouped options and examples that never overwrites its inputs."""

    allow_extra_args = True  # they are refused here, with the command that was meant

    def __init__(
        self,
        name: str | None,
        *,
        epilog: str | Callable[[], str] | None = None,
        examples: Sequence[str] = (),
        infers_columns: bool = True,
        max_models: int | None = None,
        **settings: Any,
    ) -> None:
        """Create the command.

        Args:
            name: Name of the command.
            epilog: Text below the options, or a function that returns it if it needs imports.
            examples: Arguments of examples, shown at the end of the help.
            infers_columns: Infer --actual and --score from the table if they are not given.
            max_models: Number of models that the command takes; None if any.
            settings: Keyword arguments of `click.Command`.
        """
        super().__init__(name, epilog=None if callable(epilog) else epilog, **settings)
        for parameter in self.params:
            parameter.type = number_type(parameter.type)
            if isinstance(parameter.type, click.types.StringParamType):
                if parameter.metavar == "COLUMN":
                    parameter.type = ColumnName()
                elif parameter.metavar == "CRITERION":
                    parameter.type = CriterionName()
                elif "--metric" in parameter.opts:
                    parameter.type = MeasureName()
        self.late_epilog = epilog if callable(epilog) else None
        self.examples = tuple(examples)
        self.infers_columns = infers_columns
        self.max_models = max_models

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings."""
        sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in HEADINGS}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                sections[getattr(parameter, "heading", _default_heading(parameter))].append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the text below the options, and the examples."""
        if self.late_epilog is not None:
            self.epilog = self.late_epilog()
        super().format_epilog(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"  {ctx.command_path} {example}\n")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; errors name what to type instead.

        Repeated single-valued options, of which click would silently use the last, are refused.
        """
        arguments = list(args)
        try:
            if not ctx.resilient_parsing:
                self._require_single_values(ctx, args)
                ctx.meta[ARGUMENTS] = arguments
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as problem:
            from tradeoff.cli.unknown_options import unknown_option_error

            raise unknown_option_error(problem, ctx, arguments) from problem
        except click.MissingParameter as problem:
            _, words, _ = self.make_parser(ctx).parse_args(list(arguments))
            self._refuse_stray_words(ctx, words, arguments)
            raise missing_option_error(problem, ctx) from problem
        except click.BadParameter as problem:
            from tradeoff.cli.unknown_options import mistaken_value_error

            raise mistaken_value_error(problem, ctx, arguments) from problem
        if not ctx.resilient_parsing:
            self._refuse_stray_words(ctx, ctx.args, arguments)
        return rest

    @staticmethod
    def _refuse_stray_words(
        ctx: click.Context, extra_arguments: Sequence[str], arguments: Sequence[str]
    ) -> None:
        """Refuse arguments that the command does not take, and words that are not files."""
        words = extra_arguments or missing_files(ctx.params.get("file"))
        if not words:
            return
        from tradeoff.cli.stray_words import stray_words_error

        error = stray_words_error(ctx, words, arguments)
        if error is None and extra_arguments:
            example = next(filter(None, getattr(ctx.command, "examples", ())), "--help")
            message = f"Got unexpected arguments: {' '.join(words)}."
            message += f" For example: {ctx.command_path} {example}"
            error = click.UsageError(message, ctx)
        if error is not None:
            raise error

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless it would overwrite one of its inputs."""
        self._require_new_outputs(ctx.params)
        take_output(ctx)
        complete_file(ctx.params)
        complete_columns(ctx, infer=self.infers_columns)
        require_percentage_scale(ctx.params)
        return super().invoke(ctx)

    def _require_single_values(self, ctx: click.Context, args: list[str]) -> None:
        single_valued = [option for option in self.params if _takes_one_value(option)]
        permissive = copy(self)
        permissive.params = [_as_repeatable(p) if p in single_valued else p for p in self.params]
        values, _, _ = permissive.make_parser(ctx).parse_args(list(args))
        for option in single_valued:
            typed_values = [_as_typed(option, value) for value in values.get(str(option.name), ())]
            if (count := len(typed_values)) > 1:
                times = "twice" if count == 2 else f"{count} times"
                raise InputError(
                    f"{_flag(option)} was given {times} ({', '.join(typed_values[:-1])} "
                    f"and {typed_values[-1]}); "
                    f"it takes one value.{_several_values_hint(_flag(option))}"
                )

    def _require_new_outputs(self, values: dict[str, Any]) -> None:
        outputs = [
            (option, option.type, str(values[str(option.name)]))
            for option in self.params
            if isinstance(option.type, OutputPath) and values.get(str(option.name)) is not None
        ]
        for (first, _, path), (second, _, other_path) in combinations(outputs, 2):
            if os.path.realpath(path) == os.path.realpath(other_path):
                raise StorageError(
                    f"{_flag(first)} and {_flag(second)} both name {path}: give each its own file."
                )
        for option, kind, path in outputs:
            for output_path in filter(Path.is_file, kind.written_files(path)):
                self._require_not_an_input(output_path, _flag(option), values)

    def _require_not_an_input(self, output_path: Path, flag: str, values: dict[str, Any]) -> None:
        for input_path in self._input_files(values):
            if output_path.samefile(input_path):
                same_file = (
                    "" if input_path == output_path else f"the same file as {input_path}, which is "
                )
                raise StorageError(
                    f"{output_path} is {same_file}among the inputs and would be overwritten: name "
                    f"another file for {flag}."
                )

    def _input_files(self, values: dict[str, Any]) -> Iterator[Path]:
        """Input files that the options name: as paths, folders or patterns, or in a query."""
        for parameter in self.params:
            value = values.get(str(parameter.name))
            if isinstance(parameter.type, InputPath):
                yield from _expand_paths(value)
            elif parameter.name == "query" and value is not None:
                for name in FILE_NAME_PATTERN.findall(value):
                    yield from _expand_paths("".join(name).replace("''", "'"))


def command(**settings: Any) -> Callable[[Callable[..., Any]], Command]:
    """Decorator that makes a function a command of the program."""
    return click.command(cls=Command, **settings)


def _expand_paths(source: Any) -> Iterable[Path]:
    """Files that a path, folder or pattern, or several of them, stand for."""
    from tradeoff.sources.files import source_files

    if isinstance(source, tuple):
        return [path for item in source for path in _expand_paths(item)]
    if hasattr(source, "paths"):
        return _expand_paths(source.paths)
    if source is None or Path(source).is_file():
        return [] if source is None else [Path(source)]
    try:
        return [path for path in source_files(source) if path.is_file()]
    except InputError:
        return []  # the command itself reports the problem


def _takes_one_value(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Option) and not (
        parameter.multiple or parameter.is_flag or parameter.count
    )


def _as_repeatable(option: click.Parameter) -> click.Parameter:
    """Copy of an option that may be given several times."""
    repeatable = copy(option)
    repeatable.multiple = True
    return repeatable


def _as_typed(option: click.Parameter, value: Any) -> str:
    """A value as it was typed; `--chart` without a value means its default."""
    return printable(value if isinstance(value, str) else getattr(option, "flag_value", value))


def _several_values_hint(flag: str) -> str:
    """Sentence about the command that takes several values of an option, if there is one."""
    return " For several, see tradeoff cutoffs." if flag == "--threshold" else ""


def _default_heading(parameter: click.Parameter) -> str:
    return "Output" if "--help" in parameter.opts else "Analysis"


def _flag(option: click.Parameter) -> str:
    return max(option.opts, key=len)
