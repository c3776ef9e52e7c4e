"""The `tradeoff` program: its commands, error messages and exit codes."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
import threading
from importlib import import_module
from typing import Any

import click

from tradeoff.cli.exit_codes import (
    EXIT_CODES,
    INPUT_ERROR,
    INTERNAL_ERROR,
    INTERRUPTED,
    SUCCESS,
    VERDICT_KEY,
)

ISSUES_URL = "https://github.com/tradeoff-py/tradeoff/issues"
DEBUG_VARIABLE = "TRADEOFF_DEBUG"
COMPLETION_VARIABLE = "_TRADEOFF_COMPLETE"
MAX_REASON_LENGTH = 200
"""Maximum length of the reason of an internal error."""

COMMANDS = {
    "demo": ("demo", "Evaluate bundled weather predictions."),
    "look": ("look", "Look at a file: columns and their roles (tradeoff FILE)."),
    "evaluate": ("evaluate", "Evaluate models: confusion matrix, metrics and AUC."),
    "compare": ("compare", "Compare models: which is better, and by how much."),
    "crossval": ("crossval", "Cross-validate models on a table."),
    "check": ("check", "Check rows for problems before evaluating them."),
    "report": ("report", "Write an offline HTML report with a movable threshold."),
    "page": ("page", "Write the report page without data, to drop a CSV file on."),
    "plot": ("plot", "Draw a chart, in the terminal or as PNG, SVG or PDF."),
    "segments": ("segments", "Compare the performance of a model between segments."),
    "rank": ("rank", "Save a ranking (counts by score) to share without the rows."),
    "merge": ("rank", "Merge saved rankings of shards, hospitals or days."),
    "sql": ("sql", "Print a query that counts rows by score in your database."),
    "gate": ("gate", "Test whether a candidate may replace a baseline (exit code)."),
    "curve": ("curve", "Write the points of a curve: thresholds, counts, metrics."),
    "threshold": ("threshold", "Choose a threshold, with its out-of-sample performance."),
    "cutoffs": ("cutoffs", "List cut-offs with sensitivity, specificity, PPV and NPV."),
    "gains": ("gains", "Show deciles with lift and profit, and whom to contact."),
    "rows": ("rows", "List the rows of an outcome, such as false negatives."),
    "hull": ("hull", "Find the best model and threshold for each cost ratio."),
    "calibration": ("calibration", "Assess the calibration of probabilities, and recalibrate."),
    "classes": ("classes", "Evaluate a classifier of more than two classes."),
    "power": ("power", "Plan the sample size or compute the power of a study."),
    "matrix": ("matrix", 'Compute metrics from a confusion matrix such as "7 2; 4 1".'),
    "metrics": ("reference", "List all metrics with their formulas and aliases."),
    "compat": ("compat", "Compare with the numbers of other tools."),
    "validate": ("validate", "Recompute published and certified values."),
    "datasets": ("datasets", "List or write the example data sets of the documentation."),
    "explain": ("reference", "Explain a metric, with its value for a file."),
    "schema": ("reference", "Print the JSON Schema of an output document."),
    "completion": ("completion", "Print a script that completes commands in your shell."),
}
"""Module and purpose of each command."""

ASCII_REPLACEMENTS = {
    "≥": ">=", "≤": "<=", "–": "-", "−": "-", "—": "-", "×": "x", "…": "...", "·": "|", "±": "+/-",
    "─": "-", "’": "'", "→": "->", "√": "sqrt", "π": "pi", "∞": "inf", "²": "^2", "½": "1/2",
    "α": "alpha", "β": "beta", "γ": "gamma", "κ": "kappa", "Φ": "Phi", "é": "e", "“": '"', "”": '"',
}  # fmt: skip
"""Replacements for characters that the encoding of a terminal, such as cp1252, lacks."""


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    """Codec error handler: replace characters that the encoding lacks by ASCII ones."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unencodable = error.object[error.start : error.end]
    text = "".join(
        ASCII_REPLACEMENTS.get(c) or c.encode("ascii", "backslashreplace").decode()
        for c in unencodable
    )
    return text, error.end


