"""Rows drawn again from a ranking: what is drawn, what intervals come of it, that it repeats."""

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
from tradeoff.core.resamples import occupied
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError, TradeoffError, UnknownName
from tradeoff.uncertainty.bootstrap import BaggedRows, RankedRows, bootstrap, in_blocks, thinned
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.summaries import _skews

TIED = st.integers(-3, 3).map(float)
ACTUAL, SCORES = two_models()
FAIR = to.evaluate(actual=ACTUAL, score=SCORES["a"])
COMPARED = to.compare(actual=ACTUAL, score=SCORES)
FEW_POSITIVES = to.evaluate(actual=[1] * 3 + [0] * 40, score=[9.0, 30.0, 35.0, *range(40)])


def random():
    return np.random.default_rng(0)


def draw(ranking, *asked, **how):
    return RankedRows(ranking).resample(*asked, **how)


def ends(estimate):
    return estimate.low, estimate.high


@given(scored(scores=TIED, min_size=1), st.booleans())
def test_draws_have_as_many_rows_as_the_ranking(rows, by_class):
    ranking = to.Ranking.of(rows[0], rows[1])

    for own in draw(ranking, random(), 5, by_class=by_class):
        assert own.positives + own.negatives == ranking.rows
        if by_class:
            assert (own.positives, own.negatives) == (ranking.positives, ranking.negatives)


@given(scored(scores=TIED, min_size=1))
def test_draws_have_only_rows_that_were_there(rows):
    ranking = to.Ranking.of(rows[0], rows[1])
    there = set(zip(rows[0], rows[1], strict=True))

    for own in draw(ranking, random(), 5):
        for up, side in ((True, own.true_positives), (False, own.false_positives)):
            drawn = own.thresholds[1:][np.diff(side) > 0]
            assert {(score, up) for score in drawn} <= there


def test_how_often_rows_come_varies_as_in_drawing_one_by_one():
    up, down = np.array([3, 0, 5]), np.array([1, 6, 2])
    ranking = to.Ranking.of(
        np.repeat([3.0, 2.0, 1.0, 3.0, 2.0, 1.0], [*up, *down]), np.arange(17) < 8
    )
    for by_class, rows in ((True, 9), (False, 17)):
        drawn = draw(ranking, random(), 40_000, by_class=by_class)
        counts = np.diff(drawn.tally.false_positives, axis=1)

        assert counts.mean(axis=0) == pytest.approx(down, abs=0.04)
        shares = down / rows
        expected = rows * (np.diag(shares) - np.outer(shares, shares))
        assert np.cov(counts.T) == pytest.approx(expected, abs=0.09)


def test_real_weights_are_drawn_with_their_mean_and_variance():
    # Two rows of weight 0.5 and 1.5 on each score: sums of squares 2.5.
    scores = np.repeat(np.arange(6.0), 2)
    weights = np.tile([0.5, 1.5], 6)
    ranking = to.evaluate(actual=np.tile([1, 0], 3).repeat(2), score=scores, weight=weights).ranking
    drawn = np.diff(draw(ranking, random(), 40_000, by_class=True).tally.true_positives, axis=1)
    drawn = drawn[:, drawn.any(axis=0)]

    assert drawn.shape[1] == 3
    assert drawn.sum(axis=1) == pytest.approx(6)
    assert drawn.mean(axis=0) == pytest.approx(2, abs=0.02)
    # Gamma draws of shape 2²/2.5 scaled to a common sum are Dirichlet draws.
    shape = 4 / 2.5
    assert drawn.var(axis=0) == pytest.approx(36 * (1 / 3) * (2 / 3) / (3 * shape + 1), rel=0.03)


def test_rejected_rows_are_drawn_too():
    ranking = to.evaluate(
        actual=[1, 1, 1, 0, 0], score=[3, 2, math.nan, 1, math.nan], missing="reject"
    ).ranking

    drawn = list(draw(ranking, random(), 50, by_class=True))

    assert {own.total for own in drawn} == {5}
    assert {int(own.rejected_positives) for own in drawn} == {0, 1, 2, 3}
    assert all(own.positives + own.rejected_positives == 3 for own in drawn)


def test_scores_that_no_row_has_leave_the_tally():
    tally = occupied(
        Tally(np.array([np.inf, 3, 2, 1]), np.array([0, 1, 1, 1]), np.array([0, 0, 0, 2]))
    )

    assert [own.tolist() for own in tally] == [[math.inf, 3, 1], [0, 1, 1], [0, 0, 2]]


