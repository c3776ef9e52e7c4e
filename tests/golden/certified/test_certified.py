"""The certified data sets are what the brute force gives, and our numbers are theirs."""

import ast
import math
import shutil
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from golden.certified import certify
from hypothesis import given
from hypothesis import strategies as st

from tradeoff.core.costs import Costs
from tradeoff.sources.confusion_matrices import ranking_of_ratings
from tradeoff.thresholds.decision import best_threshold
from tradeoff.uncertainty.auc import placement_variances
from tradeoff.validation.agreement import agreeing_digits, agrees, assess_answer
from tradeoff.validation.certified import (
    OUR_QUANTITIES,
    OURS,
    _r_value,
    certified_definitions,
    certified_numbers,
    certified_sets,
    our_answers,
    r_answers,
    sklearn_answers,
)

SETS = {data_set.name: data_set for data_set in certified_sets()}
every_set = pytest.mark.parametrize("name", SETS)


def rows_of(name):
    return next(data_set.rows for data_set in certify.SETS if data_set.name == name)


def test_the_stored_numbers_are_those_of_the_brute_force():
    assert certify.WRITTEN.read_text(encoding="utf-8") == certify.text()


def test_the_brute_force_shares_no_line_with_the_package():
    tree = ast.parse(Path(certify.__file__).read_text(encoding="utf-8"))
    names = [
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    ]

    assert set(names) == {"json", "sys", "decimal", "fractions", "itertools", "pathlib", "typing"}


def test_ten_rows_worked_by_hand():
    rows = rows_of("ten-rows")
    # Of 25 pairs the positives win 5, 4.5, 4, 2.5 and 1.
    assert certify.auc(rows) == Fraction(17, 25)
    # They beat 1, .9, .8, .5 and .2 of the negatives, .32 .22 .12 -.18 -.48 from .68: squares .428.
    # The negatives are beaten by .3, .6, .7, .8 and 1 of the positives: squares .268.
    variance = Fraction(428, 1000) / 4 / 5 + Fraction(268, 1000) / 4 / 5
    assert certify.delong_variance(rows) == variance == Fraction(348, 10000)
    # Precision where each positive stands: 1, 2/3, 3/4, 4/7 and 5/9.
    assert certify.average_precision(rows) == Fraction(893, 1260)
    # To fpr 1/8 the curve rises from 1/5, after 0.9, by 1 to 1: 1/8 · (1/5 + 13/40) / 2.
    assert certify.partial_auc(rows, Fraction(1, 8)) == Fraction(21, 640)
    # At 0.7 one false alarm and two misses; at 0.3 four alarms and no miss, at 0.9 four misses.
    costs = [certify.best_cost(rows, *prices) for prices in ((1, 1), (1, 4), (4, 1))]
    assert costs == [Fraction(3, 10), Fraction(4, 10), Fraction(4, 10)]


def test_a_frequency_stands_for_so_many_equal_rows():
    with_frequencies = rows_of("five-ratings")
    repeated = [
        certify.Row(row.score, row.positive, Fraction(1))
        for row in with_frequencies
        for _ in range(int(row.weight))
    ]

    assert len(repeated) == 109
    for quantity, definition in certify.QUANTITIES.items():
        assert definition(with_frequencies) == definition(repeated), quantity


def test_every_score_is_parsed_exactly():
    for data_set in SETS.values():
        for text in data_set.score:
            shortest = repr(float(text)).removesuffix(".0")
            assert float(text) == float(shortest)
        if "brier" in data_set.certified:
            assert all(certify.is_probability(text) for text in data_set.score)


def test_every_quantity_is_defined_and_computed():
    quantities = {quantity for data_set in SETS.values() for quantity in data_set.certified}

    assert (
        quantities == set(certified_definitions()) == set(OUR_QUANTITIES) == set(certify.QUANTITIES)
    )
    assert len(SETS) >= 20


@every_set
def test_all_our_numbers_have_fourteen_digits_or_are_rightly_undefined(name):
    data_sets = [SETS[name]]
    numbers = certified_numbers({OURS: our_answers(data_sets)}, data_sets)
    wrong = {n.quantity: n.results[OURS] for n in numbers if not n.results[OURS].is_right}

    assert len(numbers) == len(SETS[name].certified)
    assert wrong == {}


small_rows = st.lists(
    st.tuples(st.integers(0, 8), st.booleans(), st.integers(1, 3)), min_size=1, max_size=9
)


@given(small_rows)
def test_the_brute_force_and_we_agree_on_any_rows(triples):
    rows = [certify.Row(str(s / 8), positive, Fraction(w)) for s, positive, w in triples]
    stored = certify.certified(certify.DataSet("drawn", "drawn", rows, "frequency"))
    from tradeoff.validation.certified import _parse_set

    data_set = _parse_set(stored)
    numbers = certified_numbers({OURS: our_answers([data_set])}, [data_set])

    assert [n.quantity for n in numbers if not n.results[OURS].is_right] == []


