"""Rankings and pages that tests of the report share."""

import json
from html.parser import HTMLParser

import numpy as np
from packed_documents import unpacked

from tradeoff.core.ranking import Ranking


def ranking_of(rows, prevalence=0.1, seed=0, name="score"):
    random = np.random.default_rng(seed)
    positive = random.random(rows) < prevalence
    return Ranking.of(random.normal(size=rows) + 1.5 * positive, positive, name=name)


def report_of(evaluation, **choices):
    return evaluation._page_document(**choices)


class Scripts(HTMLParser):
    """The elements of a page, and the text of each script and style."""

    def __init__(self, text):
        super().__init__()
        self.found, self.tags, self.inside = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag in {"script", "style"}:
            self.inside = (tag, dict(attrs), [])

    def handle_data(self, data):
        if self.inside:
            self.inside[2].append(data)

    def handle_endtag(self, tag):
        if self.inside and tag == self.inside[0]:
            self.found.append((*self.inside[:2], "".join(self.inside[2])))
            self.inside = None

    def document(self):
        """The document of a page, decoded."""
        return self._unpacked("document")

    def program(self):
        """The program of a page, decoded."""
        return self._unpacked("program")

    def _unpacked(self, name):
        text = next(text for _, attrs, text in self.found if attrs.get("id") == name)
        return unpacked(json.loads(text))
