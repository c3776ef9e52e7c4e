"""Files are read as written: no type is inferred from a sample, and no row is lost to guessing."""

import csv
import gzip
import io
import json
from math import inf

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tradeoff as to
from tradeoff.errors import InputError

MODES = {"in memory": {}, "batches": {"memory": "400MB"}}
every_mode = pytest.mark.parametrize("mode", MODES)
ROW_COUNT = 22_000
"""More rows than DuckDB samples by default (20,480)."""


def evaluate(source, mode="in memory", **options):
    return to.evaluate(source, **{"actual": "y", "score": "s", **MODES[mode], **options})


def write(folder, text, name="rows.csv"):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.fixture
def late_csv(tmp_path):
    """Scores and weights that are whole numbers at first, and fractions in the last rows."""
    rows = "".join(f"{i % 2},{i % 2},1\n" for i in range(ROW_COUNT))
    return write(tmp_path, f"y,s,w\n{rows}1,0.6,0.4\n0,0.4,0.4\n")


@pytest.fixture
def late_json(tmp_path):
    rows = [{"y": i % 2 == 0, "s": i % 2, "w": 1} for i in range(ROW_COUNT * 10)]
    late = [{"y": True, "s": 0.6, "w": 0.4}, {"y": False, "s": 0.4, "w": 0.4}]
    return write(tmp_path, "\n".join(map(json.dumps, rows + late)), "rows.jsonl")


class TestTypesFollowAllRows:
    @pytest.mark.parametrize(
        "query",
        [
            "FROM 'FILE'",
            'FROM "FILE"',
            "WITH rows AS (SELECT * FROM 'FILE') FROM rows",
            "SELECT r.y, r.s FROM 'FILE' r",
            "SELECT rows.y, rows.s FROM 'FILE' WHERE rows.s >= 0",
            "SELECT y, s FROM 'FILE' WHERE y IN (SELECT y FROM 'FILE') -- read_csv('x'",
            "CREATE TEMP TABLE t AS FROM 'FILE'; FROM t",
            "FROM read_csv('FILE')",
            "FROM read_csv_auto(['FILE'], header = true)",
            "FROM read_csv('FILE', sample_size = -1)",
            "FROM read_csv('FILE', columns = {'y': 'INT', 's': 'DOUBLE', 'w': 'DOUBLE'})",
        ],
    )
    def test_late_scores_in_a_query_keep_their_digits(self, late_csv, query):
        evaluation = evaluate(to.Query(query.replace("FILE", str(late_csv))))

        # Rounded to integers, 0.6 and 0.4 would be 1 and 0, which occur already.
        assert evaluation.ranking.thresholds[1:].tolist() == [1, 0.6, 0.4, 0]

    @pytest.mark.parametrize("query", ["FROM '{}'", "FROM read_json('{}')"])
    def test_late_scores_of_json_in_a_query_keep_their_digits(self, late_json, query):
        evaluation = evaluate(to.Query(query.format(late_json)))

        assert evaluation.ranking.thresholds[1:].tolist() == [1, 0.6, 0.4, 0]

    @every_mode
    def test_late_scores_of_json_keep_their_digits(self, late_json, mode):
        assert evaluate(late_json, mode).ranking.thresholds[1:].tolist() == [1, 0.6, 0.4, 0]

    @every_mode
    def test_late_weights_of_json_keep_their_digits(self, late_json, mode):
        ranking = evaluate(late_json, mode, weight="w", weight_means="importance").ranking

        assert ranking.positives == pytest.approx(ROW_COUNT * 5 + 0.4)

    @every_mode
    def test_a_late_number_among_booleans_is_a_separate_class(self, tmp_path, mode):
        rows = [{"y": i % 2 == 0, "s": i} for i in range(ROW_COUNT * 10)]
        path = write(tmp_path, "\n".join(map(json.dumps, [*rows, {"y": 2, "s": 1}])), "rows.jsonl")

        ranking = evaluate(path, mode, positive="true").ranking
        assert (ranking.positives, ranking.negative) == (ROW_COUNT * 5, "not true")
        with pytest.raises(InputError, match="'y' holds 3 classes, '2', 'false' and 'true'"):
            evaluate(path, mode)

    def test_a_query_that_samples_is_rejected_with_a_correction(self, late_csv):
        with pytest.raises(InputError, match=r"sample_size = 100 .*: use sample_size = -1\."):
            evaluate(to.Query(f"FROM read_csv('{late_csv}', sample_size = 100)"))

    @pytest.mark.parametrize(
        "query",
        ["FROM query('FROM ''{}''')", "FROM by_name", "FROM call"],
    )
    def test_a_file_not_named_in_the_query_is_rejected(self, late_csv, tmp_path, query):
        with duckdb.connect(str(tmp_path / "views.duckdb")) as connection:
            connection.execute(f"CREATE VIEW by_name AS FROM '{late_csv}'")
            connection.execute(f"CREATE VIEW inner_call AS FROM read_csv('{late_csv}')")
            connection.execute("CREATE VIEW call AS FROM inner_call")

        with pytest.raises(InputError, match=r"use read_csv\('scores.csv', sample_size = -1\)"):
            evaluate(to.Query(query.format(late_csv), tmp_path / "views.duckdb"))

    def test_a_table_takes_precedence_over_a_file_of_the_same_name(self, late_csv, tmp_path):
        with duckdb.connect(str(tmp_path / "rows.duckdb")) as connection:
            connection.execute(f'CREATE TABLE "{late_csv}" AS SELECT 1 AS y, 0.25 AS s')

        query = to.Query(f"FROM '{late_csv}'", tmp_path / "rows.duckdb")
        assert evaluate(query).ranking.thresholds[1:].tolist() == [0.25]

    def test_files_whose_names_differ_only_in_case_are_rejected(self, tmp_path):
        lower, upper = (write(tmp_path, "y,s\n1,0.5\n", name) for name in ("a.csv", "A.csv"))

        with pytest.raises(
            InputError, match="which are the same name in SQL: rename one of the files"
        ):
            evaluate(to.Query(f"FROM '{lower}' UNION ALL FROM '{upper}'"))


