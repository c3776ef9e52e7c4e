"""`python -m tradeoff` is the command line."""

from tradeoff.cli import main

main(prog_name="tradeoff")
