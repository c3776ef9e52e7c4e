"""Calibration maps: against other programs, monotone, saved and loaded."""

import json
import math

import numpy as np
import pytest
from golden.reference import DATA, table
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import expit
from strategies import SCORES, scored

import tradeoff as to
from tradeoff.calibration.maps import CalibrationMap, isotonic_map, platt_map
from tradeoff.errors import InputError, StorageError
from tradeoff.measures.summaries.decomposition import decompose, isotonic_pools

SMALL = st.integers(-4, 4).map(float)
FOUR = to.Ranking.of(np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool))


def golden(name):
    rows = table(f"{name}_data.csv")
    scores = rows[next(k for k in ("score", "prediction") if k in rows)]
    return to.Ranking.of(scores, rows["label"] > 0)


def ranked(scores, actual, **options):
    return to.Ranking.of(np.array(scores, float), np.array(actual, bool), **options)


# scikit-learn 1.9.1: IsotonicRegression(out_of_bounds="clip") at 0, 1/8, ..., 1.
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "syn_a1_probabilities",
            [0, 3 / 13, 7 / 30, 3 / 11, 1 / 2, 6 / 11, 13 / 16, 13 / 16, 1],
        ),
        (
            "syn_a7_imbalanced",
            [0, 3 / 46, 4 / 21, 0.39870016247969, 0.6642919635045619, 0.9298837645294338, 1, 1, 1],
        ),
        (
            "rocr_simple",
            [5 / 44, 5 / 44, 9 / 61, 9 / 61, 0.21220645851817882, 4 / 5, 6 / 7, 6 / 7, 1],
        ),
    ],
)
def test_the_isotonic_map_equals_scikit_learns(name, expected):
    probabilities = isotonic_map(golden(name))(np.linspace(0, 1, 9))

    assert probabilities == pytest.approx(expected, abs=1e-12)


# Newton's method on the rows in 50 digits (mpmath 1.4); scikit-learn 1.9.1 agrees in 7 digits.
@pytest.mark.parametrize(
    ("name", "coefficients"),
    [
        ("syn_a1_probabilities", (-3.8338452455857409, 2.1412048982267607)),
        ("rocr_simple", (-5.1762739525093568, 2.7124975383242309)),
    ],
)
def test_platt_coefficients_equal_a_high_precision_fit(name, coefficients):
    assert platt_map(golden(name)).coefficients == pytest.approx(coefficients, rel=1e-12)


@given(scored(scores=SMALL, min_size=2))
def test_residuals_of_platts_sigmoid_sum_to_zero(rows):
    scores, positive, _ = rows
    assume(positive.any() and not positive.all())
    probabilities = platt_map(to.Ranking.of(scores, positive))(scores)

    positives, negatives = positive.sum(), (~positive).sum()
    residuals = (
        np.where(positive, (positives + 1) / (positives + 2), 1 / (negatives + 2)) - probabilities
    )
    assert residuals.sum() == pytest.approx(0, abs=1e-9)
    assert residuals @ scores == pytest.approx(0, abs=1e-9)


@given(scored(scores=SCORES, min_size=2), st.lists(SCORES, min_size=1), st.booleans())
def test_isotonic_maps_keep_the_order_of_any_scores(rows, other_scores, lower_is_positive):
    scores, positive, _ = rows
    assume(positive.any() and not positive.all())
    ranking = to.Ranking.of(scores, positive, lower_is_positive=lower_is_positive)

    probabilities = isotonic_map(ranking)(np.sort([*other_scores, *scores]))

    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    assert (np.diff(-probabilities if lower_is_positive else probabilities) >= 0).all()
    np.testing.assert_array_equal(
        isotonic_map(ranking)(ranking.thresholds[1:]), isotonic_pools(ranking).fitted
    )


@given(scored(scores=st.floats(-1e9, 1e9), min_size=2), st.lists(SCORES, min_size=1), st.booleans())
def test_sigmoids_are_monotone(rows, other_scores, lower_is_positive):
    scores, positive, _ = rows
    assume(positive.any() and not positive.all())
    assume(np.ptp(scores) > 1e-200 or np.ptp(scores) == 0)
    sigmoid = platt_map(to.Ranking.of(scores, positive, lower_is_positive=lower_is_positive))

    probabilities = sigmoid(np.sort([*other_scores, *scores]))
    steps = np.diff(probabilities)
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    assert (steps >= 0).all() or (steps <= 0).all()


@given(scored(scores=st.integers(0, 10).map(lambda t: t / 10), min_size=2))
def test_isotonic_probabilities_have_no_miscalibration(rows):
    scores, positive, _ = rows
    assume(positive.any() and not positive.all())
    original = to.Ranking.of(scores, positive)
    recalibrated = to.Ranking.of(isotonic_map(original)(scores), positive)

    assert decompose(recalibrated).miscalibration == pytest.approx(0, abs=1e-12)
    assert decompose(recalibrated).discrimination == pytest.approx(
        decompose(original).discrimination
    )


