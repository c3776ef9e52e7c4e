"""Command `tradeoff gate`: test a candidate against a baseline and requirements; exit code."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import InputPath, ListOption, command
from tradeoff.cli.emit import emit, output_path
from tradeoff.cli.exit_codes import INCONCLUSIVE, NEGATIVE_VERDICT, SUCCESS, VERDICT_KEY
from tradeoff.cli.inferred_columns import complete_gate
from tradeoff.cli.numbers import notation_problem, number_spelling
from tradeoff.cli.options import (
    cluster_option,
    costs_options,
    format_option,
    level_option,
    operating_point,
    point_option,
    pop_costs,
    pop_wording,
    prevalence_option,
    replicates_option,
    rows_options,
    seed_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import has_source, read_comparison, read_source
from tradeoff.cli.suggestions import Suggestion, emit_suggestions

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.core.ranked_models import RankedModels
    from tradeoff.gates.gate import ModelOrigin
    from tradeoff.uncertainty.confidence import Confidence

SUGGESTIONS = (
    Suggestion("tolerated loss", "--margin 0.02"),
    Suggestion("require a gain", "--superior"),
    Suggestion("other metrics", "--metric average_precision"),
    Suggestion("limits", "--at-least auc=0.8", unless=("--at-most",)),
)
REQUIREMENTS_SUGGESTIONS = (
    Suggestion("against another model", "--baseline COLUMN"),
    Suggestion("on the value alone", "--test-on value"),
)
EXIT_CODES = {"pass": SUCCESS, "fail": NEGATIVE_VERDICT, "inconclusive": INCONCLUSIVE}
"""Exit codes by verdict."""
RELATIONS = {"--at-least": ">=|>|≥|:", "--at-most": "<=|<|≤|:"}
"""Signs that are typed for the = of a limit, where they mean the same."""

EXAMPLES = """\b
Exit codes: 0 pass, 1 fail, 3 inconclusive (the worst of several tests).
Exit codes without a verdict: 2 invalid input, 70 internal error, 130 Ctrl-C.
\b
Examples:
  tradeoff gate --baseline old.parquet --candidate new.parquet --on id --actual y --score p
  tradeoff gate rows.csv --actual y --score old --score new --metric auc --metric brier
  tradeoff gate rows.csv --actual y --score old --score new --superior --margin 0.02
  tradeoff gate rows.csv --actual y --score p --at-least auc=0.8 --at-most brier=0.1
