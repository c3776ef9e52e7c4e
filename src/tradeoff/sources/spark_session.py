"""Spark session and Spark tables for the command line."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tradeoff.errors import InputError, extra_required
from tradeoff.files.temporary_files import temporary_folder
from tradeoff.sources.spark_errors import spark_error_reason, translate_spark_errors

LOCAL_MASTER = "local[*]"
QUIET_SETTINGS = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
# Suppresses the messages that Spark logs before its log level can be set.
LOG4J_PROPERTIES = """rootLogger.level = error
logger.gateway.name = org.apache.spark.api.python.PythonGatewayServer
logger.gateway.level = error
rootLogger.appenderRef.stderr.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %m%n
"""
MASTER_TIMEOUT = 5.0
"""Time to wait for a master, in seconds."""
CSV_OPTIONS = {
    "header": True,
    "inferSchema": True,
    "escape": '"',
    "nullValue": "NA",
    "mode": "FAILFAST",
}
"""CSV options, as for other sources; by default Spark would pad or truncate malformed lines."""
READERS: dict[str, tuple[str, dict[str, Any]]] = {
    ".parquet": ("parquet", {}),
    ".orc": ("orc", {}),
    ".csv": ("csv", CSV_OPTIONS),
    ".tsv": ("csv", CSV_OPTIONS | {"sep": "\t"}),
    ".json": ("json", {}),
    ".jsonl": ("json", {}),
    ".ndjson": ("json", {}),
}
COMPRESSION_EXTENSIONS = {".gz", ".bz2", ".zst", ".snappy", ".lz4"}


@contextmanager
def spark_session(master: str | None = None) -> Iterator[Any]:
    """Start a quiet Spark session, and stop it at the end; a running session is reused.

    Args:
        master: For example `local[2]` or `spark://host:port`; by default, all cores of this
            machine.
    """
    with extra_required("Spark"):
        from pyspark.sql import SparkSession

    active_session = SparkSession.getActiveSession()
    if active_session is not None:
        yield active_session
        return
    _require_java()
    _require_master(master or LOCAL_MASTER)
    with temporary_folder() as folder:
        session = _start_session(master or LOCAL_MASTER, folder)
        try:
            yield session
        finally:
            session.stop()


def spark_table(session: Any, path: str) -> Any:
    """Spark table from a path (file, folder or pattern), or from its name in the catalog."""
    with translate_spark_errors():
        reader, options = _table_reader(path)
        if reader:
            return session.read.format(reader).options(**options).load(path)
        if not any(character in path for character in "/\\:*") and session.catalog.tableExists(
            path
        ):
            return session.table(path)
    raise InputError(
        f"{path!r} is neither a table in Spark nor a file of a known type: name a table, or a path "
        f"that ends in {', '.join(READERS)}."
    )


def _start_session(master: str, folder: Path) -> Any:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    logging_file = folder / "log4j2.properties"
    logging_file.write_text(LOG4J_PROPERTIES, encoding="utf-8")
    java_options = f"-Dlog4j2.configurationFile={logging_file.as_uri()}"
    settings: dict[str, Any] = {
        **QUIET_SETTINGS,
        "spark.driver.extraJavaOptions": java_options,
        # Otherwise Spark creates a folder in the working directory.
        "spark.sql.warehouse.dir": (folder / "warehouse").as_uri(),
    }
    try:
        return (
            SparkSession.builder.config(map=settings)
            .master(master)
            .appName("tradeoff")
            .getOrCreate()
        )
    except (PySparkException, Py4JError, OSError) as error:
        raise InputError(
            f"Spark does not start on {master!r}: {spark_error_reason(error)}."
        ) from error


def _require_java() -> None:
    home = os.environ.get("JAVA_HOME")
    search_path = None if home is None else str(Path(home) / "bin")
    if shutil.which("java", path=search_path) is None:
        location = "on the PATH" if home is None else f"in JAVA_HOME ({home})"
        raise InputError(
            f"Spark needs Java 17 or later, and there is none {location}: install one, or set "
            "JAVA_HOME to its folder."
        )


def _require_master(master: str) -> None:
    """Require a Spark master that responds, as Spark itself would retry for a minute."""
    if not master.startswith("spark://"):
        return
    hosts = master.removeprefix("spark://").split(",")
    if not any(map(_is_listening, hosts)):
        raise InputError(
            f"No Spark master responds at {master!r}: start it, or check host and port."
        )


def _is_listening(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), MASTER_TIMEOUT):
            return True
    except (OSError, ValueError):
        return False


def _table_reader(path: str) -> tuple[str, dict[str, Any]]:
    """Spark reader for a path, by its extension or the files in it; empty for a table name."""
    name = path.rstrip("/*")
    folder = Path(name)
    if folder.is_dir() and folder.suffix.lower() not in READERS:
        files = sorted(file for file in folder.rglob("*") if not file.name.startswith(("_", ".")))
        extensions = [_extension(file.name) for file in files if file.is_file()]
        extension = next((candidate for candidate in extensions if candidate in READERS), None)
        if extension is None:
            raise InputError(f"The folder {path!r} contains no file that Spark can read.")
        return READERS[extension]
    return READERS.get(_extension(name), ("", {}))


def _extension(name: str) -> str:
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    if suffixes and suffixes[-1] in COMPRESSION_EXTENSIONS:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""
