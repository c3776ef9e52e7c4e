"""Undefined and infinite numbers in JSON and CSV."""

import json
from math import inf, nan

import numpy as np
import pytest

from tradeoff.measures.estimate import Estimate
from tradeoff.render.estimate_documents import estimate_document
from tradeoff.render.json_csv import (
    format_csv,
    format_json,
    json_number,
    json_threshold,
    json_value,
)


def test_json_has_no_infinities_and_no_nan():
    assert [json_number(x) for x in (0.5, inf, nan)] == [0.5, None, None]
    assert [json_threshold(x) for x in (0.5, inf, -inf)] == [0.5, "inf", "-inf"]
    with pytest.raises(ValueError, match="Out of range float"):
        format_json({"value": nan})


def test_numpy_scalars_are_python_numbers():
    assert format_json([json_value(np.int64(3)), json_value(np.float64(0.25))]) == (
        "[\n  3,\n  0.25\n]"
    )
    assert json_value(np.float64(nan)) is None


def test_an_undefined_estimate_gives_its_reason():
    assert estimate_document(Estimate("auc", nan, reason="only one class")) == {
        "value": None,
        "reason": "only one class",
    }


def test_an_infinite_estimate_says_so():
    assert estimate_document(Estimate("odds_ratio", inf)) == {"value": None, "reason": "infinite"}


def test_json_keeps_every_digit():
    document = estimate_document(Estimate("auc", 1 / 3, low=0.1, high=0.7, level=0.95))
    assert json.loads(format_json(document))["value"] == 1 / 3


def test_csv_has_empty_cells_for_undefined_values():
    assert format_csv(["a", "b"], [[1, nan], [None, inf], ['say "hi"', "x,y"]]) == (
        'a,b\n1,\n,inf\n"say ""hi""","x,y"'
    )
