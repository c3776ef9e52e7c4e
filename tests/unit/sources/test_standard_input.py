"""Rows from standard input: CSV, Parquet, JSON and spreadsheets, by their content."""

import io

import pandas as pd
import pytest

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.sources.standard_input import read_standard_input

FRAME = pd.DataFrame({"y": [1, 0, 1, 0], "p": [0.9, 0.2, 0.4, 0.3]})


def contents():
    parquet, workbook = io.BytesIO(), io.BytesIO()
    FRAME.to_parquet(parquet)
    FRAME.to_excel(workbook, index=False)
    return {
        "CSV": FRAME.to_csv(index=False).encode(),
        "UTF-16": FRAME.to_csv(index=False, sep=";", decimal=",").encode("utf-16"),
        "compressed": b"".join(_gzipped(FRAME.to_csv(index=False).encode())),
        "JSON": FRAME.to_json(orient="records").encode(),
        "JSON lines": FRAME.to_json(orient="records", lines=True).encode(),
        "Parquet": parquet.getvalue(),
        "a spreadsheet": workbook.getvalue(),
    }


def _gzipped(content):
    import gzip

    yield gzip.compress(content)


@pytest.mark.parametrize("kind", contents())
def test_the_format_is_recognized(kind):
    file = read_standard_input(io.BytesIO(contents()[kind]))

    assert str(file) == "standard input"
    assert to.evaluate(file, "p", actual="y").auc.value == 1


def test_nothing_is_refused():
    with pytest.raises(InputError, match=r"Standard input is empty\."):
        read_standard_input(io.BytesIO(b"\n"))
