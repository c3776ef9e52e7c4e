"""The page without data: what it computes from a table is what the library computes."""

import json
import math

import numpy as np
import pytest
from golden.reference import DATA
from support import ugly_files
from support.packed_documents import unpacked

import tradeoff as to
from browser.conftest import Opened
from tradeoff.calibration.reliability import reliability
from tradeoff.report.models import DRAWN_DIGITS

pytestmark = pytest.mark.browser

RELATIVE, ABSOLUTE = 1e-9, 1e-11
NOT_COMPARED = {"how", "digits", "ranking", "static"}
"""The page says itself how it was made, keeps thresholds as they are, and ranks segments."""


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    path = tmp_path_factory.mktemp("judge") / "judge.html"
    to.page(path)
    return path


@pytest.fixture(scope="module")
def window(chromium, judge):
    """One window for all tests; in the end, nothing may have gone wrong or been asked for."""
    window = Opened(chromium)
    window.show(judge)
    yield window
    troubles, requests = window.troubles, window.requests
    window.context.close()
    assert not troubles
    assert {url.split(":")[0] for url in requests} <= {"file", "data"}


@pytest.fixture
def empty(window, judge):
    """The page as it is opened."""
    return window.show(judge)


def opened(page, path):
    """Open a file in the page; its columns can then be chosen."""
    page.set_input_files("#file", path)
    page.wait_for_selector("#columns:not([hidden])")
    return page


def choose(page, *, score=(), lower=False, missing=None, positive=None, **columns):
    """Choose columns, unless the page has chosen them."""
    for role in sorted(columns):  # the actual class is first
        page.select_option(f"#{role}", label=columns[role])
    if positive is not None:
        values = page.eval_on_selector_all("#positive-class option", "all => all.map(o => o.text)")
        (label,) = [text for text in values if text.rsplit(" (", 1)[0] == positive]
        page.select_option("#positive-class", label=label)
    if score:
        for box in page.query_selector_all(".score-list input"):
            box.set_checked(
                box.evaluate("e => e.parentElement.querySelector('bdi').textContent") in score
            )
    if lower:
        page.check("#lower")
    if missing is not None:
        page.click("#show")
        page.wait_for_selector("label[for=missing]:not([hidden])")
        page.select_option("#missing", missing)


def shown_document(page):
    """The document of the report that the page shows."""
    page.click("#show")
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    return json.loads(page.evaluate("JSON.stringify(tradeoff.view().document)"))


def library_document(data, *, lower=False, missing="error", **columns):
    """The document that the library makes of the same rows, and its rankings."""
    options = {**columns, "lower_is_positive": lower, "missing": missing}
    evaluation = to.evaluate(data, **options)
    comparison = None
    if len(evaluation.rankings) > 1 and missing != "reject":
        options.pop("segment", None)
        comparison = to.compare(data, **options)
    document = unpacked(json.loads(json.dumps(evaluation._page_document(comparison=comparison))))
    for model in document["models"]:
        ranking = evaluation.rankings[model["name"]]
        if "x" in model["calibration"]:
            model["calibration"] = _without_band(ranking)
    return document, evaluation.rankings


def _without_band(ranking):
    """The reliability curve without its band, which is resampled."""
    diagram = reliability(ranking, bands=None)
    columns = {"x": diagram.scores, "y": diagram.fitted}
    return {
        key: [float(f"{value:.{DRAWN_DIGITS}g}") for value in values.tolist()]
        for key, values in columns.items()
    }


def require_equal(page_document, library, rankings):
    """Require every number and every word of two documents to be equal."""
    for model in library["models"]:
        thresholds = [float(value) for value in model.pop("thresholds")]
        own = page_document["models"][library["models"].index(model)]
        exact = [float(value) for value in own.pop("thresholds")]
        ranking = rankings[model["name"]]
        # Python rounds thresholds to numbers that decide the same.
        assert [ranking.index(t) for t in thresholds] == [ranking.index(t) for t in exact]
        assert set(exact) <= set(ranking.thresholds.tolist())
    assert list(differences(library, page_document)) == []


