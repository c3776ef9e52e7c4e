"""Intervals of areas as auRoc 0.2-1 gives them: `auc.nonpara.mw(…, method = "DL.corr")` in R 4."""

import pytest
from golden.reference import table

import tradeoff as to


@pytest.mark.parametrize(
    ("marker", "area", "low", "high"),
    [
        ("s100b", 0.731368563686, 0.618682992399, 0.820419537648),
        ("wfns", 0.823678861789, 0.734997597033, 0.887236527687),  # five levels: most pairs tie
    ],
)
def test_the_interval_of_pohar_perme_and_manevski(marker, area, low, high):
    rows = table("proc_aSAH_data.csv")

    estimate = to.evaluate(actual=rows["poor"], score=rows[marker]).auc

    assert (estimate.value, estimate.low, estimate.high) == pytest.approx(
        (area, low, high), rel=1e-10
    )
