"""Each rule about rows has the same message and note for every source and way of reading."""

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
from rules_of_rows import NOTES, RULES, VALID_COLUMNS, without_row_numbers

import tradeoff as to

BATCH_OPTIONS = {"memory": "400MB"}


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


ROW_SOURCES = {
    "arrays": (lambda table, _: table, {}),
    "pandas": (lambda table, _: table.to_pandas(), {}),
    "polars": (lambda table, _: pl.from_arrow(table), {}),
    "a file": (parquet_file, {}),
    "a text file": (csv_file, {}),
    "a European text file": (european_file, {}),
    "a spreadsheet": (spreadsheet, {}),
    "a file in batches": (parquet_file, BATCH_OPTIONS),
    "a text file in batches": (csv_file, BATCH_OPTIONS),
    "a European text file in batches": (european_file, BATCH_OPTIONS),
    "a query": (lambda table, folder: to.Query(f"FROM '{parquet_file(table, folder)}'"), {}),
}
ENGINE_SOURCES = {
    "lazy polars": (lambda table, _: pl.from_arrow(table).lazy(), {}),
    "a relation": (lambda table, _: duckdb.from_arrow(table), {}),
    "Ibis": (lambda table, _: ibis.memtable(table), {}),
    "Dask": (lambda table, _: dd.from_pandas(table.to_pandas(types_mapper=pd.ArrowDtype)), {}),
}
SOURCES = ROW_SOURCES | ENGINE_SOURCES
every_source = pytest.mark.parametrize("source", SOURCES)


def evaluate(source, changed_columns, options, folder):
    columns = VALID_COLUMNS | changed_columns
    table = pa.table({name: pa.array(values) for name, values in columns.items()})
    make, read_options = SOURCES[source]
    roles = {"actual": "y", "score": "p", **options}
    if source != "arrays":
        return to.evaluate(make(table, folder), **roles, **read_options)
    if roles["score"] not in columns:
        pytest.skip("arrays have no columns")
    score = {roles["score"]: columns[roles["score"]]}
    values = {role: columns[name] for role, name in roles.items() if name in columns}
    return to.evaluate(**roles | values | {"score": score})


def expected_message(source, message):
    """Adapt a message: engines give no row numbers, and arrays have default column names."""
    if source in ENGINE_SOURCES:
        message = without_row_numbers(message)
    if source == "arrays":
        message = message.replace("'y'", "'actual'").replace("'k'", "'fold'")
    return message


@every_source
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_one_message(rule, source, tmp_path):
    changed_columns, options, message = RULES[rule]
    if source == "a spreadsheet" and "integer would be rounded" in rule:
        pytest.skip("every number in a spreadsheet is a float")

    with pytest.raises(to.TradeoffError) as problem:
        evaluate(source, changed_columns, options, tmp_path)

    assert str(problem.value) == expected_message(source, message)


@every_source
@pytest.mark.parametrize("treatment", NOTES)
def test_a_treatment_has_one_note(treatment, source, tmp_path):
    changed_columns, options, notes = NOTES[treatment]

    ranking = evaluate(source, changed_columns, options, tmp_path).ranking

    assert list(ranking.notes) == notes


@pytest.mark.parametrize("source", ROW_SOURCES)
def test_rounding_has_the_same_note(source, tmp_path):
    ranking = evaluate(source, {}, {"digits": 1}, tmp_path).ranking

    assert ranking.notes == ("p was rounded to 1 decimals",)
