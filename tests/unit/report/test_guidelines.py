"""The inventories of reporting guidelines are those of the published checklists."""

import re

import pytest

from tradeoff.report.checklist import FACTS
from tradeoff.report.guidelines import GUIDELINES

STARD_LETTERS = {15: "abcd", 16: "abc", 17: "ab", 26: "ab", 40: "ab"}
TRIPOD_LETTERS = {3: "abc", 5: "ab", 6: "abc", 8: "abc", 9: "abc", 12: "abcdefg", 18: "abcdef"} | {
    20: "abc",
    23: "ab",
    27: "abc",
}


@pytest.mark.parametrize(
    ("name", "last", "letters"),
    [("stard-ai", 40, STARD_LETTERS), ("tripod-ai", 27, TRIPOD_LETTERS)],
)
def test_items_are_numbered_as_published(name, last, letters):
    numbers = [
        f"{number}{letter}" for number in range(1, last + 1) for letter in letters.get(number, [""])
    ]

    assert [item.number for item in GUIDELINES[name].items] == numbers


@pytest.mark.parametrize("name", GUIDELINES)
def test_every_item_says_what_to_state_and_the_source_is_cited(name):
    guideline = GUIDELINES[name]

    for item in guideline.items:
        assert item.topic
        assert re.fullmatch(r"[A-Z].*\.", item.advice), item
        assert set(item.facts) <= FACTS.keys()
    assert "doi:10." in guideline.source


def test_every_fact_is_used():
    used = {
        fact for guideline in GUIDELINES.values() for item in guideline.items for fact in item.facts
    }

    assert used == FACTS.keys()
