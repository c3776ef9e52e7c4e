"""Streamed rankings: whatever the batches, the counts are those of all rows."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import UGLY, columns, scored

import tradeoff as to
from tradeoff.core.even_cells import EvenCells
from tradeoff.core.external_sort import ExternalSort
from tradeoff.core.grid_cells import Grid
from tradeoff.core.linear_cells import LinearCells
from tradeoff.core.ranking import ranking_of_groups
from tradeoff.core.regions import choose_regions
from tradeoff.core.streaming import GrowingRanking

ROWS = scored(UGLY, min_size=1, max_size=200)
SIZES = st.lists(st.integers(1, 40), min_size=1, max_size=12)
AUC = to.SUMMARIES["auc"]


def streamed_ranking(rows, sizes, **options):
    """Ranking of rows that are added in batches, cycling through the given sizes."""
    growing = GrowingRanking(**options)
    start, batch = 0, 0
    while start < len(rows[0]):
        part = slice(start, start + sizes[batch % len(sizes)])
        growing.add(rows[0][part], rows[1][part])
        start, batch = part.stop, batch + 1
    return growing.ranking()


def cells_of(scores, regions):
    """Scale and cell of each score, which database engines compute in their own dialects."""
    lows, scales = np.array(regions).T
    scale = scales[np.searchsorted(lows, scores, "right") - 1]
    with np.errstate(over="ignore"):
        return scale, np.sign(scores) * (np.floor(np.abs(scores) * scale) + 1)


@given(ROWS, SIZES, st.integers(1, 50), st.booleans())
@settings(max_examples=100)
def test_streaming_any_batches_gives_the_ranking_of_all_rows(
    rows, sizes, waiting, lower_is_positive
):
    ranking = streamed_ranking(rows, sizes, waiting=waiting, lower_is_positive=lower_is_positive)

    assert ranking == to.Ranking.of(rows[0], rows[1], lower_is_positive=lower_is_positive)


@given(ROWS, SIZES, st.integers(1, 50), st.integers(4, 30), st.booleans())
@settings(max_examples=100)
def test_counts_at_the_retained_thresholds_are_exact(
    rows, sizes, waiting, max_bins, lower_is_positive
):
    whole = to.Ranking.of(rows[0], rows[1], lower_is_positive=lower_is_positive)
    ranking = streamed_ranking(
        rows, sizes, waiting=waiting, most=max_bins, lower_is_positive=lower_is_positive
    )
    places = whole.places(ranking.thresholds[1:])

    assert ranking.distinct <= max_bins
    assert ranking.rows == whole.rows
    assert ranking.true_positives[1:].tolist() == whole.true_positives[places].tolist()
    assert ranking.false_positives[1:].tolist() == whole.false_positives[places].tolist()


@given(ROWS, SIZES, st.integers(1, 50), st.integers(4, 30))
@settings(max_examples=100)
def test_bounds_contain_the_area_of_all_rows(rows, sizes, waiting, max_bins):
    exact = AUC.estimate(to.Ranking.of(rows[0], rows[1]))
    estimate = AUC.estimate(streamed_ranking(rows, sizes, waiting=waiting, most=max_bins))

    assert estimate.is_defined == exact.is_defined
    if exact.is_defined:
        assert abs(estimate.value - exact.value) <= estimate.within + 1e-12


@given(ROWS, ROWS, st.integers(4, 200))
@settings(max_examples=80)
def test_a_grid_counts_any_rows_exactly_at_the_ends_of_its_cells(first, rows, max_bins):
    grid = Grid(to.Ranking.of(first[0], first[1]), max_bins, exact=False)
    whole = to.Ranking.of(rows[0], rows[1])
    if grid.count([rows[:2]]) is None:
        return
    ranking = sum(grid.rankings())
    places = whole.places(ranking.thresholds[1:])

    assert ranking.rows == whole.rows
    assert ranking.true_positives[1:].tolist() == whole.true_positives[places].tolist()


@given(ROWS, ROWS)
def test_a_grid_of_known_scores_returns_the_rows_with_other_scores(first, rows):
    grid = Grid(to.Ranking.of(first[0], first[1]), 1 << 12, exact=True)
    (unknown,) = grid.count([rows[:2]])
    others = to.Ranking.of(rows[0][unknown], rows[1][unknown])
    ranking = sum([*grid.rankings(), others])

    assert columns(ranking) == columns(to.Ranking.of(rows[0], rows[1]))


@given(ROWS, st.floats(1e-300, 1e3), st.integers(1, 100), st.integers(0, 56))
@settings(max_examples=100)
def test_even_cells_count_exactly_at_their_ends_wherever_they_begin(rows, low, size, shift):
    cells = EvenCells(int(np.float64(low).view(np.uint64)) >> shift, size, shift)
    outside = cells.count(rows[0], rows[1])
    whole = to.Ranking.of(rows[0], rows[1])
    ranking = sum([cells.ranking(), to.Ranking.of(rows[0][outside], rows[1][outside])])
    places = whole.places(ranking.thresholds[1:])

    assert ranking.rows == whole.rows
    assert ranking.true_positives[1:].tolist() == whole.true_positives[places].tolist()


@given(scored(st.floats(2.0**-9, 1), min_size=1, max_size=200), st.integers(9, 16))
@settings(max_examples=100)
def test_linear_cells_count_exactly_at_their_ends(rows, bits):
    cells = LinearCells(bits, 2**bits + 1)
    fits = cells.count((np.trunc(rows[0] * 2**bits) * 2 + rows[1]).astype(np.int32))
    ranking, whole = cells.ranking(), to.Ranking.of(rows[0], rows[1])
    places = whole.places(ranking.thresholds[1:])

    assert fits
    assert ranking.true_positives[1:].tolist() == whole.true_positives[places].tolist()
    assert ranking.false_positives[1:].tolist() == whole.false_positives[places].tolist()


@given(ROWS, st.integers(1, 60), st.integers(4, 20), st.booleans())
@settings(max_examples=80)
def test_an_external_sort_counts_every_concordant_pair(rows, size, max_bins, lower_is_positive):
    whole = to.Ranking.of(rows[0], rows[1], lower_is_positive=lower_is_positive)
    if not (whole.positives and whole.negatives):
        return
    external_sort = ExternalSort(whole.within(max_bins), size)
    external_sort.add(rows[0], rows[1])
    pairs = external_sort.pairs()

    assert pairs.twice_won == whole.twice_pairs_won()


@given(ROWS, ROWS, st.booleans())
@settings(max_examples=100)
def test_a_ranking_of_cells_has_exact_counts_for_any_regions(sample, rows, lower_is_positive):
    scores, positive = rows[0] + 0.0, rows[1]
    regions = choose_regions(
        to.Ranking.of(sample[0], sample[1], lower_is_positive=lower_is_positive), 1024
    )
    groups = {}
    for key, score, group in zip(
        zip(*cells_of(scores, regions), strict=True), scores, positive, strict=True
    ):
        groups.setdefault(key, []).append((score, group))
    columns = (
        np.array([min(score for score, _ in group) for group in groups.values()]),
        np.array([max(score for score, _ in group) for group in groups.values()]),
        np.array([sum(is_positive for _, is_positive in group) for group in groups.values()]),
        np.array([sum(not is_positive for _, is_positive in group) for group in groups.values()]),
    )
    whole = to.Ranking.of(scores, positive, lower_is_positive=lower_is_positive)
    ranking = ranking_of_groups(*columns, len(scores), lower_is_positive=lower_is_positive)
    places = whole.places(ranking.thresholds[1:])

    assert ranking.true_positives[1:].tolist() == whole.true_positives[places].tolist()
    assert ranking.false_positives[1:].tolist() == whole.false_positives[places].tolist()
    exact, bounded = AUC.estimate(whole), AUC.estimate(ranking)
    if exact.is_defined:
        assert abs(bounded.value - exact.value) <= bounded.within + 1e-12
