"""Numbers by segment and the gaps between them."""

import numpy as np
import pytest
from golden.reference import table

import tradeoff as to
from tradeoff.comparison.unpaired import difference
from tradeoff.errors import InputError, UnknownName
from tradeoff.segments import _wider, by_segment
from tradeoff.uncertainty.confidence import Confidence


def found_of(hits, negatives=20):
    """Segments in which so many of so many positives score 0.9, all else 0.1."""
    actual, score, segment = [], [], []
    for name, (found, positives) in hits.items():
        actual += [1] * positives + [0] * negatives
        score += [0.9] * found + [0.1] * (positives - found + negatives)
        segment += [name] * (positives + negatives)
    return to.evaluate(actual=actual, score=score, segment=segment).segments["score"]


def test_two_shares_have_newcombes_interval():
    # Newcombe 1998, method 10: 56/70 - 48/80 = 0.2 from 0.0524 to 0.3339.
    (found,) = by_segment(found_of({"a": (56, 70), "b": (48, 80)}), ["tpr"])
    assert (found.worst, found.largest_gap.better, found.largest_gap.worse) == ("b", "a", "b")
    assert found.largest_gap.value == pytest.approx(0.2)
    assert found.largest_gap.low == pytest.approx(0.0524, abs=5e-5)
    assert found.largest_gap.high == pytest.approx(0.3339, abs=5e-5)
    assert found.largest_gap.is_sure


def test_segments_have_the_intervals_that_they_have_alone():
    parts = found_of({"a": (56, 70), "b": (48, 80)})
    (found,) = by_segment(parts, ["tpr"])
    for name, own in found.estimates.items():
        alone = to.Evaluation({"m": parts[name]}).metric("tpr")
        assert (own.value, own.low, own.high) == (alone.value, alone.low, alone.high)


def test_the_worst_segment_comes_first_whichever_way_is_better():
    parts = found_of({"a": (5, 20), "b": (15, 20), "c": (10, 20)})
    recall, misses = by_segment(parts, ["tpr", "fnr"])
    assert list(recall.estimates) == list(misses.estimates) == ["a", "c", "b"]
    assert recall.largest_gap.value == pytest.approx(0.5)
    assert misses.largest_gap.value == pytest.approx(-0.5)
    assert recall.largest_gap.low == pytest.approx(-misses.largest_gap.high)
    assert next(gap.better for gap in recall.gaps) == "b"


def test_a_gap_between_certain_shares_is_not_certain():
    (found,) = by_segment(found_of({"a": (3, 3), "b": (0, 3)}), ["tpr"])
    gap = found.largest_gap
    assert gap.value == 1
    assert gap.high == 1
    assert gap.low < 0.5


def test_more_segments_make_each_gap_less_sure():
    few = by_segment(found_of({"a": (30, 40), "b": (20, 40)}), ["tpr"])[0]
    more = {"a": (30, 40), "b": (20, 40), "c": (25, 40), "d": (26, 40), "e": (24, 40)}
    many = by_segment(found_of(more), ["tpr"])[0]
    assert len(many.gaps) == 10
    assert many.largest_gap.low < few.largest_gap.low
    assert many.largest_gap.high > few.largest_gap.high


def test_the_common_reach_lies_between_one_pair_and_bonferroni():
    level = _wider([1.0] * 4, Confidence())
    assert 0.95 < level < 1 - 0.05 / 6
    # Tukey's range of four normal means: q = 3.633, so each pair reaches 3.633 / √2 = 2.569.
    assert level == pytest.approx(1 - 2 * 0.0051, abs=5e-4)
    assert _wider([1.0] * 40, Confidence()) == 1 - 0.05 / 780
    assert _wider([1.0, 2.0], Confidence()) == pytest.approx(0.95)


def test_the_areas_of_men_and_women_are_near_pROCs():  # noqa: N802 - its name
    rows = table("proc_aSAH_data.csv")
    e = to.evaluate(
        actual=np.array(rows["poor"], float).astype(int),
        score=np.array(rows["s100b"], float),
        segment=rows["gender"],
    )
    parts = e.segments["score"]
    gap = by_segment(parts, ["auc"])[0].largest_gap
    delong = difference(parts["Male"], parts["Female"])
    assert gap.value == pytest.approx(0.772727272727273 - 0.72)
    assert gap.low == pytest.approx(delong.low, abs=0.02)
    assert gap.high == pytest.approx(delong.high, abs=0.02)


def test_segments_of_one_class_are_told_last_and_compared_with_none():
    actual = [0, 1] * 20 + [1] * 10
    score = np.linspace(0, 1, 50)
    segment = ["a"] * 20 + ["b"] * 20 + ["c"] * 10
    found = by_segment(to.evaluate(actual=actual, score=score, segment=segment).segments["score"])
    assert list(found[0].estimates)[-1] == "c"
    assert "both classes are needed" in found[0].undefined["c"]
    assert len(found[0].gaps) == 1


def test_a_single_segment_has_no_gap():
    (found,) = by_segment(found_of({"a": (5, 10)}), ["tpr"])
    assert found.gaps == ()
    assert found.largest_gap is None
    assert found.worst == "a"


def test_no_segments_and_unknown_metrics_are_refused_with_a_sentence():
    with pytest.raises(InputError, match="There are no segments"):
        by_segment({})
    with pytest.raises(UnknownName, match="Did you mean"):
        by_segment(found_of({"a": (5, 10)}), ["percision"])


def test_metrics_by_draws_repeat_with_the_seed():
    parts = found_of({"a": (56, 70), "b": (48, 80)})
    runs = [by_segment(parts, ["f1"], confidence=Confidence(seed=3))[0] for _ in range(2)]
    assert runs[0].gaps == runs[1].gaps
    assert runs[0].largest_gap.low < runs[0].largest_gap.value < runs[0].largest_gap.high


@pytest.mark.parametrize("metric", ["tpr", "auc"])
def test_all_gaps_hold_together_as_often_as_said(metric, monkeypatch):
    monkeypatch.setattr("tradeoff.stats.normal.DRAWS", 4000)  # quicker
    random = np.random.default_rng(5)
    held, runs = 0, 150
    for _ in range(runs):
        actual = np.tile([0, 1], 200)
        score = random.normal(size=400) + 1.2 * actual
        segment = np.repeat(["a", "b", "c", "d"], 100)
        parts = to.evaluate(actual=actual, score=score, segment=segment).segments["score"]
        (found,) = by_segment(parts, [metric], threshold=0.6)
        held += not any(gap.is_sure for gap in found.gaps)
    # All segments are alike: 95 %, less three standard errors of 150 runs.
    assert held / runs > 0.95 - 3 * np.sqrt(0.95 * 0.05 / runs)
    assert held < runs
