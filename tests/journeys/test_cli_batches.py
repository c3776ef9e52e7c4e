"""Large files on the command line: batches, queries, bad lines, memory, and being stopped."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import GOLDEN, listen, output, run

SAH = GOLDEN / "proc_aSAH_data.csv"
ASKED = ("--actual", "poor", "--score", "s100b")
# Not getrusage: its peak includes that of the process which started this one.
PEAK = (
    "import re, sys; from pathlib import Path; from tradeoff.cli import main\n"
    "try: main(sys.argv[1:])\n"
    "finally: print(re.search('VmHWM:(.*)kB', Path('/proc/self/status').read_text())[1],"
    " file=sys.stderr)"
)


def evaluated(*arguments):
    return json.loads(output("evaluate", *arguments, "--format", "json"))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Six million rows in 54 MB of Parquet; nearly all scores differ."""
    path = tmp_path_factory.mktemp("large") / "rows.parquet"
    random = np.random.default_rng(5)
    positive = random.random(6_000_000) < 0.05
    scores = (random.normal(size=len(positive)) + positive).astype(np.float64)
    pl.DataFrame({"y": positive.astype(np.int8), "s": scores}).write_parquet(path)
    return path


def test_streaming_prints_what_reading_the_whole_file_prints():
    assert output("evaluate", SAH, *ASKED, "--memory", "400MB") == output("evaluate", SAH, *ASKED)


def test_several_files_are_one(tmp_path):
    rows = pl.read_csv(SAH, null_values="NA")
    rows[:60].write_parquet(tmp_path / "a.parquet")
    rows[60:].write_parquet(tmp_path / "b.parquet")
    whole = output("evaluate", SAH, *ASKED)

    assert output("evaluate", tmp_path / "a.parquet", tmp_path / "b.parquet", *ASKED) == whole
    assert output("evaluate", tmp_path / "*.parquet", *ASKED) == whole
    assert output("evaluate", tmp_path, *ASKED) == whole


def test_a_query_and_a_table_of_a_database(tmp_path):
    path = tmp_path / "scores.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE TABLE \"the rows\" AS FROM read_csv('{SAH}', nullstr = 'NA')")
        connection.execute("CREATE TABLE other AS SELECT 1 AS x")
    whole = output("evaluate", SAH, *ASKED)

    assert output("evaluate", path, "--table", "the rows", *ASKED) == whole
    assert output("evaluate", path, "--query", 'FROM "the rows"', *ASKED) == whole
    assert output("evaluate", "--query", f"FROM '{SAH}'", *ASKED) == whole


def test_bins_bound_the_auc_and_a_second_pass_makes_it_exact(large):
    arguments = (large, "--actual", "y", "--score", "s", "--no-intervals")
    binned = evaluated(*arguments, "--bins", "1000")["models"][0]["summaries"]["auc"]
    exact = evaluated(*arguments, "--bins", "1000", "--exact")["models"][0]["summaries"]["auc"]

    assert 0 < binned["within"] < 0.001
    assert abs(binned["value"] - exact["value"]) <= binned["within"]
    assert "within" not in exact


@pytest.mark.parametrize("more", [[], ["--exact"]])
def test_the_memory_limit_is_kept(large, more):
    done = subprocess.run(
        [sys.executable, "-c", PEAK, "evaluate", large, "--actual", "y", "--score", "s",
         "--memory", "400MB", "--no-intervals", *more],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )  # fmt: skip

    assert int(done.stderr.split()[-1]) * 1024 <= 400 * 2**20


def test_the_memory_limit_is_kept_for_several_models_and_segments(tmp_path):
    random = np.random.default_rng(6)
    size = 2_000_000
    rows = {f"s{i}": random.random(size) for i in range(4)}
    rows |= {"y": random.random(size) < 0.1, "g": random.integers(0, 20, size)}
    pl.DataFrame(rows).write_parquet(tmp_path / "rows.parquet")
    scores = [word for i in range(4) for word in ("--score", f"s{i}")]
    done = subprocess.run(
        [sys.executable, "-c", PEAK, "evaluate", tmp_path / "rows.parquet", "--actual", "y",
         *scores, "--segment", "g", "--memory", "500MB", "--no-intervals", "--format", "json"],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )  # fmt: skip

    assert int(done.stderr.split()[-1]) * 1024 <= 500 * 2**20
    assert len(json.loads(done.stdout)["models"]) == 4


def written(folder, text, name="rows.csv"):
    path = folder / name
    path.write_text(text)
    return path


LINES = "y,s\n1,0.9\n0,abc\n1,0.4,7\n0,0.1\n1,0.8\n"


