"""The tutorial has pictures that are told in words, and leads on."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TUTORIAL = ROOT / "docs" / "tutorial"
PAGES = sorted(TUTORIAL.glob("*.md"))
PICTURES = sorted((TUTORIAL / "pictures").glob("*.png"))
LARGEST = 80_000
"""Bytes of a picture: pictures are part of every clone."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_picture_has_a_long_alternative_text(page):
    captions = re.findall(r"!\[([^\]]*)\]", page.read_text())

    assert [words for words in captions if len(words) < 60] == []


def test_there_is_a_tutorial():
    assert len(PAGES) == 7
    assert PICTURES


def test_every_picture_is_shown_on_a_page():
    text = "".join(page.read_text() for page in PAGES)

    assert {picture.name for picture in PICTURES} == set(re.findall(r"\(pictures/(.*?)\)", text))


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.stem)
def test_pictures_are_small(picture):
    assert picture.stat().st_size < LARGEST


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_ends_with_links_to_the_tutorial_and_the_reference(page):
    last = page.read_text().rstrip().rpartition("\n\n")[2]

    assert re.search(r"\]\([\w-]+\.md\)", last)  # another page of the tutorial
    assert re.search(r"\]\(\.\./(how-to|reference)/[\w-]+\.md\)", last)