def test_two_scores_have_platts_targets():
    # 3 of each class at its own score: (3 + 1) / (3 + 2) and 1 / (3 + 2).
    sigmoid = platt_map(ranked([-2] * 3 + [2] * 3, [0] * 3 + [1] * 3))

    assert sigmoid([-2, 0, 2]) == pytest.approx([0.2, 0.5, 0.8])
    a, b = sigmoid.coefficients
    assert (a, b) == pytest.approx((-math.log(4) / 2, 0), abs=1e-12)


def test_lower_is_positive_equals_negated_scores():
    ranking = ranked([0.9, 0.8, 0.4, 0.1], [1, 0, 1, 0])
    negated = ranked([-0.9, -0.8, -0.4, -0.1], [1, 0, 1, 0], lower_is_positive=True)
    grid = np.linspace(0, 1, 21)

    for fit in (isotonic_map, platt_map):
        assert fit(ranking)(grid) == pytest.approx(fit(negated)(-grid), abs=1e-12)
        assert (fit(ranking).note, fit(negated).note) == (None, None)
    assert isotonic_map(negated).knots == ((-0.9, 1.0), (-0.8, 0.5), (-0.4, 0.5), (-0.1, 0.0))


def test_a_sigmoid_that_reverses_scores_has_a_note():
    reversing = platt_map(ranked([1, 2, 3, 4], [1, 1, 0, 0]))

    assert reversing.coefficients[0] > 0
    assert "the map reverses their order" in reversing.note
    mirrored = platt_map(ranked([4, 3, 2, 1], [1, 1, 0, 0], lower_is_positive=True))
    assert "the map reverses their order" in mirrored.note


@pytest.mark.parametrize(("scale", "shift"), [(1e300, 0.0), (1e-200, 0.0), (1.0, 1e6)])
def test_a_sigmoid_does_not_depend_on_the_scale_of_scores(scale, shift):
    scores, positive = np.array([0.9, 0.8, 0.4, 0.1]), [1, 0, 1, 0]
    probabilities = platt_map(ranked(scores, positive))(scores)

    transformed = scores * scale + shift
    assert platt_map(ranked(transformed, positive))(transformed) == pytest.approx(
        probabilities, abs=1e-8
    )


def test_a_constant_score_has_one_probability():
    sigmoid = platt_map(ranked([7, 7, 7], [1, 0, 0]))

    # The mean of the targets 2/3, 1/4 and 1/4.
    assert sigmoid([7, -math.inf, math.inf]) == pytest.approx([7 / 18] * 3)
    assert isotonic_map(ranked([7, 7, 7], [1, 0, 0]))([0, 7, 9]) == pytest.approx([1 / 3] * 3)


def test_infinite_scores_are_ordinary_ranks_of_an_isotonic_map():
    isotonic = isotonic_map(ranked([-np.inf, 2, 4, 4, np.inf], [0, 0, 1, 0, 1]))
    extremes = isotonic_map(ranked([-np.inf, np.inf], [0, 1]))

    assert isotonic([-np.inf, -5, 2, 3, 4, 1e308, np.inf]).tolist() == [0, 0, 0, 0.25, 0.5, 0.5, 1]
    assert extremes([-np.inf, 0, np.inf]).tolist() == [0, 0.5, 1]
    with pytest.raises(InputError, match="2 rows of 'score' have a score of inf or -inf"):
        platt_map(ranked([-np.inf, 2, 4, 4, np.inf], [0, 0, 1, 0, 1]))


def test_a_sigmoid_maps_infinite_scores_to_0_and_1():
    assert platt_map(FOUR)([-np.inf, np.inf, 1e308]).tolist() == [0, 1, 1]


def test_maps_keep_the_shape_of_their_input():
    for fit in (isotonic_map, platt_map):
        assert fit(FOUR)(0.4).shape == ()
        assert fit(FOUR)([]).shape == (0,)
        assert fit(FOUR)(np.zeros((2, 3), np.float32)).shape == (2, 3)


@pytest.mark.parametrize("fit", [isotonic_map, platt_map])
def test_missing_and_text_scores_are_refused(fit):
    with pytest.raises(InputError, match="2 scores of 'score' are missing"):
        fit(FOUR)([0.1, math.nan, None])
    with pytest.raises(InputError, match="The scores of 'score' are not all numbers"):
        fit(FOUR)(["high"])


