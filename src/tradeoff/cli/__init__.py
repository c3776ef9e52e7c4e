"""The command line: one command a function that reads, asks the library, and prints."""

from tradeoff.cli.program import main

__all__ = ["main"]
