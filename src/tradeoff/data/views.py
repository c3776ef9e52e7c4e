"""Views of the example data sets: a list of all, and one with its columns, source and licence."""

from __future__ import annotations

from typing import Any

from tradeoff.data.registry import DataSet, DataSets
from tradeoff.render.sections import Section
from tradeoff.results import shows

DATA_SETS_SCHEMA = "tradeoff/datasets/1"


@shows(DataSets, "sections")
def data_sets_sections(data_sets: DataSets) -> list[Section]:
    """Text of all data sets: one line for each."""
    table = tuple((data.name, data.description) for data in data_sets.by_name.values())
    heading = f"{len(data_sets)} example data sets, which are part of the package:"
    return [Section(heading, table=(("", ""), *table), prose_last=True)]


@shows(DataSets, "document")
def data_sets_document(data_sets: DataSets) -> dict[str, Any]:
    """JSON document of data sets."""
    return {
        "schema": DATA_SETS_SCHEMA,
        "datasets": [_entry(data) for data in data_sets.by_name.values()],
    }


@shows(DataSet, "sections")
def data_set_sections(data: DataSet) -> list[Section]:
    """Text of a data set: what it shows, its columns, its source and its licence."""
    columns = tuple(data.meanings.items())
    return [
        Section(lines=(f"{data.name}: {data.description}.",)),
        Section("Columns", table=(("", ""), *columns), prose_last=True),
        Section(lines=(f"Source: {data.source}.", f"Licence: {data.licence}.")),
    ]


@shows(DataSet, "document")
def data_set_document(data: DataSet) -> dict[str, Any]:
    """JSON document of one data set."""
    return {"schema": DATA_SETS_SCHEMA, "datasets": [_entry(data)]}


def _entry(data: DataSet) -> dict[str, Any]:
    return {
        "name": data.name,
        "file": data.file,
        "description": data.description,
        "source": data.source,
        "licence": data.licence,
        "columns": dict(data.meanings),
    }
