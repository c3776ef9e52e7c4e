"""Bootstrap resamples of a ranking, intervals from them, and reproducibility."""

import math
from functools import partial

import numpy as np
import pytest
from brute_force import two_models
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import columns, scored

import tradeoff as to
from tradeoff import threads
from tradeoff.core.resampled_rankings import drop_empty_scores
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError, TradeoffError, UnknownName
from tradeoff.uncertainty.bootstrap import (
    BaggedRows,
    RankedRows,
    bootstrap,
    coarsen_ranking,
    compute_bootstrap_replicates,
)
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.summary_intervals import _accelerations

TIED = st.integers(-3, 3).map(float)
ACTUAL, SCORES = two_models()
EVALUATION = to.evaluate(actual=ACTUAL, score=SCORES["a"])
COMPARISON = to.compare(actual=ACTUAL, score=SCORES)
FEW_POSITIVES = to.evaluate(actual=[1] * 3 + [0] * 40, score=[9.0, 30.0, 35.0, *range(40)])


def random():
    return np.random.default_rng(0)


def resample_ranking(ranking, *arguments, **options):
    return RankedRows(ranking).resample(*arguments, **options)


def limits(estimate):
    return estimate.low, estimate.high


@given(scored(scores=TIED, min_size=1), st.booleans())
def test_resamples_have_as_many_rows_as_the_ranking(rows, by_class):
    ranking = to.Ranking.of(rows[0], rows[1])

    for resample in resample_ranking(ranking, random(), 5, by_class=by_class):
        assert resample.positives + resample.negatives == ranking.rows
        if by_class:
            assert (resample.positives, resample.negatives) == (
                ranking.positives,
                ranking.negatives,
            )


@given(scored(scores=TIED, min_size=1))
def test_resamples_contain_only_rows_of_the_ranking(rows):
    ranking = to.Ranking.of(rows[0], rows[1])
    pairs = set(zip(rows[0], rows[1], strict=True))

    for resample in resample_ranking(ranking, random(), 5):
        for positive, counts in (
            (True, resample.true_positives),
            (False, resample.false_positives),
        ):
            scores = resample.thresholds[1:][np.diff(counts) > 0]
            assert {(score, positive) for score in scores} <= pairs


def test_resampled_counts_are_multinomial():
    positives, negatives = np.array([3, 0, 5]), np.array([1, 6, 2])
    ranking = to.Ranking.of(
        np.repeat([3.0, 2.0, 1.0, 3.0, 2.0, 1.0], [*positives, *negatives]), np.arange(17) < 8
    )
    for by_class, rows in ((True, 9), (False, 17)):
        resamples = resample_ranking(ranking, random(), 40_000, by_class=by_class)
        counts = np.diff(resamples.tally.false_positives, axis=1)

        assert counts.mean(axis=0) == pytest.approx(negatives, abs=0.04)
        proportions = negatives / rows
        expected = rows * (np.diag(proportions) - np.outer(proportions, proportions))
        assert np.cov(counts.T) == pytest.approx(expected, abs=0.09)


def test_resampled_real_weights_have_the_right_mean_and_variance():
    # Two rows with weights 0.5 and 1.5 at each score: the sum of squares is 2.5.
    scores = np.repeat(np.arange(6.0), 2)
    weights = np.tile([0.5, 1.5], 6)
    ranking = to.evaluate(actual=np.tile([1, 0], 3).repeat(2), score=scores, weight=weights).ranking
    sums = np.diff(
        resample_ranking(ranking, random(), 40_000, by_class=True).tally.true_positives, axis=1
    )
    sums = sums[:, sums.any(axis=0)]

    assert sums.shape[1] == 3
    assert sums.sum(axis=1) == pytest.approx(6)
    assert sums.mean(axis=0) == pytest.approx(2, abs=0.02)
    # Gamma variables of shape 2²/2.5, scaled to a fixed sum, have a Dirichlet distribution.
    shape = 4 / 2.5
    assert sums.var(axis=0) == pytest.approx(36 * (1 / 3) * (2 / 3) / (3 * shape + 1), rel=0.03)