def test_a_thinned_ranking_keeps_its_rows_its_ends_and_what_it_must():
    actual, scores = two_models(5000, digits=9)
    ranking = to.Ranking.of(scores["a"], actual)
    must = np.array([1234, 1235])

    thin = thinned(ranking, 100, keep=[must])

    assert thin.distinct <= 102 < ranking.distinct
    assert (thin.positives, thin.negatives) == (ranking.positives, ranking.negatives)
    for threshold in (ranking.thresholds[1], *ranking.thresholds[must], ranking.thresholds[-1]):
        assert thin.at(threshold) == ranking.at(threshold)
    assert to.SUMMARIES["auc"](thin) == pytest.approx(to.SUMMARIES["auc"](ranking), abs=2e-3)
    assert thinned(ranking, 10_000) is ranking


def test_a_long_ranking_keeps_its_exact_value_and_the_width_of_all_its_rows():
    actual, scores = two_models(5000, digits=9)
    evaluation = to.evaluate(actual=actual, score=scores["a"])

    drawn, formula = evaluation.summary("auc", method="bootstrap"), evaluation.auc

    assert drawn.value == formula.value
    assert ends(drawn) == pytest.approx(ends(formula), abs=2e-3)


def test_the_skew_of_a_summary_is_that_of_leaving_out_every_row():
    measure = to.SUMMARIES["average_precision"]
    scores = SCORES["a"]
    away = []
    for side in (ACTUAL, ~ACTUAL):
        left = [
            measure(to.Ranking.of(np.delete(scores, row), np.delete(ACTUAL, row)))
            for row in np.flatnonzero(side)
        ]
        away.append(np.mean(left) - left)
    away = np.concatenate(away)

    expected = (away**3).sum() / (6 * (away**2).sum() ** 1.5)

    assert _skews([measure], FAIR.ranking)[0] == pytest.approx(expected, rel=1e-9)


DRAWN = {
    "a summary": lambda e, **asked: ends(e.summary("pr_gain_area", method="bootstrap", **asked)),
    "a summary by name": lambda e, **asked: ends(e.summary("ks", method="bca", **asked)),
    "a metric": lambda e, **asked: ends(e.metric("f1", method="bootstrap", **asked)),
    "a metric at another's value": lambda e, **asked: ends(
        e.estimate("tpr", at=("fpr", 0.1), method="bootstrap", **asked)
    ),
    "a ROC band": lambda e, **asked: e.band("roc", method="bootstrap", **asked).low.tolist(),
    "another band": lambda e, **asked: e.band(
        x="tpr", y="precision", method="bootstrap", **asked
    ).high.tolist(),
    "a difference": lambda _, **asked: ends(
        COMPARED.difference("a", "b", method="bootstrap", **asked)
    ),
    "an exchange": lambda _, **asked: (
        COMPARED.difference("a", "b", method="permutation", **asked).p_value
    ),
}


@pytest.mark.parametrize("what", DRAWN)
def test_the_number_of_cores_does_not_matter_and_the_seed_does(what, monkeypatch):
    ask = partial(DRAWN[what], FAIR, replicates=300)
    found = []
    for number in (1, 2):
        monkeypatch.setattr(threads, "cores", lambda: number)
        found.append(ask(seed=4))

    assert found[0] == found[1]
    assert ask(seed=5) != found[0]


def test_progress_is_told_as_draws_are_done():
    told = []

    in_blocks(
        lambda _, size: np.zeros(size),
        Confidence(replicates=120, progress=lambda done, of: told.append((done, of))),
    )

    assert told == [(50, 120), (100, 120), (120, 120)]


def test_few_draws_are_the_first_of_many():
    def first(replicates):
        area = to.SUMMARIES["auc"]
        return bootstrap(
            RankedRows(FAIR.ranking),
            lambda drawn: np.array([area(own) for own in drawn]),
            Confidence(replicates=replicates),
        )

    assert first(100).tolist() == first(200)[:100].tolist()


@pytest.mark.parametrize("name", ["auc", "average_precision", "ks"])
def test_draws_without_one_class_are_counted_and_said(name):
    found = FEW_POSITIVES.summary(name, method="bootstrap")
    without = int(found.note.split(" of ")[0])

    assert found.note == f"{without} of 1,000 resamples had no value"
    # None of 3 positives in 43 rows: a probability of (40/43)^43.
    assert without == pytest.approx(1000 * (40 / 43) ** 43, abs=4 * math.sqrt(45))
    assert found.has_interval
    assert FEW_POSITIVES.summary(name, method="bootstrap", sampling="by class").note is None


@settings(max_examples=25)
@given(scored(scores=st.integers(0, 6).map(lambda n: n / 6), min_size=4), st.floats(0.6, 0.95))
def test_intervals_hold_their_value_inside_the_range_and_grow_with_the_level(rows, level):
    scores, positive, _ = rows
    assume(min(positive.sum(), (~positive).sum()) >= 2)
    evaluation = to.evaluate(actual=positive, score=scores)

    for name in ("average_precision", "ks", "brier", "gini"):
        measure = to.SUMMARIES[name]
        narrow, wide = (
            evaluation.summary(name, level=own, replicates=100) for own in (level, (1 + level) / 2)
        )
        if not (narrow.has_interval and wide.has_interval):
            assert "no interval: " in narrow.note + wide.note
            continue
        assert measure.low <= wide.low <= narrow.low <= narrow.value + 1e-9
        assert narrow.value - 1e-9 <= narrow.high <= wide.high <= measure.high


