"""Files are read as they are written: no type by a sample, no row lost to a guess."""

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
from tradeoff.errors import ColumnError, InputError

WAYS = {"held": {}, "batches": {"memory": "400MB"}}
every_way = pytest.mark.parametrize("way", WAYS)
SAMPLED = 22_000
"""More rows than DuckDB looks at by itself, which are 20,480."""


def evaluated(source, way="held", **options):
    return to.evaluate(source, **{"actual": "y", "score": "s", **WAYS[way], **options})


def write(folder, text, name="rows.csv"):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.fixture
def late_csv(tmp_path):
    """Scores are 0 and 1 for long, and then others; so are weights."""
    rows = "".join(f"{i % 2},{i % 2},1\n" for i in range(SAMPLED))
    return write(tmp_path, f"y,s,w\n{rows}1,0.6,0.4\n0,0.4,0.4\n")


@pytest.fixture
def late_json(tmp_path):
    rows = [{"y": i % 2 == 0, "s": i % 2, "w": 1} for i in range(SAMPLED * 10)]
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
        evaluation = evaluated(to.Query(query.replace("FILE", str(late_csv))))

        # As whole numbers 0.6 and 0.4 would be 1 and 0, which are there already.
        assert evaluation.ranking.thresholds[1:].tolist() == [1, 0.6, 0.4, 0]

    @pytest.mark.parametrize("query", ["FROM '{}'", "FROM read_json('{}')"])
    def test_late_scores_of_json_in_a_query_keep_their_digits(self, late_json, query):
        evaluation = evaluated(to.Query(query.format(late_json)))

        assert evaluation.ranking.thresholds[1:].tolist() == [1, 0.6, 0.4, 0]

    @every_way
    def test_late_scores_of_json_keep_their_digits(self, late_json, way):
        assert evaluated(late_json, way).ranking.thresholds[1:].tolist() == [1, 0.6, 0.4, 0]

    @every_way
    def test_late_weights_of_json_keep_their_digits(self, late_json, way):
        ranking = evaluated(late_json, way, weight="w", weight_means="importance").ranking

        assert ranking.positives == pytest.approx(SAMPLED * 5 + 0.4)

    @every_way
    def test_a_late_number_among_truths_is_a_class_of_its_own(self, tmp_path, way):
        rows = [{"y": i % 2 == 0, "s": i} for i in range(SAMPLED * 10)]
        path = write(tmp_path, "\n".join(map(json.dumps, [*rows, {"y": 2, "s": 1}])), "rows.jsonl")

        ranking = evaluated(path, way, positive="true").ranking
        assert (ranking.positives, ranking.negative) == (SAMPLED * 5, "not true")
        with pytest.raises(InputError, match="'y' holds 3 classes, '2', 'false' and 'true'"):
            evaluated(path, way)

    def test_a_query_that_would_sample_is_refused_with_what_to_type(self, late_csv):
        with pytest.raises(InputError, match=r"sample_size = 100 .*: use sample_size = -1\."):
            evaluated(to.Query(f"FROM read_csv('{late_csv}', sample_size = 100)"))

    @pytest.mark.parametrize(
        "query",
        ["FROM query('FROM ''{}''')", "FROM by_name", "FROM call"],
    )
    def test_a_file_that_cannot_be_seen_in_the_query_is_refused(self, late_csv, tmp_path, query):
        with duckdb.connect(str(tmp_path / "views.duckdb")) as connection:
            connection.execute(f"CREATE VIEW by_name AS FROM '{late_csv}'")
            connection.execute(f"CREATE VIEW inner_call AS FROM read_csv('{late_csv}')")
            connection.execute("CREATE VIEW call AS FROM inner_call")

        with pytest.raises(InputError, match=r"use read_csv\('scores.csv', sample_size = -1\)"):
            evaluated(to.Query(query.format(late_csv), tmp_path / "views.duckdb"))

    def test_a_table_of_a_files_name_is_the_table(self, late_csv, tmp_path):
        with duckdb.connect(str(tmp_path / "rows.duckdb")) as connection:
            connection.execute(f'CREATE TABLE "{late_csv}" AS SELECT 1 AS y, 0.25 AS s')

        query = to.Query(f"FROM '{late_csv}'", tmp_path / "rows.duckdb")
        assert evaluated(query).ranking.thresholds[1:].tolist() == [0.25]

    def test_names_that_differ_in_case_alone_are_refused_where_both_are_files(self, tmp_path):
        lower, upper = (write(tmp_path, "y,s\n1,0.5\n", name) for name in ("a.csv", "A.csv"))

        with pytest.raises(
            InputError, match="which are the same name in SQL: rename one of the files"
        ):
            evaluated(to.Query(f"FROM '{lower}' UNION ALL FROM '{upper}'"))


