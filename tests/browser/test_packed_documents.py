"""The page decodes packed arrays to what Python packed."""

import json

import numpy as np
import pytest
from packed_documents import unpacked

from browser.conftest import ask
from tradeoff.core.ranking import Ranking
from tradeoff.report.packing import pack_floats, pack_integers, pack_json, pack_thresholds
from tradeoff.report.page import page_file
from tradeoff.thresholds.identical import identical_limits

pytestmark = pytest.mark.browser

random = np.random.default_rng(0)
EXTREME = np.concatenate(
    [
        np.exp(random.normal(0, 60, 400)),
        -np.exp(random.normal(0, 60, 400)),
        [0.0, np.inf, -np.inf, 5e-324, 1.7976931348623157e308, -5e-324],
        0.1 + np.arange(300) * 2.0**-50,
        np.round(random.random(300), 3),
    ]
)


def packed_thresholds(*, lower):
    positive = np.arange(len(EXTREME)) % 2 == 0
    ranking = Ranking.of(EXTREME, positive, lower_is_positive=lower)
    sign = -1 if lower else 1
    return pack_thresholds(ranking.thresholds, identical_limits(ranking), sign=sign)


ARRAYS = {
    "integers": pack_integers(np.concatenate([random.integers(-(2**52), 2**52, 500), [0, -1, 1]])),
    "floats": pack_floats(EXTREME[np.isfinite(EXTREME)]),
    "thresholds": packed_thresholds(lower=False),
    "low thresholds": packed_thresholds(lower=True),
    "json": pack_json({"names": ["é🙂", "</script>", "\u2028"], "none": None}),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_decoded(page, name):
    page.set_content(f"<!doctype html><script>{page_file('packing.js')}</script>")
    page.evaluate(
        "async (text) => { globalThis.decoded = await Documents.decode(JSON.parse(text)); }",
        json.dumps({"array": ARRAYS[name]}),
    )
    answer = ask(
        page,
        "() => (ArrayBuffer.isView(decoded.array) ? [...decoded.array] : decoded.array)",
        None,
    )

    if name != "json":  # JavaScript writes large floats as integers
        answer = [float(value) for value in answer]
    assert answer == unpacked(ARRAYS[name])


def test_a_document_packed_as_a_whole_is_decoded_with_its_arrays(page):
    document = {"a": [{"b": ARRAYS["integers"]}], "c": 1}
    page.set_content(f"<!doctype html><script>{page_file('packing.js')}</script>")
    page.evaluate(
        "async (text) => { globalThis.decoded = await Documents.decode(JSON.parse(text)); }",
        json.dumps(pack_json(document)),
    )

    assert ask(page, "() => decoded", None) == unpacked(document)
