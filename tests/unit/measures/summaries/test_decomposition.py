"""Decomposition of scoring rules into miscalibration, discrimination and uncertainty."""

import math

import numpy as np
import pytest
from golden.reference import table
from hypothesis import given
from hypothesis import strategies as st
from strategies import rankings

import tradeoff as to
from tradeoff.calibration.reliability import reliability
from tradeoff.errors import InputError
from tradeoff.measures.registry import SUMMARIES
from tradeoff.measures.summaries.decomposition import decompose, isotonic_pools

PROBABILITIES = st.integers(0, 10).map(lambda tenths: tenths / 10)


FOUR = to.Ranking.of(np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool))


def golden(name):
    rows = table(f"{name}_data.csv")
    return rows[next(k for k in ("score", "prediction") if k in rows)], rows["label"] > 0, rows


def test_the_decomposition_of_four_rows_worked_by_hand():
    # The middle two are pooled: recalibrated probabilities are 1, 1/2, 1/2, 0.
    parts = decompose(FOUR)

    assert parts.value == pytest.approx((0.1**2 + 0.8**2 + 0.6**2 + 0.1**2) / 4)
    assert parts.miscalibration == pytest.approx(1.02 / 4 - 0.5 / 4)
    assert (parts.discrimination, parts.uncertainty) == (0.125, 0.25)

    parts = decompose(FOUR, "log_loss")
    assert parts.uncertainty == pytest.approx(math.log(2))
    assert parts.discrimination == pytest.approx(math.log(2) / 2)
    loss = -(2 * math.log(0.9) + math.log(0.2) + math.log(0.4)) / 4
    assert parts.miscalibration == pytest.approx(loss - math.log(2) / 2)


# scikit-learn 1.9.1: brier_score_loss and log_loss of the scores, of IsotonicRegression's
# predictions on the same rows, and of the prevalence.
@pytest.mark.parametrize(
    ("name", "weighted", "score", "expected"),
    [
        ("syn_a1_probabilities", False, "brier", (0.016458640213861397, 0.0650886169386169)),
        ("syn_a1_probabilities", False, "log_loss", (0.0524799363552414, 0.16031223697209718)),
        ("syn_a1_probabilities", True, "brier", (0.028449147928360563, 0.06485719717044025)),
        ("syn_a1_probabilities", True, "log_loss", (0.08265157605952189, 0.16437681536611415)),
        ("syn_a7_imbalanced", False, "brier", (0.0011201139850029202, 0.0009708724850029217)),
        ("syn_a7_imbalanced", True, "log_loss", (0.02262158900454733, 0.016529373625607333)),
        ("rocr_simple", False, "log_loss", (0.14055973495847868, 0.2750791741644902)),
    ],
)
def test_the_decomposition_equals_that_of_scikit_learns_isotonic_regression(
    name, weighted, score, expected
):
    scores, positive, rows = golden(name)
    parts = decompose(to.Ranking.of(scores, positive, rows["weight"] if weighted else None), score)

    assert (parts.miscalibration, parts.discrimination) == pytest.approx(expected, abs=1e-12)


@given(rankings(scores=PROBABILITIES, min_size=1), st.sampled_from(["brier", "log_loss"]))
def test_components_sum_to_the_score_and_none_is_negative(ranking, score):
    parts = decompose(ranking, score)

    total = parts.miscalibration - parts.discrimination + parts.uncertainty
    assert total == pytest.approx(parts.value, abs=1e-12)
    assert parts.value == SUMMARIES[score](ranking)
    assert min(parts.miscalibration, parts.discrimination, parts.uncertainty) >= 0


@given(rankings(scores=PROBABILITIES, min_size=1))
def test_swapping_classes_and_scores_does_not_change_the_decomposition(ranking):
    mirrored = to.Ranking(
        ranking.tally._replace(thresholds=np.append(-np.inf, 1 - ranking.thresholds[1:])),
        ranking.rows,
        lower_is_positive=True,
    )
    for score in ("brier", "log_loss"):
        original, swapped = decompose(ranking, score), decompose(mirrored, score)
        assert original.miscalibration == pytest.approx(swapped.miscalibration, abs=1e-12)
        assert original.discrimination == pytest.approx(swapped.discrimination, abs=1e-12)


def test_observed_proportions_as_scores_have_no_miscalibration():
    scores = np.repeat([0.25, 0.5, 1.0], [4, 2, 3])
    ranking = to.Ranking.of(scores, np.array([1, 0, 0, 0, 1, 0, 1, 1, 1], bool))

    assert decompose(ranking).miscalibration == 0
    assert decompose(ranking, "log_loss").miscalibration == pytest.approx(0, abs=1e-15)


def test_certain_but_wrong_probabilities_are_clipped_with_a_note():
    ranking = to.Ranking.of(np.array([0.0, 1.0, 0.5]), np.array([1, 1, 0], bool))
    parts = decompose(ranking, "log_loss")

    assert math.isfinite(parts.value)
    assert parts.note == "clipped: 1 row has probability 0 for the actual class"
    assert decompose(ranking).note is None


def test_the_score_of_one_class_is_all_miscalibration():
    ranking = to.Ranking.of(np.array([0.9, 0.7]), np.array([True, True]))

    for score in ("brier", "log_loss"):
        parts = decompose(ranking, score)
        assert parts.miscalibration == pytest.approx(parts.value)
        assert (parts.discrimination, parts.uncertainty) == (0, 0)


def test_rows_of_negligible_weight_are_still_pooled():
    scores, weights = np.array([0.9, 0.5, 0.1]), np.array([1e20, 1e20, 1.0])
    ranking = to.Ranking.of(scores, np.array([True, False, False]), weights)

    assert isotonic_pools(ranking).fitted.tolist() == [1.0, 0.0, 0.0]
    assert decompose(ranking).miscalibration == pytest.approx((0.01 + 0.25) / 2)


@pytest.mark.parametrize("score", [2.0, -0.5])
def test_only_probabilities_can_be_decomposed(score):
    with pytest.raises(InputError, match="A decomposition needs probabilities"):
        decompose(to.Ranking.of(np.array([score, 0.5]), np.array([True, False])))


def test_invalid_options_are_refused_with_a_reason():
    with pytest.raises(InputError, match="`score` must be one of 'brier' and 'log_loss'"):
        decompose(FOUR, "logloss")
    with pytest.raises(InputError, match="`bands` must be one of"):
        reliability(FOUR, bands="consistent")
    with pytest.raises(InputError, match="replicates must be at least 20"):
        reliability(FOUR, replicates=2)
    with pytest.raises(InputError, match=r"95% is 0\.95"):
        reliability(FOUR, level=95)
    with pytest.raises(InputError, match="no rows"):
        reliability(to.Ranking.of(np.array([]), np.array([], bool)))
