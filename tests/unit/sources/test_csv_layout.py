"""Decimal commas and percent signs are read as numbers, or the message names the option."""

import pytest

import tradeoff as to
from tradeoff.errors import InputError

WAYS = pytest.mark.parametrize("way", [{}, {"memory": "400MB"}], ids=["in memory", "batches"])


def write(folder, text):
    path = folder / "rows.csv"
    path.write_text(text, encoding="utf-8")
    return path


def scores(source, **options):
    return to.evaluate(source, "p", actual="y", **options).ranking.thresholds[1:].tolist()


@WAYS
@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("0,73", "1e-3"), [0.73, 0.001]),
        (("73%", "73.1%"), [0.731, 0.73]),
        (("73,1 %", "5 %"), [0.731, 0.05]),
        (("73,1\u00a0%", "5\u202f%"), [0.731, 0.05]),
        ((" 73.1 % ", "5%"), [0.731, 0.05]),
        (("-0,5", "1,25e-1"), [0.125, -0.5]),
    ],
)
def test_numbers_are_read_as_they_are_meant(cells, values, way, tmp_path):
    path = write(tmp_path, f"y;p\n1;{cells[0]}\n0;{cells[1]}\n")

    assert scores(path, **way) == values


@WAYS
def test_a_percentage_is_rounded_once(way, tmp_path):
    percents = [f"{i / 1000:.3f}" for i in range(1, 400, 7)]
    path = write(tmp_path, "y,p\n" + "".join(f"{i % 2},{p}%\n" for i, p in enumerate(percents)))

    assert scores(path, **way) == sorted((float(f"{p}e-2") for p in percents), reverse=True)


@WAYS
def test_a_comma_in_a_comma_separated_file_may_be_a_thousand(way, tmp_path):
    path = write(tmp_path, 'y,p\n1,"0,75"\n0,"0,25"\n')

    with pytest.raises(InputError, match=r"look like '0,75' \(decimal comma\): .* decimal=','"):
        scores(path, **way)
    assert scores(to.File(path, decimal=","), **way) == [0.75, 0.25]


@WAYS
def test_a_late_decimal_comma_names_the_option(way, tmp_path):
    path = write(tmp_path, "y;p\n" + "1;1\n0;0\n" * 100 + "1;0,75\n")

    with pytest.raises(InputError, match=r"look like '0,75' \(decimal comma\)"):
        scores(path, **way)
    assert scores(to.File(path, decimal=","), **way) == [1, 0.75, 0]


@WAYS
def test_a_decimal_point_among_decimal_commas_is_not_guessed(way, tmp_path):
    path = write(tmp_path, "y;p\n1;0,75\n0;0,25\n" + "1;0,5\n" * 100 + "0;1.234\n")

    with pytest.raises(InputError, match=r"1\.234"):
        scores(path, **way)


@WAYS
def test_a_number_without_a_percent_sign_among_percentages_is_not_guessed(way, tmp_path):
    path = write(tmp_path, "y,p\n1,75%\n0,25%\n" + "1,50%\n" * 100 + "0,73\n")

    with pytest.raises(InputError, match="no percent sign in 73"):
        scores(path, **way)


@WAYS
def test_digits_with_a_space_between_them_are_not_a_percentage(way, tmp_path):
    path = write(tmp_path, "y,p\n1,75%\n0,25%\n" + "1,50%\n" * 100 + "0,7 3%\n")

    with pytest.raises(InputError, match=r"7 3e-2"):
        scores(path, **way)


def test_lines_that_cannot_be_read_can_be_skipped(tmp_path):
    path = write(tmp_path, "y;p\n1;0,75\n0;0,25\n" + "1;0,5\n" * 100 + "0;1.234\n")
    ranking = to.evaluate(path, "p", actual="y", bad_rows="skip").ranking

    assert ranking.rows == 102
    assert ranking.notes == (
        "1 line was skipped: line 104, column p: '1.234' is not a number (in '0;1.234')",
    )


def test_columns_of_text_stay_as_they_are(tmp_path):
    path = write(tmp_path, "y;p;size;share\n1;0,75;1,5;5%\n0;0,25;L;high\n")

    assert [c.values for c in to.look(path).summaries[2:]] == [("1,5", "L"), ("5%", "high")]


def test_a_class_may_have_a_decimal_comma(tmp_path):
    path = write(tmp_path, "y;p\n1,0;0,75\n0,0;0,25\n")

    assert scores(path) == [0.75, 0.25]


@WAYS
def test_the_delimiter_may_be_named(way, tmp_path):
    path = write(tmp_path, "y~p\n1~0.75\n0~0.25\n")

    assert scores(to.File(path, delimiter="~"), **way) == [0.75, 0.25]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decimal": ";"}, "`decimal` must be '.' or ','"),
        ({"delimiter": "ab"}, "`delimiter` must be one character"),
    ],
)
def test_unknown_options_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        to.File("rows.csv", **options)


def test_options_that_do_not_fit_a_file_are_refused(tmp_path):
    path = write(tmp_path, "y,p\n1,0.75\n0,0.25\n")

    with pytest.raises(InputError, match="`sheet` is for spreadsheets"):
        scores(to.File(path, sheet="A"))
    with pytest.raises(InputError, match=r"`decimal` is for CSV files, and rows\.xlsx is not one"):
        scores(to.File("rows.xlsx", decimal=","))
