"""Every registered interval method can be requested, is listed, and affects only its scope."""

import numpy as np
import pytest
from click.testing import CliRunner

import tradeoff as to
from tradeoff.cli.program import main
from tradeoff.stats.interval_methods import INTERVAL_METHODS, default_method, methods_by_name
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.metric_intervals import metrics_with_intervals
from tradeoff.uncertainty.summary_intervals import summaries_with_intervals

SCORES = np.array([0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.55, 0.6, 0.7, 0.9])
RANKING = to.Ranking.of(SCORES, np.array([0, 0, 1, 0, 0, 1, 0, 1, 1, 1], bool))
MATRIX = to.ConfusionMatrix(12, 5, 4, 20)
every_name = pytest.mark.parametrize("name", methods_by_name())


def all_intervals(confidence):
    """Limits and interval methods of all metrics and summaries, by name."""
    metrics = metrics_with_intervals(to.METRICS.values(), MATRIX, confidence)
    summaries = summaries_with_intervals(to.SUMMARIES.values(), RANKING, confidence)
    return {name: (e.low, e.high, e.method) for name, e in (metrics | summaries).items()}


def changed_intervals(method):
    defaults, chosen = (
        all_intervals(Confidence(replicates=20)),
        all_intervals(Confidence(0.95, method, 20)),
    )
    return {name for name, estimate in chosen.items() if repr(estimate) != repr(defaults[name])}


@every_name
def test_a_method_changes_only_the_intervals_in_its_scope(name):
    scope, changed = methods_by_name()[name].scope, changed_intervals(name)
    proportions = {name for name, metric in to.METRICS.items() if metric.trials}
    areas = {name for name, summary in to.SUMMARIES.items() if summary.linear_in_auc}

    if scope == "shares":
        assert changed <= proportions
        assert bool(changed) == (name != default_method(scope).name)
    elif scope == "areas":
        assert changed <= areas | {"auc_optimistic", "auc_pessimistic"}
        assert bool(changed) == (methods_by_name()[name] is not default_method(scope))
    else:
        assert proportions & changed
        assert areas <= changed


@every_name
def test_method_names_are_accepted_in_any_usual_spelling(name):
    assert Confidence(method=name.upper().replace("-", "_")).method == name


@pytest.mark.parametrize("command", ["evaluate", "threshold"])
def test_help_lists_every_method_by_scope(command):
    text = "".join(CliRunner().invoke(main, [command, "--help"]).output.split())

    for method in INTERVAL_METHODS.values():
        assert method.name in text
    for scope in ("(proportions)", "(AUCs)", "(anymeasure)"):
        assert scope in text
