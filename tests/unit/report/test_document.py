"""The document of a report: counts, summaries, segments, folds, differences, costs."""

import json

import numpy as np
import pytest
from packed_documents import unpacked
from report_cases import Scripts, ranking_of, report_of

import tradeoff as to
from tradeoff.core.ranked_models import RankedModels
from tradeoff.errors import InputError
from tradeoff.measures.registry import SUMMARIES
from tradeoff.report import document
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.curve_bands import curve_band


def test_counts_at_the_reports_thresholds_are_those_of_the_ranking():
    ranking = ranking_of(30_000)
    model = unpacked(report_of(to.Evaluation({"m": ranking})))["models"][0]
    true_positives, false_positives = np.cumsum(model["found"]), np.cumsum(model["alarms"])

    assert float(model["thresholds"][0]) == np.inf
    for threshold, tp, fp in zip(
        model["thresholds"][1:], true_positives[1:], false_positives[1:], strict=True
    ):
        matrix = ranking.at(threshold)
        assert (tp, fp) == (matrix.true_positives, matrix.false_positives)
    assert model["thinned"]
    assert model["distinct"] == 30_000


def test_cutoffs_are_those_that_a_table_lists_by_default():
    random = np.random.default_rng(4)
    score = random.random(500)
    e = to.evaluate(random.random(500) < score, score)

    assert unpacked(report_of(e))["models"][0]["cutoffs"] == e.cutoffs().columns()["cutoff"]


def test_summaries_at_any_prevalence_are_weighted_means_of_the_class_means():
    random = np.random.default_rng(1)
    actual = random.random(500) < 0.3
    score = np.clip(random.normal(0.4 + 0.2 * actual, 0.2), 0.01, 0.99)
    e = to.evaluate(actual=actual, score=score)
    summaries = {s["name"]: s for s in report_of(e)["models"][0]["summaries"]}

    for name in ("brier", "log_loss"):
        positive, negative = summaries[name]["means"]
        for prevalence in (0.02, 0.6):
            expected = SUMMARIES[name](e.ranking.at_prevalence(prevalence))
            assert prevalence * positive + (1 - prevalence) * negative == pytest.approx(expected)


def test_segments_are_counted_at_the_reports_thresholds_of_their_model():
    random = np.random.default_rng(2)
    actual, score = random.random(5000) < 0.4, random.random(5000)
    part = np.where(random.random(5000) < 0.2, "small", "large")
    e = to.evaluate(actual=actual, score=score, segment=part)
    model = unpacked(report_of(e))["models"][0]

    assert [s["name"] for s in model["segments"]] == ["large", "small"]
    for segment in model["segments"]:
        in_segment = part == segment["name"]
        for at in (1, 40, len(model["thresholds"]) - 1):
            flagged = in_segment & (score >= model["thresholds"][at])
            assert sum(segment["found"][: at + 1]) == (flagged & actual).sum()
            assert sum(segment["alarms"][: at + 1]) == (flagged & ~actual).sum()


def test_a_report_of_folds_has_their_curves_average_and_band():
    random = np.random.default_rng(3)
    actual = random.random(600) < 0.5
    e = to.evaluate(actual=actual, score=random.random(600) + actual / 2, fold=np.arange(600) % 5)
    folds = report_of(e)["models"][0]["folds"]

    assert len(folds["curves"]) == 5
    assert folds["average"]["y"][-1] == 1
    assert (np.array(folds["band"]["low"]) <= folds["band"]["high"]).all()
    assert "vertical average" in folds["about"]


def test_identical_folds_have_no_band():
    actual = np.arange(40) % 2
    folds = report_of(to.evaluate(actual=actual, score=actual, fold=np.arange(40) // 10))

    assert folds["models"][0]["folds"]["band"] is None


def test_a_comparison_adds_differences_and_the_report_says_if_there_is_none():
    random = np.random.default_rng(4)
    actual = random.random(200) < 0.5
    scores = {"a": random.random(200) + actual, "b": random.random(200)}
    e, c = (f(actual=actual, score=scores) for f in (to.evaluate, to.compare))
    difference = c.difference("a", "b")
    differences = report_of(e, comparison=c)["comparison"]["differences"]

    assert [(d["first"], d["second"]) for d in differences] == [("a", "b")]
    assert (differences[0]["value"], differences[0]["low"]) == (difference.value, difference.low)
    without = report_of(e)
    assert without["comparison"] is None
    assert "Intervals for differences need the rows" in without["models_about"]


def test_with_very_many_pairs_only_differences_to_the_best_model_are_reported():
    random = np.random.default_rng(5)
    actual = random.random(60) < 0.5
    scores = {f"m{i}": random.random(60) + actual * (i == 7) for i in range(15)}
    c = to.compare(actual=actual, score=scores)
    comparison = report_of(to.evaluate(actual=actual, score=scores), comparison=c)["comparison"]

    assert len(comparison["differences"]) == 14
    assert all("m7" in (d["first"], d["second"]) for d in comparison["differences"])
    assert "Of 105 pairs" in comparison["about"]


def test_costs_preset_the_page_and_the_contact_cost_is_part_of_tp_and_fp():
    costs = to.Costs(contact=2, true_positive=-30, fixed=100)
    e = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8], costs=costs)

    assert report_of(e)["costs"] == {
        "fp": 2,
        "fn": 0,
        "tp": -28,
        "tn": 0,
        "rp": 0,
        "rn": 0,
        "fixed": 100,
    }


