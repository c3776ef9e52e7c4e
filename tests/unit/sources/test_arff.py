"""ARFF files: values, weights and dates are read, and errors name the line."""

import gzip
import math
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradeoff.errors import InputError
from tradeoff.sources import arff as arff_rows
from tradeoff.sources.arff import Attribute, DateReader, read_arff

HEADER = """% made up
@RELATION 'a test'

@Attribute size NUMERIC   % in cm
@attribute "the colour" {red, 'light blue', "it's"}
@attribute name string
@attribute seen date
@data
"""


@pytest.fixture
def arff(tmp_path):
    def write(text, name="rows.arff", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


@pytest.fixture
def read_text(arff):
    return lambda text, **options: read_arff(arff(text, **options))


def arff_text(columns, rows):
    declarations = "".join(f"@attribute {column}\n" for column in columns)
    return f"@relation r\n{declarations}@data\n{rows}"


def test_every_kind_of_attribute_is_read(read_text):
    relation = read_text(
        HEADER
        + """1.5, red, 'Ann B.', 2001-04-03T12:12:12
% a comment

?, 'light blue', ?, ? % half a row
-2e3\t"it's"\tBob\t"2001-05-03T12:59:55"
7,'it\\'s','a\\tb\\u0041\\\\\\101',?
"""
    )

    assert relation.name == "a test"
    assert relation.attributes == (
        Attribute("size", "numeric"),
        Attribute("the colour", "nominal", ("red", "light blue", "it's")),
        Attribute("name", "string"),
        Attribute("seen", "date", pattern="yyyy-MM-dd'T'HH:mm:ss"),
    )
    size = relation.columns["size"]
    assert size.dtype == np.float64
    np.testing.assert_array_equal(size, [1.5, math.nan, -2000, 7])
    assert relation.columns["the colour"].tolist() == ["red", "light blue", "it's", "it's"]
    assert relation.columns["name"].tolist() == ["Ann B.", None, "Bob", "a\tbA\\A"]
    dates = relation.columns["seen"]
    assert dates.dtype.kind == "M"
    assert dates[0] == np.datetime64("2001-04-03T12:12:12")
    assert np.isnat(dates).tolist() == [False, True, False, True]
    assert relation.weights is None
    assert relation.notes == ()


def test_a_quoted_question_mark_is_a_value(read_text):
    relation = read_text(arff_text(["a string", "b {'?',x}"], "'?',\"?\"\n?,?\n"))

    assert relation.columns["a"].tolist() == ["?", None]
    assert relation.columns["b"].tolist() == ["?", None]


def test_sparse_rows_default_to_zero_or_the_first_value(read_text):
    relation = read_text(
        arff_text(
            ["a numeric", "b {u,v}", "c integer", "d {x,y}"],
            "{1 v, 2 4.5}\n{}\n{ 0 ?, 3 ? }\n{0 1,3 'y'}, {2}\n1,v,3,y\n",
        )
    )

    np.testing.assert_array_equal(relation.columns["a"], [0, 0, math.nan, 1, 1])
    assert relation.columns["b"].tolist() == ["v", "u", "u", "u", "v"]
    assert relation.columns["c"].tolist() == [4.5, 0, 0, 0, 3]
    assert relation.columns["d"].tolist() == ["x", "x", None, "y", "y"]
    assert relation.weights.tolist() == [1, 1, 1, 2, 1]


def test_weights_in_braces_follow_a_row(read_text):
    relation = read_text(arff_text(["a numeric", "b {x}"], "1,x,{5}\n2,x\n3 x {0.25}\n4,x, {0}\n"))

    assert relation.weights.tolist() == [5, 1, 0.25, 0]
    assert relation.columns["a"].tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("separator", [",", ", ", " , ", "\t", "   ", ",\t"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_commas_spaces_and_tabs_separate_values_with_any_line_ending(read_text, separator, ending):
    text = arff_text(["a numeric", "b {x,y}", "c real"], "")
    text += f"1{separator}x{separator}?\n2{separator}y{separator}4"
    relation = read_text(text.replace("\n", ending))

    assert relation.columns["a"].tolist() == [1, 2]
    assert relation.columns["b"].tolist() == ["x", "y"]
    np.testing.assert_array_equal(relation.columns["c"], [math.nan, 4])


def test_whitespace_around_rows_and_before_value_lists_is_optional(read_text):
    relation = read_text(arff_text(["a{x,y z}", "b  real"], "  x , 1  \n\n   \n\tz,2\n"))

    assert relation.attributes[0].values == ("x", "y", "z")
    assert relation.columns["a"].tolist() == ["x", "z"]
    assert relation.columns["b"].tolist() == [1, 2]


def test_a_file_without_rows_has_empty_columns_of_the_right_type(read_text):
    relation = read_text(HEADER)

    kinds = [column.dtype.kind for column in relation.columns.values()]
    assert kinds == ["f", "O", "O", "M"]
    assert all(len(column) == 0 for column in relation.columns.values())


def test_a_utf_8_byte_order_mark_is_skipped(read_text):
    relation = read_text(arff_text(["größe {groß}"], "groß\n"), encoding="utf-8-sig")

    assert relation.columns["größe"].tolist() == ["groß"]
    assert relation.notes == ()


def test_latin_1_is_read_and_noted(read_text):
    relation = read_text(arff_text(["größe {groß}"], "groß\n"), encoding="latin-1")

    assert relation.columns["größe"].tolist() == ["groß"]
    assert relation.notes == ("rows.arff is not UTF-8 and was read as Latin-1",)


def test_compressed_files_are_read(tmp_path):
    path = tmp_path / "rows.arff.gz"
    path.write_bytes(gzip.compress(arff_text(["a real"], "1\n2\n").encode()))
    broken = tmp_path / "broken.arff.gz"
    broken.write_bytes(b"no")

    assert read_arff(path).columns["a"].tolist() == [1, 2]
    with pytest.raises(InputError, match="cannot be unpacked"):
        read_arff(broken)


@pytest.mark.parametrize(
    ("rows", "line", "message"),
    [
        ("1,y\n2,z\n", 6, "'z' is not among the declared values of 'b', 'x' and 'y'"),
        ("1,X\n", 5, "Did you mean 'x'"),
        ("1,x\n\n% so\none,x\n", 8, "'one' in 'a' is not a number"),
        ("1_000,x\n", 5, "'1_000' in 'a' is not a number"),
        ("١,x\n", 5, "is not a number"),
        ("'',x\n", 5, "'' in 'a' is not a number"),
        ("1\n", 5, "the row has 1 values, but 2 attributes"),
        ("1,x\n1,x,3\n", 6, "the row has 3 values, but 2 attributes"),
        ("1,,x\n", 5, "an empty value next to a comma"),
        ("1,x,\n", 5, "an empty value next to a comma"),
        (",x\n", 5, "an empty value next to a comma"),
        ("1,'x\n", 5, "a quote starts at"),
        ("1,x {2\n", 5, "only a weight may follow"),
        ("1,x {-2}\n", 5, "only a weight may follow"),
        ("1,x {many}\n", 5, "only a weight may follow"),
        ("1,x {2} 3\n", 5, "only a weight may follow"),
        ("{0 1\n", 5, "no closing }"),
        ("{2 1}\n", 5, "'2' is not the index of an attribute"),
        ("{1 x, 0 1}\n", 5, "'0' is not the index of an attribute"),
        ("{1 x, 1 y}\n", 5, "'1' is not the index of an attribute"),
        ("{-1 x}\n", 5, "'-1' is not the index of an attribute"),
        ("{0 1, 1}\n", 5, "attribute 1 of the sparse row has no value"),
        ("{0 1,, 1 x}\n", 5, "an empty value"),
    ],
)
def test_an_invalid_row_is_reported_with_its_line(arff, rows, line, message):
    path = arff(arff_text(["a numeric", "b {x,y}"], rows))

    with pytest.raises(InputError) as caught:
        read_arff(path)
    assert str(caught.value).startswith(f"{path}, line {line}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("\n", 1, "has no @data line"),
        ("a,b\n1,2\n", 1, "'a' is none of @relation, @attribute, @data"),
        ("@relation r\n@atribute a real\n", 2, "Did you mean '@attribute'?"),
        ("@attribute a real\n", 1, "comes before @relation"),
        ("@relation a b\n", 1, "put a name with spaces in quotes"),
        ("@relation\n", 1, "takes one name"),
        ("@relation r\n@relation r\n", 2, "a second @relation"),
        ("@relation r\n@attribute a\n", 2, "takes a name and a type"),
        ("@relation r\n@attribute a number\n", 2, "has the type 'number'"),
        ("@relation r\n@attribute a real {2}\n", 2, "'{' follows the type"),
        (
            "@relation r\n@attribute a real\n@attribute a real\n",
            3,
            "two attributes are called 'a'",
        ),
        ("@relation r\n@attribute a {x,y\n", 2, "do not end with one }"),
        ("@relation r\n@attribute a {x} y\n", 2, "do not end with one }"),
        ("@relation r\n@attribute a {x,,y}\n", 2, "an empty value"),
        ("@relation r\n@attribute a {x,y,x}\n", 2, "'x' of 'a' is declared twice"),
        ("@relation r\n@attribute a {'x}\n", 2, "a quote starts"),
        ("@relation r\n@attribute a relational\n", 2, "is relational, which is not supported"),
        ("@relation r\n@data\n", 2, "there is no @attribute"),
        ("@relation r\n@attribute a real\n@data 1\n", 3, "@data must be alone"),
        ("@relation r\n@attribute a real\n", 2, "has no @data line"),
        (
            "@relation r\n@attribute a date 'yyyy-ww'\n@data\n",
            3,
            "uses 'w', which is not supported",
        ),
        ("@relation r\n@attribute a date yyyy yy y\n@data\n", 2, "put a date pattern in quotes"),
    ],
)
def test_an_invalid_header_is_reported_with_its_line(arff, text, line, message):
    path = arff(text)

    with pytest.raises(InputError) as caught:
        read_arff(path)
    assert str(caught.value).startswith(f"{path}, line {line}: ")
    assert message in str(caught.value)


def test_missing_files_and_folders_are_reported(tmp_path):
    with pytest.raises(InputError, match="There is no file"):
        read_arff(tmp_path / "none.arff")
    with pytest.raises(InputError, match="is a folder"):
        read_arff(tmp_path)
    (tmp_path / "empty.arff").write_text("")
    with pytest.raises(InputError, match=r"empty\.arff: the file has no @data line"):
        read_arff(tmp_path / "empty.arff")


@pytest.mark.parametrize("kind", ["string", "date"])
def test_a_sparse_row_must_include_attributes_without_a_default(read_text, kind):
    columns = ["a numeric", f"b {kind}"]

    with pytest.raises(InputError, match="leaves out 'b', a " + kind):
        read_text(arff_text(columns, "{0 1}\n"))
    assert len(read_text(arff_text(columns, "{1 ?}\n")).columns["b"]) == 1


def test_batches_are_joined_and_errors_keep_their_line_numbers(read_text, monkeypatch):
    monkeypatch.setattr(arff_rows, "BATCH_LINES", 3)
    rows = ["1,x", "2,x", "3,x", "4,x", "% five", "5,'x'", "6,x,{2}", "", "7,x", "8,x"]
    columns = ["a numeric", "b {x}"]
    relation = read_text(arff_text(columns, "\n".join(rows)))

    assert relation.columns["a"].tolist() == list(range(1, 9))
    assert relation.weights.tolist() == [1, 1, 1, 1, 1, 2, 1, 1]
    for index, invalid_row in [(9, "8,z"), (6, "6,z,{2}"), (1, "2,z"), (5, "5,'z'")]:
        invalid_rows = [*rows[:index], invalid_row, *rows[index + 1 :]]
        with pytest.raises(InputError, match=rf"line {index + 5}: 'z' is not among"):
            read_text(arff_text(columns, "\n".join(invalid_rows)))


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("yyyy-MM-dd'T'HH:mm:ss", "2001-04-03T12:12:12", "2001-04-03T12:12:12"),
        ("yyyyMMdd", "20240229", "2024-02-29"),
        ("dd.MM.yy", "31.12.68", "2068-12-31"),
        ("dd.MM.yy", "31.12.69", "1969-12-31"),
        ("d MMM yyyy", "5 nov 2003", "2003-11-05"),
        ("EEE, MMMM d yyyy", "Wed, November 5 2003", "2003-11-05"),
        ("M/d/yyyy h:mm a", "1/2/2003 12:05 AM", "2003-01-02T00:05"),
        ("M/d/yyyy h:mm a", "1/2/2003 12:05 pm", "2003-01-02T12:05"),
        ("yyyy-MM-dd kk:mm", "2003-01-02 24:00", "2003-01-02T00:00"),
        ("HH:mm:ss.SSS", "01:02:03.004", "1970-01-01T01:02:03.004"),
        ("yyyy-MM-dd HH:mm Z", "1999-01-31 00:30 +0100", "1999-01-30T23:30"),
        ("yyyy-MM-dd HH:mm Z", "1999-01-31 00:30 UTC", "1999-01-31T00:30"),
        ("yyyy-MM-dd HH:mm z", "1999-01-31 00:30 GMT-02:30", "1999-01-31T03:00"),
        ("yyyy-MM-dd'T'HHX", "1999-01-31T00-02", "1999-01-31T02:00"),
        ("h 'o''clock' yyyy", "7 o'clock 2000", "2000-01-01T07:00"),
        ("yyyy''MM", "2000'05", "2000-05-01"),
    ],
)
def test_dates_are_parsed_by_their_pattern(pattern, text, expected):
    assert DateReader.from_pattern(pattern).read(text) == np.datetime64(expected, "ms")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("yyyy-MM-dd", "2023-02-29"),
        ("yyyy-MM-dd", "2023-13-01"),
        ("yyyy-MM-dd", "2023-01-01x"),
        ("yyyy-MM-dd", "01.02.2023"),
        ("yyyy MMM", "2023 Foo"),
        ("hh", "13"),
        ("ss.SSS", "01.1000"),
        ("yyyy", "0"),
    ],
)
def test_an_invalid_date_is_rejected(read_text, pattern, text):
    with pytest.raises(InputError, match=r"line 4: in 'a', .*write \? if it is missing"):
        read_text(arff_text([f'a date "{pattern}"'], f"'{text}'\n"))


