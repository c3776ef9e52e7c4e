"""Running the command line, and the files that its tests read."""

import contextlib
import io
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import mock

from tradeoff.cli import main

GOLDEN = Path(__file__).parents[1] / "golden" / "data"
WEATHER = [
    str(GOLDEN / "weka_nb_nominal_predictions.csv"),
    *("--actual", "actual", "--score", "score_pos", "--positive", "yes"),
]
SAH = [str(GOLDEN / "proc_aSAH_data.csv"), "--actual", "poor", "--score", "s100b"]
COSTS = ["--cost-fp", "1", "--cost-fn", "5"]
SCRATCH = tempfile.TemporaryDirectory()
"""Where commands run: some of them write files."""
SCREEN = {"COLUMNS": "100", "NO_COLOR": "1"}
RANGE = ["--cost-fn", "3", "--prevalence", "0.1", "--prevalence", "0.3"]


def run(*arguments, **environment):
    """Run a command inside this process: exit code, output and errors."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    handler = signal.getsignal(signal.SIGTERM)
    variables = {**SCREEN, **environment}
    with (
        mock.patch.dict(os.environ, variables),
        contextlib.chdir(SCRATCH.name),
        contextlib.redirect_stdout(streams[0]),
        contextlib.redirect_stderr(streams[1]),
    ):
        try:
            code = main([*map(str, arguments)], prog_name="tradeoff", standalone_mode=True)
        except SystemExit as end:
            code = end.code
        finally:
            signal.signal(signal.SIGTERM, handler)
    return code, *map(_written, streams)


def run_process(*arguments, **environment):
    """The same in a process of its own, for what is about processes: pipes, encodings, signals."""
    variables = {"PYTHONIOENCODING": "utf-8", **SCREEN, **environment}
    done = subprocess.run(
        [sys.executable, "-m", "tradeoff", *map(str, arguments)],
        capture_output=True,
        check=False,
        encoding=variables["PYTHONIOENCODING"].partition(":")[0],
        env={**os.environ, **variables},
        cwd=SCRATCH.name,
    )
    return done.returncode, done.stdout, done.stderr


def output(*arguments, run=run, **environment):
    """The output of a command that must succeed without a word on stderr."""
    code, out, err = run(*arguments, **environment)
    assert (code, err) == (0, "")
    return out.rstrip("\n")


def refusal(*arguments):
    """The message of a command that must be refused, with the blanks of one line."""
    code, _, err = run(*arguments)
    assert code == 2
    return " ".join(err.split())


def document(*arguments):
    """The JSON document of a command that must succeed."""
    code, out, _ = run(*arguments, "--format", "json")
    assert code == 0
    return json.loads(out)


def suggested_arguments(message, before="Edit and run: tradeoff "):
    """Arguments of the command that a message suggests to edit and run."""
    return shlex.split(message.partition(before)[2])


def listen():
    """Heed Ctrl-C, to which what a shell starts in the background is deaf, as are its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _written(stream):
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8")
