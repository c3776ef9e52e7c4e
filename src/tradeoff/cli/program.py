"""The program itself: its commands, and how it ends."""

from __future__ import annotations

import io
import re
import signal
import sys
import threading
from importlib import import_module
from typing import Any

import click

from tradeoff.errors import TradeoffError

COMMANDS = {
    "demo": ("demo", "Evaluate the bundled weather predictions."),
    "evaluate": ("evaluate", "Confusion matrix, metrics and areas of one or more models."),
    "compare": ("compare", "Which model is better, by how much, and how sure that is."),
    "crossval": ("crossval", "Cross-validate models on a table, by their names."),
    "check": ("check", "Whether rows can be trusted before anything is made of them."),
    "report": ("report", "One offline HTML file in which you move the line."),
    "plot": ("plot", "A chart, in the terminal or as PNG, SVG or PDF."),
    "segments": ("segments", "What a model is worth in each segment, and the gaps."),
    "rank": ("rank", "Rank rows once and keep counts, to share without rows."),
    "merge": ("rank", "One ranking of many: shards, hospitals, days."),
    "sql": ("sql", "The query that makes a ranking in your own database."),
    "gate": ("gate", "May a candidate replace a baseline? An exit code for pipelines."),
    "curve": ("curve", "One line a threshold (or point): counts and two metrics."),
    "threshold": ("threshold", "Where to put the line, and how sure one may be of it."),
    "hull": ("hull", "Which model and threshold is best where."),
    "calibration": ("calibration", "Whether scores are honest probabilities; how to correct them."),
    "classes": ("classes", "Classifiers of more than two classes."),
    "power": ("power", "How many rows are needed, and what so many rows can show."),
    "matrix": ("reference", 'Metrics of a confusion matrix such as "7 2; 4 1".'),
    "metrics": ("reference", "All metrics and summaries with their formulas and other names."),
    "compat": ("compat", "What other tools say of the same rows, and why it differs."),
    "validate": ("validate", "Recompute published numbers; count digits of certified ones."),
    "explain": ("reference", "What a measure means, with the counts filled in."),
    "schema": ("reference", "The JSON Schema of a kind of document."),
}
"""Where each command lives, and what it is for."""


class Program(click.Group):
    """Commands whose mistakes in input end with one sentence and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an expected error is a sentence, never a traceback."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # a terminal that has no ≥ gets an escape
                stream.reconfigure(errors="backslashreplace")
        try:
            _stop_at_once()
            return super().invoke(ctx)
        except TradeoffError as problem:
            click.echo(f"tradeoff: {_as_flags(str(problem))}", err=True)
            sys.exit(2)
        except KeyboardInterrupt:
            click.echo("tradeoff: stopped; nothing was written.", err=True)
            sys.exit(130)
        except BrokenPipeError:
            sys.stderr.close()  # the reader of our output has seen enough
            sys.exit(0)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Commands in the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """A command, imported when it is needed: `tradeoff --help` must answer at once."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"tradeoff.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, purpose) for name, (_, purpose) in COMMANDS.items()])


def _stop_at_once() -> None:
    """A request to end is like Ctrl-C: whatever waits on disk is removed first."""

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tradeoff")
def main() -> None:
    """Judge classifiers and decide where to put the line."""


def _as_flags(message: str) -> str:
    """The library's advice in the words of the command line: positive='yes' is --positive yes."""
    from tradeoff.cli.options import COST_FLAGS

    said = r"""\b(positive|missing|by|metric|bad_rows)=(["'])(.*?)\2"""
    message = re.sub(said, lambda found: f"--{found[1].replace('_', '-')} {found[3]}", message)
    return re.sub(r"`(\w+)`", lambda found: COST_FLAGS.get(found[1], found[0]), message)