"""


class Limit(click.ParamType):  # type: ignore[type-arg]
    """Limit that a gate sets for a metric: auc=0.8."""

    name = "limit"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, float]:
        """Parse a limit into the name of a metric and a number."""
        relation = RELATIONS.get(max(param.opts, key=len)) if param is not None else None
        typed = re.sub(rf"\s*({relation})\s*", "=", str(value)) if relation else str(value)
        metric, sign, text = typed.rpartition("=")
        try:
            limit = float(text)
        except ValueError:
            if sign and number_spelling(text):
                flag = max(param.opts, key=len)
                self.fail(f"{notation_problem(text, f'{flag} {metric}=')}.", param, ctx)
            sign = ""
        if not (sign and math.isfinite(limit)):
            self.fail(f"Write a limit as auc=0.8 or brier=0.1, not {value!r}.", param, ctx)
        return metric.strip(), limit


@command(epilog=EXAMPLES, infers_columns=False, max_models=2)
@rows_options()
@click.option(
    "--baseline",
    type=InputPath(),
    metavar="FILE|COLUMN",
    help="File of the baseline model; with FILE, its score column there.",
)
@click.option(
    "--candidate",
    type=InputPath(),
    metavar="FILE|COLUMN",
    help="File of the candidate model; with FILE, its score column there.",
)
@click.option(
    "--on",
    metavar="COLUMN",
    help="ID column on which the two files are joined; inferred if --actual or --score is.",
)
@click.option(
    "--candidate-score",
    metavar="COLUMN",
    help="Score column of the candidate, if it has another name.",
)
@cluster_option
@click.option(
    "--metric",
    "metrics",
    cls=ListOption,
    multiple=True,
    metavar="NAME",
    help="A threshold-free measure (such as auc), a metric at a threshold (see --at), or cost; "
    "a,b for several.  [default: auc]",
)
@point_option
@click.option(
    "--margin",
    type=click.FloatRange(min=0),
    help="How much worse the candidate may be; with --superior, how much better it must be.  "
    "[default: 0.01, or 0 with --superior]",
)
@click.option("--superior", is_flag=True, help="Require superiority, not just non-inferiority.")
@click.option(
    "--at-least",
    type=Limit(),
    multiple=True,
    metavar="METRIC=LIMIT",
    help="The candidate's metric must be at least this, as in auc=0.8; repeat it for several. "
    "No baseline is needed.",
)
@click.option(
    "--at-most",
    type=Limit(),
    multiple=True,
    metavar="METRIC=LIMIT",
    help="The candidate's metric must be at most this, as in brier=0.1; repeat it for several.",
)
@click.option(
    "--test-on",
    type=click.Choice(["interval", "value"]),
    default="interval",
    show_default=True,
    help="Whether the whole confidence interval must keep the limits, or only the value.",
)
@costs_options
@prevalence_option
@level_option
@replicates_option
@seed_option
@format_option("text", "json", "markdown", "csv", "junit")
def gate_command(  # noqa: PLR0913 - one parameter per option
    *,
    metrics: tuple[str, ...],
    at: tuple[tuple[str, float], ...],
    margin: float | None,
    superior: bool,
    at_least: tuple[tuple[str, float], ...],
    at_most: tuple[tuple[str, float], ...],
    test_on: Any,
    prevalence: float | None,
    level: float,
    replicates: int,
    seed: int,
    output_format: str,
    **source: Any,
) -> None:
    """Test whether a candidate may replace a baseline: pass, fail or inconclusive.

    It passes if the whole confidence interval of its difference from the baseline, on the rows that
    both scored, is within the margin, and fails if the whole interval is beyond it. FILE holds the
    scores of both models (--score a,b, the baseline first), or each model has its own file.

    With --at-least and --at-most, metrics of the candidate must also keep limits; with one model
    alone, these are all that is tested. Which score is the baseline's is inferred only from words
    such as old and new in their names.
    """
    from tradeoff.gates.gate import gate_comparison, gate_model
    from tradeoff.gates.requirement import GateConditions
    from tradeoff.uncertainty.confidence import Confidence

    conditions = GateConditions(
        _limits_by_metric("--at-least", at_least),
        _limits_by_metric("--at-most", at_most),
        test_on,
        costs=pop_costs(source),
        prevalence=prevalence,
    )
    metrics = tuple(dict.fromkeys(metrics))
    context = click.get_current_context()
    _move_columns_to_scores(source)
    context.params["scores"] = source["scores"]  # suggested commands do not name them again
    has_baseline = not (at_least or at_most) or _names_two_models(source)
    complete_gate(context, source, has_limits_only=not has_baseline)
    with progress_bar("Bootstrap resamples") as progress:
        confidence = Confidence(level, None, replicates, seed, progress=progress)
        if has_baseline:
            comparison, origins = _read_models(source, confidence)
            conditions = replace(conditions, at=operating_point(at, comparison.models))
            gates = gate_comparison(
                comparison, metrics or ("auc",), conditions, margin=margin, superior=superior
            )
            gates = replace(gates, origins=origins)
        else:
            if metrics or margin is not None or superior:
                raise click.UsageError(
                    "--metric, --margin and --superior compare with a baseline: name it first, as "
                    "in --score a,b, or leave them out."
                )
            models = _read_candidate(source)
            conditions = replace(conditions, at=operating_point(at, list(models.rankings)))
            gates = gate_model(models, conditions, confidence)
    exit_code = EXIT_CODES[gates.verdict]
    context.meta[VERDICT_KEY] = exit_code  # valid even if nobody reads the output
    if output_path() is not None:  # the verdicts are still printed
        for part in gates.parts:
            click.echo(part.sentence)
    emit(gates, output_format)
    if output_format == "text" and output_path() is None:
        click.echo(f"\nExit code {exit_code}.")
        suggestions = SUGGESTIONS if has_baseline else REQUIREMENTS_SUGGESTIONS
        emit_suggestions(output_format, *suggestions)
    context.exit(exit_code)


def _limits_by_metric(flag: str, limits: tuple[tuple[str, float], ...]) -> dict[str, float]:
    """Limits by metric; two for one metric are a usage error."""
    metrics = [metric for metric, _ in limits]
    for metric in metrics:
        if metrics.count(metric) > 1:
            raise click.UsageError(f"{flag} names {metric} twice: give one limit.")
    return dict(limits)


def _move_columns_to_scores(source: dict[str, Any]) -> None:
    """With FILE, --baseline and --candidate name its score columns: the baseline's comes first."""
    names = ("baseline", "candidate")
    values = {name: source[name] for name in names if source[name] is not None}
    if not values or not has_source(source):
        return
    columns = {name: str(getattr(value, "path", value)) for name, value in values.items()}
    files = [name for name, column in columns.items() if Path(column).exists()]
    if files or source["on"] is not None:
        raise click.UsageError(
            "Give FILE, or a file for each model with --baseline and --candidate, not both. With "
            "FILE, they name its score columns."
        )
    scores = [
        *source["scores"],
        *([source["candidate_score"]] if source["candidate_score"] else []),
    ]
    baseline, candidate = (columns.get(name) for name in names)
    scores = [name for name in (baseline, *scores, candidate) if name is not None]
    source |= {"scores": tuple(scores), "baseline": None, "candidate": None}
    source["candidate_score"] = None


