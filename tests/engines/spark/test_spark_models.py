"""Rows that Spark counted are ranked as the same rows are from memory."""

import numpy as np
import polars as pl
import pytest
from counted_rows import read_by
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SCORES

import tradeoff as to
from tradeoff.errors import ColumnError, InputError
from tradeoff.sources import spark as in_spark
from tradeoff.sources.spark import is_spark

spark_models = read_by(in_spark.spark_rankings)

TIES = pl.DataFrame(
    {
        "actual": [0, 1, 1, 0, 1, 0],
        "score": [0.1, 0.4, 0.4, 0.4, 0.8, 0.9],
        "other": [0.5, 0.5, -1.0, -0.0, 0.0, 2.0],
        "weight": [1, 2, 0, 3, 1, 2],
        "fold": [1, 2, 10, 10, 2, 1],
        "part": ["b", "a", None, "a", "b", "b"],
    }
)


def assert_same(frame, table, score=("score",), **options):
    expected = to.evaluate(frame, actual="actual", score=list(score), **options)
    models = spark_models(table, actual="actual", score=list(score), **options)

    assert models.rankings == expected.rankings
    assert models.folds == expected.folds
    assert models.segments == expected.segments


def distinct_scores(size):
    rng = np.random.default_rng(3)
    actual = rng.random(size) < 0.2
    return actual, rng.normal(size=size) + actual


def area_bounds(ranking):
    pairs = 2 * int(ranking.positives) * int(ranking.negatives)
    return [case.twice_pairs_won() / pairs for case in (ranking.worst_case, ranking.best_case)]


def test_equal_scores_are_one_group(both):
    assert_same(*both(TIES))


def test_a_table_of_spark_is_known_from_others(both):
    frame, table = both(TIES)

    assert is_spark(table)
    assert not is_spark(frame)


def test_several_models_are_counted_together(both):
    assert_same(*both(TIES), score=["score", "other"])


def test_lower_scores_may_be_positive(both):
    assert_same(*both(TIES), lower_is_positive=True)


def test_scores_are_rounded_like_those_of_arrays(both):
    frame = TIES.with_columns(score=pl.Series([0.15, 0.25, 0.35, None, 0.45, 0.44]))

    assert_same(*both(frame), digits=1, missing="drop")


def test_folds_and_segments_are_ranked_by_themselves(both):
    assert_same(*both(TIES), fold="fold", segment="part")


def test_rows_of_weight_0_do_not_count(both):
    assert_same(*both(TIES), weight="weight")


def test_real_weights_are_importances(both):
    # Halves and quarters add up without rounding in any order.
    frame = TIES.with_columns(weight=pl.Series([0.5, 0.25, 1.0, 0.75, 0.5, 2.0]))

    assert_same(*both(frame), weight="weight", fold="fold")


def test_whole_weights_stored_as_floats_are_frequencies(both):
    frame = TIES.with_columns(weight=pl.Series([2.0, 1.0, 3.0, 1.0, 0.0, 2.0]))

    assert_same(*both(frame), weight="weight", fold="fold")


def test_whole_weights_may_be_called_importances(both):
    assert_same(*both(TIES), weight="weight", weight_means="importance")


@pytest.mark.parametrize("missing", ["drop", "reject", "negative"])
def test_missing_scores_are_treated_as_asked(both, missing):
    frame = TIES.with_columns(score=pl.Series([0.1, None, float("nan"), 0.4, 0.8, 0.9]))

    assert_same(*both(frame), missing=missing, segment="part", weight="weight")


def test_rows_without_a_class_may_be_left_out(both):
    frame = TIES.with_columns(actual=pl.Series([0, 1, None, 0, 1, None]))

    assert_same(*both(frame), missing="drop")


@pytest.mark.parametrize(
    ("actual", "positive"),
    [
        (["no", "yes", "yes", "no", "yes", "no"], "yes"),
        (["it's", "a\\b", "a\\b", "it's", "ü`", "it's"], "a\\b"),
        ([False, True, True, False, True, False], None),
        ([-1, 1, 1, -1, 1, -1], None),
        ([0.0, 1.0, 1.0, 0.0, 1.0, 0.0], None),
        ([0.5, 1.5, 2.5, 0.5, 1.5, 0.5], 1.5),
        ([7, 8, 9, 7, 8, 10], 8),
        ([1, 1, 1, 1, 1, 1], None),
    ],
)
def test_classes_may_be_of_any_kind(both, actual, positive):
    frame = TIES.with_columns(actual=pl.Series(actual))

    assert_same(*both(frame), positive=positive)


def test_infinite_and_tiny_scores_keep_their_places(both):
    scores = [-np.inf, np.inf, 5e-324, -0.0, 0.0, -1e300]

    assert_same(*both(TIES.with_columns(score=pl.Series(scores))))