@pytest.mark.parametrize("fit", [isotonic_map, platt_map])
def test_a_map_needs_both_classes(fit):
    with pytest.raises(InputError, match="both classes: every row belongs to class 'yes'"):
        fit(ranked([1, 2], [1, 1], positive="yes"))
    with pytest.raises(InputError, match="both classes: every row belongs to class 'negative'"):
        fit(ranked([1, 2], [0, 0]))
    with pytest.raises(InputError, match="there are no scored rows"):
        fit(ranked([], []))


@pytest.mark.parametrize("fit", [isotonic_map, platt_map])
def test_a_saved_map_loads_as_the_same_map(fit, tmp_path):
    for lower_is_positive in (False, True):
        fitted = fit(
            ranked(
                [3, 1 / 3, 1, 2], [1, 0, 1, 0], lower_is_positive=lower_is_positive, name="größe"
            )
        )
        fitted.save(tmp_path / "map.json")
        assert CalibrationMap.load(tmp_path / "map.json") == fitted


def test_infinite_knots_survive_saving(tmp_path):
    fitted = isotonic_map(ranked([-np.inf, 2, np.inf], [0, 1, 1]))
    fitted.save(tmp_path / "map.json")

    assert CalibrationMap.load(tmp_path / "map.json") == fitted
    assert json.loads((tmp_path / "map.json").read_text())["schema"] == "tradeoff/calibration/1"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "tradeoff/calibration/2"}, "its schema is 'tradeoff/calibration/2'"),
        ({"kind": "beta"}, "its kind must be isotonic or platt or logistic, not 'beta'"),
        ({"kind": "platt"}, "a sigmoid has no knots"),
        ({"coefficients": [1.0, 2.0]}, "its knots need no coefficients"),
        ({"knots": []}, "it has no knots"),
        ({"knots": None}, "its knots must be a list, not None"),
        ({"knots": [[0.5]]}, r"its knot 1 must be a score and a probability, not \[0.5\]"),
        ({"knots": [[0.5, 0.1], [0.5, 0.2]]}, "the scores of its knots do not increase"),
        ({"knots": [[0.5, 0.4], [0.6, 0.2]]}, "the probabilities of its knots do not increase"),
        ({"knots": [[0.5, 0.4], [0.6, 1.2]]}, "its knot 2 must be a score and a probability"),
        ({"knots": [[0.5, "nan"]]}, "its knot 1 must be"),
        ({"knots": [["nan", 0.5]]}, "its knot 1 must be"),
        ({"knots": [["0.5", 0.5]]}, "its knot 1 must be"),
        ({"knots": [[True, 0.5]]}, "its knot 1 must be"),
        ({"knots": [[0.5, True]]}, "its knot 1 must be"),
        ({"lower_is_positive": True}, "the probabilities of its knots do not decrease"),
        (
            {"lower_is_positive": "false"},
            "its lower_is_positive must be true or false, not 'false'",
        ),
        ({"lower_is_positive": 0}, "its lower_is_positive must be true or false, not 0"),
        ({"positive": 1}, "its positive must be a string, not 1"),
        ({"note": 3}, "its note must be a string, not 3"),
        ({"lower_is_postive": True}, "it has an unknown field 'lower_is_postive'"),
    ],
)
def test_an_invalid_map_file_is_refused(change, message, tmp_path):
    path = tmp_path / "map.json"
    isotonic_map(FOUR).save(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))

    with pytest.raises(StorageError, match=message):
        CalibrationMap.load(path)


@pytest.mark.parametrize(
    "coefficients", [["inf", 0.0], ["nan", 0.0], [True, 0.0], [1.0], 1.0, None]
)
def test_invalid_sigmoid_coefficients_are_refused(coefficients, tmp_path):
    path = tmp_path / "map.json"
    platt_map(FOUR).save(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "coefficients": coefficients}))

    with pytest.raises(StorageError, match="its coefficients must be"):
        CalibrationMap.load(path)


def test_a_file_that_is_not_a_map_is_refused(tmp_path, file):
    with pytest.raises(StorageError, match="cannot be read"):
        CalibrationMap.load(tmp_path / "none.json")
    with pytest.raises(StorageError, match="is not JSON"):
        CalibrationMap.load(file("{"))
    with pytest.raises(StorageError, match="is not JSON"):
        CalibrationMap.load(file('{"knots": [[NaN, 0.5]]}'))
    with pytest.raises(StorageError, match="is not JSON"):
        CalibrationMap.load(file('{"kind": "platt", "kind": "isotonic"}'))
    with pytest.raises(StorageError, match="its schema is None"):
        CalibrationMap.load(file("[]"))


def test_a_sigmoid_prints_its_formula():
    sigmoid = platt_map(FOUR)
    a, b = sigmoid.coefficients

    assert (
        repr(sigmoid) == f"CalibrationMap(platt of score: 1 / (1 + exp({a:.6g} * score + {b:.6g})))"
    )
    assert sigmoid([0.3]) == pytest.approx(expit(-(0.3 * a + b)))
    assert repr(isotonic_map(FOUR)) == "CalibrationMap(isotonic of score: 4 knots)"


