"""The user's wording: the noun for rows (customers, patients) and the currency of amounts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tradeoff.errors import InputError
from tradeoff.formatting import (
    MINUS_SIGN,
    format_count,
    format_screen_number,
    printable,
    with_minus_sign,
)

MAX_WORD_LENGTH = 40
IRREGULAR_SINGULARS = {
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "mice": "mouse",
    "analyses": "analysis",
    "biopsies": "biopsy",
}
"""Plurals of units whose singular does not follow from their ending."""
PLURAL_ENDINGS = {"ies": "y", "sses": "ss", "shes": "sh", "ches": "ch", "xes": "x", "s": ""}
"""Plural endings with those of the singular, the longest first."""
DEFAULT_UNITS = "rows"
ROW_PATTERN = re.compile(r"\b(?:rows|row|Rows)\b")
"""The words for rows in our own texts."""
MIN_WHOLE_AMOUNT = 1000
"""Amounts of at least this size are rounded to whole units of the currency."""


@dataclass(frozen=True)
class Wording:
    """Wording of text: what the rows are called, and the currency of costs and profits.

    Args:
        units: Plural noun for what the rows represent, such as "customers"; an irregular singular
            comes before a slash: "ox/oxen".
        currency: Code or symbol of the currency, such as "EUR" or "€"; empty for none.

    Example:
        >>> Wording("customers", "EUR").count(2922), Wording("customers").count(1)
        ('2,922 customers', '1 customer')
        >>> Wording().count(1), Wording("batches").unit, Wording("ox/oxen").count(3)
        ('1 row', 'batch', '3 oxen')
        >>> Wording("customers").count(862.6), Wording("customers").count(0.3)
        ('863 customers', 'fewer than 1 customer')
    """

    units: str = DEFAULT_UNITS
    currency: str = ""
    unit: str = ""

    def __post_init__(self) -> None:
        """Check both words, and derive the singular."""
        singular, slash, plural = self.units.partition("/")
        units = (plural if slash else singular).strip()
        unit = self.unit or (singular.strip() if slash else _singular(units))
        _require_word(units, "A unit", "customers")
        _require_word(unit, "A unit", "customers")
        if self.currency:
            _require_word(self.currency, "A currency", "EUR")
        object.__setattr__(self, "units", units)
        object.__setattr__(self, "unit", unit)
        object.__setattr__(self, "currency", self.currency.strip())

    def count(self, size: float) -> str:
        """A number of rows in the user's word: "1 customer", "2,922 customers".

        Only rows can be fractions, as sums of weights: customers are whole.
        """
        if self.units != DEFAULT_UNITS and not float(size).is_integer():
            size = round(size)
            if size == 0:
                return f"fewer than 1 {self.unit}"
        return f"{format_count(size)} {self.noun(size)}"

    def noun(self, size: float) -> str:
        """The user's word for this number of rows, in the singular or plural."""
        return self.unit if size == 1 else self.units

    def rephrase(self, text: str) -> str:
        """A text of ours (never one with names from the data) with the user's word for rows.

        Example:
            >>> Wording("patients").rephrase("Share of rows: each row counts once")
            'Share of patients: each patient counts once'
        """
        words = {"rows": self.units, "row": self.unit, "Rows": self.units.capitalize()}
        return ROW_PATTERN.sub(lambda match: words[match[0]], text)

    def money(self, text: str) -> str:
        """A formatted amount with the user's currency, if any; codes are followed by a space.

        Example:
            >>> Wording(currency="EUR").money("−1,194"), Wording(currency="€").money("−1,194")
            ('EUR −1,194', '−€1,194')
        """
        if not self.currency:
            return text
        if self.currency.isalnum():
            return f"{self.currency} {text}"
        sign = MINUS_SIGN if text.startswith(MINUS_SIGN) else ""
        return f"{sign}{self.currency}{text.removeprefix(MINUS_SIGN)}"

    def amount(self, value: float) -> str:
        """An amount in the user's currency; large amounts are rounded to whole units.

        Example:
            >>> [Wording(currency="EUR").amount(x) for x in (1389.4, 3.1296, 400.0, -0.25)]
            ['EUR 1,389', 'EUR 3.13', 'EUR 400', 'EUR −0.25']
        """
        return self.money(format_amount_of_money(value))


def format_amount_of_money(value: float) -> str:
    """Wording of an amount of money: whole if it is whole or large, else with two or more decimals.

    Example:
        >>> [format_amount_of_money(x) for x in (18560.0, 12345.678, 7.5, 0.0034, -0.0)]
        ['18,560', '12,346', '7.50', '0.0034', '0']
    """
    value = round(float(value), 9) + 0.0  # rounding error of sums, and no negative zero
    if value.is_integer() or abs(value) >= MIN_WHOLE_AMOUNT:
        return format_count(float(round(value)))
    return with_minus_sign(f"{value:.2f}") if abs(value) >= 0.1 else format_screen_number(value)


def _singular(units: str) -> str:
    """Singular of a plural noun; any other word is its own singular."""
    head, _, last = units.rpartition(" ")
    singular = IRREGULAR_SINGULARS.get(last)
    if singular is None:
        singular = last
        for plural_ending, ending in PLURAL_ENDINGS.items():
            if last.endswith(plural_ending) and not last.endswith("ss"):
                singular = last.removesuffix(plural_ending) + ending
                break
    return f"{head} {singular}" if head else singular


def _require_word(word: str, subject: str, example: str) -> None:
    """Require a short, printable word, as it appears in every sentence."""
    text = word.strip()
    if not text or len(text) > MAX_WORD_LENGTH or printable(text) != text:
        raise InputError(
            f"{subject} is a word of 1 to {MAX_WORD_LENGTH} printable characters, such as "
            f"{example!r}, not {printable(repr(word))}."
        )


ROWS = Wording()
"""The default: rows, and amounts without a currency."""


def quote_class(name: str) -> str:
    """Format the name of a class in a sentence, quoted unless it is a number."""
    try:
        float(name)
    except ValueError:
        return printable(repr(name))
    return name
