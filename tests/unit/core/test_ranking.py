"""Rankings of rows with importance weights: sums of squared weights are merged, saved, loaded."""

import numpy as np
import pytest
from brute_force import two_models
from hypothesis import given
from hypothesis import strategies as st
from strategies import columns, scored

import tradeoff as to
from tradeoff.errors import InputError, StorageError

ACTUAL, SCORES = two_models()
WEIGHTS = np.random.default_rng(5).integers(1, 9, len(ACTUAL)) / 4


def weighted_ranking(rows=slice(None), **options):
    return to.evaluate(
        actual=ACTUAL[rows], score=SCORES["a"][rows], weight=WEIGHTS[rows], **options
    ).ranking


WEIGHTED = weighted_ranking()


def test_effective_rows_are_kishs():
    positive_weights, negative_weights = WEIGHTS[ACTUAL], WEIGHTS[~ACTUAL]

    assert WEIGHTED.effective_rows == pytest.approx(
        tuple(w.sum() ** 2 / (w**2).sum() for w in (positive_weights, negative_weights))
    )


def test_a_single_dominant_weight_gives_an_effective_size_of_1():
    ranking = to.evaluate(
        actual=[1, 1, 0, 0], score=[4, 3, 2, 1], weight=[1e9, 1.5, 1.5, 1.5]
    ).ranking

    assert ranking.effective_rows == pytest.approx((1.0, 2.0), abs=1e-6)


def test_frequency_weights_need_no_squares():
    ranking = weighted_ranking(weight_means="frequency")

    assert ranking.squares is None
    assert ranking.effective_rows == (ranking.positives, ranking.negatives)


@pytest.mark.parametrize(
    ("weight", "weight_means", "importance"),
    [
        (np.array([1, 2, 3, 4]), None, False),
        (np.array([1.5, 2, 3, 4]), None, True),
        (np.array([1, 2, 3, 4]), "importance", True),
        (np.array([1.5, 2, 3, 4]), "frequency", False),
    ],
)
def test_real_weights_are_importances_by_default(weight, weight_means, importance):
    ranking = to.evaluate(
        actual=[1, 0, 1, 0], score=[4, 3, 2, 1], weight=weight, weight_means=weight_means
    ).ranking

    assert (ranking.squares is not None) == importance


def test_an_unknown_meaning_of_weights_is_refused():
    with pytest.raises(InputError, match=r"`weight_means` must be one of .* not 'count'"):
        weighted_ranking(weight_means="count")


@given(scored(scores=st.integers(-3, 3).map(float), min_size=1), st.integers(0, 40))
def test_squares_are_summed_when_rankings_are_merged(rows, cut):
    scores, positive, weights = rows
    parts = [
        to.evaluate(
            actual=positive[part], score=scores[part], weight=weights[part] + 0.5, positive=True
        ).ranking
        for part in (slice(cut), slice(cut, None), slice(None))
        if len(positive[part])
    ]

    merged = sum(parts[:-1])

    assert columns(merged.squares) == columns(parts[-1].squares)
    assert merged.effective_rows == parts[-1].effective_rows


def test_unweighted_and_weighted_rankings_can_be_merged():
    plain = to.evaluate(actual=ACTUAL[:50], score=SCORES["a"][:50]).ranking
    merged = plain + weighted_ranking(slice(50, None))
    weights = np.concatenate([np.ones(50), WEIGHTS[50:]])

    expected = to.evaluate(actual=ACTUAL, score=SCORES["a"], weight=weights).ranking

    assert columns(merged.squares) == columns(expected.squares)


def test_rejected_rows_have_squares_too():
    ranking = to.evaluate(
        actual=[1, 0, 1, 0],
        score=[2, 1, np.nan, np.nan],
        weight=[1.5, 2.5, 3, 0.5],
        missing="reject",
    ).ranking

    assert (ranking.rejected_positives, ranking.rejected_negatives) == (3, 0.5)
    assert (ranking.squares.rejected_positives, ranking.squares.rejected_negatives) == (9, 0.25)


