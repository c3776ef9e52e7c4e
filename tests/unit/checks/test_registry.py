"""The registry of checks."""

from tradeoff.checks import (
    CHECKS,
)


def test_every_check_has_a_title_and_a_docstring():
    for name, check in CHECKS.items():
        assert check.title
        assert not check.title.endswith(".")
        assert check.function.__doc__
        assert check.name == name