class TestNoRowIsLost:
    @every_mode
    def test_ids_that_start_with_hashes_are_not_comments(self, tmp_path, mode):
        rows = "".join(f"{'#' * (i % 10 > 0)}{i},{i % 2},{i / 100}\n" for i in range(100))

        assert evaluate(write(tmp_path, f"id,y,s\n{rows}"), mode).ranking.rows == 100

    @every_mode
    def test_an_apostrophe_is_not_a_quote(self, tmp_path, mode):
        path = write(tmp_path, "y,s,t\n1,0.5,'\n0,0.4,b\n1,0.3,'\n")

        assert evaluate(path, mode).ranking.rows == 3

    @every_mode
    def test_apostrophes_are_part_of_a_class(self, tmp_path, mode):
        evaluation = evaluate(write(tmp_path, "y,s\n'x',0.5\nx,0.4\nz,0.3\n"), mode, positive="x")

        assert (evaluation.ranking.positives, evaluation.ranking.negatives) == (1, 2)

    @every_mode
    def test_a_second_longer_header_is_reported(self, tmp_path, mode):
        first = "".join(f"{i % 2},{i / 50}\n" for i in range(50))
        second = "".join(f"{i % 2},{i / 50},3\n" for i in range(50))
        path = write(tmp_path, f"y,s\n{first}y,s,extra\n{second}")

        with pytest.raises(
            InputError, match=r"rows\.csv, line 52.*\(in 'y,s,extra'\)\. Correct it"
        ):
            evaluate(path, mode)

    def test_a_repeated_header_is_reported(self, tmp_path):
        path = write(tmp_path, "y,s\n1,0.5\n0,0.2\ny,s\n1,0.9\n")

        with pytest.raises(InputError, match="'s' in row 3 is not a number"):
            evaluate(path, positive="1")
        with pytest.raises(InputError, match=r"line 4, column s: 's' is not a number"):
            evaluate(path, "batches", positive="1")

    @pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
    @every_mode
    def test_the_delimiter_is_detected(self, tmp_path, mode, mark):
        rows = f'y{mark}s{mark}note\n1{mark}0.5{mark}"a{mark}b"\n0{mark}0.4{mark}it\'s\n'

        assert evaluate(write(tmp_path, rows), mode).ranking.rows == 2

    @every_mode
    def test_decimal_commas_are_not_delimiters(self, tmp_path, mode):
        path = write(tmp_path, "score;y\n0,5;1\n0,4;0\n")

        assert evaluate(path, mode, score="score").ranking.thresholds.tolist() == [inf, 0.5, 0.4]

    @every_mode
    def test_files_with_different_layouts_are_combined_by_column_name(self, tmp_path, mode):
        paths = [
            write(tmp_path, "y,s\n1,0.9\n0,0.1\n", "a.csv"),
            write(tmp_path, "s;y\n0.8;1\n0.2;0\n", "b.csv"),
        ]
        evaluation = evaluate(paths, mode)

        assert evaluation.ranking.thresholds[1:].tolist() == [0.9, 0.8, 0.2, 0.1]
        assert evaluation.auc.value == 1

    @every_mode
    def test_mixed_line_endings_are_reported(self, tmp_path, mode):
        with pytest.raises(InputError, match="mixed endings"):
            evaluate(write(tmp_path, "y,s\r\n1,0.5\n0,0.4\r\n"), mode)