def test_rejected_rows_are_resampled_too():
    ranking = to.evaluate(
        actual=[1, 1, 1, 0, 0], score=[3, 2, math.nan, 1, math.nan], missing="reject"
    ).ranking

    resamples = list(resample_ranking(ranking, random(), 50, by_class=True))

    assert {resample.total for resample in resamples} == {5}
    assert {int(resample.rejected_positives) for resample in resamples} == {0, 1, 2, 3}
    assert all(resample.positives + resample.rejected_positives == 3 for resample in resamples)


def test_scores_without_rows_are_dropped_from_the_tally():
    tally = drop_empty_scores(
        Tally(np.array([np.inf, 3, 2, 1]), np.array([0, 1, 1, 1]), np.array([0, 0, 0, 2]))
    )

    assert [column.tolist() for column in tally] == [[math.inf, 3, 1], [0, 1, 1], [0, 0, 2]]


def test_coarsening_keeps_all_rows_and_the_required_thresholds():
    actual, scores = two_models(5000, digits=9)
    ranking = to.Ranking.of(scores["a"], actual)
    required = np.array([1234, 1235])

    coarse = coarsen_ranking(ranking, 100, keep=[required])

    assert coarse.distinct <= 102 < ranking.distinct
    assert (coarse.positives, coarse.negatives) == (ranking.positives, ranking.negatives)
    for threshold in (ranking.thresholds[1], *ranking.thresholds[required], ranking.thresholds[-1]):
        assert coarse.at(threshold) == ranking.at(threshold)
    assert to.SUMMARIES["auc"](coarse) == pytest.approx(to.SUMMARIES["auc"](ranking), abs=2e-3)
    assert coarsen_ranking(ranking, 10_000) is ranking


def test_coarsening_changes_neither_the_value_nor_the_width_of_the_interval():
    actual, scores = two_models(5000, digits=9)
    evaluation = to.evaluate(actual=actual, score=scores["a"])

    bootstrapped, formula = evaluation.summary("auc", method="bootstrap"), evaluation.auc

    assert bootstrapped.value == formula.value
    assert limits(bootstrapped) == pytest.approx(limits(formula), abs=2e-3)


def test_the_bca_acceleration_of_a_summary_comes_from_the_jackknife():
    measure = to.SUMMARIES["average_precision"]
    scores = SCORES["a"]
    deviations = []
    for mask in (ACTUAL, ~ACTUAL):
        jackknife_values = [
            measure(to.Ranking.of(np.delete(scores, row), np.delete(ACTUAL, row)))
            for row in np.flatnonzero(mask)
        ]
        deviations.append(np.mean(jackknife_values) - jackknife_values)
    deviations = np.concatenate(deviations)

    expected = (deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5)

    assert _accelerations([measure], EVALUATION.ranking)[0] == pytest.approx(expected, rel=1e-9)


RESAMPLING_RESULTS = {
    "a summary": lambda e, **options: limits(
        e.summary("pr_gain_area", method="bootstrap", **options)
    ),
    "a summary by name": lambda e, **options: limits(e.summary("ks", method="bca", **options)),
    "a metric": lambda e, **options: limits(e.metric("f1", method="bootstrap", **options)),
    "a metric where another has a value": lambda e, **options: limits(
        e.estimate("tpr", at=("fpr", 0.1), method="bootstrap", **options)
    ),
    "an ROC band": lambda e, **options: e.band("roc", method="bootstrap", **options).low.tolist(),
    "another band": lambda e, **options: e.band(
        x="tpr", y="precision", method="bootstrap", **options
    ).high.tolist(),
    "a difference": lambda _, **options: limits(
        COMPARISON.difference("a", "b", method="bootstrap", **options)
    ),
    "a permutation test": lambda _, **options: (
        COMPARISON.difference("a", "b", method="permutation", **options).p_value
    ),
}