def _names_two_models(source: dict[str, Any]) -> bool:
    """Whether a baseline is named: by a second score, or as a file."""
    return source["baseline"] is not None or (
        len(source["scores"]) + (source["candidate_score"] is not None) > 1
    )


def _read_candidate(source: dict[str, Any]) -> RankedModels:
    """Ranking of the only model that is named, in FILE or as --candidate."""
    candidate, candidate_score = source.pop("candidate"), source.pop("candidate_score")
    del source["baseline"]
    if source.pop("on") is not None:
        raise click.UsageError("--on joins two files: leave it out, or name --baseline.")
    if candidate is not None:
        if has_source(source):
            raise click.UsageError("Give FILE or --candidate, not both.")
        source["file"] = candidate
    if candidate_score is not None:
        source["scores"] = (candidate_score,)
    return read_source(**source).models


def _read_models(
    source: dict[str, Any], confidence: Confidence
) -> tuple[Comparison, tuple[ModelOrigin, ...]]:
    """Comparison of baseline and candidate on the rows that both scored, and their files."""
    from tradeoff.gates.gate import compare_gate_tables, model_origins
    from tradeoff.sources.row_policy import RowPolicy

    files = {name: source.pop(name) for name in ("baseline", "candidate")}
    join_column, candidate_score = source.pop("on"), source.pop("candidate_score")
    scores = [*source.pop("scores"), *([candidate_score] if candidate_score is not None else [])]
    if None in files.values() and not has_source(source):
        raise click.UsageError("Name a FILE with both models, or --baseline and --candidate.")
    if has_source(source):
        if join_column is not None:
            raise click.UsageError("--on is for two files, --baseline and --candidate.")
        if len(scores) != 2 or scores[0] == scores[1]:
            raise click.UsageError(
                "Name two columns of FILE: --score a,b, the baseline first; or, for one model, a "
                "limit, as in --at-least auc=0.8."
            )
        return read_comparison(confidence, scores=scores, **source), ()
    if len(scores) > 2:
        raise click.UsageError("Two models need two score columns: --score and --candidate-score.")
    for name in ("file", "query", "table"):
        del source[name]
    comparison = compare_gate_tables(
        **files,
        actual=source.pop("actual"),
        score=scores[0],
        candidate_score=scores[-1],
        on=join_column,
        weight=source.pop("weight"),
        cluster=source.pop("cluster"),
        policy=RowPolicy(wording=pop_wording(source), **source),
        confidence=confidence,
    )
    return comparison, model_origins(tuple(files.values()), (scores[0], scores[-1]))