CELL = st.one_of(
    st.sampled_from(
        ["", "#3", "#", "'", "'x'", "x", "NA", "//", "0x1F", "1_000", " ", "--", "y", "a,b", ";"]
    ),
    st.text(
        st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cs"]), max_size=5
    ),
)
RECORD = st.tuples(CELL, st.sampled_from(["yes", "no", "'"]), st.floats(0, 1).map(repr))


@st.composite
def csv_files(draw):
    """Text of a CSV file, its number of valid records, and of records with an extra column."""
    mark = draw(st.sampled_from(DELIMITERS))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = io.StringIO()
    text.write(draw(st.sampled_from(["", end, end * 2])))
    writer = csv.writer(text, delimiter=mark, lineterminator=end)
    writer.writerow(["id", "y", "s"])
    writer.writerows([["a", "yes", "0.5"], ["b", "no", "0.25"]])
    valid_count, bad_count = 2, 0
    for record in draw(st.lists(RECORD, max_size=12)):
        kind = draw(st.sampled_from(["record", "record", "blank after", "one more"]))
        writer.writerow([*record, "more"] if kind == "one more" else record)
        text.write(end * (kind == "blank after"))
        bad_count += kind == "one more"
        valid_count += kind != "one more"
    return text.getvalue(), valid_count, bad_count


DELIMITERS = [",", ";", "\t", "|"]


@given(csv_files())
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_record_is_read_or_reported_as_skipped(tmp_path, case):
    text, valid_count, bad_count = case
    path = write(tmp_path, text)
    options = {"actual": "y", "score": "s", "positive": "yes"}
    # The reference is Python's reader: all records except the header, ignoring blank lines.
    mark = next(mark for mark in DELIMITERS if f"id{mark}y{mark}s" in text)
    records = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark) if row]
    assert len(records) - 1 == valid_count + bad_count

    skipped = to.evaluate(path, **options, bad_rows="skip").ranking
    assert skipped.rows == valid_count
    assert len([note for note in skipped.notes if "skipped" in note]) == (bad_count > 0)
    if bad_count:
        with pytest.raises(InputError, match="more columns and should have 3"):
            to.evaluate(path, **options)
        return
    for mode_options in MODES.values():
        assert to.evaluate(path, **options, **mode_options).ranking.rows == valid_count
    queried = to.evaluate(to.Query(f"FROM '{path}'"), **options)
    assert queried.ranking.rows == valid_count