# Logistic regression, and rankings of calibrated probabilities

SAH = to.evaluate(str(DATA / "proc_aSAH_data.csv"), actual="poor", score="s100b")


def test_logistic_maps_equal_those_of_r():
    # R 4.2.2: coef(glm(I(outcome == "Poor") ~ s100b, binomial, aSAH)), epsilon 1e-15
    slope, intercept = SAH.recalibrated("logistic").coefficients

    assert -intercept == pytest.approx(-1.75890045910726, rel=1e-12)
    assert -slope == pytest.approx(4.90432097733763, rel=1e-12)


@pytest.mark.parametrize(
    ("threshold", "benefit"),
    [
        (0.2, 0.20353982300885),
        (0.3, 0.169405815423515),
        (0.4, 0.109144542772861),
        (0.5, 0.0707964601769912),
    ],
)
def test_the_decision_curve_of_a_marker_equals_that_of_rs_fitted_probabilities(threshold, benefit):
    curve = SAH.calibrated("logistic").curve("decision_curve")

    assert curve.name == "net_benefit"
    assert float(curve.formula(threshold)) == pytest.approx(benefit, rel=1e-12)


@pytest.mark.parametrize("how", ["logistic", "isotonic", "platt"])
def test_a_calibrated_ranking_is_that_of_the_mapped_scores(how):
    calibration_map = SAH.recalibrated(how)
    rows = table("proc_aSAH_data.csv")
    expected = to.evaluate(rows["poor"], calibration_map(rows["s100b"])).ranking
    ranking = SAH.calibrated(how).ranking

    assert ranking.thresholds.tolist() == expected.thresholds.tolist()
    assert ranking.true_positives.tolist() == expected.true_positives.tolist()
    assert ranking.false_positives.tolist() == expected.false_positives.tolist()
    assert "on these rows" in ranking.notes[-1]


def test_low_scores_that_mean_positive_become_high_probabilities():
    actual, scores = [1, 0, 1, 0, 0, 1], [1, 2, 3, 4, 5, 6]
    evaluation = to.evaluate(actual, {"m": scores}, lower_is_positive=True)
    mirrored = to.evaluate(actual, {"m": [-score for score in scores]})
    calibrated = evaluation.calibrated("logistic")

    assert not calibrated.ranking.lower_is_positive
    thresholds = mirrored.calibrated("logistic").ranking.thresholds
    assert calibrated.ranking.thresholds == pytest.approx(thresholds)
    assert float(calibrated.auc) == float(evaluation.auc)


def test_folds_segments_clusters_and_weights_are_calibrated_too():
    rng = np.random.default_rng(2)
    actual = rng.random(60) < 0.4
    evaluation = to.evaluate(
        actual.astype(int),
        {"m": rng.normal(size=60) + actual},
        weight=rng.random(60) + 0.5,
        fold=np.arange(60) % 2,
        segment=np.arange(60) % 3,
        cluster=np.arange(60) // 2,
    )
    calibrated = evaluation.calibrated("isotonic")
    parts = [*calibrated.folds["m"].values(), *calibrated.segments["m"].values()]

    assert all(part.thresholds[-1] >= 0 and part.thresholds[1] <= 1 for part in parts)
    (scores,) = calibrated.clusters["m"].scores.values()
    assert 0 <= scores.min() <= scores.max() <= 1
    ranking = calibrated.ranking
    assert ranking.squares.thresholds.tolist() == ranking.thresholds.tolist()
    assert float(ranking.positives) == pytest.approx(float(evaluation.ranking.positives))


def test_what_logistic_regression_cannot_do_is_said():
    with pytest.raises(InputError, match="its scores separate the classes"):
        to.evaluate([0, 0, 1, 1], {"m": [1, 2, 3, 4]}).calibrated()
    with pytest.raises(InputError, match="needs finite scores: 1 row"):
        to.evaluate([0, 1, 0, 1], {"m": [1, 2, 3, np.inf]}).calibrated()
    with pytest.raises(InputError, match="Calibrate a marker first: --calibrate logistic"):
        SAH.curve("decision_curve")


def test_a_map_of_other_rows_can_be_applied(tmp_path):
    SAH.recalibrated("logistic").save(tmp_path / "map.json")
    loaded = to.CalibrationMap.load(tmp_path / "map.json")

    assert loaded.kind == "logistic"
    ranking = SAH.calibrated(loaded).ranking
    assert ranking.thresholds.tolist() == SAH.calibrated().ranking.thresholds.tolist()
    assert "on other rows" in ranking.notes[-1]
