"""`tradeoff crossval`: from a table and the names of models to out-of-fold scores and verdicts."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tradeoff.cli.command import InputPath, OutputPath, command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import format_option, level_option, threshold_option
from tradeoff.cli.progress import progress_bar

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
    confidence = Confidence(level)
    result = replace(found, confidence=confidence, threshold=threshold)
    if save is not None:
        found.save(save)
        click.echo(f"tradeoff: saved the scores of {len(found.places):,} rows to {save}.", err=True)
    if page is not None:
        # The page has intervals of 95 %, whatever the tables have.
        found.evaluation.report(page, comparison=result.compared, threshold=threshold)
        click.echo(f"tradeoff: wrote {page}.", err=True)
    if form in {"json", "csv"}:
        emit(result, form)
    else:
        emit(result, form, predictions=True if predictions else None)


def _demand_places(*paths: str | None) -> None:
    """Files that cannot be written shall not be found out after hours of fitting."""
    from tradeoff.errors import InputError

    for path in paths:
        if path is not None and not Path(path).absolute().parent.is_dir():
            raise InputError(f"{path} cannot be written: there is no such folder.")
