"""Scripts of the page without data: reading text, roles of columns, special functions."""

import base64
import csv
import io

import numpy as np
import pytest

import tradeoff as to
from browser.conftest import ask
from tradeoff.report.empty_page import EMPTY_PAGE_SCRIPTS
from tradeoff.report.page import page_file
from tradeoff.sources.read_columns import read_table_columns
from tradeoff.sources.role_inference import infer_roles
from tradeoff.sources.table_summary import summarize_table
from tradeoff.thresholds.identical import roundest_number

pytestmark = pytest.mark.browser

SCRIPTS = ("numbers.js", *EMPTY_PAGE_SCRIPTS[:-1])
"""All but the one that changes the page."""


@pytest.fixture(scope="module")
def page(chromium):
    context = chromium.new_context(offline=True)
    page = context.new_page()
    page.set_content(f"<script>{chr(10).join(map(page_file, SCRIPTS))}</script>")
    yield page
    context.close()


# Special functions.


def test_special_functions_agree_with_scipy(page):
    from scipy import special, stats

    z = [-8, -3, -1.96, -0.5, 0, 0.3, 2.9, 5]
    assert ask(page, "z => z.map(Special.normalCdf)", z) == pytest.approx(
        special.ndtr(z), rel=1e-13
    )
    degrees = [1, 1.5, 10, 112, 499, 500, 1e5]
    answers = ask(
        page, "d => d.map(df => Special.tQuantile(df, 0.975, 1.959963984540054))", degrees
    )
    assert answers == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-11)


def test_quantiles_of_beta_distributions_agree_with_scipy(page):
    from scipy import special

    shares = [0, 0.001, 0.03, 0.3, 0.5, 0.9, 1]
    cases = [
        (share * n + 0.5, (1 - share) * n + 0.5, float(special.ndtr(z)), z)
        for n in (1, 5, 50, 1000, 1e5, 1e6)
        for share in shares
        for z in (-1.96, -0.5, 0.5, 1.96)
    ]
    answers = ask(page, "cases => cases.map(c => Special.betaQuantile(...c))", cases)
    expected = [special.betaincinv(a, b, p) for a, b, p, _ in cases]
    assert answers == pytest.approx(expected, rel=1e-7)  # bands are drawn with four digits


# Round thresholds.


def test_thresholds_are_as_round_as_in_the_library(page):
    random = np.random.default_rng(5)
    high = random.normal(size=300) * 10.0 ** random.integers(-8, 8, 300)
    low = high - np.abs(random.normal(size=300)) * 10.0 ** random.integers(-9, 8, 300)
    pairs = [(0.4839, 0.5213), (0.4839, 0.4871), (0.1, 0.1 + 1e-15), (5.0, 10.0), (99.5, 100.25)]
    pairs += list(zip(low.tolist(), high.tolist(), strict=True))
    answers = ask(page, "pairs => pairs.map(p => DefaultCutoffs.roundestNumber(...p))", pairs)
    assert answers == [roundest_number(*pair) for pair in pairs]


# Reading text.

READ = """async (text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const table = await CsvTable.open(new Blob([bytes]), "table.csv");
    const { isMissing, plain } = CellValues;
    const value = (cell, form) => (isMissing(cell) ? null : plain(cell, form));
    const columns = table.head.map((cells, column) =>
        cells.map((cell) => value(cell, table.layout.forms[column])));
    return { names: table.names, columns };
}"""


def read(page, content):
    """A table as the page reads it."""
    return page.evaluate(READ, base64.b64encode(content).decode())


