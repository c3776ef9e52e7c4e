"""Running the command line, and the files that its tests read."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden" / "data"
WEATHER = [
    str(GOLDEN / "weka_nb_nominal_predictions.csv"),
    *("--actual", "actual", "--score", "score_pos", "--positive", "yes"),
]
SAH = [str(GOLDEN / "proc_aSAH_data.csv"), "--actual", "poor", "--score", "s100b"]
COSTS = ["--cost-fp", "1", "--cost-fn", "5"]
SCRATCH = tempfile.TemporaryDirectory()
"""Where commands run: some of them write files."""
RANGE = ["--cost-fn", "3", "--prevalence", "0.1", "--prevalence", "0.3"]


def run(*arguments, **environment):
    done = subprocess.run(
        [sys.executable, "-m", "tradeoff", *map(str, arguments)],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", **environment},
        cwd=SCRATCH.name,
    )
    return done.returncode, done.stdout, done.stderr


def told(*arguments, **environment):
    code, out, err = run(*arguments, **environment)
    assert (code, err) == (0, "")
    return out.rstrip("\n")


def listen():
    """Heed Ctrl-C, to which what a shell starts in the background is deaf, as are its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
