"""What an import costs, what is exported, and what is documented."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tradeoff as to
from tradeoff.evaluation import charts
from tradeoff.evaluation.charts import charted
from tradeoff.measures.curves import rates
from tradeoff.measures.curves.registry import named
from tradeoff.measures.registry import METRICS
from tradeoff.stats.interval_methods import interval_method
from tradeoff.thresholds.criteria import criterion


def modules_after(statement):
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {statement}; print(*sys.modules)"],
        capture_output=True,
        check=True,
        text=True,
    )
    return set(done.stdout.split())


def test_import_tradeoff_imports_nothing_heavy_not_even_numpy():
    loaded = modules_after("import tradeoff")

    assert not loaded & {"numpy", "scipy", "narwhals", "duckdb", "click", "pandas", "polars"}


def test_help_needs_click_alone():
    loaded = modules_after("import tradeoff.cli")

    assert not loaded & {"numpy", "scipy", "narwhals", "duckdb", "pandas", "polars"}


def test_an_area_needs_numpy_alone():
    loaded = modules_after("import tradeoff; tradeoff.auc([0, 1], [0.1, 0.2])")

    assert "numpy" in loaded
    assert not loaded & {"scipy", "narwhals", "duckdb", "click", "pandas", "polars"}


def test_every_exported_name_exists():
    assert all(hasattr(to, name) for name in to.__all__)
    assert set(to.__all__) <= set(dir(to))


def test_type_checkers_see_the_names_that_python_finds():
    tree = ast.parse(Path(to.__file__).read_text())
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    imported = {alias.asname: node.module for node in block.body for alias in node.names}

    assert imported == to._HOMES


def test_what_an_exported_function_takes_can_be_made_from_exports():
    # A pilot comes from nowhere else: plan_auc_difference cannot be asked for it otherwise.
    pilot = to.Pilot(0.0032, 0.0027, -0.0008, positives=41, negatives=72)
    plan = to.plan_auc_difference(first=0.73, second=0.61, power=0.8, pilot=pilot)

    assert "Pilot" in to.__all__
    assert plan.positives > 41


def test_there_are_enough_metrics_each_with_all_a_reader_needs():
    two_class = [m for m in to.METRICS.values() if not m.any_classes]

    assert len(to.METRICS) >= 45
    assert len(two_class) >= 45
    assert all(m.formula and m.sentence and m.undefined and m.family for m in to.METRICS.values())


def test_a_name_means_one_thing():
    from tradeoff.measures.registry import Registry

    registry = Registry("metric", "metrics")
    registry.add(to.METRICS["recall"])

    with pytest.raises(ValueError, match="two metrics are called"):
        registry.add(to.METRICS["recall"])


@pytest.mark.parametrize(
    "enter",
    [
        lambda: named("again")(rates.roc),
        lambda: criterion("youden")(lambda: None),
        lambda: interval_method("wilson", of="shares", label="again")(None),
        lambda: charted("again")(charts.scores),
        lambda: METRICS.add(METRICS["accuracy"]),
    ],
    ids=["curve", "criterion", "interval method", "chart", "metric"],
)
def test_a_name_is_entered_once(enter):
    with pytest.raises(ValueError, match=r"two .* are called"):
        enter()
