"""Notes on rankings and thresholds."""

from dataclasses import replace

import numpy as np

from tradeoff import Ranking
from tradeoff.checks.notes import bins_note, notes_section, ranking_notes, threshold_notes
from tradeoff.wording import Wording

SCORES = np.linspace(0, 1, 101)
RANKING = Ranking.of(SCORES, SCORES > 0.4, name="p")
BINNED = RANKING.within(8)


def test_notes_are_listed_one_per_line():
    assert notes_section([]) == []
    (section,) = notes_section(["one", "two"])
    assert (section.heading, section.lines) == ("Notes", ("- one.", "- two."))


def test_models_of_different_rows_are_not_to_be_compared():
    fewer = Ranking.of(SCORES[1:], SCORES[1:] > 0.4, name="q")
    patients = replace(RANKING, wording=Wording("patients"))

    assert ranking_notes([RANKING, RANKING]) == []
    (note,) = ranking_notes([patients, fewer])
    assert (
        note == "the models were evaluated on different patients, so do not compare their metrics"
    )


def test_bins_say_how_exact_the_auc_is():
    note = bins_note(BINNED)
    assert note.startswith(f"p: the scores are in {BINNED.distinct} bins, whose counts are exact; ")
    assert "within ±" in note


def test_a_threshold_inside_a_bin_is_noted_with_the_rows_of_the_bin():
    inside = float(BINNED.thresholds[2]) + 0.001
    patients = replace(BINNED, wording=Wording("patients"))
    (note,) = threshold_notes([patients], inside)

    size = int(np.diff(BINNED.true_positives + BINNED.false_positives)[1])
    assert f"of its patients ({size} of class positive, 0 of class negative)" in note
    assert threshold_notes([RANKING], inside) == []


def test_the_convention_of_one_half_is_noted_for_scores_that_are_not_probabilities():
    points = Ranking.of(10 * SCORES, SCORES > 0.4, name="points")

    (note,) = threshold_notes([points], 0.5)
    assert note == "points ranges from 0 to 10, so 0.5 may not be a useful threshold"
    assert threshold_notes([points], 0.6) == threshold_notes([RANKING], 0.5) == []
