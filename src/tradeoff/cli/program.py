"""The `tradeoff` program: its commands, error messages and exit codes."""

from __future__ import annotations

import codecs
import glob
import io
import re
import shlex
import signal
import sys
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from tradeoff.errors import TradeoffError

COMMANDS = {
    "demo": ("demo", "Evaluate bundled weather predictions."),
    "look": ("look", "Look at a file: columns and their roles (tradeoff FILE)."),
    "evaluate": ("evaluate", "Evaluate models: confusion matrix, metrics and AUC."),
    "compare": ("compare", "Compare models: which is better, and by how much."),
    "crossval": ("crossval", "Cross-validate models on a table."),
    "check": ("check", "Check rows for problems before evaluating them."),
    "report": ("report", "Write an offline HTML report with a movable threshold."),
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
    "matrix": ("reference", 'Compute metrics from a confusion matrix such as "7 2; 4 1".'),
    "metrics": ("reference", "List all metrics with their formulas and aliases."),
    "compat": ("compat", "Compare with the numbers of other tools."),
    "validate": ("validate", "Recompute published and certified values."),
    "datasets": ("datasets", "List or write the example data sets of the documentation."),
    "explain": ("reference", "Explain a metric, with its value for a file."),
    "schema": ("reference", "Print the JSON Schema of an output document."),
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
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # cp1252 and ASCII terminals have no ≥
                is_ascii = codecs.lookup(stream.encoding).name == "ascii"
                encoding = "plain_ascii" if is_ascii else stream.encoding
                stream.reconfigure(encoding=encoding, errors="plain")
        try:
            _interrupt_on_sigterm()
            return super().invoke(ctx)
        except TradeoffError as error:
            click.echo(f"tradeoff: {_as_flags(_with_original_names(str(error)))}", err=True)
            sys.exit(2)
        except KeyboardInterrupt:
            click.echo("tradeoff: stopped; nothing was written.", err=True)
            sys.exit(130)
        except BrokenPipeError:
            sys.stderr.close()  # such as `| head`
            sys.exit(0)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a file is looked at, and an unknown word suggests near ones."""
        if args and args[0] not in COMMANDS:
            if _is_file(args[0]):
                return super().resolve_command(ctx, ["look", *args])
            if not args[0].startswith("-"):
                raise click.UsageError(_unknown_command_message(args[0]), ctx)
        return super().resolve_command(ctx, args)

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


def _is_file(word: str) -> bool:
    """Whether a word that is not a command names files, or standard input."""
    return word == "-" or Path(word).exists() or (glob.has_magic(word) and bool(glob.glob(word)))  # noqa: PTH207


def _unknown_command_message(word: str) -> str:
    """Message that a word is neither a command nor a file, with commands or else files like it."""
    from tradeoff.errors import did_you_mean

    purposes = {name: purpose for name, (_, purpose) in COMMANDS.items()}
    path = Path(word)
    looks_like_file = bool(path.suffix) or path.name != word
    suggestion = "" if looks_like_file else did_you_mean(word, COMMANDS, purposes)
    if not suggestion and path.parent.is_dir():
        folder = "" if path.name == word else f"{path.parent}/"
        files = [f"{folder}{file.name}" for file in path.parent.iterdir() if file.is_file()]
        suggestion = did_you_mean(word, files)
    return f"No such command or file {word!r}.{suggestion}"


def _with_original_names(message: str) -> str:
    """A message with the names of files instead of those of their temporary copies, if any."""
    encoding = sys.modules.get("tradeoff.sources.text_encoding")
    return message if encoding is None else str(encoding.with_original_names(message))


def _interrupt_on_sigterm() -> None:
    """Treat SIGTERM like Ctrl-C, so that temporary files are removed."""

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)


@click.group(
    cls=Program,
    subcommand_metavar="FILE | COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="tradeoff")
def main() -> None:
    """Evaluate classifiers and decide where to put the line."""


def _as_point_flags(match: re.Match[str]) -> str:
    """Thresholds of an argument `at` as flags: {'a': …, 'b': …} is --at a=… --at b=…."""
    names = re.findall(r"""(?:'(.*?)'|"(.*?)"): …""", match[1])
    if not names:
        return f"--at threshold={match[1]}"
    models = (shlex.quote(single or double) for single, double in names)
    return " ".join(f"--at {model}=…" for model in models)


def _as_flags(message: str) -> str:
    """Rewrite Python arguments in a message as flags: positive='yes' is --positive yes."""
    from tradeoff.cli.options import COST_FLAGS

    options = "positive|missing|by|metric|bad_rows|delimiter|encoding|decimal|sheet"
    argument = rf"""\b({options})=(["'])(.*?)\2"""
    message = re.sub(argument, lambda match: f"--{match[1].replace('_', '-')} {match[3]}", message)
    message = message.replace("bands=None", "--band none")
    message = message.replace("Give threshold=…", "Give --threshold …")
    message = re.sub(r"at=\(\"threshold\", (.*?)\)", _as_point_flags, message)
    return re.sub(r"`(\w+)`", lambda match: COST_FLAGS.get(match[1], match[0]), message)
