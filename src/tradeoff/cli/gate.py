"""`tradeoff gate`: may a candidate replace a baseline? An exit code for pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import InputPath, OutputPath, command
from tradeoff.cli.compare import Point
from tradeoff.cli.emit import emit, written
from tradeoff.cli.options import (
    cluster_option,
    costs_of,
    costs_options,
    format_option,
    level_option,
    prevalence_option,
    reading,
    replicates_option,
    seed_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import has_source, read_comparison

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.gates.gate import Gates
    from tradeoff.uncertainty.confidence import Confidence

EXIT_CODES = {"pass": 0, "fail": 1, "inconclusive": 3}
"""2 is left for wrong input."""

EXAMPLES = """\b
Exit codes: 0 pass, 1 fail, 3 inconclusive (of several metrics the worst), 2 wrong input.
\b
Examples:
  tradeoff gate --baseline old.parquet --candidate new.parquet --on id --actual y --score p
  tradeoff gate rows.csv --actual y --score old --score new --metric auc --metric brier
  tradeoff gate rows.csv --actual y --score old --score new --superior --margin 0.02
"""


@command(epilog=EXAMPLES)
@reading()
@click.option("--baseline", type=InputPath(), help="The file of the old model, instead of FILE.")
@click.option("--candidate", type=InputPath(), help="The file of the new model.")
@click.option("--on", metavar="COLUMN", help="The ids by which the rows of both files are joined.")
@click.option("--candidate-score", metavar="COLUMN", help="The candidate's score, if named apart.")
@cluster_option
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="A summary, a metric (see --at), or cost; repeat it for several.  [default: auc]",
)
@click.option(
    "--at",
    type=Point(),
    metavar="WHERE=VALUE",
    help="Where to look at a metric: threshold=0.5, or another metric's value, fpr=0.1.",
)
@click.option(
    "--margin",
    type=click.FloatRange(min=0),
    help="How much worse the candidate may be; with --superior, how much better it must be.  "
    "[default: 0.01, or 0 with --superior]",
)
@click.option("--superior", is_flag=True, help="The candidate must be better, not only as good.")
@costs_options
@prevalence_option
@level_option
@replicates_option
@seed_option
@click.option("--output", type=OutputPath(), help="Write to this file, and say the verdict only.")
@format_option("text", "json", "markdown", "junit")
def gate(  # noqa: PLR0913 - one parameter an option
    *,
    metrics: tuple[str, ...],
    at: tuple[str, float] | None,
    margin: float | None,
    superior: bool,
    prevalence: float | None,
    level: float,
    replicates: int,
    seed: int,
    output: str | None,
    form: str,
    **source: Any,
) -> None:
    """May a candidate replace a baseline? Pass, fail or inconclusive, for pipelines.

    It passes if the whole interval of its difference from the baseline, on the rows that both
    scored, is not worse than the margin; it fails if the whole interval is. FILE has both models
    (--score twice, the baseline first), or each has a file.
    """
    from tradeoff.gates.gate import judged
    from tradeoff.uncertainty.confidence import Confidence

    costs = costs_of(source)
    metrics = tuple(dict.fromkeys(metrics)) or ("auc",)
    with progress_bar("Bootstrap resamples") as told:
        confidence = Confidence(level, None, replicates, seed, progress=told)
        asked = {"at": at, "prevalence": prevalence, "costs": costs}
        comparison = _comparison(source, confidence)
        found = judged(comparison, metrics, margin=margin, superior=superior, asked=asked)
    _tell(found, form, output)
    click.get_current_context().exit(EXIT_CODES[found.verdict])


def _comparison(source: dict[str, Any], confidence: Confidence) -> Comparison:
    """Baseline first, candidate second, on the rows that both scored."""
    from tradeoff.gates.gate import joined_comparison

    files = {name: source.pop(name) for name in ("baseline", "candidate")}
    on, second = source.pop("on"), source.pop("candidate_score")
    scores = [*source.pop("scores"), *([second] if second is not None else [])]
    if not scores or source["actual"] is None:
        raise click.UsageError(
            "Say which columns hold the actual class and the score: --actual, --score."
        )
    if has_source(source):
        if on is not None or any(files.values()):
            raise click.UsageError(
                "--baseline, --candidate and --on are for two files: leave out FILE."
            )
        if len(scores) != 2 or scores[0] == scores[1]:
            raise click.UsageError("Name two columns of FILE: --score twice, the baseline first.")
        return read_comparison(confidence, scores=scores, **source)
    if None in files.values():
        raise click.UsageError("Name a FILE with both models, or --baseline and --candidate.")
    if len(scores) > 2:
        raise click.UsageError("Two models have two scores: --score, and --candidate-score.")
    for name in ("file", "query", "table"):
        del source[name]
    named = {"actual": source.pop("actual"), "on": on}
    named |= {"score": scores[0], "candidate_score": scores[-1]}
    return joined_comparison(**files, named=named, confidence=confidence, **source)


def _tell(gates: Gates, form: str, output: str | None) -> None:
    """Print the result; with a file, write it there and print the verdicts."""
    if output is None:
        emit(gates, form)
        return
    from tradeoff.files import write_atomically

    text = written(gates, form)
    write_atomically(output, lambda file: file.write(f"{text}\n".encode()))
    for gate in gates.gates:
        click.echo(gate.sentence)
    click.echo(f"Wrote {output}.")