def differences(first, second, path=""):
    """Where two documents differ."""
    if isinstance(first, dict) and isinstance(second, dict):
        for key in sorted({*first, *second} - NOT_COMPARED):
            if key in first and key in second:
                yield from differences(first[key], second[key], f"{path}.{key}")
            else:
                yield f"{path}.{key} is only in one of them"
    elif isinstance(first, list) and isinstance(second, list):
        if len(first) != len(second):
            yield f"{path}: {len(first)} and {len(second)} values"
        for index, pair in enumerate(zip(first, second, strict=False)):
            yield from differences(*pair, f"{path}[{index}]")
    elif _are_numbers(first, second):
        if not math.isclose(first, second, rel_tol=RELATIVE, abs_tol=ABSOLUTE):
            yield f"{path}: {first} and {second}"
    elif first != second:
        yield f"{path}: {first!r} and {second!r}"


def _are_numbers(*values):
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def require_same_report(page, path, *, clicks=None, **columns):
    """Open a file, choose its columns, and compare the report with the library's."""
    opened(page, path)
    choose(page, **(columns if clicks is None else clicks))
    library, rankings = library_document(path, **columns)
    require_equal(shown_document(page), library, rankings)


SAH = DATA / "proc_aSAH_data.csv"


def test_two_markers_of_113_patients_are_compared_as_in_the_library(empty):
    require_same_report(
        empty, SAH, actual="poor", positive="1", score=["s100b", "ndka"], segment="gender"
    )


def test_a_score_with_five_values_and_words_as_classes(empty):
    require_same_report(empty, SAH, actual="outcome", positive="Poor", score=["wfns"])


def test_low_scores_may_be_positive(empty):
    require_same_report(empty, SAH, actual="poor", positive="1", score=["gos6"], lower=True)


SYNTHETIC = sorted(DATA.glob("syn_a?_*_data.csv")) + sorted(DATA.glob("syn_a6?_*_data.csv"))


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("path", SYNTHETIC, ids=lambda path: path.stem)
def test_ties_perfect_and_inverted_scores_few_rows_and_weights(empty, path, weight):
    """Ties, perfect, inverted and constant scores, two rows, rare positives, weights of 0."""
    columns = {"actual": "label", "positive": "1", "score": ["score"]}
    columns |= {} if weight is None else {"weight": weight}
    require_same_report(empty, path, **columns)


def test_three_models_are_compared_with_each_other(empty):
    path = DATA / "syn_a_paired_scores_data.csv"
    require_same_report(
        empty, path, actual="label", positive="1", score=["score_a", "score_b", "score_c"]
    )


def test_scores_far_outside_the_axis_are_counted(empty, tmp_path):
    random = np.random.default_rng(14)
    scores = random.standard_t(1.5, size=1500)
    actual = (random.random(1500) < 0.4).astype(int)
    path = tmp_path / "tails.csv"
    rows = [f"{a},{s!s}" for a, s in zip(actual, scores, strict=True)]
    path.write_text("\n".join(["actual,score", *rows]))
    require_same_report(empty, path, actual="actual", positive="1", score=["score"])


def test_infinite_scores_rank_first_and_last(empty, tmp_path):
    path = tmp_path / "ends.csv"
    path.write_text("actual,ends\n1,inf\n0,-inf\n1,3\n0,2\n1,1\n")
    require_same_report(empty, path, actual="actual", positive="1", score=["ends"])


@pytest.fixture(scope="module")
def churn(tmp_path_factory):
    """A file of 5,000 customers with two models and four regions."""
    random = np.random.default_rng(11)
    loyalty = random.normal(size=5000)
    churned = random.random(5000) < 1 / (1 + np.exp(1.5 + loyalty))
    scores = {
        "logistic": 1 / (1 + np.exp(1.5 + loyalty + random.normal(size=5000) / 2)),
        "boosting": 1 / (1 + np.exp(1.2 + 1.4 * loyalty + random.normal(size=5000))),
    }
    regions = np.array(["east", "north", "south", "west"])[random.integers(0, 4, 5000)]
    lines = ["churned,logistic,boosting,region,visits"]
    lines += [
        f"{'yes' if churned[i] else 'no'},{scores['logistic'][i]:.3f},{scores['boosting'][i]!s},"
        f"{regions[i]},{random.integers(0, 9)}"
        for i in range(5000)
    ]
    path = tmp_path_factory.mktemp("churn") / "churn.csv"
    path.write_text("\n".join(lines))
    return path


