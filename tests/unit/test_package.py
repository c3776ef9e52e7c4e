"""Imports, exported names and documented metrics of the package."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tradeoff as to
from tradeoff.evaluation import charts
from tradeoff.evaluation.charts import register_chart
from tradeoff.measures.curves import rates
from tradeoff.measures.curves.registry import register_curve
from tradeoff.measures.registry import METRICS
from tradeoff.stats.interval_methods import interval_method
from tradeoff.thresholds.criteria import criterion


def modules_after(statement):
    process = subprocess.run(
        [sys.executable, "-c", f"import sys; {statement}; print(*sys.modules)"],
        capture_output=True,
        check=True,
        text=True,
    )
    return set(process.stdout.split())


def test_importing_tradeoff_imports_no_dependency():
    loaded = modules_after("import tradeoff")

    assert not loaded & {"numpy", "scipy", "narwhals", "duckdb", "click", "pandas", "polars"}


def test_the_command_line_imports_click_only():
    loaded = modules_after("import tradeoff.cli")

    assert not loaded & {"numpy", "scipy", "narwhals", "duckdb", "pandas", "polars"}


def test_an_auc_imports_numpy_only():
    loaded = modules_after("import tradeoff; tradeoff.auc([0, 1], [0.1, 0.2])")

    assert "numpy" in loaded
    assert not loaded & {"scipy", "narwhals", "duckdb", "click", "pandas", "polars"}


def test_every_exported_name_exists():
    assert all(hasattr(to, name) for name in to.__all__)
    assert set(to.__all__) <= set(dir(to))


def test_type_checkers_see_the_exported_names():
    tree = ast.parse(Path(to.__file__).read_text())
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    imported = {alias.asname: node.module for node in block.body for alias in node.names}

    assert imported == to._MODULES


def test_a_pilot_for_planning_can_be_made_from_exports():
    # plan_auc_difference takes a pilot, which users must be able to construct.
    pilot = to.Pilot(0.0032, 0.0027, -0.0008, positives=41, negatives=72)
    plan = to.plan_auc_difference(first=0.73, second=0.61, power=0.8, pilot=pilot)

    assert "Pilot" in to.__all__
    assert plan.positives > 41


def test_there_are_many_metrics_and_each_is_documented():
    two_class = [m for m in to.METRICS.values() if not m.any_classes]

    assert len(to.METRICS) >= 45
    assert len(two_class) >= 45
    assert all(m.formula and m.sentence and m.undefined and m.family for m in to.METRICS.values())


def test_duplicate_names_in_a_registry_are_refused():
    from tradeoff.measures.registry import Registry

    registry = Registry("metric", "metrics")
    registry.add(to.METRICS["recall"])

    with pytest.raises(ValueError, match="two metrics are called"):
        registry.add(to.METRICS["recall"])


@pytest.mark.parametrize(
    "register",
    [
        lambda: register_curve("duplicate")(rates.roc),
        lambda: criterion("youden")(lambda: None),
        lambda: interval_method("wilson", of="shares", label="duplicate")(None),
        lambda: register_chart("duplicate")(charts.scores),
        lambda: METRICS.add(METRICS["accuracy"]),
    ],
    ids=["curve", "criterion", "interval method", "chart", "metric"],
)
def test_duplicate_names_in_every_registry_are_refused(register):
    with pytest.raises(ValueError, match=r"two .* are called"):
        register()
