"""`tradeoff sql`: the counts from its query evaluate like the rows, whatever the column names."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
import sqlglot
from command_line import output, run
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.sources.counts_query import DIALECTS, CountsRequest, counts_query
from tradeoff.sources.sql_quoting import table_name_parts

TRICKY_ACTUAL = 'it\'s "so"; DROP TABLE x --'
TRICKY_SCORE = "p\\n\n`new`\nSELECT 1; --"
TRICKY_SEGMENT = "{0} $1 %s /* é"
SQLGLOT_DIALECTS = {"postgresql": "postgres"}
"""Names of dialects in sqlglot, where they differ from ours."""
CHARACTERS = st.sampled_from("\"'`\\;-\n ${}[a") | st.characters(
    codec="utf-8", exclude_characters="\0"
)
NAMES = st.text(CHARACTERS, min_size=1, max_size=12).filter(
    lambda name: name.strip().casefold() not in {"", "rows", "t", "y"}
)


def table(**columns):
    """Database with one table, `t`, whose column names come from Arrow rather than from SQL."""
    connection = duckdb.connect()
    connection.register("t", pa.table(columns))
    return connection


@pytest.fixture
def rows():
    random = np.random.default_rng(7)
    score = np.round(random.normal(size=2000), 2)
    return {
        TRICKY_ACTUAL: (random.normal(size=2000) < score).astype(int),
        TRICKY_SCORE: score,
        TRICKY_SEGMENT: random.choice(["north", "south", None], 2000),
    }


def run_query(query, connection, path):
    connection.sql(query).write_parquet(str(path))
    return path


def as_lists(ranking):
    return [column.tolist() for column in ranking.tally]


def without_rows(document):
    return json.loads(re.sub(r'"rows": \d+', '"rows": null', document))


def run_in_shell(command, folder):
    """Run a command in a real shell, as a user would."""
    process = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        check=False,
        encoding="utf-8",
        cwd=folder,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )
    assert (process.returncode, process.stderr) == (0, "")
    return process.stdout


def test_counts_give_the_same_ranking_as_the_rows(rows, tmp_path):
    request = CountsRequest("t", TRICKY_ACTUAL, TRICKY_SCORE, segment=TRICKY_SEGMENT)
    names = {"actual": TRICKY_ACTUAL, "score": TRICKY_SCORE, "segment": TRICKY_SEGMENT}
    weights = {"weight": "rows", "weight_means": "frequency"}

    path = run_query(counts_query(request), table(**rows), tmp_path / "counts.parquet")
    ours = to.evaluate(path, **names, **weights)
    whole = to.evaluate(pa.table(rows), **names)

    assert as_lists(ours.ranking) == as_lists(whole.ranking)
    assert ours.auc == whole.auc
    assert list(ours.segments[TRICKY_SCORE]) == ["(no value)", "north", "south"]
    assert [as_lists(ranking) for ranking in ours.segments[TRICKY_SCORE].values()] == [
        as_lists(ranking) for ranking in whole.segments[TRICKY_SCORE].values()
    ]


def test_the_command_in_the_comment_evaluates_the_counts(rows, tmp_path):
    request = CountsRequest("t", TRICKY_ACTUAL, TRICKY_SCORE, positive="1", segment=TRICKY_SEGMENT)
    query = counts_query(request)
    run_query(query, table(**rows), tmp_path / "counts.parquet")
    run_query("FROM t", table(**rows), tmp_path / "rows.parquet")
    command = query.splitlines()[1].removeprefix("-- ").replace("counts.csv", "counts.parquet")
    names = ["--actual", TRICKY_ACTUAL, "--score", TRICKY_SCORE, "--segment", TRICKY_SEGMENT]

    ours = run_in_shell(f"{command} --format json", tmp_path)
    whole = output("evaluate", tmp_path / "rows.parquet", *names, "--format", "json")

    assert json.loads(whole)["rows"] == 2000
    # The numbers of rows differ, as rows of counts are read; everything else is the same.
    assert without_rows(ours) == without_rows(whole)


def test_a_csv_of_counts_is_read_back(tmp_path):
    rows = {"bought": ["yes", "no", "yes", "no"], "p": [0.9, 0.9, 0.9, 0.1]}
    request = CountsRequest("t", "bought", "p")

    table(**rows).sql(counts_query(request)).write_csv(str(tmp_path / "counts.csv"))

    assert (tmp_path / "counts.csv").read_text().split() == [
        "p,bought,rows",
        "0.9,no,1",
        "0.9,yes,2",
        "0.1,no,1",
    ]
    e = to.evaluate(
        tmp_path / "counts.csv", actual="bought", score="p", positive="yes", weight="rows"
    )
    assert as_lists(e.ranking) == [[np.inf, 0.9, 0.1], [0, 2, 2], [0, 1, 2]]


@pytest.mark.parametrize("missing", ["drop", "reject", "negative"])
def test_missing_scores_are_counted_for_later_treatment(missing, tmp_path):
    rows = {"y": [1, 0, 1, 0, 1, 0], "p": [0.9, 0.5, None, float("nan"), float("nan"), -np.inf]}
    options = {"actual": "y", "score": "p", "missing": missing}

    path = run_query(
        counts_query(CountsRequest("t", "y", "p")), table(**rows), tmp_path / "c.parquet"
    )
    ours = to.evaluate(path, weight="rows", weight_means="frequency", **options).ranking
    whole = to.evaluate(actual=rows["y"], score=rows["p"], missing=missing).ranking

    assert as_lists(ours) == as_lists(whole)
    assert (ours.rejected_positives, ours.rejected_negatives) == (
        whole.rejected_positives,
        whole.rejected_negatives,
    )


def test_missing_classes_are_counted_for_later_treatment(tmp_path):
    rows = {"y": [1, 0, None, None], "p": [0.9, 0.5, 0.7, 0.7]}
    path = run_query(
        counts_query(CountsRequest("t", "y", "p")), table(**rows), tmp_path / "c.parquet"
    )

    with pytest.raises(InputError, match="has no class in 'y'"):
        to.evaluate(path, actual="y", score="p", weight="rows")
    e = to.evaluate(path, actual="y", score="p", weight="rows", missing="drop")
    assert as_lists(e.ranking) == [[np.inf, 0.9, 0.5], [0, 1, 1], [0, 0, 1]]


def test_weights_are_summed(tmp_path):
    rows = {"y": [1, 1, 0, 0], "p": [0.9, 0.9, 0.9, 0.2], "w": [2, 3, 0, 4]}
    request = CountsRequest("t", "y", "p", weight="w")

    path = run_query(counts_query(request), table(**rows), tmp_path / "counts.parquet")
    e = to.evaluate(path, actual="y", score="p", weight="w", weight_means="frequency")

    assert as_lists(e.ranking) == [[np.inf, 0.9, 0.2], [0, 5, 5], [0, 0, 4]]


@pytest.mark.parametrize("invalid_weight", [None, -1])
def test_an_invalid_weight_is_not_hidden_in_a_sum(invalid_weight, tmp_path):
    rows = {"y": [1, 1, 0], "p": [0.9, 0.9, 0.2], "w": [2, invalid_weight, 4]}
    request = CountsRequest("t", "y", "p", weight="w")
    path = run_query(counts_query(request), table(**rows), tmp_path / "counts.parquet")

    with pytest.raises(InputError, match="1 of 2 weights is missing or infinite"):
        to.evaluate(path, actual="y", score="p", weight="w", weight_means="frequency")


def test_sums_of_importances_are_evaluated_without_intervals():
    out = output(
        *("sql", "--table", "t", "--actual", "y", "--score", "p"),
        *("--weight", "w", "--weight-means", "importance"),
    )

    warning, _, command = out.splitlines()[:3]
    assert warning == "-- Sums do not show how importances vary: intervals need the rows."
    assert command.endswith("--weight w --weight-means importance --no-intervals")


def test_rounded_scores_bound_the_exact_auc(tmp_path):
    random = np.random.default_rng(3)
    score = random.random(3000)
    rows = {"y": (random.random(3000) < score).astype(int), "p": score}
    request = CountsRequest("t", "y", "p", digits=2)

    path = run_query(counts_query(request), table(**rows), tmp_path / "counts.parquet")
    e = to.evaluate(path, actual="y", score="p", weight="rows", digits=request.digits)

    assert e.ranking.distinct == 101
    low, high = (e.summary(f"auc_{end}", level=None).value for end in ("pessimistic", "optimistic"))
    assert low < to.auc(rows["y"], score) < high


def test_the_count_column_has_a_unique_name():
    out = table(ROWS=[1, 0], p=[0.5, 0.5]).sql(counts_query(CountsRequest("t", "ROWS", "p")))

    assert out.columns == ["p", "ROWS", "rows_"]


def test_a_table_may_have_the_name_of_its_column():
    connection = duckdb.connect()
    connection.register("p", pa.table({"y": [1, 1], "p": [0.5, 0.5]}))

    out = connection.sql(counts_query(CountsRequest("p", "y", "p"))).fetchall()

    assert out == [(0.5, 1, 2)]
    assert "FROM `p` AS scored_rows" in counts_query(CountsRequest("p", "y", "p"), "bigquery")


@given(NAMES)
def test_any_column_name_is_quoted_correctly(name):
    connection = table(**{name: [0.5, 0.5], "y": [1, 1]})

    assert connection.sql(counts_query(CountsRequest("t", "y", name))).fetchall() == [(0.5, 1, 2)]


@pytest.mark.parametrize("dialect", DIALECTS)
@given(NAMES)
def test_any_column_name_is_quoted_correctly_in_every_dialect(dialect, name):
    # In BigQuery, sqlglot reads a dot in backticks as a path; column names cannot contain one.
    name = name.replace(".", "·")
    request = CountsRequest("t", "y", name, keep_case=True)

    statements = sqlglot.parse(
        counts_query(request, dialect), read=SQLGLOT_DIALECTS.get(dialect, dialect)
    )

    assert len(statements) == 1
    results = {identifier.this for identifier in statements[0].find_all(exp.Identifier)}
    assert results == {"t", "y", name, "rows"}


@given(NAMES)
def test_comments_stay_on_one_line(name):
    query = counts_query(CountsRequest("t", "y", "p", positive=name, segment=name))

    first, second, third = query.split("\n")[:3]

    assert (first[:3], second[:3], third) == ("-- ", "-- ", "SELECT")
    assert not {"\r", "\v", "\f", "\x1b", "\x85", "\u2028"} & set(first + second)


@pytest.mark.parametrize("dialect", ["postgresql", "spark", "bigquery", "snowflake"])
@pytest.mark.parametrize(
    "more", [{}, {"digits": 1}, {"weight": "w"}, {"segment": "Region", "fold": "k", "digits": 1}]
)
def test_every_dialect_gives_the_result_of_duckdb(dialect, more):
    random = np.random.default_rng(1)
    connection = table(
        y=random.choice(["yes", "no"], 300),
        p=np.round(random.random(300), 2),
        w=random.integers(0, 5, 300),
        Region=random.choice(["north", "south"], 300),
        k=random.integers(0, 3, 300),
    )
    request = CountsRequest("t", "y", "p", **more)

    query = counts_query(request, dialect)
    (translated,) = sqlglot.transpile(
        query, read=SQLGLOT_DIALECTS.get(dialect, dialect), write="duckdb"
    )

    results, expected = connection.sql(translated), connection.sql(counts_query(request))
    assert results.columns == expected.columns
    assert results.fetchall() == expected.fetchall() != []


def test_postgresql_rounds_numerics_and_returns_floats():
    query = counts_query(CountsRequest("t", "y", "p", digits=3), "postgresql")

    assert 'CAST(ROUND(CAST("p" AS NUMERIC), 3) AS DOUBLE PRECISION) AS "p"' in query


def test_snowflake_stores_unquoted_names_in_upper_case():
    request = CountsRequest('lab."t"', "y", "p q")

    assert counts_query(request, "snowflake").splitlines()[2:12] == [
        "SELECT",
        '    "p q",',
        '    "y",',
        '    COUNT(*) AS "rows"',
        "FROM (",
        "    SELECT",
        '        "p q",',
        '        "Y" AS "y"',
        '    FROM "LAB"."t"',
        ") AS scored_rows",
    ]


def test_snowflake_keeps_the_case_of_names_on_request():
    request = CountsRequest("lab.t", "y", "p", keep_case=True)

    assert counts_query(request, "snowflake") == counts_query(request, "duckdb")


def test_bigquery_escapes_special_characters_in_names():
    query = counts_query(CountsRequest("my-project.lab.t", "a`b\\c\nd", "p"), "bigquery")

    assert "    `a\\`b\\\\c\\nd`,\n" in query
    assert "FROM `my-project`.`lab`.`t`\n" in query


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("t", [("t", False)]),
        ("a.b.c", [("a", False), ("b", False), ("c", False)]),
        ('a."b.c"', [("a", False), ("b.c", True)]),
        ('"say ""hi"""', [('say "hi"', True)]),
        ("`a.b`.`c``d`", [("a.b", True), ("c`d", True)]),
        ('no"quote', [('no"quote', False)]),
        ("two\nlines; --", [("two\nlines; --", False)]),
    ],
)
def test_a_table_name_is_split_at_dots_outside_quotes(name, parts):
    assert table_name_parts(name) == parts