@pytest.mark.parametrize(
    "kind", [pl.Float32, pl.Int8, pl.Int64, pl.Boolean, pl.Decimal(10, 2)], ids=str
)
def test_scores_may_be_numbers_of_any_type(both, kind):
    frame = TIES.with_columns(score=pl.Series([0, 1, 1, 0, 1, 1]).cast(kind))

    assert_same(*both(frame))


def test_columns_may_have_odd_names(both):
    names = {"actual": "is it`s", "score": "model.v1", "fold": "the fold", "part": "`"}
    frame, table = both(TIES.rename(names))
    options = {"actual": "is it`s", "score": ["model.v1"], "fold": "the fold", "segment": "`"}

    models = spark_models(table, **options)

    expected = to.evaluate(frame, **options)
    assert models.rankings == expected.rankings
    assert models.folds == expected.folds
    assert models.segments == expected.segments


@settings(max_examples=12)
@given(st.lists(st.tuples(SCORES, st.booleans(), st.integers(0, 3)), min_size=1, max_size=30))
def test_any_rows_are_ranked_as_arrays_are(spark, rows):
    score, actual, weight = (np.array(column) for column in zip(*rows, strict=True))
    table = spark.createDataFrame(
        [(float(s), bool(a), int(w)) for s, a, w in rows], "score double, actual boolean, w int"
    )

    models = spark_models(table, actual="actual", score=["score"], weight="w")

    expected = to.evaluate(actual=actual, score=score, weight=weight)
    assert models.rankings["score"] == expected.ranking


def test_many_scores_that_repeat_stay_exact(both):
    actual, score = distinct_scores(60_000)
    frame = pl.DataFrame({"actual": actual, "score": score.round(3)})

    assert_same(*both(frame))


def test_cells_bound_the_area_of_many_distinct_scores(both):
    actual, score = distinct_scores(300_000)
    _, table = both(pl.DataFrame({"actual": actual, "score": score}))

    ranking = spark_models(table, actual="actual", score=["score"], bins=20_000).rankings["score"]

    lowest, highest = area_bounds(ranking)
    assert not ranking.exact
    assert ranking.distinct <= 20_000
    assert lowest <= to.auc(actual, score) <= highest
    assert highest - lowest < 4e-4
    assert ranking.rows == 300_000


def test_counts_at_the_thresholds_of_cells_are_exact(both):
    actual, score = distinct_scores(100_000)
    score[::3] = -1e-300 * score[::3]
    _, table = both(pl.DataFrame({"actual": actual, "score": score}))

    binned = spark_models(table, actual="actual", score=["score"], bins=10_000).rankings["score"]

    exact = to.evaluate(actual=actual, score=score).ranking
    places = exact.places(binned.thresholds)
    assert binned.true_positives.tolist() == exact.true_positives[places].tolist()
    assert binned.false_positives.tolist() == exact.false_positives[places].tolist()


@pytest.mark.parametrize("lower_is_positive", [False, True])
@pytest.mark.parametrize("missing", ["drop", "negative"])
def test_pairs_are_exact_on_request(both, lower_is_positive, missing):
    actual, score = distinct_scores(50_000)
    score[::4] = score[::4].round(1)
    score[::50] = np.nan
    options = {"missing": missing, "lower_is_positive": lower_is_positive}
    _, table = both(pl.DataFrame({"actual": actual, "score": score}))

    models = spark_models(table, actual="actual", score=["score"], bins=2000, exact=True, **options)

    expected = to.evaluate(actual=actual, score=score, **options)
    binned = to.Evaluation(models.rankings)
    assert not binned.ranking.exact
    assert binned.ranking.pairs.twice_won == expected.ranking.twice_pairs_won()
    assert binned.auc.value == expected.auc.value
    assert binned.auc.low == pytest.approx(expected.auc.low, rel=1e-12)
    assert binned.auc.high == pytest.approx(expected.auc.high, rel=1e-12)


def test_exact_pairs_of_several_models_are_one_more_query(spark, both):
    actual, score = distinct_scores(30_000)
    names = np.where(actual, "it's", "not")
    _, table = both(pl.DataFrame({"actual": names, "a": score, "b": -score}))
    store = spark._jsparkSession.sharedState().statusStore()
    before = store.executionsCount()

    models = spark_models(
        table, actual="actual", score=["a", "b"], positive="it's", bins=1000, exact=True
    )

    won = to.evaluate(actual=actual, score=score).ranking.twice_pairs_won()
    assert store.executionsCount() - before == 5
    assert models.rankings["a"].pairs.twice_won == won
    # Every pair that one wins, the other loses; no scores are equal.
    positives, negatives = int(actual.sum()), int((~actual).sum())
    assert models.rankings["b"].pairs.twice_won == 2 * positives * negatives - won


