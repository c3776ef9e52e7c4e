"""A missing optional dependency ends in one sentence that names the extra which installs it."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import tradeoff as to
from tradeoff.errors import EXTRAS, MissingExtra, extra_required

ROOT = Path(__file__).parents[2]
METADATA = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HIDE_MODULES = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in {modules!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden())
"""
"""Start of a program in which these modules are not installed."""
ROWS = "y,score\n" + "0,0.2\n1,0.8\n1,0.4\n0,0.6\n" * 6


def run_without(modules, program, *arguments):
    return subprocess.run(
        [sys.executable, "-c", HIDE_MODULES.format(modules=list(modules)) + program, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def hide(monkeypatch):
    def hide_module(name):
        monkeypatch.setitem(sys.modules, name, None)

    return hide_module


def test_every_extra_is_named_in_messages_and_every_named_extra_exists():
    assert {extra for _, extra in EXTRAS.values()} == set(METADATA["optional-dependencies"])


@pytest.mark.parametrize("module", EXTRAS)
def test_a_missing_dependency_names_the_extra(module, hide):
    title, extra = EXTRAS[module]
    hide(module)

    with pytest.raises(MissingExtra) as problem, extra_required("This"):
        __import__(module)

    assert str(problem.value) == f'This needs {title}: pip install "tradeoff[{extra}]".'
    assert isinstance(problem.value, to.TradeoffError)
    assert isinstance(problem.value, ImportError)


def test_an_old_version_is_not_called_missing():
    message = "another version of matplotlib .*--upgrade"
    with pytest.raises(MissingExtra, match=message), extra_required("This"):
        from matplotlib import from_the_future  # noqa: F401


def test_other_missing_modules_are_not_blamed_on_an_extra():
    with pytest.raises(ModuleNotFoundError, match="no_such_module"), extra_required("This"):
        __import__("no_such_module")


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("sklearn", ["crossval", "{file}", "--actual", "y"]),
        ("sklearn", ["crossval", "{file}", "--actual", "y", "--model", "weka-j48"]),
        (
            "matplotlib",
            ["plot", "{file}", "--actual", "y", "--score", "score", "--output", "roc.png"],
        ),
        (
            "pyspark",
            ["evaluate", "{file}", "--actual", "y", "--score", "score", "--engine", "spark"],
        ),
    ],
)
def test_a_command_without_its_extra_prints_one_sentence_and_exits_with_2(module, arguments, file):
    path = str(file(ROWS))
    program = "from tradeoff.cli import main; main()"
    done = run_without([module], program, *(path if a == "{file}" else a for a in arguments))

    assert done.returncode == 2
    assert done.stdout == ""
    (sentence,) = done.stderr.strip().splitlines()
    assert sentence.startswith("tradeoff: ")
    assert sentence.endswith(f'pip install "tradeoff[{EXTRAS[module][1]}]".')


@pytest.mark.parametrize(
    ("module", "call"),
    [
        ("matplotlib", lambda e: e.plot("roc")),
        ("matplotlib", lambda _: to.RocCurveDisplay.from_predictions([0, 1], [0.2, 0.8])),
        ("mlflow", to.log_to_mlflow),
        ("pandas", lambda e: e.to_pandas()),
        ("polars", lambda e: e.to_polars()),
        ("pyarrow", lambda e: e.to_arrow()),
        ("sklearn", lambda _: to.cross_validate({}, actual="y")),
    ],
)
def test_a_function_without_its_extra_raises_one_sentence(module, call, hide):
    evaluation = to.evaluate([0, 1, 1, 0], [0.2, 0.8, 0.4, 0.6])
    hide(module)

    with pytest.raises(MissingExtra) as problem:
        call(evaluation)

    assert str(problem.value).endswith(f'pip install "tradeoff[{EXTRAS[module][1]}]".')


def test_classifiers_name_the_extra_while_scorers_and_displays_do_without():
    program = (
        "import tradeoff as to\n"
        "to.scorer('auc'), to.RocCurveDisplay\n"
        "try: to.ThresholdedClassifier\n"
        "except to.TradeoffError as problem: print(problem)"
    )
    done = run_without(["sklearn"], program)

    assert (
        done.stdout.strip() == 'This classifier needs scikit-learn: pip install "tradeoff[train]".'
    )


def test_every_module_and_every_help_text_does_without_extras():
    program = """
import importlib, pkgutil
import tradeoff
from click.testing import CliRunner
from tradeoff.cli import main
from tradeoff.cli.program import COMMANDS
from tradeoff.errors import MissingExtra
for module in pkgutil.walk_packages(tradeoff.__path__, "tradeoff."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except MissingExtra:
            print(module.name)
for name in COMMANDS:
    assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0, name
"""
    done = run_without(EXTRAS, program)

    assert done.stderr == ""
    assert done.stdout.split() == [
        "tradeoff.crossval.naive_bayes",
        "tradeoff.crossval.weka_columns",
        "tradeoff.crossval.weka_j48",
        "tradeoff.crossval.weka_naive_bayes",
        "tradeoff.sklearn.classifiers",
    ]