def test_churn_of_5000_customers_by_region(empty, churn):
    require_same_report(
        empty, churn, actual="churned", positive="yes", score=["logistic", "boosting"],
        segment="region",
    )  # fmt: skip


def test_whole_weights_count_rows(empty, churn):
    require_same_report(
        empty, churn, actual="churned", positive="yes", score=["logistic"], weight="visits",
        segment="region",
    )  # fmt: skip


def test_real_weights_are_importances(empty, churn, tmp_path):
    header, *lines = churn.read_text().splitlines()[:600]
    weighted = [f"{line},{1 + index % 7 / 3:.4f}" for index, line in enumerate(lines)]
    path = tmp_path / "weighted.csv"
    path.write_text("\n".join([f"{header},importance", *weighted]))
    require_same_report(
        empty, path, actual="churned", positive="yes", score=["logistic", "boosting"],
        weight="importance", segment="region",
    )  # fmt: skip


@pytest.mark.parametrize("missing", ["drop", "reject"])
def test_rows_without_a_score_are_treated_as_the_reader_chooses(empty, tmp_path, missing):
    path = ugly_files.missing_predictions(tmp_path / "missing.csv")
    score = ["old model", "new model"] if missing == "drop" else ["new model"]
    opened(empty, path)
    choose(empty, actual="churned", score=score)
    empty.click("#show")
    empty.wait_for_selector("label[for=missing]:not([hidden])")
    assert "scores in “new model” are missing (first: rows 1, 51 and 101)." in empty.text_content(
        "#problem"
    )
    empty.select_option("#missing", missing)
    library, rankings = library_document(path, actual="churned", score=score, missing=missing)
    require_equal(shown_document(empty), library, rankings)


def test_a_german_export_with_decimal_commas_in_another_encoding(empty, tmp_path):
    path = ugly_files.german_export(tmp_path / "export.csv")
    require_same_report(
        empty, path, actual=ugly_files.CLASS, positive="Ja", score=["Modell A", "Modell B"],
        segment="Straße, Region",
    )  # fmt: skip


def test_percent_signs_and_decimal_commas(empty, tmp_path):
    path = ugly_files.percent_signs(tmp_path / "mailing.csv")
    require_same_report(
        empty, path, actual="took offer", positive="Yes", score=["model score"],
        weight="letters sent",
    )  # fmt: skip


