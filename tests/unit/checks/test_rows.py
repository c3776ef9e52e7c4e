"""Checks of rows: copies, ids, weights, missing scores, predicted classes."""

import numpy as np
import pytest

from tradeoff.checks import (
    RawRows,
    RawScores,
    row_findings,
)


def test_duplicate_ids_are_warnings_and_contradicting_classes_are_errors():
    classes = np.array(["yes", "no", "yes", "no"])
    unique = RawRows(classes, ids=np.array(["a", "b", "c", "d"]))
    duplicates = RawRows(classes, ids=np.array(["a", "b", "a", "d"]))
    contradiction = RawRows(classes, ids=np.array(["a", "a", "c", "d"]))
    assert row_findings(unique) == []
    assert [finding.level for finding in row_findings(duplicates)] == ["warning"]
    (finding,) = row_findings(contradiction)
    assert (finding.name, finding.level) == ("duplicate_ids", "error")
    assert "differ in class" in finding.sentence


def test_duplicate_ids_in_different_folds_are_a_note():
    classes, ids = np.array(["y", "n", "y", "n"]), np.array(["a", "b", "a", "b"])
    across_folds = RawRows(classes, ids=ids, folds=np.array(["1", "1", "2", "2"]))
    within_fold = RawRows(classes, ids=ids, folds=np.array(["1", "1", "1", "2"]))
    assert [finding.level for finding in row_findings(across_folds)] == ["note"]
    assert [finding.level for finding in row_findings(within_fold)] == ["warning"]


def test_missing_ids_are_not_duplicates():
    ids = np.array(["a", "None", "None"])
    rows = RawRows(np.array(["y", "n", "y"]), ids=ids, no_id=ids == "None")
    assert [(finding.name, finding.level) for finding in row_findings(rows)] == [
        ("missing_ids", "note")
    ]


def test_ids_in_both_files_and_classes_in_only_one_are_reported():
    rows = RawRows(
        np.array(["y", "n"]),
        ids=np.array(["a", "b"]),
        other="old.csv",
        other_classes=("n", "maybe"),
        other_ids=np.array(["b", "c"]),
    )
    sentences = {finding.name: finding.sentence for finding in row_findings(rows)}
    assert sentences["shared_ids"] == "1 id is also in old.csv: 'b'."
    assert "'y' not in old.csv, 'maybe' only in old.csv" in sentences["unseen_classes"]


@pytest.mark.parametrize(
    ("weights", "level"),
    [([1, -1], "error"), ([1, np.nan], "error"), ([0, 0], "error"), ([0, 1], "note")],
)
def test_invalid_weights_are_reported(weights, level):
    rows = RawRows(np.array(["y", "n"]), weights=np.array(weights, float))
    assert [(finding.name, finding.level) for finding in row_findings(rows)] == [
        ("wrong_weights", level)
    ]


def test_missing_scores_are_reported_by_class():
    classes = np.array(["n", "n", "y", "y"])
    column = RawScores("m", np.array([True, False, False, False]), classes)
    (finding,) = row_findings(RawRows(classes), [column])
    assert (
        finding.sentence == "1 of 4 rows has no score in m (50.0% of class 'n', 0% of class 'y')."
    )
    assert (finding.level, finding.where) == ("error", "m")


def test_predicted_classes_that_no_row_has_are_errors():
    classes = np.array(["n", "y"])
    column = RawScores("m", np.zeros(2, bool), classes, predicted_classes=("n", "Y"))
    (finding,) = row_findings(RawRows(classes), [column])
    assert finding.sentence == "m contains 'Y', which no row has as its actual class."