def test_a_line_that_cannot_be_read_stops_with_its_number_column_reason_and_text(tmp_path):
    path = written(tmp_path, "y,s\n1,0.9\n0,abc\n1,0.4\n")
    code, out, err = run("evaluate", path, "--actual", "y", "--score", "s", "--memory", "400MB")

    assert (code, out) == (2, "")
    assert f"{path}, line 3, column s: 'abc' is not a number (in '0,abc')" in err
    assert "--bad-rows skip" in err


def test_a_ragged_line_stops_a_small_file_too(tmp_path):
    code, _, err = run("evaluate", written(tmp_path, LINES), "--actual", "y", "--score", "s")

    assert code == 2
    assert "line 4: it has more columns and should have 2 (in '1,0.4,7')" in err


def test_a_file_of_only_bad_lines_reports_them(tmp_path):
    path = written(tmp_path, "y,s\n1,a\n0,b\n1,c\n0,d\n")
    code, _, err = run("evaluate", path, "--actual", "y", "--score", "s", "--bad-rows", "skip")

    assert code == 2
    assert f"{path} has no readable line: 4 lines were skipped: line 2, column s:" in err
    assert "and 1 more." in err


def test_the_first_of_many_bad_lines_is_reported(tmp_path):
    lines = "".join(f"{i % 2},x\n" for i in range(100_000))
    path = written(tmp_path, f"y,s\n1,0.9\n{lines}")
    arguments = ("evaluate", path, "--actual", "y", "--score", "s", "--memory", "400MB")

    assert "line 3, column s: 'x' is not a number (in '0,x')" in run(*arguments)[2]


def test_windows_line_endings_are_counted_once(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes(LINES.replace("\n", "\r\n").encode())
    text = output("evaluate", path, "--actual", "y", "--score", "s", "--bad-rows", "skip")

    assert "2 lines were skipped: line 3" in text
    assert "\\n" not in text
    assert "more." not in text


def test_a_quoted_cell_over_several_lines_is_one_bad_cell(tmp_path):
    good = "".join(f'{i % 2},"{i / 60}"\n' for i in range(60))
    path = written(tmp_path, f'y,s\n{good}1,"0.5\n0,0.3\n1,0.2\n0,0.1"\n{good}')
    text = output("evaluate", path, "--actual", "y", "--score", "s", "--bad-rows", "skip")
    _, _, err = run("evaluate", path, "--actual", "y", "--score", "s", "--memory", "400MB")

    assert "4 lines were skipped: line 62, column s:" in text
    assert "more." not in text
    assert "line 62, column s: '0.5\\n0,0.3\\n1,0.2\\n0,0.1' is not a number" in err


def test_bad_lines_of_several_files_are_reported_with_their_file(tmp_path):
    paths = [written(tmp_path, LINES, name) for name in ("a.csv", "b.csv")]
    text = output("evaluate", *paths, "--actual", "y", "--score", "s", "--bad-rows", "skip")

    assert "4 lines were skipped" in text
    assert "a.csv,line3" in "".join(text.split())  # lines are broken where they must


def test_skipped_lines_are_counted_and_quoted(tmp_path):
    path = written(tmp_path, LINES)
    text = output("evaluate", path, "--actual", "y", "--score", "s", "--bad-rows", "skip")

    assert text.startswith("3 rows, 2 positive (1, 66.7%).")
    assert "2 lines were skipped: line 3, column s:" in text
    assert "'1,0.4,7'" in text


def nothing(folder):
    (folder / "empty").mkdir()
    return [folder / "empty"]


def truncated(folder):
    pl.DataFrame({"y": [0, 1], "s": [0.1, 0.2]}).write_parquet(folder / "whole.parquet")
    half = (folder / "whole.parquet").read_bytes()[:-40]
    (folder / "half.parquet").write_bytes(half)
    return [folder / "half.parquet"]


def lacking(folder):
    return [
        written(folder, "y,s\n1,0.5\n0,0.1\n", "a.csv"),
        written(folder, "y,t\n1,0.5\n", "b.csv"),
    ]


def several_kinds(folder):
    pl.DataFrame({"y": [0, 1], "s": [0.1, 0.2]}).write_parquet(folder / "a.parquet")
    return [folder / "a.parquet", written(folder, "y,s\n1,0.5\n", "b.csv")]


def several_tables(folder):
    with duckdb.connect(str(folder / "two.duckdb")) as connection:
        connection.execute("CREATE TABLE a AS SELECT 1 AS x; CREATE TABLE b AS SELECT 1 AS x")
    return [folder / "two.duckdb"]


def damaged(folder):
    packed = bytearray(gzip.compress(b"y,s\n1,0.5\n0,0.1\n"))
    packed[-8] ^= 1
    (folder / "rows.csv.gz").write_bytes(packed)
    return [folder / "rows.csv.gz"]


def two_of_a_name(folder):
    columns = [pa.array([0, 1]), pa.array([0.1, 0.2]), pa.array([0.3, 0.1])]
    table = pa.Table.from_arrays(columns, names=["y", "s", "s"])
    pq.write_table(table, folder / "rows.parquet")
    return [folder / "rows.parquet"]


def sampled(folder):
    path = written(folder, "y,s\n1,0.5\n")
    return ["--query", f"FROM read_csv('{path}', sample_size = 100)"]


@pytest.mark.parametrize(
    ("make_arguments", "what"),
    [
        (damaged, "rows.csv.gz is damaged (CRC check failed"),
        (two_of_a_name, "rows.parquet has several columns called 's': rename them."),
        (sampled, "read_csv with sample_size = 100 infers types from the first rows only"),
        (nothing, "is a folder without files of a known format"),
        (truncated, "half.parquet cannot be read"),
        (lacking, "b.csv has no column 's', unlike others of the 2 files"),
        (several_kinds, "has files of several formats ('csv' and 'parquet')"),
        (several_tables, "has the tables 'a' and 'b': choose one"),
        (lambda folder: [folder / "no*.csv"], "No file matches"),
        (lambda folder: [written(folder, "y|s\n", "x.csv")], "no rows to evaluate"),
        (lambda folder: [written(folder, "")], "is empty"),
        (lambda _: ["--query", "SELECT 1 AS y, 0.5 AS s WHERE false"], "has no rows to evaluate"),
        (lambda _: ["--query", "SELEC 1"], "The query cannot be read: Parser Error"),
        (lambda _: ["--query", "SELECT * FROM 'https://example.org/x.csv'"], "cannot be read"),
        (lambda folder: [written(folder, "y,s\n1,2\n"), "--memory", "lots"], "as 2GB or 500MB"),
        (lambda folder: [written(folder, "y,s\n1,2\n"), "--memory", "1MB"], "is too little"),
        (lambda folder: [written(folder, "y,s\n1,2\n"), "--master", "local[2]"], "--engine spark"),
        (lambda folder: [written(folder, "y,s\n1,2\n"), "--table", "x"], "needs a DuckDB database"),
    ],
)
def test_invalid_input_is_an_error_message_and_exit_code_2(tmp_path, make_arguments, what):
    arguments = make_arguments(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    code, out, err = run("evaluate", *arguments, "--actual", "y", "--score", "s")

    assert (code, out) == (2, "")
    assert what in err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert "Traceback" not in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_read_permission_is_an_error_message(tmp_path):
    path = written(tmp_path, "y,s\n1,0.5\n")
    path.chmod(0)

    assert "you have no permission" in run("evaluate", path, "--actual", "y", "--score", "s")[2]


def started(folder, *arguments):
    """A command under way, with its temporary files in a folder of its own."""
    (folder / "tmp").mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "tradeoff", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(folder / "tmp")},
        cwd=folder,
        encoding="utf-8",
        preexec_fn=listen,  # noqa: PLW1509 - no thread of ours holds a lock
    )