@pytest.mark.parametrize("name", RESAMPLING_RESULTS)
def test_replicates_depend_on_the_seed_and_not_on_the_number_of_threads(name, monkeypatch):
    compute = partial(RESAMPLING_RESULTS[name], EVALUATION, replicates=300)
    results = []
    for cores in (1, 2):
        monkeypatch.setattr(threads, "available_cores", lambda: cores)
        results.append(compute(seed=4))

    assert results[0] == results[1]
    assert compute(seed=5) != results[0]


def test_progress_is_reported_by_resample():
    calls = []

    compute_bootstrap_replicates(
        lambda _, size: np.zeros(size),
        Confidence(replicates=120, progress=lambda done, total: calls.append((done, total))),
    )

    assert calls == [(50, 120), (100, 120), (120, 120)]


def test_fewer_replicates_are_a_prefix_of_more():
    def auc_replicates(count):
        auc = to.SUMMARIES["auc"]
        return bootstrap(
            RankedRows(EVALUATION.ranking),
            lambda resamples: np.array([auc(ranking) for ranking in resamples]),
            Confidence(replicates=count),
        )

    assert auc_replicates(100).tolist() == auc_replicates(200)[:100].tolist()


@pytest.mark.parametrize("name", ["auc", "average_precision", "ks"])
def test_resamples_of_a_single_class_are_counted_in_the_note(name):
    estimate = FEW_POSITIVES.summary(name, method="bootstrap")
    undefined = int(estimate.note.split()[2])

    assert estimate.note == f"undefined in {undefined} of 1,000 resamples"
    # None of the 3 positives among 43 rows is drawn with probability (40/43)^43.
    assert undefined == pytest.approx(1000 * (40 / 43) ** 43, abs=4 * math.sqrt(45))
    assert estimate.has_interval
    assert FEW_POSITIVES.summary(name, method="bootstrap", sampling="by class").note is None


@settings(max_examples=25)
@given(scored(scores=st.integers(0, 6).map(lambda n: n / 6), min_size=4), st.floats(0.6, 0.95))
def test_intervals_contain_the_value_stay_in_range_and_widen_with_the_level(rows, level):
    scores, positive, _ = rows
    assume(min(positive.sum(), (~positive).sum()) >= 2)
    evaluation = to.evaluate(actual=positive, score=scores)

    for name in ("average_precision", "ks", "brier", "gini"):
        measure = to.SUMMARIES[name]
        narrow, wide = (
            evaluation.summary(name, level=confidence, replicates=100)
            for confidence in (level, (1 + level) / 2)
        )
        if not (narrow.has_interval and wide.has_interval):
            assert "no interval: " in narrow.note + wide.note
            continue
        assert measure.low <= wide.low <= narrow.low <= narrow.value + 1e-9
        assert narrow.value - 1e-9 <= narrow.high <= wide.high <= measure.high


@settings(max_examples=15)
@given(scored(scores=TIED, min_size=6), st.sampled_from([None, "bootstrap", "bca"]))
def test_bootstrap_intervals_depend_only_on_the_ranking(rows, method):
    scores, positive, weights = rows
    has_weight = weights > 0
    scores, positive, weights = scores[has_weight], positive[has_weight], weights[has_weight]
    assume(positive.any() and not positive.all())
    compute = partial(to.Evaluation.summary, name="ks", method=method, replicates=100)

    expected = compute(to.evaluate(actual=positive, score=scores, weight=weights))

    for rows_and_options in (
        {"actual": np.repeat(positive, weights), "score": np.repeat(scores, weights)},
        {"actual": positive[::-1], "score": scores[::-1], "weight": weights[::-1]},
        {"actual": positive, "score": np.exp(scores), "weight": weights},
        {"actual": positive, "score": -scores, "weight": weights, "lower_is_positive": True},
    ):
        assert repr(compute(to.evaluate(**rows_and_options))) == repr(expected)


