"""Command `tradeoff gate`: test whether a candidate may replace a baseline, with an exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import InputPath, OutputPath, command
from tradeoff.cli.emit import emit, emit_hint, format_result
from tradeoff.cli.options import (
    cluster_option,
    costs_options,
    format_option,
    level_option,
    operating_point,
    point_option,
    pop_costs,
    prevalence_option,
    replicates_option,
    rows_options,
    seed_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import has_source, read_comparison

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.gates.gate import Gates
    from tradeoff.uncertainty.confidence import Confidence

HINT = "Tolerated loss: --margin 0.02 · require a gain: --superior · other metrics: --metric NAME"
EXIT_CODES = {"pass": 0, "fail": 1, "inconclusive": 3}
"""Exit codes by verdict; 2 means invalid input."""

EXAMPLES = """\b
Exit codes: 0 pass, 1 fail, 3 inconclusive (the worst of several metrics), 2 invalid input.
\b
Examples:
  tradeoff gate --baseline old.parquet --candidate new.parquet --on id --actual y --score p
  tradeoff gate rows.csv --actual y --score old --score new --metric auc --metric brier
  tradeoff gate rows.csv --actual y --score old --score new --superior --margin 0.02
"""


@command(epilog=EXAMPLES, infers_columns=False)
@rows_options(infers_columns=False)
@click.option("--baseline", type=InputPath(), help="File of the baseline model, instead of FILE.")
@click.option("--candidate", type=InputPath(), help="File of the candidate model.")
@click.option("--on", metavar="COLUMN", help="ID column on which the two files are joined.")
@click.option(
    "--candidate-score",
    metavar="COLUMN",
    help="Score column of the candidate, if it has another name.",
)
@cluster_option
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="A threshold-free measure (such as auc), a metric at a threshold (see --at), or cost; "
    "repeat it for several.  [default: auc]",
)
@point_option
@click.option(
    "--margin",
    type=click.FloatRange(min=0),
    help="How much worse the candidate may be; with --superior, how much better it must be.  "
    "[default: 0.01, or 0 with --superior]",
)
@click.option("--superior", is_flag=True, help="Require superiority, not just non-inferiority.")
@costs_options
@prevalence_option
@level_option
@replicates_option
@seed_option
@click.option(
    "--output", type=OutputPath(), help="Write the result to this file and print only the verdict."
)
@format_option("text", "json", "markdown", "csv", "junit")
def gate_command(  # noqa: PLR0913 - one parameter per option
    *,
    metrics: tuple[str, ...],
    at: tuple[tuple[str, float], ...],
    margin: float | None,
    superior: bool,
    prevalence: float | None,
    level: float,
    replicates: int,
    seed: int,
    output: str | None,
    output_format: str,
    **source: Any,
) -> None:
    """Test whether a candidate may replace a baseline: pass, fail or inconclusive.

    It passes if the whole confidence interval of its difference from the baseline, on the rows that
    both scored, is within the margin, and fails if the whole interval is beyond it. FILE holds the
    scores of both models (--score twice, the baseline first), or each model has its own file.
    """
    from tradeoff.gates.gate import gate_comparison
    from tradeoff.uncertainty.confidence import Confidence

    costs = pop_costs(source)
    metrics = tuple(dict.fromkeys(metrics)) or ("auc",)
    with progress_bar("Bootstrap resamples") as progress:
        confidence = Confidence(level, None, replicates, seed, progress=progress)
        comparison = _read_models(source, confidence)
        gates = gate_comparison(
            comparison,
            metrics,
            at=operating_point(at, comparison.models),
            margin=margin,
            superior=superior,
            costs=costs,
            prevalence=prevalence,
        )
    exit_code = EXIT_CODES[gates.verdict]
    _print_gates(gates, output_format, output)
    if output_format == "text" and output is None:
        click.echo(f"\nExit code {exit_code}.")
        emit_hint(HINT)
    click.get_current_context().exit(exit_code)


def _read_models(source: dict[str, Any], confidence: Confidence) -> Comparison:
    """Comparison of baseline and candidate on the rows that both scored."""
    from tradeoff.gates.gate import compare_gate_tables
    from tradeoff.sources.row_rules import RowPolicy

    files = {name: source.pop(name) for name in ("baseline", "candidate")}
    join_column, candidate_score = source.pop("on"), source.pop("candidate_score")
    scores = [*source.pop("scores"), *([candidate_score] if candidate_score is not None else [])]
    if not scores or source["actual"] is None:
        raise click.UsageError(
            "Name the columns of the actual class and the score: --actual, --score."
        )
    if has_source(source):
        if join_column is not None or any(files.values()):
            raise click.UsageError(
                "--baseline, --candidate and --on are for two files: leave out FILE."
            )
        if len(scores) != 2 or scores[0] == scores[1]:
            raise click.UsageError("Name two columns of FILE: --score twice, the baseline first.")
        return read_comparison(confidence, scores=scores, **source)
    if None in files.values():
        raise click.UsageError("Name a FILE with both models, or --baseline and --candidate.")
    if len(scores) > 2:
        raise click.UsageError("Two models need two score columns: --score and --candidate-score.")
    for name in ("file", "query", "table"):
        del source[name]
    return compare_gate_tables(
        **files,
        actual=source.pop("actual"),
        score=scores[0],
        candidate_score=scores[-1],
        on=join_column,
        weight=source.pop("weight"),
        cluster=source.pop("cluster"),
        policy=RowPolicy(**source),
        confidence=confidence,
    )


def _print_gates(gates: Gates, output_format: str, output: str | None) -> None:
    """Print the gates, or write them to a file and print only the verdicts."""
    if output is None:
        emit(gates, output_format)
        return
    from tradeoff.files import write_atomically

    text = format_result(gates, output_format)
    write_atomically(output, lambda file: file.write(f"{text}\n".encode()))
    for gate in gates.gates:
        click.echo(gate.sentence)
    click.echo(f"Wrote {output}.")