@pytest.mark.parametrize("request_to_end", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_stopped_leaves_nothing_behind(tmp_path, large, request_to_end):
    command = started(
        tmp_path, "rank", large, "--actual", "y", "--score", "s", "--exact", "--memory", "400MB",
        "-o", "out.ranking",
    )  # fmt: skip
    while not any((tmp_path / "tmp").iterdir()) and command.poll() is None:
        time.sleep(0.005)
    command.send_signal(request_to_end)
    _, err = command.communicate()

    assert (command.returncode, err) == (130, "tradeoff: stopped; nothing was written.\n")
    assert [path.name for path in tmp_path.rglob("*")] == ["tmp"]


RANK = ("--actual", "y", "--score", "s", "-o", "out.ranking")


@pytest.fixture(scope="module")
def whole_ranking(tmp_path_factory, large):
    """The file that an undisturbed command writes, and the seconds that it takes."""
    folder = tmp_path_factory.mktemp("undisturbed")
    since = time.monotonic()
    started(folder, "rank", large, *RANK).communicate()
    return (folder / "out.ranking").read_bytes(), time.monotonic() - since


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.9, 0.97, 1.0])
def test_a_command_that_is_killed_leaves_a_whole_file_or_none(
    tmp_path, large, whole_ranking, share
):
    content, seconds = whole_ranking
    command = started(tmp_path, "rank", large, *RANK)
    time.sleep(share * seconds)
    command.kill()
    command.communicate()

    left = [path for path in tmp_path.iterdir() if path.name != "tmp"]
    assert [path.read_bytes() for path in left] in ([], [content])
