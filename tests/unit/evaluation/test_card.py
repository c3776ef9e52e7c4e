"""The card of an evaluation in notebooks: small, escaped, with numbers, a curve and next steps."""

import time

import numpy as np
import pytest

import tradeoff as to

LARGEST = 30_000
"""Bytes of a card."""
RANDOM = np.random.default_rng(1)
ACTUAL = RANDOM.random(2000) < 0.2
SCORE = 1 / (1 + np.exp(1.5 - RANDOM.normal(size=2000) - 1.5 * ACTUAL))


def card_of(evaluation):
    html = evaluation._repr_html_()
    assert len(html.encode()) < LARGEST
    return html


def test_the_card_has_the_numbers_the_matrix_and_the_curve():
    e = to.evaluate(actual=ACTUAL, score=SCORE)
    html = card_of(e)

    assert f"2,000 rows, {ACTUAL.sum()} positive" in html
    assert f"{e.auc.value:.3f} ({e.auc.low:.3f}–{e.auc.high:.3f})" in html
    assert "predicted True" in html
    assert html.count("<svg") == 1
    assert "e.report(&quot;report.html&quot;)" in html


def test_a_card_of_several_models_has_a_row_for_each():
    e = to.evaluate(actual=ACTUAL, score={"<new>": SCORE, "old": SCORE[::-1]}, segment=ACTUAL)
    html = card_of(e)

    assert "&lt;new&gt;" in html
    assert "<new>" not in html
    assert "e[&#x27;&lt;new&gt;&#x27;].at(0.3)" in html
    assert "by segment" not in html


@pytest.mark.parametrize("models", [4, 60])
def test_a_card_of_many_models_stays_small(models):
    names = {f"model {i} {'x' * 100}": SCORE + RANDOM.normal(size=2000) for i in range(models)}
    html = card_of(to.evaluate(actual=ACTUAL, score=names))

    assert "model 0" in html
    assert ("40 more: print(e)" in html) == (models == 60)


def test_a_card_of_many_rows_of_one_class_and_of_no_rows():
    card_of(to.evaluate(RANDOM.random(100_000) < 0.3, RANDOM.random(100_000)))
    assert "undefined" in card_of(to.evaluate([1, 1], [0, 1]))
    assert "no rows" in card_of(to.evaluate(actual=[], score=[], positive=1))


def test_the_card_and_the_table_take_little_time():
    e = to.evaluate(actual=ACTUAL, score=SCORE)
    e.to_pandas()  # imports
    start = time.process_time()
    e._repr_html_()
    e.to_pandas(long=True)
    e.to_pandas()

    assert time.process_time() - start < 0.3
