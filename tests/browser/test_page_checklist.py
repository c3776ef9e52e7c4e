"""The checklist of a reporting guideline, in a tab of its own."""

import pytest

from browser.reports import bleeding

pytestmark = pytest.mark.browser


def test_a_checklist_has_a_tab_with_its_items(opened, tmp_path):
    path = tmp_path / "r.html"
    bleeding().report(path, checklist="stard-ai")
    page = opened(path).page
    page.get_by_role("tab", name="Checklist").click()
    rows = page.locator("#part-checklist tbody tr")

    assert rows.count() > 30
    assert "113" in page.locator("#part-checklist").inner_text()


def test_without_a_checklist_there_is_no_tab(opened, tmp_path):
    path = tmp_path / "r.html"
    bleeding().report(path)

    assert opened(path).page.get_by_role("tab", name="Checklist").count() == 0
