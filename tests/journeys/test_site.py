"""The site: it builds without a warning, and all that its pages point to is there."""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from click.testing import CliRunner

import tradeoff as to
from tradeoff.cli.program import COMMANDS, main

ROOT = Path(__file__).parents[2]
PLACE = importlib.util.spec_from_file_location("reference_pages", ROOT / "docs/reference_pages.py")
PAGES = importlib.util.module_from_spec(PLACE)
sys.modules["reference_pages"] = PAGES  # dataclasses look their module up
PLACE.loader.exec_module(PAGES)


class Page(HTMLParser):
    """What a page points to, and the places in it that can be pointed to."""

    def __init__(self, path):
        super().__init__()
        self.path = path
        self.targets = []
        self.loaded = []
        self.places = {"", "__top"}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.places |= {attributes[key] for key in ("id", "name") if attributes.get(key)}
        self.targets += [attributes[key] for key in ("href", "src") if attributes.get(key)]
        if tag in {"script", "img", "link", "iframe"}:
            self.loaded += [attributes[key] for key in ("href", "src") if attributes.get(key)]


def is_inside(target):
    return not urlsplit(target).scheme and not urlsplit(target).netloc


def broken(page, pages):
    """Targets inside the site that lead nowhere."""
    targets = []
    for target in filter(is_inside, page.targets):
        parts = urlsplit(target)
        path = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
        anchors = pages[path].places if path in pages else {""}
        if not path.exists() or unquote(parts.fragment) not in anchors:
            targets.append(f"{page.path.name}: {target}")
    return targets


def root_of(site):
    return Path(os.path.commonpath(site))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("zensical", reason="it builds the site, and is for development alone")
    folder = tmp_path_factory.mktemp("checkout").resolve()
    shutil.copy(ROOT / "mkdocs.yml", folder)
    shutil.copytree(ROOT / "docs", folder / "docs")
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    pages = (folder / "site").rglob("*.html")
    # The page of unknown addresses is served anywhere, so it alone points to the site's root.
    return {path: Page(path) for path in pages if path.name != "404.html"}


def test_every_page_of_docs_is_on_the_site(site):
    docs = ROOT / "docs"
    published = {page.relative_to(root_of(site)) for page in site}
    written = {path.relative_to(docs).with_suffix(".html") for path in docs.rglob("*.md")}

    assert published == written


def test_every_link_and_asset_of_a_page_exists(site):
    assert [target for page in site.values() for target in broken(page, site)] == []


def test_pages_load_nothing_from_other_sites(site):
    loaded = {target for page in site.values() for target in page.loaded}

    assert {target for target in loaded if not is_inside(target)} == set()


def test_scripts_that_make_the_docs_are_not_published(site):
    assert list(root_of(site).rglob("*.py")) == []


@pytest.mark.parametrize(
    "words",
    [
        "decision curve",
        "lift chart",
        "STARD",
        "fairness",
        "response rate",
        "confidence interval",
        "cut-off",
        "Excel",
        "churn",
    ],
)
def test_search_finds_a_page_that_shows_how(words, site):
    index = json.loads((root_of(site) / "search.json").read_text(encoding="utf-8"))
    pages = {
        item["location"].partition("#")[0]
        for item in index["items"]
        if words.casefold() in f"{item['title']} {item['text']}".casefold()
    }

    assert [page for page in pages if page.startswith(("start/", "how-to/"))]


def sentences(page):
    """Sentences, headings, table cells and list items of more than three words; examples apart."""
    prose = re.sub(r"^```.*?^```$", "\n\n", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    prose = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", prose)
    parts = re.split(r"(?<=[.:;?!])\s|\n\s*\n|\n[-#]+ |\|", prose)
    words = (tuple(re.findall(r"\w+", part.casefold())) for part in parts)
    return {" ".join(part) for part in words if len(part) > 3}


def test_the_readme_and_the_home_page_share_no_sentence():
    readme, home = sentences(ROOT / "README.md"), sentences(ROOT / "docs" / "index.md")

    assert "evaluate classifiers and decide where to put the line" in readme
    assert "if you read only one page read why a ranking is enough" in home
    assert readme & home == set()


@pytest.fixture
def folder_of_examples(tmp_path):
    """A folder with the example data sets, and the files that other examples write."""
    for data in to.datasets.by_name.values():
        data.save(tmp_path / data.file)
    for name in ("part.ranking", "other.ranking"):
        to.evaluate(actual=[0, 1], score=[0.2, 0.7]).ranking.save(tmp_path / name)
    return tmp_path


def test_every_command_has_an_example():
    assert set(PAGES.EXAMPLES) == set(COMMANDS)


@pytest.mark.parametrize("command", list(COMMANDS))
def test_the_example_of_a_command_runs(command, folder_of_examples, monkeypatch):
    monkeypatch.chdir(folder_of_examples)

    done = CliRunner().invoke(main, [command, *shlex.split(PAGES.EXAMPLES[command])])

    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.strip() != ""
