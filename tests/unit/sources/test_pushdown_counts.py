"""Groups of rows counted by an engine give the same rankings as the rows themselves."""

from dataclasses import replace

import numpy as np
import pytest
from counted_rows import (
    THREE_CLASSES,
    WEIGHTS,
    from_arrays,
    objects,
    require_equal,
    rows,
    with_keywords,
)
from hypothesis import given
from hypothesis import strategies as st

import tradeoff as to
from tradeoff.sources import pushdown
from tradeoff.sources.row_messages import WEIGHT_FAULTS, Fault, require_valid_weights
from tradeoff.sources.row_rules import Batch

ranked_models = with_keywords(pushdown.rankings_from_engine_groups)
MISSING_POLICIES = ("drop", "reject", "negative")


def count_groups(actual, score, weight=None, fold=None, segment=None):
    """Group rows by class, score, fold and segment, and count them as an engine does."""
    missing = [None] * len(actual)
    groups = {}
    for row in zip(
        actual, score, weight or missing, fold or missing, segment or missing, strict=True
    ):
        key = (row[0], "missing" if np.isnan(row[1]) else row[1] + 0.0, row[2] == 0, *row[3:])
        groups.setdefault(key, []).append((row[1], 1 if row[2] is None else row[2]))
    scores = np.array([members[0][0] for members in groups.values()], np.float64)
    weights = [np.array([values for _, values in members]) for members in groups.values()]
    keys = list(groups)
    sums = [values.sum() for values in weights]
    squares = np.array([(values**2.0).sum() for values in weights], np.float64)
    return Batch(
        objects([key[0] for key in keys]),
        scores,
        None if weight is None else np.array(sums, weight_dtype(weight)),
        max_score=scores,
        sizes=np.array([len(members) for members in groups.values()], np.int64),
        squares=None if weight is None else squares,
        fold=None if fold is None else objects([key[3] for key in keys]),
        segment=None if segment is None else objects([key[4] for key in keys]),
    )


def weight_dtype(weight):
    return np.array(weight).dtype if weight else np.int64


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("missing", MISSING_POLICIES)
@given(
    data=st.data(), lower=st.booleans(), means=st.sampled_from([None, "frequency", "importance"])
)
def test_groups_give_the_rankings_of_the_rows(kind, missing, data, lower, means):
    given_rows = data.draw(rows(WEIGHTS[kind]))
    options = {"missing": missing, "lower_is_positive": lower, "weight_means": means}

    whole = all(weight == int(weight) for weight in given_rows["weight"] or ())
    groups = replace(count_groups(**given_rows), whole_weights=whole)
    models = ranked_models({"score": groups}, positive="yes", **options)

    require_equal(models, from_arrays(given_rows, **options))


@given(given_rows=rows(st.integers(1, 3), THREE_CLASSES).filter(lambda r: "yes" in r["actual"]))
def test_rows_without_a_class_are_left_out_and_noted(given_rows):
    models = ranked_models({"score": count_groups(**given_rows)}, positive="yes", missing="drop")

    require_equal(models, from_arrays(given_rows, missing="drop"))


@pytest.mark.parametrize("actual", [[1, 0, 1], [True, False, True], [-1, 1, -1], [0.0, 0.0, 1.0]])
def test_binary_codes_have_a_default_positive_class(actual):
    score = [0.5, 0.25, 0.25]
    groups = replace(count_groups(actual, score), actual=np.array(actual))

    models = ranked_models({"score": groups})

    assert models.rankings["score"] == to.evaluate(actual=actual, score=score).ranking
    assert (models.folds, models.segments) == ({}, {})


def test_numeric_folds_are_sorted_as_numbers():
    numbers = np.array([10, 9, 10])
    groups = replace(count_groups([1, 0, 0], [0.5, 0.25, 0.75]), fold=numbers)

    assert list(ranked_models({"score": groups}).folds["score"]) == ["9", "10"]


def test_weights_of_1_need_no_note():
    groups = count_groups([1, 0, 0], [0.5, 0.25, 0.25], [1.0, 1.0, 1.0])

    assert ranked_models({"score": groups}).rankings["score"].notes == ()


def test_scores_beyond_the_limit_are_binned_with_exact_counts():
    scores = np.arange(100) / 128
    groups = count_groups([0, 1] * 50, scores.tolist())

    ranking = ranked_models({"score": groups}, max_thresholds=16).rankings["score"]

    assert ranking.distinct <= 16
    assert not ranking.exact
    assert (ranking.positives, ranking.negatives, ranking.rows) == (50, 50, 100)


def test_groups_of_several_scores_are_bins():
    groups = Batch(
        actual=np.array([1, 0]),
        score=np.array([0.5, 0.25]),
        max_score=np.array([0.75, 0.25]),
        sizes=np.array([3, 4]),
    )

    ranking = ranked_models({"score": groups}).rankings["score"]

    assert ranking.thresholds.tolist() == [np.inf, 0.5, 0.25]
    assert not ranking.exact


def test_no_groups_give_an_empty_ranking():
    nothing = np.zeros(0)
    groups = Batch(nothing, nothing, max_score=nothing, sizes=np.zeros(0, np.int64))

    assert ranked_models({"score": groups}).rankings["score"] == (
        to.evaluate(actual=[], score=[]).ranking
    )


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"score": [0.5, np.nan]}, {}, r"^7 of 10 scores in `m` are missing\. Fill them in"),
        ({"actual": [1, None]}, {}, r"^7 of 10 rows have no class in 'y'\. A row without"),
        ({"actual": ["a", "b"]}, {}, r"^'y' holds 'a' and 'b': say which one is positive"),
        ({"actual": ["a", "b"]}, {"positive": "c"}, r"^'c' does not occur in 'y'"),
        ({"fold": ["1", None]}, {}, r"^7 rows without a fold in 'part': each row belongs"),
        ({}, {"missing": "ignore"}, r"^`missing` must be one of"),
        ({}, {"weight_means": "frequency"}, r"^`weight_means` says what the weights mean"),
    ],
)
def test_messages_count_rows_rather_than_groups(change, options, message):
    values = {"actual": [1, 0], "score": [0.5, 0.25], "max_score": [0.5, 0.25]}
    columns = {name: objects(value) for name, value in (values | change).items()}
    for name in ("score", "max_score"):
        columns[name] = columns[name].astype(np.float64)
    groups = Batch(sizes=np.array([3, 7]), **columns)

    with pytest.raises(to.TradeoffError, match=message):
        ranked_models({"m": groups}, actual="y", fold="part", **options)


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        ((2, 1, 0, 0), "2 of 9 weights are missing or infinite"),
        ((0, 1, 0, 0), "1 of 9 weights is negative"),
        ((0, 0, 3, 0), r"3 of 9 weights are above 1e\+100"),
        ((0, 0, 0, 3), "3 of 9 weights are below 1e-100"),
    ],
)
def test_invalid_weights_are_rejected(faults, message):
    with pytest.raises(to.TradeoffError, match=message):
        require_valid_weights(dict(zip(WEIGHT_FAULTS, map(Fault, faults), strict=True)), 9)