def test_unicode_text_of_a_spreadsheet(empty, tmp_path):
    path = ugly_files.unicode_text(tmp_path / "churn.txt")
    opened(empty, path)
    choose(empty, actual="has churned", positive="Yes", score=["old model", "new model"])
    csv_path = tmp_path / "churn.csv"
    csv_path.write_bytes(path.read_bytes())
    library, rankings = library_document(
        csv_path, actual="has churned", positive="Yes", score=["old model", "new model"]
    )
    require_equal(shown_document(empty), library, rankings)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A file of 100,000 rows with 100,000 different scores."""
    random = np.random.default_rng(12)
    signal = random.normal(size=100_000)
    actual = random.random(100_000) < 1 / (1 + np.exp(3 - signal))
    scores = signal + random.normal(size=100_000)
    path = tmp_path_factory.mktemp("large") / "large.csv"
    path.write_text(
        "\n".join(
            ["actual,score", *(f"{int(a)},{s!s}" for a, s in zip(actual, scores, strict=True))]
        )
    )
    return path


def test_100000_rows_give_the_document_of_the_library(empty, large):
    library, rankings = library_document(large, actual="actual", score=["score"])
    opened(empty, large)

    require_equal(shown_document(empty), library, rankings)


def test_a_file_can_be_dropped_and_the_page_can_be_opened_again(empty):
    transfer = empty.evaluate_handle(
        """(text) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([text], "dropped.csv"));
            return transfer;
        }""",
        "sick;marker\n1;2,5\n0;1,5\n1;0,5\n0;0,25\n1;3\n0;1\n",
    )
    empty.dispatch_event("#drop", "drop", {"dataTransfer": transfer})
    empty.wait_for_selector("#columns:not([hidden])")
    assert empty.text_content("#columns h2") == "dropped.csv: 6 rows, 2 columns"
    choose(empty, score=["marker"])
    assert shown_document(empty)["models"][0]["thresholds"] == ["inf", 3, 2.5, 1.5, 1, 0.5, 0.25]
    empty.click("#another")
    empty.wait_for_selector("html[data-ready=choose]", state="attached")
    assert empty.is_visible("#drop")


def test_cells_of_a_spreadsheet_can_be_pasted(empty):
    paste(empty, "class\tscore\nyes\t0.9\nno\t0.2\nyes\t0.6\nno\t0.7\n")
    empty.wait_for_selector("#columns:not([hidden])")
    assert empty.text_content("#columns h2") == "The pasted table: 4 rows, 2 columns"
    choose(empty, positive="yes")
    document = shown_document(empty)
    assert document["models"][0]["summaries"][0]["value"] == 0.75


def paste(page, text):
    page.evaluate("document.querySelector('#drop details').open = true")
    page.fill("#paste", text)
    page.click("#read-paste")


def test_the_positive_class_is_never_guessed_for_words(empty, churn):
    opened(empty, churn)
    empty.click("#show")
    assert problem(empty) == "Which class of “churned” is positive? Choose it."
    assert empty.is_visible("#columns")


def problem(page):
    page.wait_for_selector("#problem:not(:empty)")
    return page.text_content("#problem")


ROWS = "actual,p\n1,0.9\n0,0.2\n1,0.6\n0,0.7\n"
PROBLEMS = {
    "an empty file": (b"", "table.csv is empty."),
    "only a header": (b"actual,p\n", "table.csv has a line of names but no rows."),
    "a spreadsheet": (b"PK\x03\x04 sheet", "a spreadsheet or an archive: save the table as a CSV"),
    "a picture": (b"\x89PNG\r\n\x00\x00\x00\x0d", "table.csv is not a text file"),
    "prose": (b"Dear reader,\n\nthis is a letter.\n", "line 3: it has 1 column and should have 2"),
    "a single line": (b"nothing but words", "table.csv has a single line and no columns"),
    "a missing cell": (
        b"actual,p,q\n1,0.9,1\n0,0.2\n",
        "table.csv, line 3: it has 2 columns and should have 3 (in '0,0.2').",
    ),
    "an open quote": (b'actual,p\n1,"0.9\n0,0.2\n', "A quote in line 2 is not closed"),
    "no class of two values": (b"a,p\nx,0.1\nx,0.2\nx,0.3\n", "No column has two values"),
    "no numbers": (b"a,b\nx,u\ny,v\n", "No column of numbers could be a score."),
    "Cyrillic in an old encoding": (
        "a,p\nПривет,1\nмир,2\n".encode("cp1251"),
        "table.csv is not encoded in UTF-8",
    ),
    "commas between commas": (
        b'actual,p\n1,"0,9"\n0,"0,2"\n1,"0,6"\n',
        "look like '0,2' (decimal comma)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_bad_file_is_explained_in_a_sentence_and_the_page_stays_usable(empty, tmp_path, name):
    content, sentence = PROBLEMS[name]
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    empty.set_input_files("#file", path)
    assert sentence in problem(empty)
    path.write_text(ROWS)
    opened(empty, path)
    assert empty.text_content("#problem") == ""
    assert shown_document(empty)["lead"] == "4 rows: 2 “1” and 2 “0”."


LATER_PROBLEMS = {
    "one class with scores": (
        "actual,p\n1,0.9\n0,\n1,0.6\n0,NA\n",
        {"score": ["p"], "missing": "drop"},
        "There is nothing to tell apart: all rows with a score in “p” are “1”.",
    ),
    "negative weights": (
        "actual,p,w\n1,0.9,1\n0,0.2,2\n1,0.6,3\n0,0.7,nan\n",
        {"weight": "w"},
        "1 of 4 weights is missing or infinite (first: row 4).",
    ),
    "no scores": (ROWS, {"score": ["none"]}, "Choose at least one column of scores."),
    "two columns of a name": (
        "actual,p,p\n1,0.9,0.1\n0,0.2,0.3\n1,0.6,0.5\n",
        {"score": ["p"]},
        "has several columns called “p”: rename them.",
    ),
}


@pytest.mark.parametrize("name", LATER_PROBLEMS)
def test_rows_that_cannot_be_evaluated_are_explained(empty, tmp_path, name):
    text, clicks, sentence = LATER_PROBLEMS[name]
    path = tmp_path / "table.csv"
    path.write_text(text)
    opened(empty, path)
    choose(empty, **clicks)
    empty.click("#show")
    empty.locator("#problem").filter(has_text=sentence).wait_for()
    assert empty.is_visible("#columns")


def test_a_value_far_down_that_is_no_number_is_named(empty, tmp_path):
    """Columns are offered by their first 100,000 rows."""
    path = tmp_path / "long.csv"
    rows = [f"{row % 2},0.{row % 997}" for row in range(100_001)]
    path.write_text("\n".join(["actual,p", *rows, "1,unknown"]))
    opened(empty, path)
    assert empty.text_content("#columns h2") == "long.csv: more than 100,000 rows, 2 columns"
    empty.click("#show")
    assert problem(empty) == "“p” must hold numbers, but 'unknown' in row 100,002 is not a number."


def test_a_file_that_is_too_large_is_refused(empty):
    sentence = empty.evaluate(
        "() => TextSource.open({ size: 6e8 }, 'huge.csv').catch(({ message }) => message)"
    )
    assert sentence == (
        "huge.csv has 600 MB; this page reads up to 500 MB. `tradeoff report` writes the same page "
        "from a file of any size."
    )


def test_ten_thousand_columns_can_be_searched(empty, tmp_path):
    random = np.random.default_rng(13)
    path = tmp_path / "wide.csv"
    names = ["outcome", *(f"feature {i}" for i in range(9_998)), "risk"]
    values = [[i % 2, *np.round(random.normal(size=9_999), 2)] for i in range(12)]
    path.write_text("\n".join([",".join(names), *(",".join(map(str, row)) for row in values)]))
    opened(empty, path)
    assert empty.text_content("#columns h2") == "wide.csv: 12 rows, 10,000 columns"
    empty.fill("#score-filter", "risk")
    (box,) = empty.query_selector_all(".score-list input:not(:checked)")
    box.check()
    choose(empty, actual="outcome")
    assert [model["name"] for model in shown_document(empty)["models"]] == ["risk"]


INJECTED = "u, img, main script"
EVIL = [
    "<img src=x onerror=alert(1)>",
    "\u202eright to left",
    "a\x1b[31m\x07 bell",
    "\u200fשם",
    "👩‍⚕️",
]


def test_names_are_only_ever_text(empty, tmp_path):
    path = tmp_path / "evil <u>.csv"
    names = [f'"{name}"' for name in ("<script>alert(1)</script>", *EVIL)]
    rows = [
        ",".join([f'"<u>{"ab"[row % 2]}</u>"', *(str((row * 7 + i) % 11 / 11) for i in range(5))])
        for row in range(22)
    ]
    path.write_text("\n".join([",".join(names), *rows]), encoding="utf-8")
    opened(empty, path)
    assert empty.query_selector(INJECTED) is None
    choose(empty, positive="<u>a</u>", segment=names[0].strip('"'))
    document = shown_document(empty)
    assert [model["name"] for model in document["models"]] == EVIL
    assert empty.query_selector(INJECTED) is None


def test_the_page_without_data_has_no_accessibility_problems(empty, churn):
    from axe_playwright_python.sync_playwright import Axe

    assert not Axe().run(empty).response["violations"]
    opened(empty, churn)
    assert not Axe().run(empty).response["violations"]


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_nothing_is_wider_than_the_window(window, judge, churn, width):
    page = window.show(judge)
    page.set_viewport_size({"width": width, "height": 800})
    opened(page, churn)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 900})