@pytest.mark.parametrize("pattern", ["yyyy 'T", "yyyy yyyy", "D"])
def test_an_invalid_date_pattern_is_rejected(pattern):
    with pytest.raises(InputError, match="the date pattern"):
        DateReader.from_pattern(pattern)


@given(
    st.lists(
        st.tuples(
            st.floats(allow_nan=False),
            st.none() | st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"))),
        ),
        max_size=8,
    )
)
def test_written_rows_are_read_back(tmp_path_factory, rows):
    def quote(text):
        return "?" if text is None else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    path = tmp_path_factory.mktemp("arff") / "rows.arff"
    lines = "".join(f"{number!r},{quote(text)}\n" for number, text in rows)
    path.write_text(arff_text(["a real", "b string"], lines), encoding="utf-8")
    relation = read_arff(path)

    assert relation.columns["a"].tolist() == [number for number, _ in rows]
    assert relation.columns["b"].tolist() == [text for _, text in rows]


def test_the_bundled_weather_data_has_nine_days_of_play():
    weather = read_arff(files("tradeoff.data") / "weather.arff")

    assert [len(attribute.values) for attribute in weather.attributes] == [3, 3, 2, 2, 2]
    assert weather.columns["play"].tolist().count("yes") == 9
    assert len(weather.columns["play"]) == 14