class TestNoRowVanishes:
    @every_way
    def test_ids_with_hashes_are_no_comments(self, tmp_path, way):
        rows = "".join(f"{'#' * (i % 10 > 0)}{i},{i % 2},{i / 100}\n" for i in range(100))

        assert evaluated(write(tmp_path, f"id,y,s\n{rows}"), way).ranking.rows == 100

    @every_way
    def test_an_apostrophe_is_no_quote(self, tmp_path, way):
        path = write(tmp_path, "y,s,t\n1,0.5,'\n0,0.4,b\n1,0.3,'\n")

        assert evaluated(path, way).ranking.rows == 3

    @every_way
    def test_apostrophes_belong_to_a_class(self, tmp_path, way):
        evaluation = evaluated(write(tmp_path, "y,s\n'x',0.5\nx,0.4\nz,0.3\n"), way, positive="x")

        assert (evaluation.ranking.positives, evaluation.ranking.negatives) == (1, 2)

    @every_way
    def test_a_second_longer_header_is_told(self, tmp_path, way):
        first = "".join(f"{i % 2},{i / 50}\n" for i in range(50))
        second = "".join(f"{i % 2},{i / 50},3\n" for i in range(50))
        path = write(tmp_path, f"y,s\n{first}y,s,extra\n{second}")

        with pytest.raises(
            InputError, match=r"rows\.csv, line 52.*\(in 'y,s,extra'\)\. Correct it"
        ):
            evaluated(path, way)

    def test_a_second_header_of_the_same_columns_is_told(self, tmp_path):
        path = write(tmp_path, "y,s\n1,0.5\n0,0.2\ny,s\n1,0.9\n")

        with pytest.raises(InputError, match="'s' in row 3 is not a number"):
            evaluated(path, positive="1")
        with pytest.raises(InputError, match=r"line 4, column s: 's' is not a number"):
            evaluated(path, "batches", positive="1")

    @pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
    @every_way
    def test_the_delimiter_is_found(self, tmp_path, way, mark):
        rows = f'y{mark}s{mark}note\n1{mark}0.5{mark}"a{mark}b"\n0{mark}0.4{mark}it\'s\n'

        assert evaluated(write(tmp_path, rows), way).ranking.rows == 2

    @every_way
    def test_decimal_commas_are_no_delimiters(self, tmp_path, way):
        path = write(tmp_path, "score;y\n0,5;1\n0,4;0\n")

        assert evaluated(path, way, score="score").ranking.thresholds.tolist() == [inf, 0.5, 0.4]

    @every_way
    def test_files_of_other_layouts_are_joined_by_name(self, tmp_path, way):
        paths = [
            write(tmp_path, "y,s\n1,0.9\n0,0.1\n", "a.csv"),
            write(tmp_path, "s;y\n0.8;1\n0.2;0\n", "b.csv"),
        ]
        evaluation = evaluated(paths, way)

        assert evaluation.ranking.thresholds[1:].tolist() == [0.9, 0.8, 0.2, 0.1]
        assert evaluation.auc.value == 1

    @every_way
    def test_lines_that_end_in_different_ways_are_told(self, tmp_path, way):
        with pytest.raises(InputError, match="mixed endings"):
            evaluated(write(tmp_path, "y,s\r\n1,0.5\n0,0.4\r\n"), way)


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
    """A text, how many of its records are sound, and how many have a column too many."""
    mark = draw(st.sampled_from(DELIMITERS))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = io.StringIO()
    text.write(draw(st.sampled_from(["", end, end * 2])))
    writer = csv.writer(text, delimiter=mark, lineterminator=end)
    writer.writerow(["id", "y", "s"])
    writer.writerows([["a", "yes", "0.5"], ["b", "no", "0.25"]])
    sound, bad = 2, 0
    for record in draw(st.lists(RECORD, max_size=12)):
        kind = draw(st.sampled_from(["record", "record", "blank after", "one more"]))
        writer.writerow([*record, "more"] if kind == "one more" else record)
        text.write(end * (kind == "blank after"))
        bad += kind == "one more"
        sound += kind != "one more"
    return text.getvalue(), sound, bad


