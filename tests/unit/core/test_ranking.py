"""Rankings of rows that differ in importance: squares of weights add, save, load and scale."""

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


def ranked(rows=slice(None), **options):
    return to.evaluate(
        actual=ACTUAL[rows], score=SCORES["a"][rows], weight=WEIGHTS[rows], **options
    ).ranking


WHOLE = ranked()


def test_effective_rows_are_kishs():
    up, down = WEIGHTS[ACTUAL], WEIGHTS[~ACTUAL]

    assert WHOLE.effective_rows == pytest.approx(
        (up.sum() ** 2 / (up**2).sum(), down.sum() ** 2 / (down**2).sum())
    )


def test_one_heavy_row_says_as_much_as_one():
    ranking = to.evaluate(
        actual=[1, 1, 0, 0], score=[4, 3, 2, 1], weight=[1e9, 1.5, 1.5, 1.5]
    ).ranking

    assert ranking.effective_rows == pytest.approx((1.0, 2.0), abs=1e-6)


def test_frequencies_count_every_row():
    ranking = ranked(weight_means="frequency")

    assert ranking.squares is None
    assert ranking.effective_rows == (ranking.positives, ranking.negatives)


@pytest.mark.parametrize(
    ("weight", "means", "importance"),
    [
        (np.array([1, 2, 3, 4]), None, False),
        (np.array([1.5, 2, 3, 4]), None, True),
        (np.array([1, 2, 3, 4]), "importance", True),
        (np.array([1.5, 2, 3, 4]), "frequency", False),
    ],
)
def test_real_weights_are_importances_unless_said_otherwise(weight, means, importance):
    ranking = to.evaluate(
        actual=[1, 0, 1, 0], score=[4, 3, 2, 1], weight=weight, weight_means=means
    ).ranking

    assert (ranking.squares is not None) == importance


def test_unknown_meanings_are_told():
    with pytest.raises(InputError, match=r"`weight_means` must be one of .* not 'count'"):
        ranked(weight_means="count")


@given(scored(scores=st.integers(-3, 3).map(float), min_size=1), st.integers(0, 40))
def test_squares_of_parts_add_up(rows, cut):
    scores, positive, weights = rows
    parts = [
        to.evaluate(
            actual=positive[part], score=scores[part], weight=weights[part] + 0.5, positive=True
        ).ranking
        for part in (slice(cut), slice(cut, None), slice(None))
        if len(positive[part])
    ]

    added = sum(parts[:-1])

    assert columns(added.squares) == columns(parts[-1].squares)
    assert added.effective_rows == parts[-1].effective_rows


def test_rows_that_count_once_add_to_rows_that_matter():
    plain = to.evaluate(actual=ACTUAL[:50], score=SCORES["a"][:50]).ranking
    added = plain + ranked(slice(50, None))
    weights = np.concatenate([np.ones(50), WEIGHTS[50:]])

    expected = to.evaluate(actual=ACTUAL, score=SCORES["a"], weight=weights).ranking

    assert columns(added.squares) == columns(expected.squares)


def test_rejected_rows_have_squares_too():
    ranking = to.evaluate(
        actual=[1, 0, 1, 0],
        score=[2, 1, np.nan, np.nan],
        weight=[1.5, 2.5, 3, 0.5],
        missing="reject",
    ).ranking

    assert (ranking.rejected_positives, ranking.rejected_negatives) == (3, 0.5)
    assert (ranking.squares.rejected_positives, ranking.squares.rejected_negatives) == (9, 0.25)


def test_matrices_bring_the_squares_of_their_cells():
    matrix = WHOLE.at(0.5)
    flagged = SCORES["a"] >= 0.5

    assert matrix.squares.true_positives == pytest.approx((WEIGHTS[ACTUAL & flagged] ** 2).sum())
    assert matrix.squares.false_negatives == pytest.approx((WEIGHTS[ACTUAL & ~flagged] ** 2).sum())
    assert matrix.squares.rows == pytest.approx((WEIGHTS**2).sum())


@pytest.mark.parametrize(
    "ranking",
    [
        WHOLE,
        WHOLE.at_prevalence(0.1),
        ranked(lower_is_positive=True),
        to.evaluate(
            actual=[1, 0, 1, 0],
            score=[2, 1, np.nan, 3],
            weight=[1.5, 2.5, 3, 0.5],
            missing="reject",
        ).ranking,
    ],
    ids=["weighted", "at a prevalence", "lower is positive", "rejected"],
)
def test_everything_comes_back_from_a_file(ranking, tmp_path):
    ranking.save(tmp_path / "one.ranking")
    loaded = to.Ranking.load(tmp_path / "one.ranking")

    assert columns(loaded.squares) == columns(ranking.squares)
    assert loaded.effective_rows == ranking.effective_rows
    assert loaded == ranking


@pytest.mark.parametrize(
    "change",
    [
        {"squared_thresholds": np.array([np.inf, 9.0])},
        {"squared_true_positives": -WHOLE.squares.true_positives},
        {"squared_false_positives": WHOLE.squares.false_positives[:-1]},
        {"squared_rejected": np.array([1.0])},
        {"squared_thresholds": np.concatenate([[np.inf], WHOLE.thresholds[1:] + 1])},
        {f"squared_{name}": column[:3] for name, column in WHOLE.squares.tally._asdict().items()},
    ],
    ids=["thresholds", "negative", "short", "rejected", "other thresholds", "fewer places"],
)
def test_wrong_squares_are_never_a_wrong_number(change, tmp_path):
    path = tmp_path / "one.ranking"
    WHOLE.save(path)
    with np.load(path) as file:
        parts = dict(file) | change
    with path.open("wb") as file:
        np.savez(file, **parts)

    with pytest.raises(StorageError, match="not a ranking"):
        to.Ranking.load(path)


@pytest.mark.parametrize("ranking", [WHOLE, to.Ranking.of(SCORES["a"], ACTUAL)])
def test_another_prevalence_changes_how_classes_mix_and_not_how_much_is_known(ranking):
    weighed = ranking.at_prevalence(0.05)

    assert weighed.positives / weighed.total == pytest.approx(0.05)
    assert weighed.total == pytest.approx(ranking.total)
    assert weighed.effective_rows == pytest.approx(ranking.effective_rows)
    assert to.SUMMARIES["auc"](weighed) == pytest.approx(to.SUMMARIES["auc"](ranking))


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_the_last_prevalence_counts(first, second):
    mirrored, straight = (
        WHOLE.at_prevalence(first).at_prevalence(second),
        WHOLE.at_prevalence(second),
    )

    assert mirrored.true_positives == pytest.approx(straight.true_positives)
    assert mirrored.squares.false_positives == pytest.approx(straight.squares.false_positives)


@pytest.mark.parametrize("prevalence", [0, 1, -0.1, 30])
def test_a_prevalence_lies_between_0_and_1(prevalence):
    with pytest.raises(InputError, match="A prevalence must be between 0 and 1"):
        WHOLE.at_prevalence(prevalence)


def test_no_prevalence_is_the_ranking_itself():
    assert WHOLE.at_prevalence(None) is WHOLE