def _find_plain_ascii(name: str) -> codecs.CodecInfo | None:
    """ASCII codec under another name: click writes UTF-8 to streams whose encoding is ASCII."""
    if name != "plain_ascii":
        return None
    ascii_codec = codecs.lookup("ascii")
    return codecs.CodecInfo(
        ascii_codec.encode,
        ascii_codec.decode,
        incrementalencoder=ascii_codec.incrementalencoder,
        incrementaldecoder=ascii_codec.incrementaldecoder,
        name=name,
    )


codecs.register(_find_plain_ascii)
codecs.register_error("plain", _replace_unencodable)


class Program(click.Group):
    """The group of all commands; an input error prints one message and exits with code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; input errors print a message instead of a traceback."""
        _replace_characters_that_terminals_lack()
        try:
            _interrupt_on_sigterm()
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:  # such as `| head`
            _discard_output()
            sys.exit(ctx.meta.get(VERDICT_KEY, SUCCESS))
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - a sentence, no traceback
            message, exit_code = self._explain(error, ctx)
            click.echo(f"tradeoff: {message}", err=True)
            sys.exit(exit_code)

    def _explain(self, error: BaseException, ctx: click.Context) -> tuple[str, int]:
        """Message and exit code for an error that ends a command."""
        from tradeoff.errors import TradeoffError

        if isinstance(error, TradeoffError):
            return _as_flags(_with_original_names(str(error))), INPUT_ERROR
        if isinstance(error, KeyboardInterrupt):
            return "stopped; nothing was written.", INTERRUPTED
        if isinstance(error, MemoryError):
            return self._memory_advice(ctx), INPUT_ERROR
        if isinstance(error, OSError) and error.strerror is not None:
            from tradeoff.formatting import printable

            path = "" if error.filename is None else f"{printable(str(error.filename))}: "
            return f"{path}{error.strerror}.", INPUT_ERROR
        return _explain_internal_error(error), INTERNAL_ERROR

    def _memory_advice(self, ctx: click.Context) -> str:
        """Sentence for a command that ran out of memory, with options that need less of it."""
        name = ctx.invoked_subcommand or ""
        command = self.get_command(ctx, name)
        options = {str(parameter.name) for parameter in command.params} if command else set()
        advice = [
            text
            for option, text in (
                ("memory", "--memory 1GB reads the rows in batches"),
                ("bins", "--bins 10000 keeps fewer thresholds"),
            )
            if option in options
        ]
        remedy = f": {', and '.join(advice)}" if advice else ": evaluate fewer rows at a time"
        return f"{name} ran out of memory{remedy}."

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; `help` and `help COMMAND` are short for --help."""
        if args[:1] == ["help"] and not _is_file("help"):
            args = [*args[1:2], "--help"]
        arguments = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as problem:
            from tradeoff.overview.overview import command_line

            name = problem.option_name
            message = (
                f"No such option {name!r}. Options follow a command: "
                f"{command_line(['tradeoff', 'evaluate', *arguments])}"
            )
            if name == "-v":
                message = f"No such option {name!r}. Did you mean '--version'?"
            raise click.NoSuchOption(name, message, ctx=ctx) from problem

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a file is looked at, and an unknown word suggests near ones."""
        if args and args[0] not in COMMANDS:
            if _is_file(args[0]):
                return super().resolve_command(ctx, ["look", *args])
            if not args[0].startswith("-"):
                raise click.UsageError(_unknown_command_message(args[0], args[1:]), ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete the name of a command, without importing any, or else that of a file."""
        from click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        commands = [
            CompletionItem(name, help=purpose)
            for name, (_, purpose) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return commands or [CompletionItem(incomplete, type="file")]

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Names of the commands, in the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command on demand, to keep `tradeoff --help` fast."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"tradeoff.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, purpose) for name, (_, purpose) in COMMANDS.items()])
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), meaning) for code, meaning in EXIT_CODES.items()])


def _replace_characters_that_terminals_lack() -> None:
    """Make output streams write ASCII for characters that their encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # cp1252 and ASCII terminals have no ≥
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            encoding = "plain_ascii" if is_ascii else stream.encoding
            stream.reconfigure(encoding=encoding, errors="plain")


def _explain_internal_error(error: BaseException) -> str:
    """Message for an error that no input should cause, which says how to report it."""
    from tradeoff.formatting import printable

    if os.environ.get(DEBUG_VARIABLE, "0") in {"", "0"}:
        advice = (
            f"{DEBUG_VARIABLE}=1 shows where; please report it with that output at {ISSUES_URL}"
        )
    else:
        from traceback import print_exception

        print_exception(error)
        advice = f"Please report it with these lines at {ISSUES_URL}"
    reason = printable(" ".join(str(error).split()), MAX_REASON_LENGTH).rstrip(".")
    kind = type(error).__name__
    return f"internal error ({kind}{f': {reason}' if reason else ''}). {advice}"


def _discard_output() -> None:
    """Send all further output nowhere, so that closing a broken pipe is no error either."""
    for stream in (sys.stdout, sys.stderr):
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
        except (OSError, ValueError):  # not a file, or closed
            continue


def _is_file(word: str) -> bool:
    """Whether a word that is not a command names files, or standard input."""
    if word == "-" or os.path.exists(word):  # noqa: PTH110 - pathlib is slow to import
        return True
    import glob

    return glob.has_magic(word) and bool(glob.glob(word))  # noqa: PTH207


def _unknown_command_message(word: str, arguments: list[str]) -> str:
    """Message that a word is neither a command nor a file, with commands or else files like it."""
    from pathlib import Path

    from tradeoff.cli.option_synonyms import COMMAND_SYNONYMS
    from tradeoff.errors import did_you_mean
    from tradeoff.overview.overview import command_line

    if synonym := COMMAND_SYNONYMS.get(word.casefold()):
        command = command_line(["tradeoff", *synonym.split(), *arguments])
        return f"No such command or file {word!r}. Did you mean {synonym!r}? In full: {command}"
    purposes = {name: purpose for name, (_, purpose) in COMMANDS.items()}
    path = Path(word)
    looks_like_file = bool(path.suffix) or path.name != word
    suggestion = "" if looks_like_file else did_you_mean(word, COMMANDS, purposes)
    if not suggestion:
        from tradeoff.files.missing_files import similar_files

        suggestion = similar_files(word)
    return f"No such command or file {word!r}.{suggestion}"


def _with_original_names(message: str) -> str:
    """A message with the names of files instead of those of their temporary copies, if any."""
    encoding = sys.modules.get("tradeoff.sources.text_encoding")
    return message if encoding is None else str(encoding.with_original_names(message))


def _interrupt_on_sigterm() -> None:
    """Treat SIGTERM like Ctrl-C, so that temporary files are removed."""
    import signal

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)


