"""A rule about rows has one message and one note, whatever the source and however it is read."""

import io

import dask.dataframe as dd
import duckdb
import ibis
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rules_of_rows import GOOD, NOTES, RULES, without_numbers

import tradeoff as to

IN_BATCHES = {"memory": "400MB"}


def csv_file(table, folder):
    path = folder / "rows.csv"
    pl.from_arrow(table).write_csv(path)
    return path


def european_file(table, folder):
    """Semicolons, decimal commas, and UTF-16."""
    path = folder / "rows.csv"
    text = io.StringIO()
    pl.from_arrow(table).write_csv(text, separator=";", decimal_comma=True)
    path.write_text(text.getvalue(), encoding="utf-16")
    return path


def spreadsheet(table, folder):
    path = folder / "rows.xlsx"
    workbook = openpyxl.Workbook()
    for row in [table.column_names, *zip(*table.to_pydict().values(), strict=True)]:
        workbook.active.append(row)
    workbook.save(path)
    return path


def parquet_file(table, folder):
    path = folder / "rows.parquet"
    pq.write_table(table, path)
    return path


NUMBERED = {
    "arrays": (lambda table, _: table, {}),
    "pandas": (lambda table, _: table.to_pandas(), {}),
    "polars": (lambda table, _: pl.from_arrow(table), {}),
    "a file": (parquet_file, {}),
    "a text file": (csv_file, {}),
    "a European text file": (european_file, {}),
    "a spreadsheet": (spreadsheet, {}),
    "a file in batches": (parquet_file, IN_BATCHES),
    "a text file in batches": (csv_file, IN_BATCHES),
    "a European text file in batches": (european_file, IN_BATCHES),
    "a query": (lambda table, folder: to.Query(f"FROM '{parquet_file(table, folder)}'"), {}),
}
COUNTED = {
    "lazy polars": (lambda table, _: pl.from_arrow(table).lazy(), {}),
    "a relation": (lambda table, _: duckdb.from_arrow(table), {}),
    "Ibis": (lambda table, _: ibis.memtable(table), {}),
    "Dask": (lambda table, _: dd.from_pandas(table.to_pandas(types_mapper=pd.ArrowDtype)), {}),
}
SOURCES = NUMBERED | COUNTED
every_source = pytest.mark.parametrize("source", SOURCES)


def evaluated(source, changed, options, folder):
    columns = GOOD | changed
    table = pa.table({name: pa.array(values) for name, values in columns.items()})
    make, how = SOURCES[source]
    roles = {"actual": "y", "score": "p", **options}
    if source != "arrays":
        return to.evaluate(make(table, folder), **roles, **how)
    if roles["score"] not in columns:
        pytest.skip("arrays have no columns")
    score = {roles["score"]: columns[roles["score"]]}
    named = {role: columns[name] for role, name in roles.items() if name in columns}
    return to.evaluate(**roles | named | {"score": score})


def expected(source, message):
    """Engines give no numbers of rows; arrays have no names but for scores."""
    if source in COUNTED:
        message = without_numbers(message)
    if source == "arrays":
        message = message.replace("'y'", "'actual'").replace("'k'", "'fold'")
    return message


@every_source
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_one_message(rule, source, tmp_path):
    changed, options, message = RULES[rule]
    if source == "a spreadsheet" and "integer would be another" in rule:
        pytest.skip("every number in a spreadsheet is a float")

    with pytest.raises(to.TradeoffError) as problem:
        evaluated(source, changed, options, tmp_path)

    assert str(problem.value) == expected(source, message)


@every_source
@pytest.mark.parametrize("done", NOTES)
def test_what_was_done_has_one_note(done, source, tmp_path):
    changed, options, notes = NOTES[done]

    ranking = evaluated(source, changed, options, tmp_path).ranking

    assert list(ranking.notes) == notes


@pytest.mark.parametrize("source", NUMBERED)
def test_rounding_has_one_note(source, tmp_path):
    ranking = evaluated(source, {}, {"digits": 1}, tmp_path).ranking

    assert ranking.notes == ("p was rounded to 1 decimals",)