DELIMITERS = [",", ";", "\t", "|"]


@given(csv_files())
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_records_read_and_records_skipped_are_the_records_of_the_file(tmp_path, case):
    text, sound, bad = case
    path = write(tmp_path, text)
    options = {"actual": "y", "score": "s", "positive": "yes"}
    # Python's reader is the judge: all records but the header; blank lines are none.
    mark = next(mark for mark in DELIMITERS if f"id{mark}y{mark}s" in text)
    records = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark) if row]
    assert len(records) - 1 == sound + bad

    skipped = to.evaluate(path, **options, bad_rows="skip").ranking
    assert skipped.rows == sound
    assert len([note for note in skipped.notes if "skipped" in note]) == (bad > 0)
    if bad:
        with pytest.raises(InputError, match="more columns and should have 3"):
            to.evaluate(path, **options)
        return
    for way in WAYS.values():
        assert to.evaluate(path, **options, **way).ranking.rows == sound
    joined = to.evaluate(to.Query(f"FROM '{path}'"), **options)
    assert joined.ranking.rows == sound


def written(rows, path):
    {".csv": rows.write_csv, ".parquet": rows.write_parquet, ".jsonl": rows.write_ndjson}[
        path.suffix
    ](path)


class TestFoldersAddColumnsThatFilesLack:
    @pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
    @pytest.mark.parametrize("way", [*WAYS, "query"])
    def test_the_files_own_column_wins(self, tmp_path, ending, way):
        rows = pl.DataFrame({"y": [1, 0], "s": [0.5, 0.4]})
        path = tmp_path / "y=7" / f"rows.{ending}"
        path.parent.mkdir()
        {"csv": rows.write_csv, "parquet": rows.write_parquet, "jsonl": rows.write_ndjson}[ending](
            path
        )
        evaluation = (
            evaluated(to.Query(f"FROM '{path}'")) if way == "query" else evaluated(path, way)
        )

        assert (evaluation.ranking.positives, evaluation.ranking.negatives) == (1, 1)

    @pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
    @every_way
    def test_a_column_that_files_lack_comes_from_the_folder(self, tmp_path, ending, way):
        rows = pl.DataFrame({"y": [1, 0], "s": [0.5, 0.4]})
        for country in ("de", "fr"):
            path = tmp_path / f"country={country}" / f"rows.{ending}"
            path.parent.mkdir()
            {"csv": rows.write_csv, "parquet": rows.write_parquet, "jsonl": rows.write_ndjson}[
                ending
            ](path)
        evaluation = evaluated(tmp_path, way, segment="country")

        assert {name: ranking.rows for name, ranking in evaluation.segments["s"].items()} == {
            "de": 2,
            "fr": 2,
        }


