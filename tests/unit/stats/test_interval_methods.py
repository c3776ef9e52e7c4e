"""Registry of interval methods, and validation of confidence levels."""

import pytest

from tradeoff.errors import InputError
from tradeoff.stats import proportions
from tradeoff.stats.interval_methods import (
    default_method,
    describe_methods,
    interval_method,
    methods_by_name,
    require_level,
)


def test_the_first_method_of_a_scope_is_its_default():
    assert default_method("shares").function is proportions.wilson_interval
    assert next(iter(methods_by_name("shares"))) == "wilson"


def test_every_method_is_described_with_its_scope():
    description = describe_methods()

    assert description.startswith("wilson, clopper-pearson, jeffreys, agresti-coull (proportions)")
    assert all(method.name in description for method in methods_by_name().values())


def test_a_name_cannot_be_registered_twice():
    with pytest.raises(ValueError, match="two methods are called 'wilson'"):
        interval_method("wilson", of="shares", label="Wilson")(proportions.wilson_interval)


@pytest.mark.parametrize(
    ("level", "message"),
    [
        (95, r"between 0 and 1, not 95 \(95% is 0\.95\)"),
        (0, "between 0 and 1, not 0"),
        (1.0, "between 0 and 1, not 1"),
        (float("nan"), "between 0 and 1, not nan"),
        ("0.95", "must be a number, not '0.95'"),
    ],
)
def test_a_level_outside_0_to_1_is_refused(level, message):
    with pytest.raises(InputError, match=message):
        require_level(level)


def test_a_level_is_returned_as_a_float():
    assert require_level(0.95) == 0.95
