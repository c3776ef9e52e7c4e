"""A session of Spark for the command line, and the tables it reads."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tradeoff.errors import InputError
from tradeoff.files import passing_folder
from tradeoff.sources.spark import one_sentence, reason_of

LOCAL = "local[*]"
QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
# Spark writes a few lines before it can be told not to: this tells Java when it starts.
LOGGING = """rootLogger.level = error
logger.gateway.name = org.apache.spark.api.python.PythonGatewayServer
logger.gateway.level = error
rootLogger.appenderRef.stderr.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %m%n
"""
PATIENCE = 5.0
"""Seconds that a master may take to answer."""
CSV = {
    "header": True,
    "inferSchema": True,
    "escape": '"',
    "nullValue": "NA",
    "mode": "FAILFAST",
}
"""Lines are read as they are everywhere; one of other columns would else be filled up or cut."""
READERS: dict[str, tuple[str, dict[str, Any]]] = {
    ".parquet": ("parquet", {}),
    ".orc": ("orc", {}),
    ".csv": ("csv", CSV),
    ".tsv": ("csv", CSV | {"sep": "\t"}),
    ".json": ("json", {}),
    ".jsonl": ("json", {}),
    ".ndjson": ("json", {}),
}
PACKED = {".gz", ".bz2", ".zst", ".snappy", ".lz4"}


@contextmanager
def session(master: str | None = None) -> Iterator[Any]:
    """A quiet session on a master, stopped at the end; one that runs already is left as it is.

    Args:
        master: `local[2]`, `spark://host:port` and the like; this machine with all its cores, if
            nothing is said.
    """
    _demand_spark()
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is not None:
        yield running
        return
    _demand_java()
    _demand_master(master or LOCAL)
    with passing_folder() as folder:
        started = _started(master or LOCAL, folder)
        try:
            yield started
        finally:
            started.stop()


def spark_table(session: Any, path: str) -> Any:
    """The table at a path (files, a folder or a pattern of them) or of a name that Spark knows."""
    with one_sentence():
        reader, options = _reader(path)
        if reader:
            return session.read.format(reader).options(**options).load(path)
        if not any(mark in path for mark in "/\\:*") and session.catalog.tableExists(path):
            return session.table(path)
    raise InputError(
        f"Spark knows no table {path!r}, and no file ends like that: name a table, or a path that "
        f"ends in {', '.join(READERS)}."
    )


def _started(master: str, folder: Path) -> Any:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    logging = folder / "log4j2.properties"
    logging.write_text(LOGGING, encoding="utf-8")
    java = f"-Dlog4j2.configurationFile={logging.as_uri()}"
    settings: dict[str, Any] = {
        **QUIET,
        "spark.driver.extraJavaOptions": java,
        # Otherwise Spark makes a folder wherever it is started.
        "spark.sql.warehouse.dir": (folder / "warehouse").as_uri(),
    }
    try:
        return (
            SparkSession.builder.config(map=settings)
            .master(master)
            .appName("tradeoff")
            .getOrCreate()
        )
    except (PySparkException, Py4JError, OSError) as problem:
        raise InputError(f"Spark does not start on {master!r}: {reason_of(problem)}.") from problem


def _demand_spark() -> None:
    from importlib.util import find_spec

    if find_spec("pyspark") is None:
        raise InputError("Spark is not installed: pip install 'pyspark>=3.5'.")


def _demand_java() -> None:
    home = os.environ.get("JAVA_HOME")
    where = None if home is None else str(Path(home) / "bin")
    if shutil.which("java", path=where) is None:
        place = "on the PATH" if home is None else f"in JAVA_HOME ({home})"
        raise InputError(
            f"Spark needs Java 17 or later, and there is none {place}: install one, or set "
            "JAVA_HOME to where it lies."
        )


def _demand_master(master: str) -> None:
    """A master that answers: Spark itself would ask for a minute."""
    if not master.startswith("spark://"):
        return
    hosts = master.removeprefix("spark://").split(",")
    if not any(map(_answers, hosts)):
        raise InputError(
            f"No Spark master answers at {master!r}: start it, or check host and port."
        )


def _answers(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), PATIENCE):
            return True
    except (OSError, ValueError):
        return False


def _reader(path: str) -> tuple[str, dict[str, Any]]:
    """The reader of a path by how it ends, or by what lies in the folder; nothing for a name."""
    name = path.rstrip("/*")
    folder = Path(name)
    if folder.is_dir() and folder.suffix.lower() not in READERS:
        files = sorted(file for file in folder.rglob("*") if not file.name.startswith(("_", ".")))
        endings = [_ending(file.name) for file in files if file.is_file()]
        known = next((ending for ending in endings if ending in READERS), None)
        if known is None:
            raise InputError(f"The folder {path!r} holds no file that Spark can read.")
        return READERS[known]
    return READERS.get(_ending(name), ("", {}))


def _ending(name: str) -> str:
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    if suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""
