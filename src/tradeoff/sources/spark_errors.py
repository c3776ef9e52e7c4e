"""Errors of Spark as one-sentence input errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tradeoff.errors import InputError

SESSION_STOPPED = (
    "The Spark session of this table has stopped: start a new one and read the table again."
)


@contextmanager
def translate_spark_errors() -> Iterator[None]:
    """Turn Spark errors into one-sentence input errors."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError, ConnectionError) as error:
        if isinstance(error, ConnectionError) or "stopped SparkContext" in str(error):
            raise InputError(SESSION_STOPPED) from error
        raise InputError(f"Spark cannot read the table: {spark_error_reason(error)}.") from error


def spark_error_reason(error: Exception) -> str:
    """Reason for a Spark error, from the first line of Java's message."""
    java = getattr(error, "java_exception", None)
    text = str(error if java is None else java.getMessage()).strip() or type(error).__name__
    return text.splitlines()[0].rpartition("Exception: ")[2].rstrip(".")
