"""`tradeoff matrix`: metrics of a confusion matrix."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import command, option_group
from tradeoff.cli.emit import emit
from tradeoff.cli.options import (
    all_option,
    confidence_options,
    costs_options,
    format_option,
    pop_confidence,
    pop_costs,
    pop_wording,
    unit_option,
    vocabulary_option,
)
from tradeoff.cli.suggestions import Suggestion, emit_suggestions

if TYPE_CHECKING:
    from tradeoff.core.costs import Costs
    from tradeoff.render.sections import Section

SUGGESTIONS = (Suggestion("all metrics", "--all"), Suggestion("level", "--level 0.9"))


@command(
    examples=[
        '"7 2; 4 1" --classes yes,no',
        "7 2 4 1",
        "--tp 7 --fp 4 --fn 2 --tn 1",
        '"50 3 2; 4 60 1; 0 5 40" --all',
        '"207 112; 600 2003" --cost-contact 5 --value 30 --unit customers',
        '"10 40; 30 20" --joint --rows classes --classes +,-',
    ]
)
@click.argument("table", nargs=-1)
@option_group(
    "Input",
    click.option("--tp", metavar="COUNT", help="True positives, instead of TABLE."),
    click.option("--fp", metavar="COUNT", help="False positives."),
    click.option("--fn", metavar="COUNT", help="False negatives."),
    click.option("--tn", metavar="COUNT", help="True negatives."),
)
@click.option("--classes", metavar="A,B,…", help="Class names, in the order of the table.")
@click.option("--positive", metavar="CLASS", help="The positive class.  [default: the first]")
@click.option(
    "--rows",
    type=click.Choice(["actual", "predicted", "values", "classes"]),
    help="What the rows of the table are: actual or predicted classes; with --joint, values or "
    "classes.  [default: actual; values]",
)
@click.option(
    "--joint",
    is_flag=True,
    help="TABLE counts observed values by class: predict the most frequent class for each value.",
)
@costs_options
@confidence_options
@all_option
@vocabulary_option
@unit_option
@format_option("text", "json", "markdown", "csv")
def matrix_command(  # noqa: PLR0913 - one parameter per option
    *,
    table: tuple[str, ...],
    classes: str | None,
    positive: str | None,
    rows: Any,
    joint: bool,
    everything: bool,
    vocabulary: Any,
    output_format: str,
    **options: Any,
) -> None:
    """Compute metrics from a confusion matrix: "7 2; 4 1", 7 2 4 1, or four counts.

    TABLE is read row by row, actual positives first: true positives, false negatives, false
    positives, true negatives. An additional column holds rejected ("don't know") rows.
    """
    from tradeoff.overview.overview import command_line
    from tradeoff.sources.confusion_matrices import map_rule, matrix_of_counts
    from tradeoff.views.matrices import map_rule_section

    confidence, wording = pop_confidence(options), pop_wording(options)
    costs = _pop_constant_costs(options)
    layout = _matrix_layout(rows, joint=joint)
    counts = _typed_counts(table, {name: options.pop(name) for name in ("tp", "fn", "fp", "tn")})
    names = None if classes is None else [name.strip() for name in classes.split(",")]
    is_data = output_format in {"json", "csv"}
    leading_sections: list[Section] = []
    if joint:
        rule = map_rule(counts, names, rows=layout)
        result, layout, names = rule.matrix, "actual", list(rule.classes)
        if is_data:
            click.echo(f"Predicted class for each value: {', '.join(rule.choices)}.", err=True)
        else:
            leading_sections = [map_rule_section(rule, rows=rows or "values")]
    else:
        result = matrix_of_counts(counts, names, rows=layout, positive=positive)
    if is_data:
        emit(result, output_format, confidence=confidence, vocabulary=vocabulary, costs=costs)
        return
    emit(
        result,
        output_format,
        leading_sections=leading_sections,
        rows=layout,
        positive_first=not names or names[0] == result.classes[0],
        everything=everything,
        confidence=confidence,
        vocabulary=vocabulary,
        costs=costs,
        wording=wording,
    )
    explanation = command_line(["tradeoff", "explain", "mcc", "--matrix", counts])
    emit_suggestions(
        output_format,
        *SUGGESTIONS,
        *([] if joint else [Suggestion("a formula", explanation, unless=("--rows",))]),
    )


def _matrix_layout(rows: str | None, *, joint: bool) -> Any:
    """Meaning of the rows of the table: those of a joint table or of a confusion matrix."""
    default, *others = ("values", "classes") if joint else ("actual", "predicted")
    if rows is None or rows in {default, *others}:
        return rows or default
    if joint:
        raise click.UsageError("The rows of a joint table are --rows values or --rows classes.")
    raise click.UsageError(f"--rows {rows} is for a joint table: add --joint.")


def _typed_counts(table: tuple[str, ...], counts: dict[str, str | None]) -> str:
    """The table as it was typed, or the one that --tp, --fn, --fp and --tn make."""
    named = dict(word.casefold().split("=", 1) for word in table if word.count("=") == 1)
    if table and len(named) == len(table) and named.keys() <= counts.keys():  # tp=7 fp=4 …
        table, counts = (), {**counts, **named}
    missing = [f"--{name}" for name, count in counts.items() if count is None]
    if table and len(missing) < len(counts):
        raise click.UsageError("Give TABLE, or --tp, --fp, --fn and --tn, not both.")
    files = [word for word in table if Path(word).suffix and Path(word).suffix[1:].isalpha()]
    if files:
        raise click.UsageError(
            f"TABLE holds counts; to evaluate the rows of a file: tradeoff evaluate {files[0]}"
        )
    if table:
        return " ".join(table)
    if len(missing) == len(counts):
        raise click.UsageError('Missing a table: "7 2; 4 1", or --tp 7 --fp 4 --fn 2 --tn 1.')
    if missing:
        raise click.UsageError(f"All four counts are needed: add {' and '.join(missing)}.")
    return "{tp} {fn}; {fp} {tn}".format(**counts)


def _pop_constant_costs(options: dict[str, Any]) -> Costs | None:
    """Costs of a matrix, which are numbers: it has no columns."""
    costs = pop_costs(options)
    if costs is not None and costs.columns:
        (outcome, column), *_ = costs.columns.items()
        raise click.UsageError(
            f"A matrix has no columns: give the cost of a {outcome.replace('_', ' ')} as a "
            f"number, not {column!r}."
        )
    return costs
