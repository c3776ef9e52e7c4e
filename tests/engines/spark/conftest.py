import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

SPARKLESS = pytest.mark.skipif(
    find_spec("pyspark") is None, reason="pyspark is not installed: `make spark` does it"
)
HOME = os.environ.get("JAVA_HOME")
JAVA = shutil.which("java", path=None if HOME is None else str(Path(HOME) / "bin"))


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.spark)
            item.add_marker(SPARKLESS)
            # PySpark leaves sockets to the garbage collector.
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))
            item.add_marker(
                pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
            )


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    """A session in this process, with few parts so that small questions are quick."""
    if JAVA is None:
        pytest.skip("there is no Java on this machine, which Spark needs")
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .appName("tests")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.default.parallelism", "2")
        .config("spark.sql.warehouse.dir", tmp_path_factory.mktemp("warehouse").as_uri())
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def both(spark, tmp_path):
    """A polars table twice: as it is, and as Spark reads it from Parquet."""

    def make_table(frame):
        path = tmp_path / "rows.parquet"
        frame.write_parquet(path)
        return frame, spark.read.parquet(str(path))

    return make_table