@click.group(
    cls=Program,
    subcommand_metavar="FILE | COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(None, "--version", "-V", package_name="tradeoff")
def main() -> None:
    """Evaluate classifiers and decide where to put the line."""


def _as_point_flags(match: re.Match[str]) -> str:
    """Thresholds of an argument `at` as flags: {'a': …, 'b': …} is --at a=… --at b=…."""
    from shlex import quote

    names = re.findall(r"""(?:'(.*?)'|"(.*?)"): …""", match[1])
    if not names:
        return f"--at threshold={match[1]}"
    models = (quote(single or double) for single, double in names)
    return " ".join(f"--at {model}=…" for model in models)


def _as_flag(match: re.Match[str]) -> str:
    """An argument of text as a flag, quoted if a shell would split it."""
    from shlex import quote

    value = quote(match[3]) if " " in match[3] else match[3]
    return f"--{match[1].replace('_', '-')} {value}"


def _as_flags(message: str) -> str:
    """Rewrite Python arguments in a message as flags: positive='yes' is --positive yes."""
    from tradeoff.cli.options import COST_FLAGS

    options = "positive|missing|by|metric|bad_rows|delimiter|encoding|decimal|sheet"
    argument = rf"""\b({options})=(["'])(.*?)\2"""
    message = re.sub(argument, _as_flag, message)
    message = message.replace("bands=None", "--band none")
    message = message.replace("`Ranking.save` writes", "`tradeoff rank` writes")
    limit = r"\bat_(least|most)=\{'(.*?)': (.*?)\}"
    message = re.sub(limit, r"--at-\1 \2=\3", message)
    message = message.replace("Give threshold=…", "Give --threshold …")
    message = re.sub(r"at=\(\"threshold\", (…|\{.*?: …\})\)", _as_point_flags, message)
    return re.sub(r"`(\w+)`", lambda match: COST_FLAGS.get(match[1], match[0]), message)


if COMPLETION_VARIABLE in os.environ:  # the shell asks for completions
    from tradeoff.cli.shells import register_shells

    register_shells()
