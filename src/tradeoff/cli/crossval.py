"""`tradeoff crossval`: from a table and the names of models to out-of-fold scores and verdicts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import InputPath, OutputPath, command
from tradeoff.cli.options import format_option, level_option, threshold_option
from tradeoff.cli.program import show
from tradeoff.cli.progress import progress_bar

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.crossval.cross_validation import CrossValidation
    from tradeoff.render.sections import Section

FEW_ROWS = 30
"""So few predictions are listed unasked."""
CURVE_LINES = 15
"""So many points of the threshold curve are shown; `tradeoff curve` on saved scores has all."""
NAMES = (
    "naive-bayes, tree, logistic, forest, boosting, knn, svm, dummy, weka-naive-bayes, weka-j48; "
    "your own by import path, such as my_package.models.Mine"
)


@command(epilog=f"Models: {NAMES}.")
@click.argument("file", type=InputPath())
@click.option("--target", required=True, metavar="COLUMN", help="What to predict.")
@click.option("--positive", metavar="CLASS", help="Which class is positive.")
@click.option(
    "--model",
    "models",
    multiple=True,
    default=("naive-bayes", "tree", "logistic"),
    show_default=True,
    metavar="NAME",
    help="A model, see below; repeat it for several.",
)
@click.option("--folds", type=int, default=10, show_default=True, help="How many folds.")
@click.option("--repeats", type=int, default=1, show_default=True, help="Deal rows so often anew.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Same seed, same folds.",
)
@click.option("--group", metavar="COLUMN", help="Rows of one value stay together (patients).")
@click.option("--time", metavar="COLUMN", help="Learn from earlier rows, test on later ones.")
@click.option(
    "--way",
    type=click.Choice(["stratified", "grouped", "ordered", "weka"]),
    help="How folds are made.  [default: by --group and --time, else stratified]",
)
@click.option("--leave-out", multiple=True, metavar="COLUMN", help="Do not learn from it (an id).")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes.  [default: all cores]")
@click.option("--save", type=OutputPath(), help="Keep the scores: .parquet or .csv.")
@click.option("--report", "page", type=OutputPath(), help="Write the report: .html.")
@click.option("--predictions", is_flag=True, help="List the rows, most confident first.")
@threshold_option
@level_option
@format_option("text", "json", "markdown", "csv")
def crossval(  # noqa: PLR0913 - one parameter an option
    *,
    file: str,
    threshold: float,
    level: float,
    save: str | None,
    page: str | None,
    predictions: bool,
    form: str,
    **asked: Any,
) -> None:
    """Cross-validate models on a table: every row is scored by models that did not see it."""
    from tradeoff.crossval.cross_validation import cross_validate
    from tradeoff.uncertainty.confidence import Confidence

    _demand_places(save, page)
    sys.path.insert(0, str(Path.cwd()))  # a model of the user's own may lie right here
    with progress_bar("Fitting") as told:
        found = cross_validate(file, progress=told, **asked)
    comparison = found.comparison(Confidence(level)) if len(found.scores) > 1 else None
    if save is not None:
        found.save(save)
        click.echo(f"tradeoff: saved the scores of {len(found.places):,} rows to {save}.", err=True)
    if page is not None:
        found.evaluation.report(page, comparison=comparison, threshold=threshold)
        click.echo(f"tradeoff: wrote {page}.", err=True)
    _tell(found, comparison, threshold, level, form, listed=predictions)


def _demand_places(*paths: str | None) -> None:
    """Files that cannot be written shall not be found out after hours of fitting."""
    from tradeoff.errors import InputError

    for path in paths:
        if path is not None and not Path(path).absolute().parent.is_dir():
            raise InputError(f"{path} cannot be written: there is no such folder.")


def _tell(  # noqa: PLR0913 - what was found, and how it is wanted
    found: CrossValidation,
    comparison: Comparison | None,
    threshold: float,
    level: float,
    form: str,
    *,
    listed: bool,
) -> None:
    from tradeoff.comparison.views import comparison_document
    from tradeoff.evaluation.views import evaluation_document
    from tradeoff.render.values import as_csv, as_json
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.uncertainty.estimates import Intervals
    from tradeoff.views.details import Details

    e = found.evaluation
    details = Details(e.folds, intervals=Intervals(Confidence(level), e.clusters))
    if form == "csv":
        columns = found.columns()
        click.echo(as_csv(list(columns), zip(*(c.tolist() for c in columns.values()), strict=True)))
    elif form == "json":
        document = evaluation_document(e.rankings, threshold, details)
        document["notes"] = [*document.get("notes", []), *found.notes]
        if comparison is not None:
            document["comparison"] = comparison_document(comparison, comparison.differences())
        click.echo(as_json(document))
    else:
        show(_sections(found, comparison, threshold, details, listed=listed), form)


def _sections(
    found: CrossValidation,
    comparison: Comparison | None,
    threshold: float,
    details: Any,
    *,
    listed: bool,
) -> list[Section]:
    from tradeoff.comparison.views import differences_sections
    from tradeoff.evaluation.evaluation import SUMMARIES
    from tradeoff.evaluation.views import evaluation_sections, predictions_section
    from tradeoff.render.sections import Section
    from tradeoff.views.curves import curve_sections

    e = found.evaluation
    sections = []
    if found.notes:
        sections.append(Section(lines=tuple(f"Note: {note}." for note in found.notes)))
    sections += evaluation_sections(e.rankings, threshold, details=details)
    for name in e:
        area = details.intervals.summaries([SUMMARIES["auc"]], e.rankings[name])["auc"]
        curve = e[name].curve("roc")
        sections += curve_sections(curve, area=area, most=CURVE_LINES, whole="`tradeoff curve`")
    if comparison is not None:
        sections += differences_sections(comparison.differences())
    if listed or len(found.places) <= FEW_ROWS:
        rows = found.scored.rows
        sections += [
            predictions_section(
                own.scores, own.labels.positive_rows, own.places, e.rankings[name], threshold
            )
            for name, own in rows.items()
        ]
    return sections