class TestHivePartitions:
    @pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
    @pytest.mark.parametrize("mode", [*MODES, "query"])
    def test_a_column_in_the_file_takes_precedence(self, tmp_path, ending, mode):
        rows = pl.DataFrame({"y": [1, 0], "s": [0.5, 0.4]})
        path = tmp_path / "y=7" / f"rows.{ending}"
        path.parent.mkdir()
        {"csv": rows.write_csv, "parquet": rows.write_parquet, "jsonl": rows.write_ndjson}[ending](
            path
        )
        evaluation = (
            evaluate(to.Query(f"FROM '{path}'")) if mode == "query" else evaluate(path, mode)
        )

        assert (evaluation.ranking.positives, evaluation.ranking.negatives) == (1, 1)

    @pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
    @every_mode
    def test_a_column_missing_in_files_comes_from_the_folder(self, tmp_path, ending, mode):
        rows = pl.DataFrame({"y": [1, 0], "s": [0.5, 0.4]})
        for country in ("de", "fr"):
            path = tmp_path / f"country={country}" / f"rows.{ending}"
            path.parent.mkdir()
            {"csv": rows.write_csv, "parquet": rows.write_parquet, "jsonl": rows.write_ndjson}[
                ending
            ](path)
        evaluation = evaluate(tmp_path, mode, segment="country")

        assert {name: ranking.rows for name, ranking in evaluation.segments["s"].items()} == {
            "de": 2,
            "fr": 2,
        }


def duplicate_column_file(folder):
    columns = [pa.array([0, 1]), pa.array([0.1, 0.2]), pa.array([0.3, 0.1])]
    pq.write_table(pa.Table.from_arrays(columns, names=["y", "s", "s"]), folder / "rows.parquet")
    return folder / "rows.parquet"


@pytest.mark.parametrize(
    "writer", [duplicate_column_file, lambda folder: write(folder, "y,s,s\n1,2,3\n")]
)
@every_mode
def test_duplicate_column_names_are_rejected(tmp_path, writer, mode):
    with pytest.raises(InputError, match=r"rows\.\w+ has several columns called 's': rename them"):
        evaluate(writer(tmp_path), mode)


def flip_bit(raw, index):
    damaged = bytearray(raw)
    damaged[index] ^= 1
    return bytes(damaged)


ROWS = "y,s\n" + "".join(f"{i % 2},{i / 30_000}\n" for i in range(30_000))
COMPRESSED = gzip.compress(ROWS.encode())


class TestCompressedFiles:
    # The last eight bytes of a gzip file are the checksum and length of its content.
    @pytest.mark.parametrize(
        "raw", [flip_bit(COMPRESSED, -8), flip_bit(COMPRESSED, -4), COMPRESSED[:-4]]
    )
    @pytest.mark.parametrize("mode", [*MODES, "query"])
    def test_a_damaged_file_is_reported(self, tmp_path, raw, mode):
        path = tmp_path / "rows.csv.gz"
        path.write_bytes(raw)

        with pytest.raises(
            InputError, match=r"csv\.gz is damaged \(.*\): create or download it again"
        ):
            evaluate(to.Query(f"FROM '{path}'")) if mode == "query" else evaluate(path, mode)

    @every_mode
    def test_a_truncated_zstd_file_is_reported(self, tmp_path, mode):
        (tmp_path / "rows.csv").write_text(ROWS)
        path = tmp_path / "rows.csv.zst"
        with duckdb.connect() as connection:
            table = connection.sql(f"FROM '{tmp_path / 'rows.csv'}'")
            table.write_csv(str(path), compression="zstd")
        whole = path.read_bytes()
        assert evaluate(path, mode).ranking.rows == 30_000

        for length in (len(whole) - 1, len(whole) // 2, 7):
            path.write_bytes(whole[:length])
            with pytest.raises(InputError, match=r"csv\.zst is damaged \(it ends .*\)"):
                evaluate(path, mode)

    @every_mode
    def test_all_members_of_a_gzip_file_are_read(self, tmp_path, mode):
        path = tmp_path / "rows.csv.gz"
        path.write_bytes(COMPRESSED + gzip.compress(b"1,2\n"))

        assert evaluate(path, mode).ranking.rows == 30_001

    def test_a_modified_file_is_verified_again(self, tmp_path):
        path = tmp_path / "rows.csv.gz"
        path.write_bytes(COMPRESSED)
        assert evaluate(path).ranking.rows == 30_000

        path.write_bytes(flip_bit(COMPRESSED, -8) + b"\0")
        with pytest.raises(InputError, match="is damaged"):
            evaluate(path)
