"""Metrics by segment, and the gaps between segments."""

import numpy as np
import pytest
from golden.reference import table

import tradeoff as to
from tradeoff.comparison.unpaired import difference
from tradeoff.errors import InputError, UnknownName
from tradeoff.segments import _simultaneous_level, by_segment
from tradeoff.uncertainty.confidence import Confidence


def segment_rankings(hits, negatives=20):
    """Segments whose true positives score 0.9 and all other rows 0.1, from (hits, positives)."""
    actual, score, segment = [], [], []
    for name, (true_positives, positives) in hits.items():
        actual += [1] * positives + [0] * negatives
        score += [0.9] * true_positives + [0.1] * (positives - true_positives + negatives)
        segment += [name] * (positives + negatives)
    return to.evaluate(actual=actual, score=score, segment=segment).segments["score"]


def test_a_gap_between_two_rates_has_newcombes_interval():
    # Newcombe 1998, method 10: 56/70 - 48/80 = 0.2 from 0.0524 to 0.3339.
    (breakdown,) = by_segment(segment_rankings({"a": (56, 70), "b": (48, 80)}), ["tpr"])
    assert (breakdown.worst, breakdown.largest_gap.better, breakdown.largest_gap.worse) == (
        "b",
        "a",
        "b",
    )
    assert breakdown.largest_gap.value == pytest.approx(0.2)
    assert breakdown.largest_gap.low == pytest.approx(0.0524, abs=5e-5)
    assert breakdown.largest_gap.high == pytest.approx(0.3339, abs=5e-5)
    assert breakdown.largest_gap.is_significant


def test_a_segment_has_the_interval_of_its_rows_evaluated_alone():
    rankings = segment_rankings({"a": (56, 70), "b": (48, 80)})
    (breakdown,) = by_segment(rankings, ["tpr"])
    for name, estimate in breakdown.estimates.items():
        expected = to.Evaluation({"m": rankings[name]}).metric("tpr")
        assert (estimate.value, estimate.low, estimate.high) == (
            expected.value,
            expected.low,
            expected.high,
        )


def test_the_worst_segment_comes_first_whether_higher_or_lower_is_better():
    rankings = segment_rankings({"a": (5, 20), "b": (15, 20), "c": (10, 20)})
    recall, misses = by_segment(rankings, ["tpr", "fnr"])
    assert list(recall.estimates) == list(misses.estimates) == ["a", "c", "b"]
    assert recall.largest_gap.value == pytest.approx(0.5)
    assert misses.largest_gap.value == pytest.approx(-0.5)
    assert recall.largest_gap.low == pytest.approx(-misses.largest_gap.high)
    assert next(gap.better for gap in recall.gaps) == "b"


def test_a_gap_between_rates_of_0_and_1_keeps_a_wide_interval():
    (breakdown,) = by_segment(segment_rankings({"a": (3, 3), "b": (0, 3)}), ["tpr"])
    gap = breakdown.largest_gap
    assert gap.value == 1
    assert gap.high == 1
    assert gap.low < 0.5


def test_more_segments_widen_the_interval_of_each_gap():
    two_segments = by_segment(segment_rankings({"a": (30, 40), "b": (20, 40)}), ["tpr"])[0]
    hits = {"a": (30, 40), "b": (20, 40), "c": (25, 40), "d": (26, 40), "e": (24, 40)}
    five_segments = by_segment(segment_rankings(hits), ["tpr"])[0]
    assert len(five_segments.gaps) == 10
    assert five_segments.largest_gap.low < two_segments.largest_gap.low
    assert five_segments.largest_gap.high > two_segments.largest_gap.high


def test_the_simultaneous_level_lies_between_that_of_one_pair_and_bonferronis():
    level = _simultaneous_level([1.0] * 4, Confidence())
    assert 0.95 < level < 1 - 0.05 / 6
    # Tukey's range of four normal means: q = 3.633, so each pair reaches 3.633 / √2 = 2.569.
    assert level == pytest.approx(1 - 2 * 0.0051, abs=5e-4)
    assert _simultaneous_level([1.0] * 40, Confidence()) == 1 - 0.05 / 780
    assert _simultaneous_level([1.0, 2.0], Confidence()) == pytest.approx(0.95)


def test_the_auc_gap_of_men_and_women_is_close_to_delong_in_proc():
    rows = table("proc_aSAH_data.csv")
    e = to.evaluate(
        actual=np.array(rows["poor"], float).astype(int),
        score=np.array(rows["s100b"], float),
        segment=rows["gender"],
    )
    rankings = e.segments["score"]
    gap = by_segment(rankings, ["auc"])[0].largest_gap
    delong = difference(rankings["Male"], rankings["Female"])
    assert gap.value == pytest.approx(0.772727272727273 - 0.72)
    assert gap.low == pytest.approx(delong.low, abs=0.02)
    assert gap.high == pytest.approx(delong.high, abs=0.02)


def test_segments_of_one_class_come_last_and_have_no_gaps():
    actual = [0, 1] * 20 + [1] * 10
    score = np.linspace(0, 1, 50)
    segment = ["a"] * 20 + ["b"] * 20 + ["c"] * 10
    breakdowns = by_segment(
        to.evaluate(actual=actual, score=score, segment=segment).segments["score"]
    )
    assert list(breakdowns[0].estimates)[-1] == "c"
    assert "both classes are needed" in breakdowns[0].undefined["c"]
    assert len(breakdowns[0].gaps) == 1


def test_a_single_segment_has_no_gap():
    (breakdown,) = by_segment(segment_rankings({"a": (5, 10)}), ["tpr"])
    assert breakdown.gaps == ()
    assert breakdown.largest_gap is None
    assert breakdown.worst == "a"


def test_no_segments_and_unknown_metrics_are_refused():
    with pytest.raises(InputError, match="There are no segments"):
        by_segment({})
    with pytest.raises(UnknownName, match="Did you mean"):
        by_segment(segment_rankings({"a": (5, 10)}), ["percision"])


def test_bootstrap_gaps_repeat_with_the_seed():
    rankings = segment_rankings({"a": (56, 70), "b": (48, 80)})
    runs = [by_segment(rankings, ["f1"], confidence=Confidence(seed=3))[0] for _ in range(2)]
    assert runs[0].gaps == runs[1].gaps
    assert runs[0].largest_gap.low < runs[0].largest_gap.value < runs[0].largest_gap.high


@pytest.mark.parametrize("metric", ["tpr", "auc"])
def test_simultaneous_intervals_of_all_gaps_keep_their_coverage(metric, monkeypatch):
    monkeypatch.setattr("tradeoff.stats.simultaneous.SIMULATIONS", 4000)  # quicker
    random = np.random.default_rng(5)
    covered, runs = 0, 150
    for _ in range(runs):
        actual = np.tile([0, 1], 200)
        score = random.normal(size=400) + 1.2 * actual
        segment = np.repeat(["a", "b", "c", "d"], 100)
        rankings = to.evaluate(actual=actual, score=score, segment=segment).segments["score"]
        (breakdown,) = by_segment(rankings, [metric], threshold=0.6)
        covered += not any(gap.is_significant for gap in breakdown.gaps)
    # The segments do not differ: at least 95%, less three standard errors over 150 runs.
    assert covered / runs > 0.95 - 3 * np.sqrt(0.95 * 0.05 / runs)
    assert covered < runs
