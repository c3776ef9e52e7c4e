"""Command `tradeoff crossval`: cross-validation of models on a table."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tradeoff.cli.command import InputPath, OutputPath, command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import (
    file_options,
    format_option,
    level_option,
    threshold_option,
    unit_option,
)
from tradeoff.cli.progress import progress_bar

MODEL_NAMES = (
    "naive-bayes, tree, logistic, forest, boosting, knn, svm, dummy, weka-naive-bayes, weka-j48; "
    "or your own by its import path, such as my_package.models.Mine"
)


@command(
    epilog=f"Models: {MODEL_NAMES}.",
    examples=[
        "customers.csv --actual churned --positive yes",
        "visits.csv --actual sepsis --model logistic --model boosting --group patient --save s.csv",
    ],
)
@click.argument("file", type=InputPath())
@file_options
@click.option("--actual", required=True, metavar="COLUMN", help="Column of the class to predict.")
@click.option("--positive", metavar="CLASS", help="The positive class.")
@click.option(
    "--model",
    "models",
    multiple=True,
    default=("naive-bayes", "tree", "logistic"),
    show_default=True,
    metavar="NAME",
    help="A model, listed below; repeat it for several.",
)
@click.option("--folds", type=int, default=10, show_default=True, help="Number of folds.")
@click.option(
    "--repeats",
    type=int,
    default=1,
    show_default=True,
    help="Number of repetitions, each with new folds.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Seed for the random folds.",
)
@click.option(
    "--group",
    metavar="COLUMN",
    help="Keep all rows of a group, such as a patient, in the same fold.",
)
@click.option("--time", metavar="COLUMN", help="Train on earlier rows, test on later ones.")
@click.option(
    "--way",
    type=click.Choice(["stratified", "grouped", "ordered", "weka"]),
    help="How to split rows into folds.  [default: grouped with --group, ordered with --time, else "
    "stratified]",
)
@click.option(
    "--leave-out",
    multiple=True,
    metavar="COLUMN",
    help="Column to exclude from training, such as an id.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Number of processes.  [default: all cores]"
)
@click.option("--save", type=OutputPath(), help="Save the out-of-fold scores: .parquet or .csv.")
@click.option(
    "--report", "report_path", type=OutputPath(), help="Write an HTML report to this file."
)
@click.option("--predictions", is_flag=True, help="List the rows in order of score.")
@threshold_option
@level_option
@unit_option
@format_option("text", "json", "markdown", "csv")
def crossval_command(  # noqa: PLR0913 - one parameter per option
    *,
    file: Any,
    threshold: float | None,
    level: float,
    save: str | None,
    units: str,
    report_path: str | None,
    predictions: bool,
    output_format: str,
    **options: Any,
) -> None:
    """Cross-validate models on a table and evaluate their out-of-fold scores."""
    from tradeoff.crossval.cross_validation import cross_validate
    from tradeoff.uncertainty.confidence import Confidence

    _require_folders(save, report_path)
    sys.path.insert(0, str(Path.cwd()))  # so that the user's models can be imported
    with progress_bar("Fitting") as progress:
        scores = cross_validate(file, unit=units, progress=progress, **options)
    confidence = Confidence(level)
    result = replace(scores, confidence=confidence, threshold=threshold)
    if save is not None:
        scores.save(save)
        rows_text = scores.wording.count(len(scores.places))
        click.echo(f"tradeoff: saved the scores of {rows_text} to {save}.", err=True)
    if report_path is not None:
        # The report always shows 95% intervals.
        scores.evaluation.report(report_path, comparison=result.compared, threshold=threshold)
        click.echo(f"tradeoff: wrote {report_path}.", err=True)
    if output_format in {"json", "csv"}:
        emit(result, output_format)
    else:
        emit(result, output_format, predictions=True if predictions else None)


def _require_folders(*paths: str | None) -> None:
    """Refuse paths in missing folders before any model is fitted."""
    from tradeoff.errors import InputError

    for path in paths:
        if path is not None and not Path(path).absolute().parent.is_dir():
            raise InputError(f"{path} cannot be written: the folder does not exist.")