def test_costs_by_row_are_left_out_with_a_warning():
    costs = to.Costs(false_negative=np.array([1.0, 5, 2, 7]))
    e = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8], costs=costs)
    report = report_of(e)

    assert report["costs"]["fn"] == 1
    assert any("differ between rows" in warning for warning in report["warnings"])


UGLY = {
    "one row": {"actual": [1], "score": [0.3]},
    "one class": {"actual": [0, 0, 0], "score": [0.1, 0.2, 0.3]},
    "all tied": {"actual": [0, 1, 0, 1], "score": [2.0, 2, 2, 2]},
    "infinite scores": {"actual": [0, 1, 0, 1], "score": [-np.inf, 1, np.inf, 3]},
    "huge scores": {"actual": [0, 1, 0, 1], "score": [-1e308, 1e308, 5e-324, 0]},
    "weights": {"actual": [0, 1, 0, 1], "score": [0.1, 0.9, 0.4, 0.3], "weight": [0.5, 2, 1, 0.25]},
    "rejected": {"actual": [0, 1, 0, 1], "score": [0.1, np.nan, 0.4, 0.3], "missing": "reject"},
    "all rejected": {"actual": [0, 1], "score": [np.nan, np.nan], "missing": "reject"},
    "low is positive": {"actual": [0, 1, 0], "score": [3, 1, 2], "lower_is_positive": True},
}


@pytest.mark.parametrize("kind", UGLY)
def test_degenerate_rows_have_a_page_too(kind, tmp_path):
    path = tmp_path / "report.html"
    to.evaluate(**UGLY[kind]).report(path)

    text = path.read_text()
    assert Scripts(text).document()["schema"] == "tradeoff/report/2"
    assert "NaN" not in json.dumps(Scripts(text).document())


def test_a_report_can_be_created_without_intervals():
    e = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
    report = document.report_document(e.models, confidence=None)

    assert "low" not in report["models"][0]["summaries"][0]


def test_a_report_needs_a_model():
    with pytest.raises(InputError, match="at least one model"):
        document.report_document(RankedModels({}))


@pytest.mark.parametrize("prevalence", [2, -0.5, 0, 1, float("nan")])
def test_a_prevalence_lies_strictly_between_0_and_1(prevalence):
    e = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
    with pytest.raises(InputError, match="prevalence"):
        report_of(e, prevalence=prevalence)


def test_costs_and_prevalence_are_options_of_the_report():
    e = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
    report = report_of(e, prevalence=0.02, costs=to.Costs(false_negative=9))

    assert (report["prevalence"], report["costs"]["fn"]) == (0.02, 9)


def test_if_one_half_separates_no_scores_the_page_opens_at_youdens_threshold():
    actual = [0, 1, 0, 1]
    e = to.evaluate(actual=actual, score={"p": [0.1, 0.4, 0.35, 0.8], "q": [10, 40, 35, 80]})
    first, second = report_of(e)["models"]

    assert first["opening"] is None
    assert second["opening"] == e["q"].best("youden").threshold == 40


def test_sums_of_weights_are_not_called_rows():
    e = to.evaluate(actual=[0, 1, 1], score=[0.1, 0.4, 0.2], weight=[0.5, 0.25, 0.5])
    report = report_of(e)

    assert report["lead"] == "3 rows of weight 1.25: 0.75 “1” and 0.5 “0”."
    assert report["unit"] == "units of weight"


def test_notes_begin_with_a_capital_letter_but_names_stay_as_they_are():
    e = to.Evaluation({"s100b": ranking_of(500, name="s100b").within(20)})
    (warning,) = report_of(e)["warnings"]

    assert warning.startswith("s100b: the scores are in ")


def test_without_single_scores_the_reason_for_a_missing_diagram_is_the_bins():
    random = np.random.default_rng(6)
    score = random.random(400)
    e = to.evaluate(actual=random.random(400) < score, score=score)
    binned = to.Evaluation({"p": e.ranking.within(20)})
    (model,) = report_of(binned)["models"]
    reasons = {s["name"]: s.get("reason") for s in model["summaries"]}

    assert "bins, so single scores are unknown" in model["calibration"]["reason"]
    assert "bins" in reasons["brier"]
    assert "edges of bins" in " ".join(report_of(binned)["how"])
    marker = to.evaluate(actual=[0, 1], score=[3, 12])
    assert "outside 0 to 1" in report_of(marker)["models"][0]["calibration"]["reason"]


def test_the_band_of_the_roc_curve_is_the_librarys():
    random = np.random.default_rng(10)
    actual = random.random(300) < 0.4
    e = to.evaluate(actual=actual, score=(actual + 2 * random.random(300)) / 3)
    band = report_of(e)["models"][0]["bands"]["roc"]
    right = curve_band(e.ranking, {"name": "roc"}, Confidence(), x=np.array(band["x"]))

    assert len(band["x"]) <= 120
    assert band["level"] == "95%"
    np.testing.assert_allclose(band["low"], right.low, atol=1e-3)
    np.testing.assert_allclose(band["high"], right.high, atol=1e-3)