TABLES = {
    "commas": b"a,b\n1,x\n2,y\n",
    "semicolons, decimal commas": b"a;b\n0,5;x\n1;y\n2,25;z\n",
    "tabs": b"a\tb\n1\tx y\n2\tz\n",
    "bars": b"a|b\n1|x\n2|y\n",
    "Windows line ends": b"a,b\r\n1,x\r\n2,y\r\n",
    "no line end at the end": b"a,b\n1,x\n2,y",
    "quotes": b'a,"b, ""c"""\n1,"x, y"\n2,"say ""hi"""\n',
    "line ends in quotes": b'a,b\n1,"x\ny"\n2,z\n',
    "empty lines above and between": b"\n\na,b\n1,x\n\n2,y\n",
    "a byte order mark": b"\xef\xbb\xbfa,b\n1,x\n2,y\n",
    "UTF-16": "a,b\n1,ä\n2,y\n".encode("utf-16"),
    "UTF-16 without a mark": "a,b\n1,x\n2,y\n".encode("utf-16-le"),
    "Western European": "größe,b\n1,Müller\n2,y\n".encode("cp1252"),
    "missing values": b"a,b\n1,\nNA,y\n,NA\n",
    "percent signs": b"a,b\n50%,1\n7.25 %,2\n",
    "percent signs and commas": b"a;b\n50%;1\n7,25 %;2\n",
    "names twice, and none": b"a,A,,a\n1,2,3,4\n5,6,7,8\n",
    "spaces in the header": b" a , b\n1,x\n2,y\n",
    "emoji and right to left": "😀,שלום\n1,مرحبا\n2,👩‍⚕️\n".encode(),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_read_as_by_the_library(page, tmp_path, name):
    path = tmp_path / "table.csv"
    path.write_bytes(TABLES[name])
    expected = read_table_columns(str(path), None)
    table = read(page, TABLES[name])
    assert table["names"] == list(expected)
    for cells, values in zip(table["columns"], expected.values(), strict=True):
        if values.dtype.kind in "iuf":
            numbers = [float("nan") if cell is None else float(cell) for cell in cells]
            np.testing.assert_array_equal(numbers, values)
        else:
            # Whole numbers with missing values stay whole.
            assert cells == [None if value is None else str(value) for value in values]


@pytest.mark.parametrize("size", [1, 7, 64])
def test_records_may_be_cut_anywhere_between_chunks(page, size):
    text = 'a,b\r\n1,"x, ""y""\r\nz"\r\n2,\r\n\r\n"3",end'
    records = ask(
        page,
        """([text, size]) => {
            const records = [];
            const add = (cells, line) => records.push([line, ...cells]);
            const reader = new CsvTable.Records(",", add);
            for (let start = 0; start < text.length; start += size) {
                reader.push(text.slice(start, start + size));
            }
            reader.end();
            return records;
        }""",
        [text, size],
    )
    expected = list(csv.reader(io.StringIO(text, newline="")))
    assert [record[1:] for record in records] == [row for row in expected if row]
    assert [record[0] for record in records] == [1, 2, 4, 6]


# Roles of columns.

INFER = """async (text) => {
    const table = await CsvTable.open(new Blob([text]), "table.csv");
    const columns = table.names.map((name, position) =>
        ColumnRoles.summary(name, position, table.head[position], table.layout.forms[position]));
    const { actual, positive, scores } = ColumnRoles.infer(columns);
    return { actual: actual && actual.name, positive, scores: scores.map(({ name }) => name) };
}"""
ROLE_TABLES = {
    "scores of both classes": "label,p_yes,p_no\nyes,0.8,0.2\nno,0.3,0.7\nyes,0.6,0.4\n",
    "an index and predictions": ",y,pred,score\n0,1,1,0.9\n1,0,0,0.2\n2,1,0,0.4\n3,0,1,0.7\n",
    "two classes": "a,b,p\nx,u,0.1\ny,v,0.2\nx,u,0.3\n",
    "true and false": "sick,marker\ntrue,0.1\nfalse,0.5\ntrue,0.9\n",
    "minus one and one": "truth,p,age\n-1,0.1,20\n1,0.5,31\n1,0.9,44\n",
    "several classes": "kind,p\na,0.1\nb,0.5\nc,0.9\n",
    "a fold": "fold,outcome,s\n1,0,0.1\n2,1,0.5\n1,1,0.9\n2,0,0.3\n",
}


@pytest.mark.parametrize("name", ROLE_TABLES)
def test_roles_are_those_that_the_library_infers(page, tmp_path, name):
    path = tmp_path / "table.csv"
    path.write_text(ROLE_TABLES[name])
    require_same_roles(page, path)


CSV_DATA = [name for name in to.datasets if to.datasets.load(name).path.suffix == ".csv"]


@pytest.mark.parametrize("name", CSV_DATA)
def test_roles_of_the_example_data_are_those_that_the_library_infers(page, name):
    require_same_roles(page, to.datasets.load(name).path)


def require_same_roles(page, path):
    roles = infer_roles(summarize_table(str(path)).columns)
    inferred = page.evaluate(INFER, path.read_text())
    assert inferred["actual"] == roles.actual
    assert inferred["positive"] == roles.positive
    if roles.scores:
        assert tuple(inferred["scores"]) == roles.scores
