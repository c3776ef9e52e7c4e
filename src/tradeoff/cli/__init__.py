"""The command line: one command a function that reads, asks the library, and prints.

Only click is imported at the top: `tradeoff --help` must answer at once. Commands are listed in
the order in which a newcomer needs them.
"""

from tradeoff.cli import curves, deciding, evaluating, reference
from tradeoff.cli.program import main

for command in (
    evaluating.demo,
    evaluating.evaluate,
    curves.curve,
    deciding.threshold,
    deciding.hull,
    reference.matrix,
    reference.metrics,
    reference.explain,
):
    main.add_command(command)

__all__ = ["main"]
