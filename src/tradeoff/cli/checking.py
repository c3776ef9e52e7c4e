"""`tradeoff check`: whether a file's rows can be trusted before anything is made of them."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.options import fold_option, format_option, reading, segment_option
from tradeoff.cli.program import show

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tradeoff.analysis.checking import Finding, GivenRows, GivenScores
    from tradeoff.evaluation import Evaluation


NO_CLASS = "(no class)"


@click.command()
@reading()
@click.option("--id", "row_id", metavar="COLUMN", help="What tells rows apart.")
@fold_option
@segment_option
@click.option("--against", type=click.Path(), help="Another file with the same columns.")
@format_option("text", "json", "markdown")
def check(*, against: str | None, form: str, **asked: Any) -> None:
    """Whether rows can be trusted: labels as scores, leaks, missing values, copies, drift.

    Ends with 0 if there are at most notes, with 1 if there are warnings or errors.
    """
    from tradeoff.analysis.checking import worst_level
    from tradeoff.presentation.checking import check_document, check_sections
    from tradeoff.presentation.values import as_json

    file = _File.read(asked)
    other = None
    if against is not None:
        other = _File.read({**asked, "file": against, "fold": None, "segment": None})
    found = _findings(file, other)
    looked_at = _looked_at(asked, against)
    if form == "json":
        click.echo(as_json(check_document(found, rows=file.rows, looked_at=looked_at)))
    else:
        show(check_sections(found, rows=file.rows, looked_at=looked_at), form)
    if worst_level(found) in {"error", "warning"}:
        sys.exit(1)


@dataclass(frozen=True)
class _File:
    """The columns of a file that were asked for, and what was asked."""

    asked: Mapping[str, Any]
    columns: Mapping[str, NDArray[Any]]

    @staticmethod
    def read(asked: Mapping[str, Any]) -> _File:
        from tradeoff.sources.tables import table_columns

        extra = (asked[key] for key in ("weight", "row_id", "fold", "segment"))
        names = [asked["actual"], *asked["scores"], *(name for name in extra if name is not None)]
        return _File(asked, table_columns(asked["file"], names))

    @property
    def rows(self) -> int:
        return len(self.columns[self.asked["actual"]])

    @property
    def name(self) -> str:
        return Path(self.asked["file"]).name

    def column(self, key: str) -> NDArray[Any] | None:
        name = self.asked[key]
        return None if name is None else self.columns[name]

    def given(self) -> GivenRows:
        """The rows as they are, nothing left out."""
        import numpy as np

        from tradeoff.analysis.checking import GivenRows
        from tradeoff.sources.labels import missing_rows

        actual, ids, folds = (self.column(key) for key in ("actual", "row_id", "fold"))
        assert actual is not None  # noqa: S101 - the option is required
        no_class = missing_rows(actual)
        return GivenRows(
            np.where(no_class, NO_CLASS, _names(actual)),
            no_class,
            None if ids is None else _names(ids),
            None if ids is None else missing_rows(ids),
            self.weights(),
            None if folds is None else _names(folds),
            allowed=self.asked["missing"] == "drop",
        )

    def weights(self) -> NDArray[Any] | None:
        """Weights as floats; texts that are no numbers are left to the usual message."""
        import numpy as np

        from tradeoff.errors import InputError

        given = self.column("weight")
        if given is None:
            return None
        try:
            return given.astype(np.float64)
        except (TypeError, ValueError):
            name = self.asked["weight"]
            raise InputError(f"Weights must be numbers, but column {name!r} holds texts.") from None

    def scores(self, given: GivenRows) -> list[GivenScores]:
        """Each column of scores, and the classes in it where it holds texts."""
        from tradeoff.analysis.checking import GivenScores
        from tradeoff.sources.labels import missing_rows

        found = []
        for name in dict.fromkeys(self.asked["scores"]):
            column = self.columns[name]
            absent = missing_rows(column)
            predicted = _texts(column[~absent])
            allowed = self.asked["missing"] != "error"
            found.append(GivenScores(name, absent, given.classes, predicted, allowed))
        return found

    def evaluation(self, names: list[str], positive: str | None = None) -> Evaluation:
        """The rows that can be ranked, by some columns of scores."""
        from tradeoff.evaluation import Evaluation
        from tradeoff.sources import groups
        from tradeoff.sources.arrays import scored_rows

        keep = _usable(self.given())
        own = {name: column[keep] for name, column in self.columns.items()}
        asked = self.asked
        actual, weight = own[asked["actual"]], asked["weight"]
        models = {
            name: scored_rows(
                actual,
                own[name],
                positive=positive or asked["positive"],
                weight=None if weight is None else own[weight],
                weight_means=asked["weight_means"],
                missing="drop" if asked["missing"] == "error" else asked["missing"],
                lower_is_positive=asked["lower_is_positive"],
                digits=asked["digits"],
                name=name,
                actual_name=asked["actual"],
                weight_name=weight or "weight",
            )
            for name in names
        }
        fold, segment = asked["fold"], asked["segment"]
        return Evaluation(
            {name: model.ranking() for name, model in models.items()},
            {} if fold is None else groups.folds(models, own[fold], actual, fold),
            {} if segment is None else groups.segments(models, own[segment], actual, segment),
        )


def _findings(file: _File, other: _File | None) -> list[Finding]:
    """What the rows themselves show, and then what their rankings do."""
    from tradeoff.analysis.checking import Finding, findings_of_rows, worst_level
    from tradeoff.analysis.checking.kinds import LEVELS
    from tradeoff.errors import InputError

    given = file.given()
    theirs = None if other is None else other.given()
    if other is not None and theirs is not None:
        ids = (
            theirs.ids if theirs.no_id is None or theirs.ids is None else theirs.ids[~theirs.no_id]
        )
        classes = tuple(theirs.known_classes.tolist())
        given = replace(given, other=other.name, other_classes=classes, other_ids=ids)
    found = findings_of_rows(given, file.scores(given))
    unseen = {one.where for one in found if one.name == "unseen_predictions"}
    models = [name for name in file.asked["scores"] if name not in unseen]
    try:
        if models:
            found += _of_rankings(file, other, models)
    except InputError as problem:
        # Rows that cannot be ranked are wrong use, unless that is one of several mistakes.
        if worst_level(found) in {None, "note"}:
            raise
        found.append(Finding("not_ranked", "error", str(problem), "Then check again."))
    return sorted(found, key=lambda one: LEVELS.index(one.level))


def _of_rankings(file: _File, other: _File | None, models: list[str]) -> list[Finding]:
    from tradeoff.analysis.checking import findings_of

    evaluation = file.evaluation(models)
    if other is None:
        return findings_of(evaluation)
    second = other.evaluation(models, evaluation.rankings[models[0]].positive)
    return findings_of(evaluation, against=second, names=(file.name, other.name))


def _looked_at(asked: Mapping[str, Any], against: str | None) -> list[str]:
    """The checks for which there was something to look at."""
    from tradeoff.analysis.checking import CHECKS

    needs = {
        "duplicate_ids": asked["row_id"],
        "missing_ids": asked["row_id"],
        "shared_ids": asked["row_id"] and against,
        "unseen_classes": against,
        "wrong_weights": asked["weight"],
    }
    subjects = {"folds": asked["fold"], "segments": asked["segment"], "files": against}
    made = [
        one
        for name, one in CHECKS.items()
        if needs.get(name, "always") and subjects.get(one.of, "always")
    ]
    order = ("rows", "scores", "ranking", "folds", "segments", "files")
    return [one.name for one in sorted(made, key=lambda one: order.index(one.of))]


def _usable(given: GivenRows) -> NDArray[Any]:
    """Rows that have a class and a weight that can be counted with."""
    import numpy as np

    keep = np.ones(len(given.classes), np.bool_) if given.no_class is None else ~given.no_class
    if given.weights is None:
        return keep
    return keep & np.isfinite(given.weights) & (given.weights >= 0)


def _names(values: NDArray[Any]) -> NDArray[Any]:
    """Values as the names that people write; missing ones too."""
    import numpy as np

    from tradeoff.sources.labels import class_name

    distinct, code = np.unique(values.astype(np.str_), return_inverse=True, return_index=True)[1:]
    named = np.array([class_name(value) for value in values[distinct]], dtype=np.str_)
    return named[code] if len(named) else values.astype(np.str_)


def _texts(values: NDArray[Any]) -> tuple[str, ...]:
    """The distinct texts in a column, if it holds any that are no numbers."""
    if values.dtype.kind not in "OUS":
        return ()
    found = sorted({str(value) for value in values})
    try:
        [float(value) for value in found]
    except ValueError:
        return tuple(found)
    return ()