def two_of_a_name(folder):
    columns = [pa.array([0, 1]), pa.array([0.1, 0.2]), pa.array([0.3, 0.1])]
    pq.write_table(pa.Table.from_arrays(columns, names=["y", "s", "s"]), folder / "rows.parquet")
    return folder / "rows.parquet"


@pytest.mark.parametrize("writer", [two_of_a_name, lambda folder: write(folder, "y,s,s\n1,2,3\n")])
@every_way
def test_two_columns_of_one_name_are_refused(tmp_path, writer, way):
    with pytest.raises(InputError, match=r"rows\.\w+ has several columns called 's': rename them"):
        evaluated(writer(tmp_path), way)


def test_a_field_inside_a_column_is_no_second_column(tmp_path):
    rows = {"y": [0, 1], "s": [0.1, 0.2], "s_1": [{"s": 1}, {"s": 2}]}
    pl.DataFrame(rows).write_parquet(tmp_path / "rows.parquet")

    assert evaluated(tmp_path / "rows.parquet").ranking.rows == 2


def test_a_column_that_json_files_have_late_is_found(tmp_path):
    rows = [{"y": i % 2} for i in range(SAMPLED)]
    path = write(tmp_path, "\n".join(map(json.dumps, [*rows, {"y": 1, "s": 0.5}])), "rows.jsonl")

    assert evaluated(path, "batches", missing="drop").ranking.rows == 1
    with pytest.raises(ColumnError, match="no column 't'"):
        evaluated(path, "batches", score="t")


def flipped(raw, place):
    damaged = bytearray(raw)
    damaged[place] ^= 1
    return bytes(damaged)


ROWS = "y,s\n" + "".join(f"{i % 2},{i / 30_000}\n" for i in range(30_000))
PACKED = gzip.compress(ROWS.encode())


class TestPackedFiles:
    # The last eight bytes of gzip are the checksum of what is packed, and its length.
    @pytest.mark.parametrize("raw", [flipped(PACKED, -8), flipped(PACKED, -4), PACKED[:-4]])
    @pytest.mark.parametrize("way", [*WAYS, "query"])
    def test_a_damaged_one_is_told(self, tmp_path, raw, way):
        path = tmp_path / "rows.csv.gz"
        path.write_bytes(raw)

        with pytest.raises(
            InputError, match=r"csv\.gz is damaged \(.*\): create or download it again"
        ):
            evaluated(to.Query(f"FROM '{path}'")) if way == "query" else evaluated(path, way)

    @every_way
    def test_a_zstd_file_that_is_cut_off_between_two_lines_is_told(self, tmp_path, way):
        (tmp_path / "rows.csv").write_text(ROWS)
        path = tmp_path / "rows.csv.zst"
        with duckdb.connect() as connection:
            table = connection.sql(f"FROM '{tmp_path / 'rows.csv'}'")
            table.write_csv(str(path), compression="zstd")
        whole = path.read_bytes()
        assert evaluated(path, way).ranking.rows == 30_000

        for length in (len(whole) - 1, len(whole) // 2, 7):
            path.write_bytes(whole[:length])
            with pytest.raises(InputError, match=r"csv\.zst is damaged \(it ends .*\)"):
                evaluated(path, way)

    @every_way
    def test_one_of_several_members_is_read_to_its_end(self, tmp_path, way):
        path = tmp_path / "rows.csv.gz"
        path.write_bytes(PACKED + gzip.compress(b"1,2\n"))

        assert evaluated(path, way).ranking.rows == 30_001

    def test_a_file_that_changes_is_looked_at_again(self, tmp_path):
        path = tmp_path / "rows.csv.gz"
        path.write_bytes(PACKED)
        assert evaluated(path).ranking.rows == 30_000

        path.write_bytes(flipped(PACKED, -8) + b"\0")
        with pytest.raises(InputError, match="is damaged"):
            evaluated(path)