@pytest.mark.parametrize("name", ["", ".", "a.", ".a", "a..b", '"a', '"a"b', '""', 'a.""'])
def test_an_invalid_table_name_is_reported(name):
    with pytest.raises(InputError, match="is not a table name: write table, "):
        table_name_parts(name)


def test_the_comment_gives_the_next_command():
    out = output(
        *("sql", "--table", "t", "--actual", "y", "--score", "p q", "--positive", "it's"),
        *("--segment", "s", "--fold", "k", "--digits", "4", "--dialect", "spark"),
    )

    command = out.splitlines()[1].removeprefix("-- ")
    assert shlex.split(command)[3:] == [
        *("--actual", "y", "--positive", "it's", "--score", "p q"),
        *("--weight", "rows", "--weight-means", "frequency"),
        *("--segment", "s", "--fold", "k", "--digits", "4"),
    ]
    assert "        ROUND(`p q`, 4) AS `p q`,\n" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--weight", "w"], "--weight-means frequency (the number of identical rows"),
        (["--weight-means", "frequency"], "--weight-means needs --weight"),
        (["--segment", "Y"], "Column 'Y' is named twice"),
        (["--fold", ""], "cannot be empty"),
        (["--keep-case"], "needs --dialect snowflake"),
        (["--digits", "16"], "Invalid value for '--digits'"),
        (["--dialect", "oracle"], "'oracle' is not one of"),
    ],
)
def test_a_usage_error_of_sql_is_one_sentence(arguments, message):
    code, out, err = run("sql", "--table", "t", "--actual", "y", "--score", "p", *arguments)

    assert (code, out) == (2, "")
    assert message in err


def test_an_empty_part_of_a_table_name_is_reported():
    code, out, err = run("sql", "--table", "a..b", "--actual", "y", "--score", "p")

    assert (code, out) == (2, "")
    assert "'a..b' is not a table name" in err
