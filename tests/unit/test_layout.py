"""Every long module has a test file of the same name in the mirrored folder."""

from pathlib import Path

UNIT = Path(__file__).parent
TESTS, SOURCE = UNIT.parent, UNIT.parents[1] / "src" / "tradeoff"
MAX_UNTESTED_LINES = 80
"""Lines above which a module needs a test file of its own."""

ELSEWHERE = {
    # Registered measures are tested through their registry: laws and golden numbers cover all.
    "measures/metrics": "laws/test_metric_laws.py",
    "measures/summaries": "laws/test_ranking_laws.py",
    "measures/curves": "laws/test_curve_laws.py",
    # A command is tested as people use it.
    "cli": "journeys/test_cli.py",
    "validation": "journeys/test_cli_validate.py",
    # An engine is tested where it runs.
    "sources/spark.py": "engines/spark/test_spark_models.py",
    "sources/spark_queries.py": "engines/spark/test_sql_in_spark.py",
    "sources/spark_session.py": "engines/spark/test_spark_session.py",
}
"""Modules, and folders of modules, with a test file elsewhere."""

# This list may only shrink: a module that gets its test file must leave it.
UNTESTED_MODULES = [
    "comparison/bootstrap.py",
    "comparison/difference.py",
    "comparison/permutation.py",
    "core/cells.py",
    "core/class_scores.py",
    "core/confusion.py",
    "core/convex_hull.py",
    "core/costs.py",
    "core/grid_cells.py",
    "core/merge.py",
    "core/regions.py",
    "core/resampled_rankings.py",
    "crossval/fit.py",
    "crossval/models.py",
    "crossval/weka_columns.py",
    "measures/estimate.py",
    "measures/formula.py",
    "measures/interval_formulas.py",
    "measures/mover.py",
    "measures/registry.py",
    "measures/vocabulary.py",
    "render/chart.py",
    "render/estimate_text.py",
    "render/matplotlib/style.py",
    "render/terminal/forest_plots.py",
    "render/terminal/legend.py",
    "report/models.py",
    "sources/csv_errors.py",
    "sources/duckdb_types.py",
    "sources/options.py",
    "sources/user_queries.py",
    "stats/logistic.py",
    "uncertainty/confidence.py",
    "uncertainty/confidence_region.py",
    "uncertainty/estimates.py",
    "views/chart_labels.py",
    "views/curves.py",
    "views/measures.py",
    "views/scales.py",
]


def lines(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def has_tests(module):
    """Whether the mirrored folder has a test file or folder of the module's name."""
    folder = UNIT / module.parent
    return (folder / f"test_{module.name}").exists() or (folder / module.stem).is_dir()


def untested():
    modules = [path.relative_to(SOURCE) for path in sorted(SOURCE.rglob("[!_]*.py"))]
    return [
        str(module)
        for module in modules
        if lines(SOURCE / module) > MAX_UNTESTED_LINES
        and not {str(module), str(module.parent)} & ELSEWHERE.keys()
        and module.name != "views.py"  # screens and documents: journeys/ has their snapshots
        and not has_tests(module)
    ]


def test_long_modules_have_a_test_file_of_their_name():
    assert untested() == UNTESTED_MODULES


def test_test_files_of_exempt_folders_exist():
    assert [path for path in ELSEWHERE.values() if not (TESTS / path).exists()] == []


def test_unit_test_folders_mirror_the_source_folders():
    folders = {path.parent.relative_to(UNIT) for path in UNIT.rglob("test_*.py")}

    assert [
        folder
        for folder in sorted(folders)
        if not ((SOURCE / folder).is_dir() or (SOURCE / f"{folder}.py").is_file())
    ] == []
