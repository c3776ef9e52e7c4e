"""Numbers on the command line: decimal points, percentages, and answers to other notations."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import click

PROPORTION_FLAGS = frozenset(
    {
        *("--level", "--significance", "--power", "--prevalence", "--coverage", "--share"),
        *("--above", "--half-width", "--auc", "--second", "--fpr", "--tpr"),
    }
)
"""Options of proportions, which may be typed as percentages."""
THRESHOLD_FLAG = "--threshold"
DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")
CURRENCY = re.compile(r"[$€£¥]|\b(EUR|USD|GBP|CHF|JPY)\b", re.IGNORECASE)
TYPOGRAPHIC_MINUS = "\u2212"
"""Minus sign of screens, from which numbers are copied."""


class Percentage(float):
    """A threshold that was typed as a percentage; it needs scores from 0 to 1."""

    def __str__(self) -> str:
        """The percentage as it is typed, such as 50%."""
        return f"{100 * self:.15g}%"


class Number(click.types.FloatParamType):
    """Parameter type of a number."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Parse a number with a decimal point, or the percentage of a proportion."""
        if not isinstance(value, str):
            return float(super().convert(value, param, ctx))
        flag = "" if param is None else max(param.opts, key=len)
        text = value.strip().replace(TYPOGRAPHIC_MINUS, "-")
        takes_percentage = flag in PROPORTION_FLAGS or flag == THRESHOLD_FLAG
        if takes_percentage and text.endswith("%") and _float(text[:-1]) is not None:
            proportion = float(Decimal(text[:-1]) / 100)  # a division of floats would round
            return Percentage(proportion) if flag == THRESHOLD_FLAG else proportion
        number = _float(text)
        if number is None:
            self.fail(f"{notation_problem(value, flag)}.", param, ctx)
        if flag in PROPORTION_FLAGS and 1 < number <= 100:
            self.fail(
                f"{value!r} is more than 1: write {flag} {number / 100:.15g}, or {flag} "
                f"{number:.15g}%.",
                param,
                ctx,
            )
        return number


class NumberRange(click.FloatRange):
    """Parameter type of a number in a range."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Parse a number as `Number` does, and check its range."""
        return float(super().convert(Number().convert(value, param, ctx), param, ctx))


class WholeNumber(click.types.IntParamType):
    """Parameter type of a whole number."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parse a whole number; 1e3 is 1000."""
        if isinstance(value, str):
            flag = "" if param is None else max(param.opts, key=len)
            number = _float(value.strip().replace(TYPOGRAPHIC_MINUS, "-"))
            if number is None or not number.is_integer():
                self.fail(f"{notation_problem(value, flag, is_whole=True)}.", param, ctx)
            value = int(number)
        return int(super().convert(value, param, ctx))


class WholeNumberRange(click.IntRange):
    """Parameter type of a whole number in a range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parse a whole number as `WholeNumber` does, and check its range."""
        return int(super().convert(WholeNumber().convert(value, param, ctx), param, ctx))


def number_type(kind: click.ParamType) -> click.ParamType:  # type: ignore[type-arg]
    """The type of this module for a numeric type of click; any other type as it is."""
    limits = ("min", "max", "min_open", "max_open", "clamp")
    if type(kind) is click.FloatRange:
        return NumberRange(**{name: getattr(kind, name) for name in limits})
    if type(kind) is click.IntRange:
        return WholeNumberRange(**{name: getattr(kind, name) for name in limits})
    if type(kind) is click.types.FloatParamType:
        return Number()
    return WholeNumber() if type(kind) is click.types.IntParamType else kind


def notation_problem(text: str, prefix: str = "", *, is_whole: bool = False) -> str:
    """Why a text is not a number, and how it is written; `prefix` is typed before it.

    Example:
        >>> notation_problem("0,5", "--threshold")
        "'0,5' has a decimal comma: write --threshold 0.5"
        >>> notation_problem("high")
        "'high' is not a number"
    """
    numbers, problem = number_spelling(text) or ([], "")
    if is_whole:
        numbers = [number for number in numbers if "." not in number]
        problem = "separates thousands" if numbers else ""
    if not numbers:
        return f"{text!r} is not a {'whole ' if is_whole else ''}number"
    space = "" if not prefix or prefix.endswith("=") else " "
    return f"{text!r} {problem}: write {' or '.join(f'{prefix}{space}{n}' for n in numbers)}"


def number_spelling(text: str) -> tuple[list[str], str] | None:
    """How a number in another notation is written here, and what is special about the notation.

    Example:
        >>> number_spelling("90%"), number_spelling("5 €")
        ((['0.9'], 'is a percentage'), (['5'], 'names a currency'))
        >>> number_spelling("1,000"), number_spelling("logistic")
        ((['1000', '1.000'], 'may be either of two numbers'), None)
    """
    stripped = text.strip().replace(TYPOGRAPHIC_MINUS, "-")
    problem = ""
    if CURRENCY.search(stripped):
        stripped, problem = CURRENCY.sub("", stripped).strip(), "names a currency"
    if stripped.endswith("%"):
        number = _float(stripped[:-1].replace(",", "."))
        return None if number is None else ([f"{number / 100:.15g}"], "is a percentage")
    if THOUSANDS.fullmatch(stripped):
        plain = stripped.replace(",", "")
        if stripped.count(",") > 1:
            return [plain], "separates thousands"
        return [plain, stripped.replace(",", ".")], "may be either of two numbers"
    if DECIMAL_COMMA.fullmatch(stripped):
        return [f"{float(stripped.replace(',', '.')):.15g}"], problem or "has a decimal comma"
    if problem and _float(stripped) is not None:
        return [stripped], problem
    return None


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
