"""The page without data: what is in it, and what is not in other reports."""

import re

import pytest

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.report import page
from tradeoff.report.empty_page import EMPTY_PAGE_SCRIPTS, empty_document, empty_page_html


def test_what_does_not_depend_on_rows_is_in_the_document():
    document = empty_document()
    assert document["empty"]
    assert document["models"] == []
    summaries = {summary["name"]: summary["label"] for summary in document["summaries"]}
    assert (summaries["auc"], summaries["brier"]) == ("AUC", "Brier score")
    assert {metric["name"] for metric in document["metrics"]} == set(to.METRICS)
    assert document["kolmogorov"] == pytest.approx(1.3581, abs=1e-4)


def test_charts_have_placeholders_for_names():
    charts = empty_document()["charts"]
    assert charts["named"]["roc"]["y"]["label"] == "True positive rate (recall of '⟦positive⟧')"
    assert charts["generic"]["roc"]["y"]["label"] == "True positive rate (recall)"
    assert charts["named"]["ks"]["x"]["kind"] == charts["named"]["scores"]["x"]["kind"] == "score"
    assert charts["probabilities"] == ["net_benefit", "calibration"]


def test_only_the_page_without_data_has_the_scripts_that_read_tables():
    assert set(EMPTY_PAGE_SCRIPTS).isdisjoint(page.SCRIPTS)
    assert all(page.page_file(name) for name in EMPTY_PAGE_SCRIPTS)


def test_the_page_without_data_has_the_same_strict_policy_and_is_small():
    text = empty_page_html()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "connect-src" not in policy
    assert "enable scripts" in text
    assert not re.search(r'(src|href)="https?:', text)
    assert len(text) < 250_000


def test_the_page_without_data_is_written_as_html(tmp_path):
    to.page(tmp_path / "judge.html")
    assert (tmp_path / "judge.html").read_text().startswith("<!doctype html>")
    with pytest.raises(InputError, match=r"should end in \.html, not \.csv"):
        to.page(tmp_path / "judge.csv")