def test_exact_pairs_cannot_be_weighed(both):
    actual, score = distinct_scores(30_000)
    _, table = both(pl.DataFrame({"actual": actual, "score": score, "w": actual + 1}))

    with pytest.raises(InputError, match="which it cannot weight"):
        spark_models(table, actual="actual", score=["score"], weight="w", bins=1000, exact=True)


def test_a_rare_class_that_was_in_no_probe_is_counted(both):
    actual, score = distinct_scores(100_000)
    classes = actual.astype(np.int64)
    classes[-1] = 7
    _, table = both(pl.DataFrame({"actual": classes, "score": score}))

    models = spark_models(table, actual="actual", score=["score"], positive=7, bins=1000)

    assert (models.rankings["score"].positives, models.rankings["score"].negatives) == (1, 99_999)


def test_all_models_and_segments_are_one_query_after_the_probes(spark, both):
    actual, score = distinct_scores(50_000)
    parts = np.arange(50_000) % 7
    frame = pl.DataFrame({"actual": actual, "a": score, "b": -score, "part": parts})
    _, table = both(frame)
    store = spark._jsparkSession.sharedState().statusStore()
    before = store.executionsCount()

    spark_models(table, actual="actual", score=["a", "b"], segment="part", bins=2000)

    # The first rows, how many there are, some of them; then the one query.
    assert store.executionsCount() - before == 4


@pytest.mark.parametrize("exact", [False, True])
def test_no_rows_are_collected(both, monkeypatch, exact):
    actual, score = distinct_scores(50_000)
    _, table = both(pl.DataFrame({"actual": actual, "a": score, "b": score.round(3)}))
    collected = []

    def spied(frame):
        collected.append(collect(frame))
        return collected[-1]

    collect = type(table).collect
    monkeypatch.setattr(type(table), "collect", spied)
    spark_models(table, actual="actual", score=["a", "b"], bins=10_000, exact=exact)

    # Groups come as arrays, in one row or a few for each model and partition.
    assert len(collected) == 4 + exact
    assert max(map(len, collected)) <= 200


def test_a_table_sorted_by_class_has_narrow_bounds_too(both):
    actual, score = distinct_scores(60_000)
    order = np.argsort(actual, kind="stable")
    _, table = both(pl.DataFrame({"actual": actual[order], "score": score[order]}))
    ranking = spark_models(table, actual="actual", score=["score"], bins=20_000).rankings["score"]
    low, high = area_bounds(ranking)

    assert low <= to.auc(actual, score) <= high
    assert high - low < 2e-4


def test_missing_scores_are_an_error_that_counts_them(both):
    _, table = both(TIES.with_columns(score=pl.Series([0.1, None, float("nan"), 0.4, 0.8, 0.9])))

    with pytest.raises(InputError, match="2 of 6 scores in `score` are missing"):
        spark_models(table, actual="actual", score=["score"])


def test_a_missing_column_is_named(both):
    _, table = both(TIES)

    with pytest.raises(ColumnError, match=r"no column 'scores'. Did you mean 'score'\?"):
        spark_models(table, actual="actual", score=["scores"])


def test_an_empty_table_is_an_error(both):
    _, table = both(TIES.head(0))

    with pytest.raises(InputError, match="The Spark table has no rows"):
        spark_models(table, actual="actual", score=["score"])


def test_texts_are_no_scores(both):
    _, table = both(TIES)

    with pytest.raises(
        InputError, match="`part` must hold numbers, but 5 of its strings are not numbers"
    ):
        spark_models(table, actual="actual", score=["part"])


@pytest.mark.parametrize("large", [2**53 + 1, 2**63 - 1])
def test_integers_that_floats_cannot_hold_are_an_error(both, large):
    _, table = both(TIES.with_columns(score=pl.Series([1, 2, 3, 4, 5, large])))

    with pytest.raises(InputError, match=r"integers above 2\*\*53"):
        spark_models(table, actual="actual", score=["score"])


@pytest.mark.parametrize(
    ("weight", "fault"), [(None, "missing or infinite"), (-1.0, "negative"), (1e200, "above 1e")]
)
def test_weights_that_cannot_be_counted_with_are_an_error(both, weight, fault):
    _, table = both(TIES.with_columns(weight=pl.Series([1.0, 1.0, 1.0, 1.0, 1.0, weight])))

    with pytest.raises(InputError, match=f"1 of 6 weights is {fault}"):
        spark_models(table, actual="actual", score=["score"], weight="weight")


def test_a_table_that_cannot_be_computed_is_one_sentence(both):
    _, table = both(TIES)
    broken = table.selectExpr("actual", "CAST(raise_error('no such scorer') AS DOUBLE) AS score")

    with pytest.raises(InputError, match=r"\ASpark cannot read the table: .*no such scorer.*\Z"):
        spark_models(broken, actual="actual", score=["score"])
