"""The report without a browser: which thresholds it keeps, what it holds, how it is written."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.models import RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, StorageError
from tradeoff.measures.registry import SUMMARIES
from tradeoff.report import document, page
from tradeoff.report.stops import FEW, PIXELS, shapes, stops

EVIL = "</script><img src=x onerror=alert(1)>"


def ranking_of(rows, prevalence=0.1, seed=0, name="score"):
    random = np.random.default_rng(seed)
    positive = random.random(rows) < prevalence
    return Ranking.of(random.normal(size=rows) + 1.5 * positive, positive, name=name)


def report_of(evaluation, **choices):
    return evaluation._page(**choices)


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
        return json.loads(next(text for _, attrs, text in self.found if attrs.get("id")))


# ---- stops


def test_few_thresholds_are_all_kept():
    assert stops(ranking_of(FEW)).tolist() == list(range(FEW + 1))


@pytest.mark.parametrize(("rows", "prevalence"), [(5_000, 0.5), (200_000, 0.1), (200_000, 0.001)])
def test_no_chart_is_off_by_more_than_half_a_pixel(rows, prevalence):
    ranking = ranking_of(rows, prevalence)
    kept = stops(ranking)
    assert len(kept) < 700
    stretch = np.minimum(np.searchsorted(kept, np.arange(len(ranking)), "right") - 1, len(kept) - 2)
    for x, y in shapes(ranking):
        points = np.column_stack([x, y])
        start, end = points[kept[stretch]], points[kept[stretch + 1]]
        along = end - start
        length = (along**2).sum(axis=1)
        reached = ((points - start) * along).sum(axis=1) / np.where(length, length, 1)
        off = points - start - np.clip(reached, 0, 1)[:, None] * along
        assert np.hypot(*off.T).max() * PIXELS <= 0.5


def test_what_can_be_cheapest_and_what_was_chosen_is_kept():
    ranking = ranking_of(50_000)
    kept = set(stops(ranking, [0.3, -np.inf]).tolist())

    assert set(ranking.hull_places.tolist()) <= kept
    assert ranking.index(0.3) in kept
    assert {0, 1, len(ranking) - 1} <= kept


@pytest.mark.parametrize("positive", [True, False])
def test_one_class_of_many_scores_has_stops_too(positive):
    scores = np.arange(3000.0)
    kept = stops(Ranking.of(scores, np.full(3000, positive)))

    assert kept[0] == 0
    assert kept[-1] == 3000


# ---- the document


def test_counts_at_stops_are_those_of_the_ranking():
    ranking = ranking_of(30_000)
    model = report_of(to.Evaluation({"m": ranking}))["models"][0]
    found, alarms = np.cumsum(model["found"]), np.cumsum(model["alarms"])

    assert model["thresholds"][0] == "inf"
    for threshold, tp, fp in zip(model["thresholds"][1:], found[1:], alarms[1:], strict=True):
        matrix = ranking.at(threshold)
        assert (tp, fp) == (matrix.true_positives, matrix.false_positives)
    assert model["thinned"]
    assert model["distinct"] == 30_000


def test_summaries_mix_their_class_means_at_any_prevalence():
    random = np.random.default_rng(1)
    actual = random.random(500) < 0.3
    score = np.clip(random.normal(0.4 + 0.2 * actual, 0.2), 0.01, 0.99)
    e = to.evaluate(actual=actual, score=score)
    summaries = {s["name"]: s for s in report_of(e)["models"][0]["summaries"]}

    for name in ("brier", "log_loss"):
        positive, negative = summaries[name]["means"]
        for prevalence in (0.02, 0.6):
            wanted = SUMMARIES[name](e.ranking.at_prevalence(prevalence))
            assert prevalence * positive + (1 - prevalence) * negative == pytest.approx(wanted)


def test_segments_are_counted_at_the_stops_of_their_model():
    random = np.random.default_rng(2)
    actual, score = random.random(5000) < 0.4, random.random(5000)
    part = np.where(random.random(5000) < 0.2, "small", "large")
    e = to.evaluate(actual=actual, score=score, segment=part)
    model = report_of(e)["models"][0]

    assert [s["name"] for s in model["segments"]] == ["large", "small"]
    for segment in model["segments"]:
        own = part == segment["name"]
        for at in (1, 40, len(model["thresholds"]) - 1):
            called = own & (score >= model["thresholds"][at])
            assert sum(segment["found"][: at + 1]) == (called & actual).sum()
            assert sum(segment["alarms"][: at + 1]) == (called & ~actual).sum()


def test_folds_bring_their_curves_average_and_band():
    random = np.random.default_rng(3)
    actual = random.random(600) < 0.5
    e = to.evaluate(actual=actual, score=random.random(600) + actual / 2, fold=np.arange(600) % 5)
    folds = report_of(e)["models"][0]["folds"]

    assert len(folds["curves"]) == 5
    assert folds["average"]["y"][-1] == 1
    assert (np.array(folds["band"]["low"]) <= folds["band"]["high"]).all()
    assert "vertical average" in folds["about"]


def test_folds_that_all_agree_bring_no_band():
    actual = np.arange(40) % 2
    folds = report_of(to.evaluate(actual=actual, score=actual, fold=np.arange(40) // 10))

    assert folds["models"][0]["folds"]["band"] is None


def test_a_comparison_brings_differences_and_its_absence_is_told():
    random = np.random.default_rng(4)
    actual = random.random(200) < 0.5
    scores = {"a": random.random(200) + actual, "b": random.random(200)}
    e, c = (f(actual=actual, score=scores) for f in (to.evaluate, to.compare))
    difference = c.difference("a", "b")
    shown = report_of(e, comparison=c)["comparison"]["differences"]

    assert [(d["first"], d["second"]) for d in shown] == [("a", "b")]
    assert (shown[0]["value"], shown[0]["low"]) == (difference.value, difference.low)
    without = report_of(e)
    assert without["comparison"] is None
    assert "Differences with intervals need the rows" in without["models_about"]


def test_of_very_many_pairs_those_with_the_best_are_shown():
    random = np.random.default_rng(5)
    actual = random.random(60) < 0.5
    scores = {f"m{i}": random.random(60) + actual * (i == 7) for i in range(15)}
    c = to.compare(actual=actual, score=scores)
    shown = report_of(to.evaluate(actual=actual, score=scores), comparison=c)["comparison"]

    assert len(shown["differences"]) == 14
    assert all("m7" in (d["first"], d["second"]) for d in shown["differences"])
    assert "Of 105 pairs" in shown["about"]


def test_given_costs_open_the_page_and_contact_is_part_of_what_is_called():
    costs = to.Costs(contact=2, true_positive=-30, fixed=100)
    e = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8], costs=costs)

    assert report_of(e)["costs"] == {
        "fp": 2,
        "fn": 0,
        "tp": -28,
        "tn": 0,
        "rp": 0,
        "rn": 0,
        "fixed": 100,
    }


def test_costs_by_row_are_told_not_to_be_on_the_page():
    costs = to.Costs(false_negative=np.array([1.0, 5, 2, 7]))
    e = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8], costs=costs)
    found = report_of(e)

    assert found["costs"]["fn"] == 1
    assert any("differ from row to row" in told for told in found["warnings"])


UGLY = {
    "one row": {"actual": [1], "score": [0.3]},
    "one class": {"actual": [0, 0, 0], "score": [0.1, 0.2, 0.3]},
    "all tied": {"actual": [0, 1, 0, 1], "score": [2.0, 2, 2, 2]},
    "infinite scores": {"actual": [0, 1, 0, 1], "score": [-np.inf, 1, np.inf, 3]},
    "huge scores": {"actual": [0, 1, 0, 1], "score": [-1e308, 1e308, 5e-324, 0]},
    "weights": {"actual": [0, 1, 0, 1], "score": [0.1, 0.9, 0.4, 0.3], "weight": [0.5, 2, 1, 0.25]},
    "rejected": {"actual": [0, 1, 0, 1], "score": [0.1, np.nan, 0.4, 0.3], "missing": "reject"},
    "all rejected": {"actual": [0, 1], "score": [np.nan, np.nan], "missing": "reject"},
    "low is positive": {"actual": [0, 1, 0], "score": [3, 1, 2], "lower_is_positive": True},
}


@pytest.mark.parametrize("kind", UGLY)
def test_ugly_rows_make_a_page_too(kind, tmp_path):
    path = tmp_path / "report.html"
    to.evaluate(**UGLY[kind]).report(path)

    text = path.read_text()
    assert Scripts(text).document()["schema"] == "tradeoff/report/1"
    assert "NaN" not in json.dumps(Scripts(text).document())


def test_no_intervals_are_no_obstacle():
    e = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
    found = document.report(e.models, confidence=None)

    assert "low" not in found["models"][0]["summaries"][0]


def test_a_report_needs_a_model():
    with pytest.raises(InputError, match="at least one model"):
        document.report(RankedModels({}))


@pytest.mark.parametrize("prevalence", [2, -0.5, 0, 1, float("nan")])
def test_a_prevalence_is_a_share_between_none_and_all(prevalence):
    e = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
    with pytest.raises(InputError, match="prevalence"):
        report_of(e, prevalence=prevalence)


def test_costs_and_prevalence_may_be_given_to_the_report_itself():
    e = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
    found = report_of(e, prevalence=0.02, costs=to.Costs(false_negative=9))

    assert (found["prevalence"], found["costs"]["fn"]) == (0.02, 9)


def test_scores_that_the_line_does_not_part_begin_at_youdens_threshold():
    actual = [0, 1, 0, 1]
    e = to.evaluate(actual=actual, score={"p": [0.1, 0.4, 0.35, 0.8], "q": [10, 40, 35, 80]})
    first, second = report_of(e)["models"]

    assert first["opening"] is None
    assert second["opening"] == e["q"].best("youden").threshold == 40


def test_sums_of_weights_are_not_called_rows():
    e = to.evaluate(actual=[0, 1, 1], score=[0.1, 0.4, 0.2], weight=[0.5, 0.25, 0.5])
    found = report_of(e)

    assert found["lead"] == "3 rows of weight 1.25: 0.75 “1” and 0.5 “0”."
    assert found["unit"] == "units of weight"


# ---- the page


def test_names_from_data_are_only_ever_inside_the_document():
    actual = [EVIL, "no", EVIL, "no"]
    scores = {
        EVIL: [0.1, 0.4, 0.35, 0.8],
        "{{script}}": [1, 2, 3, 4],
        "\u2028]]><!--": [4, 3, 2, 1],
    }
    e = to.evaluate(actual=actual, score=scores, positive=EVIL, segment=[EVIL, "$&", "{{x}}", "'"])
    text = page.page(report_of(e, title=EVIL))
    parsed = Scripts(text)

    assert "img" not in parsed.tags
    assert parsed.tags.count("script") == 2
    assert [model["name"] for model in parsed.document()["models"]] == list(scores)
    assert parsed.document()["positive"] == EVIL


def test_the_policy_allows_this_style_and_script_alone():
    e = to.evaluate(actual=[0, 1], score=[0.1, 0.4])
    text = page.page(report_of(e))
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1]
    inline = {tag: body for tag, attrs, body in Scripts(text).found if not attrs}
    for tag, name in (("script", "script-src"), ("style", "style-src")):
        digest = base64.b64encode(hashlib.sha256(inline[tag].encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_the_page_is_small_whatever_the_number_of_rows():
    e = to.Evaluation({n: ranking_of(200_000, seed=i, name=n) for i, n in enumerate("abc")})

    assert len(page.page(report_of(e)).encode()) <= 300_000


def test_nothing_on_the_page_is_remote():
    text = page.page(report_of(to.evaluate(actual=[0, 1], score=[0.1, 0.4])))
    addresses = set(re.findall(r"https?://[^\s\"'<>)]+", text))

    assert addresses <= {"http://www.w3.org/2000/svg"}


def test_a_notebook_gets_a_frame_that_may_only_run_its_script():
    e = to.evaluate(actual=[EVIL, "no"], score=[0.1, 0.4], positive=EVIL)
    shown = e._repr_html_()

    assert shown.startswith('<iframe sandbox="allow-scripts"')
    assert Scripts(shown).tags == ["iframe"]


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


def test_a_page_is_not_written_under_the_name_of_something_else(tmp_path):
    e = to.evaluate(actual=[0, 1], score=[0.1, 0.4])
    with pytest.raises(InputError, match=r"should end in \.html, not in \.pdf"):
        e.report(tmp_path / "report.pdf")


def test_the_same_rows_give_the_same_page():
    e = to.evaluate(actual=[0, 1, 0, 1, 1], score=[0.1, 0.4, 0.35, 0.8, 0.3])

    assert page.page(report_of(e)) == page.page(report_of(e))
