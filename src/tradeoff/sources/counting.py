"""Which sources count their rows themselves or are gone through in batches, and which are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradeoff.errors import InputError
from tradeoff.sources.files import is_arff
from tradeoff.sources.relations import Query, files_of, is_database
from tradeoff.sources.tables import is_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from tradeoff.core.models import RankedModels
    from tradeoff.sources.ranked import Choices, Columns, Effort

LARGE = 64 << 20
"""Files of more bytes are gone through in batches."""


def counting(
    data: Any, columns: Columns, choices: Choices, effort: Effort
) -> Callable[[], RankedModels] | None:
    """How the rankings of a source are found without holding its rows; None: read it instead."""
    if effort.hold:
        return None
    if is_path(data):
        return _of_files(data, columns, choices, effort)
    from tradeoff.sources.lazy import is_lazy
    from tradeoff.sources.spark import is_spark

    if is_spark(data):
        return lambda: _in_spark(data, columns, choices, effort)
    if is_lazy(data):
        return lambda: _in_place(data, columns, choices, effort)
    return None


def demand_rows(data: Any) -> None:
    """Rows themselves can be had: a Spark table may have any number of them."""
    from tradeoff.sources.spark import is_spark

    if is_spark(data):
        raise InputError(
            "This looks at rows themselves, of which a Spark table may have any number: collect "
            "those that it needs first, for example with toPandas()."
        )


def _in_place(data: Any, columns: Columns, choices: Choices, effort: Effort) -> RankedModels:
    from tradeoff.sources.lazy import lazy_models

    if effort.exact:
        raise InputError(
            "`exact` goes through rows twice, which lazy frames do not: ask for more `bins`."
        )
    return lazy_models(data, columns, choices, effort.most)


def _in_spark(data: Any, columns: Columns, choices: Choices, effort: Effort) -> RankedModels:
    from tradeoff.sources.spark import spark_models

    return spark_models(data, columns, choices, effort.most, exact=effort.exact)


def _of_files(
    data: Any, columns: Columns, choices: Choices, effort: Effort
) -> Callable[[], RankedModels] | None:
    if is_arff(data):
        if effort.is_asked_for:
            raise InputError(f"{data} is read as a whole: ARFF files know no batches.")
        return None
    if not (effort.is_asked_for or _is_large(data)):
        return None
    from tradeoff.sources.scanning import scanned_models

    return lambda: scanned_models(data, columns, choices, effort)


def _is_large(data: Any) -> bool:
    """Whether there are so many bytes that rows should not all be held; a query may be anything."""
    if isinstance(data, Query):
        return True
    if is_database(data):
        return True
    return sum(file.stat().st_size for file in files_of(data)) > LARGE