@settings(max_examples=15)
@given(scored(scores=TIED, min_size=6), st.sampled_from([None, "bootstrap", "bca"]))
def test_drawn_intervals_know_only_the_ranking(rows, method):
    scores, positive, weights = rows
    kept = weights > 0
    scores, positive, weights = scores[kept], positive[kept], weights[kept]
    assume(positive.any() and not positive.all())
    ask = partial(to.Evaluation.summary, name="ks", method=method, replicates=100)

    plain = ask(to.evaluate(actual=positive, score=scores, weight=weights))

    for same in (
        {"actual": np.repeat(positive, weights), "score": np.repeat(scores, weights)},
        {"actual": positive[::-1], "score": scores[::-1], "weight": weights[::-1]},
        {"actual": positive, "score": np.exp(scores), "weight": weights},
        {"actual": positive, "score": -scores, "weight": weights, "lower_is_positive": True},
    ):
        assert repr(ask(to.evaluate(**same))) == repr(plain)


@pytest.mark.parametrize("replicates", [1, 0, -5, 2.5, "many"])
def test_rows_are_drawn_a_whole_number_of_times(replicates):
    with pytest.raises(InputError, match="replicates must be at least 2, not"):
        FAIR.summary("ks", replicates=replicates)


@pytest.mark.parametrize("seed", [-1, 1.5, "one"])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(InputError, match="A seed is a whole number from 0 on, not"):
        FAIR.summary("ks", seed=seed)


def test_numbers_of_numpy_are_numbers():
    asked = {"replicates": np.int64(100), "seed": np.int64(7)}

    assert ends(FAIR.summary("ks", **asked)) == ends(FAIR.summary("ks", replicates=100, seed=7))


@pytest.mark.parametrize(
    ("name", "meant"), [("boostrap", "bootstrap"), ("wilsen", "wilson"), ("bcaa", "bca")]
)
def test_an_unknown_method_is_told_with_the_nearest_one(name, meant):
    with pytest.raises(UnknownName, match=f"No method is called '{name}'. Did you mean '{meant}'"):
        FAIR.summary("auc", method=name)


@pytest.mark.parametrize("method", [3, 0.95, ["bca"]])
def test_a_method_is_a_word(method):
    with pytest.raises(TradeoffError, match="No method is called"):
        FAIR.summary("auc", method=method)


@pytest.mark.parametrize("level", [0, 1, 95, math.nan, -0.5])
def test_a_level_lies_between_0_and_1(level):
    for ask in (FAIR.metric, FAIR.summary, FAIR.estimate):
        with pytest.raises(InputError, match="A level lies between 0 and 1"):
            ask("tpr" if ask != FAIR.summary else "ks", level=level)


def test_columns_of_a_draw_are_those_of_a_ranking_of_its_rows():
    (own,) = draw(to.Ranking.of(SCORES["a"], ACTUAL), random(), 1)
    rows = [np.diff(own.true_positives), np.diff(own.false_positives)]
    scores = np.concatenate([np.repeat(own.thresholds[1:], side) for side in rows])

    again = to.Ranking.of(scores, np.arange(len(scores)) < rows[0].sum())

    assert columns(own) == columns(again)


@given(scored(scores=TIED, min_size=1), st.booleans())
def test_rows_in_and_out_of_the_bag(rows, by_class):
    ranking = to.Ranking.of(rows[0], rows[1])

    in_bag, out_of_bag = BaggedRows.of(ranking).resample(random(), 5, by_class=by_class)

    assert (in_bag.positives + in_bag.negatives == ranking.rows).all()
    if by_class:
        assert (in_bag.positives == ranking.positives).all()
    for side, total in (("positives", ranking.positives), ("negatives", ranking.negatives)):
        left = getattr(out_of_bag, side)
        assert (np.isclose(left, total) | (left == 0)).all()
    # A score all of whose rows are in the bag has none outside; every row is somewhere.
    for inside, outside, all_rows in zip(
        in_bag.tally[1:], out_of_bag.tally[1:], ranking.tally[1:], strict=True
    ):
        drawn, left, seen = (np.diff(side) for side in (inside, outside, all_rows))
        assert ((drawn > 0) | (left > 0) | (seen == 0)).all()
        assert (left[:, seen == 0] == 0).all()


def test_a_third_of_many_rows_is_left_out():
    actual, scores = two_models(4000, digits=9)
    rows = BaggedRows.of(to.Ranking.of(scores["a"], actual))
    _, left = rows.resample(random(), 5)

    share = (np.diff(left.true_positives) > 0).sum(axis=1) / actual.sum()
    assert share == pytest.approx(np.exp(-1), abs=0.03)
