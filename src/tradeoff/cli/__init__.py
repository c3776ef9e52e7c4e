"""The command line: each command reads its input, calls the library and prints the result."""

from tradeoff.cli.program import main

__all__ = ["main"]