@pytest.mark.parametrize("replicates", [1, 0, -5, 2.5, "many"])
def test_replicates_must_be_a_whole_number_of_at_least_2(replicates):
    with pytest.raises(InputError, match="replicates must be at least 2, not"):
        EVALUATION.summary("ks", replicates=replicates)


@pytest.mark.parametrize("seed", [-1, 1.5, "one"])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(InputError, match="seed must be a non-negative integer, not"):
        EVALUATION.summary("ks", seed=seed)


def test_replicates_and_seed_may_be_numpy_integers():
    options = {"replicates": np.int64(100), "seed": np.int64(7)}

    assert limits(EVALUATION.summary("ks", **options)) == limits(
        EVALUATION.summary("ks", replicates=100, seed=7)
    )


@pytest.mark.parametrize(
    ("name", "suggestion"), [("boostrap", "bootstrap"), ("wilsen", "wilson"), ("bcaa", "bca")]
)
def test_an_unknown_method_suggests_the_nearest_one(name, suggestion):
    with pytest.raises(
        UnknownName, match=f"There is no interval method '{name}'. Did you mean '{suggestion}'"
    ):
        EVALUATION.summary("auc", method=name)


@pytest.mark.parametrize("method", [3, 0.95, ["bca"]])
def test_a_method_must_be_a_name(method):
    with pytest.raises(TradeoffError, match="There is no interval method"):
        EVALUATION.summary("auc", method=method)


@pytest.mark.parametrize("level", [0, 1, 95, math.nan, -0.5])
def test_a_level_lies_between_0_and_1(level):
    for estimate in (EVALUATION.metric, EVALUATION.summary, EVALUATION.estimate):
        with pytest.raises(InputError, match="A level must be between 0 and 1"):
            estimate("tpr" if estimate != EVALUATION.summary else "ks", level=level)


def test_a_resample_has_the_columns_of_a_ranking_of_its_rows():
    (resample,) = resample_ranking(to.Ranking.of(SCORES["a"], ACTUAL), random(), 1)
    counts = [np.diff(resample.true_positives), np.diff(resample.false_positives)]
    scores = np.concatenate([np.repeat(resample.thresholds[1:], rows) for rows in counts])

    ranking = to.Ranking.of(scores, np.arange(len(scores)) < counts[0].sum())

    assert columns(resample) == columns(ranking)


@given(scored(scores=TIED, min_size=1), st.booleans())
def test_in_bag_and_out_of_bag_rows(rows, by_class):
    ranking = to.Ranking.of(rows[0], rows[1])

    in_bag, out_of_bag = BaggedRows.of(ranking).resample(random(), 5, by_class=by_class)

    assert (in_bag.positives + in_bag.negatives == ranking.rows).all()
    if by_class:
        assert (in_bag.positives == ranking.positives).all()
    for name, total in (("positives", ranking.positives), ("negatives", ranking.negatives)):
        left_out = getattr(out_of_bag, name)
        assert (np.isclose(left_out, total) | (left_out == 0)).all()
    # Every row is either in the bag or out of it.
    for inside, outside, all_rows in zip(
        in_bag.tally[1:], out_of_bag.tally[1:], ranking.tally[1:], strict=True
    ):
        inside_counts, outside_counts, counts = map(np.diff, (inside, outside, all_rows))
        assert ((inside_counts > 0) | (outside_counts > 0) | (counts == 0)).all()
        assert (outside_counts[:, counts == 0] == 0).all()


def test_about_a_third_of_the_rows_is_out_of_bag():
    actual, scores = two_models(4000, digits=9)
    rows = BaggedRows.of(to.Ranking.of(scores["a"], actual))
    _, out_of_bag = rows.resample(random(), 5)

    proportions = (np.diff(out_of_bag.true_positives) > 0).sum(axis=1) / actual.sum()
    assert proportions == pytest.approx(np.exp(-1), abs=0.03)
