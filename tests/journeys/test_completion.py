"""What editors complete, and a user's whole script: names, arguments, types."""

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tradeoff as to

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tests" / "journeys" / "user_script.py"
FUNCTIONS = {
    name: function for name in to.__all__ if inspect.isfunction(function := getattr(to, name))
}
OPEN_ENDED = {"compat", "compat_curve"}
"""Functions with parameters of another tool, whatever they are."""


def parameters(function):
    return [name for name in inspect.signature(function).parameters if name != "self"]


@pytest.mark.parametrize(
    ("call", "function"),
    [
        ("to.evaluate(", to.evaluate),
        ("to.compare(", to.compare),
        ("to.check(", to.check),
        ("to.gate(", to.gate),
        ("to.evaluate([0, 1], [0.1, 0.2]).best(", to.Evaluation.best),
        ("to.evaluate([0, 1], [0.1, 0.2]).metric(", to.Evaluation.metric),
        ("to.evaluate([0, 1], [0.1, 0.2]).plot(", to.Evaluation.plot),
        ("to.RocCurveDisplay.from_predictions(", to.RocCurveDisplay.from_predictions),
    ],
)
def test_completion_shows_every_parameter(call, function):
    jedi = pytest.importorskip("jedi", reason="jedi comes with requirements/dev.txt")
    script = jedi.Script(f"import tradeoff as to\n{call}", project=jedi.Project(ROOT / "src"))
    (signature,) = script.get_signatures()

    assert [parameter.name for parameter in signature.params] == parameters(function)


def test_every_argument_is_spelled_out():
    methods = {
        f"{name}.{method}": function
        for name in to.__all__
        if inspect.isclass(kind := getattr(to, name)) and not name.endswith(("Classifier", "Error"))
        for method, function in inspect.getmembers(kind, inspect.isroutine)
        if not method.startswith("_") and callable(function)
    }
    variadic = {
        name
        for name, function in {**FUNCTIONS, **methods}.items()
        if any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values())
    }

    assert variadic == OPEN_ENDED


def test_the_users_script_calls_every_public_function_and_runs():
    called = set(re.findall(r"\bto\.(\w+)\(", SCRIPT.read_text()))

    assert set(FUNCTIONS) <= called
    subprocess.run([sys.executable, SCRIPT], check=True, env={**os.environ, "MPLBACKEND": "agg"})
