"""The summary of the report for readers without scripts."""

import re

import numpy as np
import pytest
from report_cases import Scripts, ranking_of, report_of

import tradeoff as to

EVIL = "<img src=x onerror=alert(1)> & 'more'"


def summary_of(evaluation, **options):
    return report_of(evaluation, **options)["static"]


def text_of(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def two_models():
    random = np.random.default_rng(3)
    actual = random.random(400) < 0.3
    strong, weak = (random.normal(0.4 + d * actual, 0.15).clip(0, 1) for d in (0.25, 0.05))
    return to.evaluate(
        actual=np.where(actual, "yes", "no"), positive="yes", score={"weak": weak, "strong": strong}
    )


def test_without_costs_the_matrix_is_at_the_conventional_threshold():
    e = two_models()["strong"]
    html = summary_of(e)
    matrix = e.at(0.5)

    assert "0.5, the conventional one for probabilities" in text_of(html)
    assert f"<td>{matrix.true_positives}</td><td>{matrix.false_negatives}</td>" in html
    assert f"<td>{matrix.false_positives}</td><td>{matrix.true_negatives}</td>" in html


def test_with_costs_the_best_model_is_recommended():
    e = two_models()
    costs = to.Costs(fp=1, fn=4)
    text = text_of(summary_of(e, costs=costs))
    best = e.best(costs=costs)

    assert best.ranking.name == "strong"
    assert "Lowest cost: predict yes where strong ≥ " in text
    assert "Expected cost on new data" in text
    assert f"actual yes {best.confusion.true_positives} " in text


def test_models_are_listed_with_their_auc_and_drawn():
    e = two_models()
    html = summary_of(e)

    assert f"{e['weak'].auc.value:.3f} ({e['weak'].auc.low:.3f}" in text_of(html)
    assert html.count("<svg") == 2
    assert f">strong {e['strong'].auc.value:.3f} (" in html
    assert ">AUC (95% CI)</text>" in html


def test_it_needs_neither_scripts_nor_styles_and_names_are_text():
    random = np.random.default_rng(4)
    actual = np.where(random.random(60) < 0.5, EVIL, "no")
    e = to.evaluate(actual=actual, positive=EVIL, score={EVIL: random.random(60)})
    html = summary_of(e)

    assert not {"script", "style", "img"} & set(Scripts(html).tags)
    assert " style=" not in html
    assert "onerror=alert(1)&gt;" in html


@pytest.mark.parametrize("models", [1, 12, 30])
def test_it_is_small_whatever_the_number_of_rows_and_models(models):
    e = to.Evaluation(
        {f"model {i}": ranking_of(3_000, seed=i, name=f"model {i}") for i in range(models)}
    )

    assert len(summary_of(e, costs=to.Costs(fn=5)).encode()) <= 25_000


def test_rows_of_one_class_have_a_summary_too():
    text = text_of(summary_of(to.evaluate(actual=[0, 0, 0], score=[0.1, 0.2, 0.3])))

    assert "3 rows" in text
