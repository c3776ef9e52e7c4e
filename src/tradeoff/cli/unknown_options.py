"""Answers to options that a command does not have: what was meant, and the corrected command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING

import click

from tradeoff.cli.option_synonyms import (
    FILE_MEANING,
    MISTAKEN_OPTIONS,
    NEEDLESS_OPTIONS,
    OPTION_SYNONYMS,
    QUOTE,
)

if TYPE_CHECKING:
    from tradeoff.measures.registry import Measure

THRESHOLD_FLAG = "--threshold"
MAX_CORRECTIONS = 6
"""Number of unknown options that are corrected in one command."""
MIN_PREFIX_LENGTH = 5
"""Length from which the beginning of an option, with its dashes, stands for it."""
MIN_SIMILARITY = 0.8
"""Similarity from which a misspelt option is corrected."""


def unknown_option_error(
    problem: click.NoSuchOption, context: click.Context, arguments: Sequence[str]
) -> click.NoSuchOption:
    """Error for an unknown option that names the one that was meant, and the corrected command."""
    position = _position(problem.option_name, arguments)
    option = arguments[position].partition("=")[0]
    meaning = _meaning(arguments, position, context.command)
    message = f"No such option {option!r}."
    if meaning is None:
        message += _command_hint(option, context, arguments)
    elif meaning == FILE_MEANING:
        message += " FILE is typed without an option."
    else:
        shown = f"{meaning}…" if meaning.endswith("=") else meaning
        message += f" Did you mean {shown if QUOTE in shown else repr(shown)}?"
    corrected = None if meaning is None else _corrected_arguments(arguments, context)
    if corrected is not None:
        message += f" In full: {full_command(context, corrected)}"
    return click.NoSuchOption(option, message, ctx=problem.ctx)


def mistaken_value_error(
    problem: click.BadParameter, context: click.Context, arguments: Sequence[str]
) -> click.BadParameter:
    """The error for a value of another option, with the command that has the right one."""
    option = "" if problem.param is None else max(problem.param.opts, key=len)
    corrected = _without_mistakes(arguments, context.command)
    if option in MISTAKEN_OPTIONS and corrected != list(arguments):
        value = arguments[arguments.index(option) + 1]
        message = (
            f"{value!r} is not a number. Did you mean {MISTAKEN_OPTIONS[option]!r}? In full: "
            f"{full_command(context, corrected)}"
        )
        return click.BadParameter(message, ctx=problem.ctx, param=problem.param)
    words = list(arguments)
    for other, parameter in command_flags(context.command).items():
        if option in words[:-1] and other != option:
            position = words.index(option)
            if words[position + 1] in getattr(parameter.type, "choices", ()):
                message = f"{words[position + 1]!r} is a choice of {other}. In full: "
                words[position] = other
                message += full_command(context, words)
                return click.BadParameter(message, ctx=problem.ctx, param=problem.param)
    return problem


def _without_mistakes(arguments: Sequence[str], command: click.Command) -> list[str]:
    """Arguments with options of numbers that were given a column replaced by those of columns."""
    words = list(arguments)
    for index, (word, value) in enumerate(pairwise(arguments)):
        meaning = MISTAKEN_OPTIONS.get(word)
        if meaning in command_flags(command) and meaning not in arguments and not _is_number(value):
            words[index] = str(meaning)
    return words


def full_command(context: click.Context, arguments: Sequence[str]) -> str:
    """A command with its arguments as it is typed in a shell."""
    from tradeoff.formatting import printable
    from tradeoff.overview.overview import command_line

    command = command_line(["tradeoff", str(context.info_name), *arguments])
    return printable(command, max_length=len(command))


def command_flags(command: click.Command) -> dict[str, click.Option]:
    """Options of a command by their spellings."""
    options = [option for option in command.params if isinstance(option, click.Option)]
    return {flag: option for option in options for flag in option.opts}


def _position(option: str, arguments: Sequence[str]) -> int:
    """Index of the argument with an unknown option; click reads -target as -t."""
    exact = [i for i, word in enumerate(arguments) if word.partition("=")[0] == option]
    similar = [i for i, word in enumerate(arguments) if word.startswith(option)]
    joined = [i for i, word in enumerate(arguments) if word[:1] == "-" and option[1] in word]
    return [*exact, *similar, *joined][0]


def _corrected_arguments(arguments: Sequence[str], context: click.Context) -> list[str] | None:
    """Arguments with all unknown options corrected; None if it is unclear what one means."""
    words = list(arguments)
    for _ in range(MAX_CORRECTIONS):
        try:
            context.command.make_parser(context).parse_args(list(words))
        except click.NoSuchOption as problem:
            position = _position(problem.option_name, words)
            meaning = _meaning(words, position, context.command)
            if meaning is None or QUOTE in meaning:
                return None
            words = _with_meaning(words, position, meaning)
        except click.UsageError:  # such as an option without its value
            return None
        else:
            return _without_mistakes(words, context.command)
    return None


def _with_meaning(words: Sequence[str], position: int, meaning: str) -> list[str]:
    """Arguments with the option at a position replaced by its meaning; its value is kept."""
    _, sign, value = words[position].partition("=")
    following = [*([value] if sign else []), *words[position + 1 :]]
    replacement = meaning.split()
    if meaning.endswith("=") and following:
        replacement[-1] += following.pop(0)
    return [*words[:position], *replacement, *following]


def _meaning(arguments: Sequence[str], position: int, command: click.Command) -> str | None:
    """What an unknown option most likely means, among what the command has; None if unknown."""
    option, _, value = arguments[position].partition("=")
    value = value or next(iter(arguments[position + 1 :]), "")
    name = option.casefold().replace("_", "-")
    if len(name) > 2 and not name.startswith("--"):
        name = f"-{name}"
    return next(_meanings(name, value, command), None)


def _meanings(name: str, value: str, command: click.Command) -> Iterator[str]:
    """What an option with a value may mean, the most likely first."""
    flags = command_flags(command)
    if MISTAKEN_OPTIONS.get(name) in flags and not _is_number(value):
        yield MISTAKEN_OPTIONS[name]
    if "=" in value and "--at-least" in flags and name == THRESHOLD_FLAG:
        yield "--at-least"
    spellings = (name, name.removesuffix("s"), f"{name}s")
    yield from (spelling for spelling in spellings if spelling in flags)
    for spelling in spellings:
        for meaning in OPTION_SYNONYMS.get(spelling, ()):
            if _is_offered(meaning, value, command):
                yield meaning
    yield from _measure_meanings(name.removeprefix("--"), value, flags)
    yield from _choice_meanings(name.removeprefix("--"), flags)
    beginnings = [flag for flag in flags if flag.startswith(name)]
    if len(name) >= MIN_PREFIX_LENGTH and len(beginnings) == 1:
        yield beginnings[0]
    yield from get_close_matches(name, [*flags, "--help"], 1, MIN_SIMILARITY)


def _is_offered(meaning: str, value: str, command: click.Command) -> bool:
    """Whether a command has all options of a meaning, and their values are among its choices."""
    if meaning == FILE_MEANING:
        return any(isinstance(parameter, click.Argument) for parameter in command.params)
    flags = command_flags(command)
    words = [*meaning.replace(QUOTE, " ").split(), value]
    for word, following in pairwise(words):
        if not word.startswith("-"):
            continue
        if word not in flags:
            return False
        if (following.endswith("=") or following == value) and word == "--at":
            # A point needs the name of its axis, and a list of cut-offs has none.
            is_point = "=" in (flags[word].metavar or "")
            if is_point != ("=" in following):
                return False
        choices = getattr(flags[word].type, "choices", ())
        if choices and following not in choices and following[:1] not in {"", "-"}:
            return False
    return True


def _measure_meanings(name: str, value: str, flags: Mapping[str, click.Option]) -> Iterator[str]:
    """Meanings of an option that is named like a metric, such as --f1 or --min-recall 0.9."""
    prefix, _, rest = name.partition("-")
    is_limit = prefix in {"min", "max"}
    spelling = (rest if is_limit else name).replace("-", "_")
    measure = _find_measure(spelling)
    if measure is None:
        return
    if not _is_number(value):
        yield from (f"{flag} {spelling}" for flag in ("--metric", "--by") if flag in flags)
        return
    is_upper = prefix == "max" if is_limit else measure.better == "lower"
    limit = "--at-most" if is_upper else "--at-least"
    if limit in flags:
        yield f"{limit} {spelling}="
    if {"--by", "--target"} <= flags.keys():
        out_of_bag = "--out-of-bag " if "--out-of-bag" in flags else ""
        yield f"{out_of_bag}--by {spelling} --target"


def _find_measure(name: str) -> Measure | None:
    from tradeoff.errors import UnknownName
    from tradeoff.evaluation import evaluation  # noqa: F401 - registers all measures
    from tradeoff.measures.registry import find_measure

    try:
        return find_measure(name)
    except UnknownName:
        return None


def _is_number(text: str) -> bool:
    from tradeoff.cli.numbers import number_spelling

    try:
        float(text)
    except ValueError:
        return number_spelling(text) is not None
    return True


def _choice_meanings(name: str, flags: Mapping[str, click.Option]) -> Iterator[str]:
    """Meanings of an option that is named like a chart, a curve or an outcome of rows."""
    if "--outcome" in flags and _is_outcome(name):
        yield f"--outcome {name}"
    for flag in ("--chart", "--curve"):
        if flag in flags and name in chart_names(flags[flag]):
            yield f"{flag} {name}"


def _is_outcome(name: str) -> bool:
    from tradeoff.errors import InputError
    from tradeoff.outcomes.outcome_rows import find_outcome

    try:
        find_outcome(name)
    except InputError:
        return False
    return True


def chart_names(option: click.Option | None = None) -> list[str]:
    """Names that an option of charts or curves takes; of all charts without one."""
    from tradeoff.evaluation.charts import CHARTS
    from tradeoff.measures.curves.registry import CURVE_ALIASES, CURVES

    choices = None if option is None else getattr(option.type, "choices", None)
    return list(choices) if choices is not None else [*CURVES, *CHARTS, *CURVE_ALIASES]


def _command_hint(option: str, context: click.Context, arguments: Sequence[str]) -> str:
    """Sentence for an option of another command, for a needless one, or one that shells replace."""
    from tradeoff.cli.evaluate import evaluate_command
    from tradeoff.overview.overview import command_line

    if context.info_name == "look" and option in command_flags(evaluate_command):
        return f" To evaluate: {command_line(['tradeoff', 'evaluate', *arguments])}"
    name = option.casefold().replace("_", "-")
    if name in NEEDLESS_OPTIONS:
        return f" {NEEDLESS_OPTIONS[name]}"
    if name in {"--plot", "--chart"}:
        chart = str(context.info_name)
        words = ["--chart", chart if chart in chart_names() else "roc"]
        others = [word for word in arguments if word != option]
        return f" For a chart: {command_line(['tradeoff', 'plot', *others, *words])}"
    if context.info_name == "metrics":
        return " To explain a metric: tradeoff explain recall"
    if option in {"-o", "--output", "--out"}:
        return f" tradeoff {context.info_name} prints its result: add > FILE to write it to a file."
    return ""
