"""The HTML page of a report: what it may run and load, and how it is written."""

import base64
import hashlib
import re

import pytest
from report_cases import Scripts, ranking_of, report_of

import tradeoff as to
from tradeoff.errors import InputError, StorageError
from tradeoff.report import page

EVIL = "</script><img src=x onerror=alert(1)>"


def test_names_from_data_are_only_ever_inside_the_document():
    actual = [EVIL, "no", EVIL, "no"]
    scores = {
        EVIL: [0.1, 0.4, 0.35, 0.8],
        "{{script}}": [1, 2, 3, 4],
        "\u2028]]><!--": [4, 3, 2, 1],
    }
    e = to.evaluate(actual=actual, score=scores, positive=EVIL, segment=[EVIL, "$&", "{{x}}", "'"])
    text = page.page_html(report_of(e, title=EVIL))
    parsed = Scripts(text)

    assert "img" not in parsed.tags
    assert parsed.tags.count("script") == 3  # the loader, the program and the document
    assert [model["name"] for model in parsed.document()["models"]] == list(scores)
    assert parsed.document()["positive"] == EVIL


def test_the_content_security_policy_allows_only_the_pages_style_and_scripts():
    e = to.evaluate(actual=[0, 1], score=[0.1, 0.4])
    text = page.page_html(report_of(e))
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1]
    scripts = Scripts(text)
    inline = {tag: body for tag, attrs, body in scripts.found if not attrs}

    def source(text):
        digest = hashlib.sha256(text.encode()).digest()
        return f"'sha256-{base64.b64encode(digest).decode()}'"

    sources = f"{source(inline['script'])} {source(scripts.program())}"
    assert f"script-src {sources}; style-src {source(inline['style'])};" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_the_page_is_small_whatever_the_number_of_rows():
    e = to.Evaluation({n: ranking_of(200_000, seed=i, name=n) for i, n in enumerate("abc")})

    assert len(page.page_html(report_of(e)).encode()) <= 300_000


def test_the_page_loads_nothing_from_the_network():
    text = page.page_html(report_of(to.evaluate(actual=[0, 1], score=[0.1, 0.4])))
    addresses = set(re.findall(r"https?://[^\s\"'<>)]+", text))

    assert addresses <= {"http://www.w3.org/2000/svg"}


def test_a_notebook_gets_a_frame_that_may_only_run_its_script():
    e = to.evaluate(actual=[EVIL, "no"], score=[0.1, 0.4], positive=EVIL)
    html = e.page()._repr_html_()

    assert html.startswith('<iframe sandbox="allow-scripts"')
    assert Scripts(html).tags == ["iframe"]


def test_a_page_is_written_whole_or_not_at_all(tmp_path):
    e = to.evaluate(actual=[0, 1], score=[0.1, 0.4])
    with pytest.raises(StorageError, match="is a directory: name a file"):
        e.report(tmp_path)
    with pytest.raises(StorageError, match="cannot be written: No such file or directory"):
        e.report(tmp_path / "nowhere" / "report.html")
    assert list(tmp_path.iterdir()) == []
    e.report(tmp_path / "report.html")
    e.report(tmp_path / "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_report_is_refused_a_file_name_of_another_type(tmp_path):
    e = to.evaluate(actual=[0, 1], score=[0.1, 0.4])
    with pytest.raises(InputError, match=r"should end in \.html, not \.pdf"):
        e.report(tmp_path / "report.pdf")


def test_the_same_rows_give_the_same_page():
    e = to.evaluate(actual=[0, 1, 0, 1, 1], score=[0.1, 0.4, 0.35, 0.8, 0.3])

    assert page.page_html(report_of(e)) == page.page_html(report_of(e))
