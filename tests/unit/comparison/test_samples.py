"""Independent samples: the differences of unpaired rankings, whatever files they come from."""

import numpy as np
import pandas as pd
import pytest

import tradeoff as to
from tradeoff.errors import InputError


def sample(seed, rows=300, shift=1.0):
    random = np.random.default_rng(seed)
    actual = (random.random(rows) < 0.4).astype(int)
    return pd.DataFrame(
        {
            "y": actual,
            "p": 1 / (1 + np.exp(-random.normal(shift * actual, 1))),
            "q": random.random(rows),
            "unit": np.arange(rows) // 3,
        }
    )


THEN, NOW = sample(1), sample(2, 200, 0.2)
SAMPLES = {"then": THEN, "now": NOW}


def ranking(table, name):
    return to.evaluate(table, actual="y", score="p").ranking.named(name)


@pytest.mark.parametrize(
    ("metric", "options"),
    [("auc", {}), ("brier", {}), ("recall", {"at": ("threshold", 0.6)})],
)
def test_differences_are_unpaired_and_later_minus_earlier(metric, options):
    compared = to.compare_samples(SAMPLES, "p", actual="y", metric=metric, **options)
    expected = to.difference(ranking(NOW, "now"), ranking(THEN, "then"), metric, **options)

    (difference,) = compared.differences
    assert (difference.first, difference.second) == ("now", "then")
    assert (difference.value, difference.low, difference.high, difference.p_value) == (
        expected.value,
        expected.low,
        expected.high,
        expected.p_value,
    )


def test_each_sample_has_the_estimates_of_its_own_evaluation():
    compared = to.compare_samples(SAMPLES, "p", actual="y", metric=["auc", "brier"])

    for part, table in zip(compared.samples, SAMPLES.values(), strict=True):
        e = to.evaluate(table, actual="y", score="p")
        assert list(part.estimates.values()) == [e.auc, e.summary("brier")]


def test_clusters_of_single_rows_have_the_variance_of_rows():
    plain, clustered = (
        to.compare_samples(
            {name: t.assign(unit=range(len(t))) for name, t in SAMPLES.items()},
            "p",
            actual="y",
            cluster=cluster,
        ).differences[0]
        for cluster in (None, "unit")
    )

    assert clustered.standard_error == pytest.approx(plain.standard_error, rel=0.01)
    assert clustered.method == "Obuchowski, unpaired"


@pytest.mark.parametrize("metric", ["auc", "brier"])
def test_repeated_rows_of_a_unit_do_not_make_it_more_certain(metric):
    repeated = {name: pd.concat([t.assign(unit=range(len(t)))] * 3) for name, t in SAMPLES.items()}
    once = to.compare_samples(SAMPLES, "p", actual="y", metric=metric).differences[0]
    thrice = to.compare_samples(repeated, "p", actual="y", metric=metric, cluster="unit")

    assert thrice.differences[0].standard_error == pytest.approx(once.standard_error, rel=0.1)


def test_two_clusters_are_too_few():
    tables = {name: t.assign(unit=t.y) for name, t in SAMPLES.items()}
    (difference,) = to.compare_samples(tables, "p", actual="y", cluster="unit").differences

    assert "two clusters" in difference.note


def test_three_samples_are_compared_in_pairs_with_adjusted_p_values():
    compared = to.compare_samples({**SAMPLES, "later": sample(3)}, ["p", "q"], actual="y")
    pairs = [(d.first, d.second) for d in compared.differences]

    assert pairs[:3] == [("p now", "p then"), ("p later", "p then"), ("p later", "p now")]
    assert len(pairs) == 6
    assert all(d.adjusted >= d.p_value for d in compared.differences)


def test_a_margin_adds_non_inferiority_and_equivalence():
    compared = to.compare_samples(SAMPLES, "p", actual="y", margin=0.5)

    assert [verdict.shown for verdict in compared.verdicts] == [True, True]


@pytest.mark.parametrize(
    ("samples", "options", "message"),
    [
        ({"then": THEN}, {}, "two or more samples"),
        (
            {"then": THEN, "now": NOW.drop(columns="p")},
            {},
            r"In now: There is no column 'p'\..* then has it: both need the same columns\.",
        ),
        ({"then": THEN.drop(columns="y"), "now": NOW}, {}, r"In then: There is no column 'y'"),
        ({"then": THEN, "now": NOW.assign(p=np.nan)}, {}, "In now: 200 of 200 scores"),
        (SAMPLES, {"method": "permutation"}, "by 'delong' or 'bootstrap', not 'permutation'"),
        (SAMPLES, {"method": "delong", "metric": "brier"}, "DeLong's test compares AUCs"),
    ],
)
def test_samples_that_cannot_be_compared_are_named(samples, options, message):
    with pytest.raises(InputError, match=message):
        to.compare_samples(samples, "p", actual="y", **options)


def test_a_file_is_not_independent_of_itself(tmp_path):
    path = tmp_path / "rows.csv"
    THEN.to_csv(path, index=False)
    with pytest.raises(InputError, match="is given twice: samples must be different rows"):
        to.compare_samples({"then": path, "now": str(path)}, "p", actual="y")


def test_other_classes_in_a_sample_are_an_error():
    words = NOW.assign(y=np.where(NOW.y == 1, "True", "False"))
    with pytest.raises(InputError):
        to.compare_samples({"then": THEN, "now": words}, "p", actual="y")