def test_confusion_matrices_have_squared_weights_by_cell():
    matrix = WEIGHTED.at(0.5)
    predicted = SCORES["a"] >= 0.5

    assert matrix.squares.true_positives == pytest.approx((WEIGHTS[ACTUAL & predicted] ** 2).sum())
    assert matrix.squares.false_negatives == pytest.approx(
        (WEIGHTS[ACTUAL & ~predicted] ** 2).sum()
    )
    assert matrix.squares.rows == pytest.approx((WEIGHTS**2).sum())


@pytest.mark.parametrize(
    "ranking",
    [
        WEIGHTED,
        WEIGHTED.at_prevalence(0.1),
        weighted_ranking(lower_is_positive=True),
        to.evaluate(
            actual=[1, 0, 1, 0],
            score=[2, 1, np.nan, 3],
            weight=[1.5, 2.5, 3, 0.5],
            missing="reject",
        ).ranking,
    ],
    ids=["weighted", "at a prevalence", "lower is positive", "rejected"],
)
def test_a_loaded_ranking_equals_the_saved_one(ranking, tmp_path):
    ranking.save(tmp_path / "one.ranking")
    loaded = to.Ranking.load(tmp_path / "one.ranking")

    assert columns(loaded.squares) == columns(ranking.squares)
    assert loaded.effective_rows == ranking.effective_rows
    assert loaded == ranking


@pytest.mark.parametrize(
    "change",
    [
        {"squared_thresholds": np.array([np.inf, 9.0])},
        {"squared_true_positives": -WEIGHTED.squares.true_positives},
        {"squared_false_positives": WEIGHTED.squares.false_positives[:-1]},
        {"squared_rejected": np.array([1.0])},
        {"squared_thresholds": np.concatenate([[np.inf], WEIGHTED.thresholds[1:] + 1])},
        {
            f"squared_{name}": column[:3]
            for name, column in WEIGHTED.squares.tally._asdict().items()
        },
    ],
    ids=["thresholds", "negative", "short", "rejected", "other thresholds", "fewer thresholds"],
)
def test_malformed_squares_are_refused(change, tmp_path):
    path = tmp_path / "one.ranking"
    WEIGHTED.save(path)
    with np.load(path) as file:
        parts = dict(file) | change
    with path.open("wb") as file:
        np.savez(file, **parts)

    with pytest.raises(StorageError, match="not a ranking"):
        to.Ranking.load(path)


@pytest.mark.parametrize("ranking", [WEIGHTED, to.Ranking.of(SCORES["a"], ACTUAL)])
def test_reweighting_changes_the_prevalence_but_not_effective_sizes_or_the_auc(ranking):
    reweighted = ranking.at_prevalence(0.05)

    assert reweighted.positives / reweighted.total == pytest.approx(0.05)
    assert reweighted.total == pytest.approx(ranking.total)
    assert reweighted.effective_rows == pytest.approx(ranking.effective_rows)
    assert to.SUMMARIES["auc"](reweighted) == pytest.approx(to.SUMMARIES["auc"](ranking))


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_the_last_of_several_prevalences_applies(first, second):
    reweighted_twice, reweighted_once = (
        WEIGHTED.at_prevalence(first).at_prevalence(second),
        WEIGHTED.at_prevalence(second),
    )

    assert reweighted_twice.true_positives == pytest.approx(reweighted_once.true_positives)
    assert reweighted_twice.squares.false_positives == pytest.approx(
        reweighted_once.squares.false_positives
    )


@pytest.mark.parametrize("prevalence", [0, 1, -0.1, 30])
def test_a_prevalence_lies_between_0_and_1(prevalence):
    with pytest.raises(InputError, match="A prevalence must be between 0 and 1"):
        WEIGHTED.at_prevalence(prevalence)


def test_a_ranking_is_unchanged_without_a_prevalence():
    assert WEIGHTED.at_prevalence(None) is WEIGHTED
