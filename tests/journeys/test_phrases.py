"""Code, messages and pages keep to the profession's words: phrases.txt lists what not to write."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUFFIXES = {".css", ".html", ".js", ".json", ".md", ".py", ".R"}
PHRASES = [
    line.split("\t")
    for line in (Path(__file__).parent / "phrases.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
TEXTS = sorted(
    path
    for folder in ("src", "docs")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in SUFFIXES
) + sorted(ROOT.glob("*.md"))


@pytest.mark.parametrize(("pattern", "advice"), PHRASES)
def test_no_text_has_a_phrase_that_no_professional_would_write(pattern, advice):
    phrase = re.compile(pattern, re.IGNORECASE)
    places = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in TEXTS
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if phrase.search(line)
    ]

    assert places == [], f"write instead: {advice}"


@pytest.mark.parametrize(
    "sentence",
    [
        "Rows are drawn again.",
        "the honest value",
        "95 % interval",
        "surely apart",
        "the output will tell",
        "Before you read on",
        "rows called so",
        "What speaks against trusting these rows",
    ],
)
def test_the_patterns_find_what_they_are_for(sentence):
    assert any(re.search(pattern, sentence, re.IGNORECASE) for pattern, _ in PHRASES)
