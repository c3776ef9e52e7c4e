"""Properties of rankings and of every summary."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import columns, rankings, scored

import tradeoff as to
from tradeoff import threads
from tradeoff.core import sort
from tradeoff.core.concordance import twice_concordant_pairs
from tradeoff.core.convex_hull import hull_indices

ALL = list(to.SUMMARIES)
BY_SCORE = {"probabilities", "rejection"}  # families that depend on more than ranks
RANK_ONLY = [name for name in ALL if to.SUMMARIES[name].family not in BY_SCORE]
every_summary = pytest.mark.parametrize("name", ALL)
SMALL_SCORES = st.integers(-4, 4).map(float)
PROBABILITIES = st.integers(0, 10).map(lambda tenths: tenths / 10)
fewer_examples = settings(max_examples=30)


def close(first, second):
    return first == pytest.approx(second, rel=1e-9, abs=1e-9, nan_ok=True)


def counted_by_hand(scores, positive, weights):
    """Counts by definition: for each distinct score, the rows at or above it."""
    distinct = sorted({score + 0.0 for score in scores.tolist()}, reverse=True)
    at = [scores >= score for score in distinct]
    return (
        [math.inf, *distinct],
        [0, *(int(weights[above & positive].sum()) for above in at)],
        [0, *(int(weights[above & ~positive].sum()) for above in at)],
    )


@given(scored())
def test_a_ranking_follows_its_definition(rows):
    scores, positive, _ = rows

    assert columns(to.Ranking.of(scores, positive)) == counted_by_hand(
        scores, positive, np.ones(len(scores), int)
    )


@given(rows=scored(), block=st.integers(1, 9), rows_per_core=st.integers(1, 9))
@settings(max_examples=80)
def test_the_fast_path_agrees_for_any_split_into_parts_and_blocks(rows, block, rows_per_core):
    scores, positive, _ = rows
    expected = counted_by_hand(scores, positive, np.ones(len(scores), int))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sort, "MIN_KEYED_ROWS", 0)
        patch.setattr(threads, "BLOCK_ROWS", block)
        patch.setattr(threads, "ROWS_PER_CORE", rows_per_core)
        patch.setattr(threads, "available_cores", lambda: 3)
        ranking = to.Ranking.of(scores, positive)
        area = ranking.twice_pairs_won()

    assert columns(ranking) == expected
    assert area == twice_concordant_pairs(scores, positive)


@given(rows=scored(), rows_per_core=st.integers(1, 9))
def test_weights_follow_their_rows_for_any_split_into_parts(rows, rows_per_core):
    scores, positive, weights = rows
    has_weight = weights > 0
    scores, positive, weights = (column[has_weight] for column in rows)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "ROWS_PER_CORE", rows_per_core)
        patch.setattr(threads, "available_cores", lambda: 3)
        ranking = to.Ranking.of(scores, positive, weights)

    assert columns(ranking) == counted_by_hand(scores, positive, weights)


@given(rows=scored(scores=st.floats(width=32, allow_nan=False)), fast=st.booleans())
def test_float32_scores_rank_as_their_float64_values(rows, fast):
    scores, positive, _ = rows

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sort, "MIN_KEYED_ROWS", 0 if fast else 1 << 13)
        narrow = to.Ranking.of(scores.astype(np.float32), positive)

    assert columns(narrow) == columns(to.Ranking.of(scores, positive))


@given(scored(), st.randoms(use_true_random=False))
def test_row_order_does_not_matter(rows, random):
    order = list(range(len(rows[0])))
    random.shuffle(order)

    assert columns(to.Ranking.of(rows[0][order], rows[1][order])) == columns(
        to.Ranking.of(rows[0], rows[1])
    )


@given(scored())
def test_a_whole_weight_repeats_its_row_and_0_removes_it(rows):
    scores, positive, weights = rows
    weighted = to.evaluate(actual=positive, score=scores, weight=weights).ranking
    repeated = to.Ranking.of(np.repeat(scores, weights), np.repeat(positive, weights))

    assert columns(weighted) == columns(repeated)


@given(scored(), st.integers(0, 40))
def test_rankings_of_parts_add_up_to_that_of_the_whole(rows, cut):
    scores, positive, _ = rows
    parts = [to.Ranking.of(scores[s], positive[s]) for s in (slice(cut), slice(cut, None))]
    whole = to.Ranking.of(scores, positive)

    assert columns(parts[0] + parts[1]) == columns(parts[1] + parts[0]) == columns(whole)
    assert (parts[0] + parts[1]).rows == len(scores)


@given(rankings(), rankings(), rankings())
def test_addition_is_associative(a, b, c):
    assert columns((a + b) + c) == columns(a + (b + c)) == columns(sum([a, b, c]))


@pytest.mark.parametrize("name", RANK_ONLY)
@given(rows=scored(scores=SMALL_SCORES))
@fewer_examples
def test_an_increasing_transformation_of_scores_changes_no_rank_summary(name, rows):
    scores, positive, _ = rows
    changed = to.Ranking.of(scores**3 / 7 + 100, positive)

    assert close(to.SUMMARIES[name](changed), to.SUMMARIES[name](to.Ranking.of(scores, positive)))


@every_summary
@given(ranking=rankings(scores=PROBABILITIES))
@fewer_examples
def test_a_summary_stays_in_its_range_or_has_a_reason(name, ranking):
    measure = to.SUMMARIES[name]
    estimate = measure.estimate(ranking)

    assert estimate.is_defined == (estimate.reason is None)
    inside = measure.low - 1e-9 <= estimate.value <= measure.high + 1e-9
    assert not estimate.is_defined or inside


@given(scored(scores=SMALL_SCORES))
def test_swapping_the_classes_and_negating_the_scores_keeps_the_auc(rows):
    scores, positive, _ = rows

    assert close(to.auc(positive, scores), to.auc(~positive, -scores))
    assert close(to.auc(positive, scores), 1 - to.auc(positive, -scores))
    assert close(to.auc(positive, -scores, lower_is_positive=True), to.auc(positive, scores))


@given(scored(scores=SMALL_SCORES))
def test_lower_is_positive_predicts_the_rows_at_or_below(rows):
    scores, positive, _ = rows
    ranking = to.Ranking.of(scores, positive, lower_is_positive=True)

    for threshold in (-5.0, -1.0, 0.0, 0.5, 4.0):
        below = scores <= threshold
        matrix = ranking.at(threshold)
        assert matrix.true_positives == (below & positive).sum()
        assert matrix.false_positives == (below & ~positive).sum()


@given(rankings(scores=SMALL_SCORES))
def test_pessimistic_and_optimistic_areas_enclose_the_auc(ranking):
    low, middle, high = (
        to.SUMMARIES[name](ranking) for name in ("auc_pessimistic", "auc", "auc_optimistic")
    )

    assert math.isnan(middle) or low <= middle <= high
    assert close(low + high, 2 * middle)


@given(rankings(scores=SMALL_SCORES, min_size=1))
def test_the_hull_is_concave_and_on_or_above_the_curve(ranking):
    places = hull_indices(*ranking.tally[1:])
    fp, tp = ranking.false_positives, ranking.true_positives
    height = np.interp(fp, fp[places], tp[places])
    slopes = [
        math.inf if x == 0 else y / x
        for x, y in zip(np.diff(fp[places]), np.diff(tp[places]), strict=True)
    ]

    assert places[0] == 0
    assert places[-1] == len(tp) - 1
    assert (height >= tp - 1e-9).all() or (fp == 0).all()
    assert slopes == sorted(slopes, reverse=True)


@given(rankings(scores=SMALL_SCORES))
def test_the_thinned_hull_is_the_hull(ranking):
    plain = hull_indices(*ranking.tally[1:]).tolist()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tradeoff.core.convex_hull.MAX_UNSAMPLED_POINTS", 0)
        patch.setattr("tradeoff.core.convex_hull.SAMPLE_STEP", 2)
        assert hull_indices(*ranking.tally[1:]).tolist() == plain


@given(rows=scored(), name=st.text(max_size=8))
def test_a_saved_ranking_is_loaded_unchanged(tmp_path_factory, rows, name):
    path = tmp_path_factory.mktemp("rankings") / "part.ranking"
    ranking = to.Ranking.of(rows[0], rows[1], name=name, positive="ja", notes=("a note",))

    ranking.save(path)
    loaded = to.Ranking.load(path)

    assert columns(loaded) == columns(ranking)
    assert (loaded.name, loaded.positive, loaded.notes) == (name, "ja", ("a note",))


@given(st.integers(1, 40), st.integers(1, 40))
def test_predicting_the_prevalence_has_exactly_no_skill(positives, negatives):
    actual = np.repeat([True, False], [positives, negatives])
    ranking = to.Ranking.of(np.full(len(actual), positives / len(actual)), actual)

    assert to.SUMMARIES["brier_skill_score"](ranking) == 0