def test_delongs_variance_keeps_its_digits_where_all_placements_are_nearly_one():
    # Five positives beat all of n = 10^15 + 2 negatives but one, three beat all. Of the n negatives
    # one is beaten by three of eight. In units of 1/n: deviations 5/8 - 1 = -3/8 and 5/8.
    n = 10**15 + 2
    area = 1 - Fraction(5, 8 * n)
    of_positives = (5 * Fraction(3, 8) ** 2 + 3 * Fraction(5, 8) ** 2) / n**2 / 7 / 8
    others = (n - 1) * (1 - area) ** 2
    of_negatives = ((Fraction(3, 8) - area) ** 2 + others) / (n - 1) / n
    ranking = ranking_of_ratings([0, 5, 0, 3], [10**15 + 1, 0, 1, 0])

    variance = placement_variances(ranking).variance

    assert agreeing_digits(variance, of_positives + of_negatives) >= 15


def test_the_cheapest_threshold_is_found_where_a_row_costs_less_than_rounding():
    # At 4 five positives are missed, which costs 5; at 2 there is one false alarm, which costs 4.
    ranking = ranking_of_ratings([0, 5, 0, 3], [10**15 + 1, 0, 1, 0])

    decision = best_threshold(ranking, costs=Costs(false_positive=4, false_negative=1))

    assert (decision.threshold, decision.ties) == (2.0, ())
    assert decision.value == 4 / (10**15 + 10)


def test_equal_costs_are_still_ties_where_sums_are_rounded():
    # 0.1 for each of three misses, or 0.3 for one false alarm: equal but for rounding.
    ranking = ranking_of_ratings([1, 3, 2], [4, 1, 0])

    decision = best_threshold(ranking, costs=Costs(false_positive=0.3, false_negative=0.1))

    assert decision.threshold == 3.0
    assert decision.ties == (2.0,)


@pytest.mark.parametrize(
    ("published", "computed", "expected"),
    [
        ("0.7366", 0.73655, True),
        ("0.7366", 0.736651, False),
        ("-0.0780", -0.07795, True),
        ("0.893", math.nan, False),
        ("17", 17, True),
        ("17", 17.4, False),
        ("1/3", 1 / 3, True),
        ("1/3", 0.3333333333333, False),
        ("7 2; 4 1", "7 2; 4 1", True),
        ("7 2; 4 1", "7 4; 2 1", False),
    ],
)
def test_a_number_agrees_if_it_rounds_to_what_was_printed(published, computed, expected):
    assert agrees(published, computed) is expected


@pytest.mark.parametrize(
    ("computed", "exact", "digits"),
    [
        (0.5, Fraction(1, 2), 16),
        (0.505, Fraction(1, 2), 2),  # an error of 1%
        (1e-5, Fraction(0), 5),
        (5.0, Fraction(1, 2), 0),
        (math.inf, Fraction(1), 0),
        (1 + 2**-30, Fraction(1), 30 * math.log10(2)),
    ],
)
def test_digits_are_the_log_relative_error(computed, exact, digits):
    assert agreeing_digits(computed, exact) == pytest.approx(digits, abs=1e-9)


def test_a_different_number_of_vertices_is_wrong():
    line = ((Fraction(0), Fraction(0)), (Fraction(1), Fraction(1)))

    assert assess_answer(line, ((0.0, 0.0), (1.0, 1.0))).digits == 16
    assert assess_answer(line, ((0.0, 0.0), (0.5, 0.5), (1.0, 1.0))).remark == "3 points, not 2"


def test_scikit_learn_is_assessed_by_the_same_numbers():
    pytest.importorskip("sklearn")
    answers = sklearn_answers(SETS.values())
    numbers = certified_numbers({"scikit-learn": answers}, list(SETS.values()))
    results = {
        (n.data_set, n.quantity): n.results["scikit-learn"]
        for n in numbers
        if "scikit-learn" in n.results
    }

    assert results["ten-rows", "auc"].is_right
    assert ("ten-rows", "delong_variance") not in results
    # It says 0 where there is no positive row, and takes no infinite scores.
    assert results["no-positives", "average_precision"].remark == "not undefined"
    assert results["infinities", "auc"].remark.startswith("refused: Input contains infinity")


def test_what_r_writes_is_read():
    assert _r_value("0.5") == 0.5
    assert math.isnan(_r_value("NA"))
    assert _r_value("0 0;0.5 1;1 1") == ((0.0, 0.0), (0.5, 1.0), (1.0, 1.0))
    assert _r_value("!No control observation.") == "No control observation."


def test_r_is_run_where_it_is_installed(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)

    assert r_answers(SETS.values()) == {}


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_proc_and_rocr_have_the_certified_areas_where_r_has_them():
    chosen = [SETS[name] for name in ("ten-rows", "five-ratings", "tiny-scores", "huge-counts")]

    for answers in r_answers(chosen).values():
        assert answers["ten-rows", "auc"] == pytest.approx(0.68, rel=1e-14)
        assert answers["five-ratings", "auc"] == pytest.approx(0.8931710615280596, rel=1e-14)
        exact = float(SETS["tiny-scores"].certified["auc"])
        assert answers["tiny-scores", "auc"] == pytest.approx(exact, rel=1e-14)
        # Rows are repeated, as neither takes weights; 10^15 of them are too many.
        assert ("huge-counts", "auc") not in answers


def test_weights_are_stored_exactly():
    huge = SETS["beyond-2-53"].weights

    assert huge.dtype == np.int64
    assert huge.sum() > 2**53
    assert [Fraction(w) for w in SETS["uneven-weights"].weights.tolist()] == [
        Fraction(text) for text in SETS["uneven-weights"].weight
    ]
