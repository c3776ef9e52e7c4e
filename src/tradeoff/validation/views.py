"""Published numbers beside computed ones, and the digits of certified numbers, for readers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from tradeoff.render.sections import Section
from tradeoff.render.values import as_csv, finite
from tradeoff.results import shows
from tradeoff.validation.agreement import (
    ENOUGH_DIGITS,
    REFUSED,
    UNDEFINED,
    Certification,
    CertifiedNumber,
    Points,
    Recomputed,
    Study,
    ToolAnswer,
    Validation,
    decimals,
)

VALIDATION = "tradeoff/validation/1"
CERTIFICATION = "tradeoff/certification/1"
AGREES = {True: "yes", False: "no", None: "not run"}
MORE_DIGITS = 2
"""So many digits of a computed number are shown beyond the published ones."""
DIGITS = (
    "A cell is how many digits are right, −log10 of the relative error; 16 is the double next to "
    "the exact number. “undefined” is right where there is no number. A mark (!) says that an "
    "answer is wrong. Empty cells are not certified, or the tool has no such number."
)
SOME_DIGITS = 6
"""With fewer, a number is not inaccurate but wrong."""


@shows(Validation, "sections")
def validation_sections(validation: Validation) -> list[Section]:
    """How many numbers agree, and a table for each study."""
    studies = validation.studies
    numbers = [number for study in studies for number in study.numbers]
    counts = _counts(numbers)
    told = f"{counts['agree']} of {len(numbers)} published numbers agree to their last digit"
    parts = [f"{counts['differ']} differ"] if counts["differ"] else []
    parts += [f"{counts['not_run']} were not run"] if counts["not_run"] else []
    whole = f"{told}; {' and '.join(parts)}." if parts else f"{told}."
    return [Section("Published numbers, recomputed", (whole,)), *map(_study, studies)]


def _study(study: Study) -> Section:
    head = ("number", "published", "computed", "agrees")
    lines = [
        (number.what, number.published, _computed_as_printed(number), _agreement(number))
        for number in study.numbers
    ]
    return Section(study.title, (study.source,), (head, *lines))


def _computed_as_printed(number: Recomputed) -> str:
    """A computed number with a few more digits than were published.

    Example:
        >>> from tradeoff.validation.agreement import Recomputed
        >>> [_computed_as_printed(Recomputed("", *both)) for both in (
        ...     ("0.7366", 0.73655914), ("17", 17.0), ("49/78", 49 / 78), ("0.5778", None))]
        ['0.736559', '17', '0.628205128205', '']
    """
    if number.computed is None or isinstance(number.computed, str):
        return number.computed or ""
    if "/" in number.published or not decimals(number.published):
        return f"{number.computed:.12g}"
    return f"{number.computed:.{decimals(number.published) + MORE_DIGITS}f}"


def _agreement(number: Recomputed) -> str:
    told = AGREES[number.agrees]
    return f"{told}: {number.reason}" if number.reason else told


def _counts(numbers: Sequence[Recomputed]) -> dict[str, int]:
    outcomes = [number.agrees for number in numbers]
    return {
        "agree": outcomes.count(True),
        "differ": outcomes.count(False),
        "not_run": outcomes.count(None),
    }


@shows(Validation, "document")
def validation_document(validation: Validation) -> dict[str, Any]:
    """The same for other programs."""
    studies = validation.studies
    return {
        "schema": VALIDATION,
        **_counts([number for study in studies for number in study.numbers]),
        "studies": [
            {
                "title": study.title,
                "source": study.source,
                "numbers": [_number_document(number) for number in study.numbers],
            }
            for study in studies
        ],
    }


def _number_document(number: Recomputed) -> dict[str, Any]:
    computed = number.computed
    plain = finite(float(computed)) if isinstance(computed, int | float) else computed
    reason = {"reason": number.reason} if number.reason else {}
    return {
        "number": number.what,
        "published": number.published,
        "computed": plain,
        "agrees": number.agrees,
        **reason,
    }


@shows(Validation, "csv")
def validation_csv(validation: Validation) -> str:
    """One line a number."""
    head = ("study", "number", "published", "computed", "agrees", "reason", "source")
    lines = [
        [
            study.title,
            number.what,
            number.published,
            number.computed,
            AGREES[number.agrees],
            number.reason,
            study.source,
        ]
        for study in validation.studies
        for number in study.numbers
    ]
    return as_csv(head, lines)


@shows(Certification, "sections")
def certified_sections(certification: Certification) -> list[Section]:
    """The digits of every certified number: a table for each tool, and where tools fall short."""
    numbers = certification.numbers
    sets = list(dict.fromkeys(number.data_set for number in numbers))
    opening = (
        f"{len(sets)} data sets have {len(numbers)} certified numbers, which are exact fractions.",
        DIGITS,
    )
    tables = [_digits_table(tool, numbers, sets) for tool in _tools_of(numbers)]
    return [Section("Certified ROC data sets", opening), *tables, _shortfall_section(numbers)]


def _tools_of(numbers: Sequence[CertifiedNumber]) -> list[str]:
    """The tools that answered, ours first."""
    return list(dict.fromkeys(tool for number in numbers for tool in number.results))


def _quantities_of(numbers: Sequence[CertifiedNumber]) -> list[str]:
    """All quantities, in the order of the data set that has most of them."""
    by_set = groupby(numbers, key=lambda number: number.data_set)
    return max(([number.quantity for number in group] for _, group in by_set), key=len)


def _digits_table(tool: str, numbers: Sequence[CertifiedNumber], sets: list[str]) -> Section:
    results = {(n.data_set, n.quantity): n.results[tool] for n in numbers if tool in n.results}
    answered = {quantity for _, quantity in results}
    quantities = [quantity for quantity in _quantities_of(numbers) if quantity in answered]
    right = sum(result.is_right for result in results.values())
    told = f"{right} of {len(results)} numbers have {ENOUGH_DIGITS:.0f} digits or more."
    lines = [
        (name, *(_cell(results.get((name, quantity))) for quantity in quantities))
        for name in sets
        if any((name, quantity) in results for quantity in quantities)
    ]
    return Section(tool, (told,), (("data set", *quantities), *lines))


def _cell(result: ToolAnswer | None) -> str:
    if result is None:
        return ""
    if result.digits is not None and not result.is_right:
        return f"{result.digits:.1f}!"
    if result.digits is not None:
        return f"{result.digits:.1f}".removesuffix(".0")
    word = REFUSED if result.told.startswith(REFUSED) else result.told
    return word if result.is_right else f"{word}!"


def _shortfall_section(numbers: Sequence[CertifiedNumber]) -> Section:
    sentences = shortfalls(numbers)
    return Section("Where tools fall short", tuple(sentences or ["Nowhere."]))


def shortfalls(numbers: Sequence[CertifiedNumber]) -> list[str]:
    """A sentence for each tool, data set and way to fall short.

    Example:
        >>> from tradeoff.validation.agreement import CertifiedNumber, judged
        >>> wrong = {"abacus 1": judged(None, 0.0), "slide rule": judged(None, float("nan"))}
        >>> shortfalls([CertifiedNumber("no-positives", "auc", None, wrong)])
        ['abacus 1, no-positives: auc is 0 and not undefined.']
    """
    wrong = [
        (tool, number.data_set, _shortfall(result), number.quantity)
        for tool in _tools_of(numbers)
        for number in numbers
        if tool in number.results
        for result in [number.results[tool]]
        if not result.is_right
    ]
    sentences = []
    for (tool, data_set, why), group in groupby(wrong, key=lambda entry: entry[:3]):
        quantities = [entry[3] for entry in group]
        verb = "is" if len(quantities) == 1 else "are"
        names = ", ".join(quantities)
        sentences.append(f"{tool}, {data_set}: {names} {why.replace('is ', verb + ' ', 1)}.")
    return sentences


def _shortfall(result: ToolAnswer) -> str:
    if result.told.startswith(REFUSED):
        reason = result.told.removeprefix(f"{REFUSED}: ").rstrip(".")
        return f"is refused ({reason})"
    if result.told == UNDEFINED:
        return "is defined, but given as undefined"
    if result.digits is None:
        return f"is {result.value:g} and not undefined"
    if result.told or result.digits < SOME_DIGITS:
        return f"is wrong ({result.told or f'{result.value:.6g}'})"
    return f"is right to {result.digits:.1f} digits"


@shows(Certification, "document")
def certified_document(certification: Certification) -> dict[str, Any]:
    """The same for other programs, with the title of each data set."""
    numbers, titles = certification.numbers, certification.titles
    return {
        "schema": CERTIFICATION,
        "tools": _tools_of(numbers),
        "sets": [
            {
                "name": name,
                "title": titles[name],
                "numbers": [_certified_number(number) for number in group],
            }
            for name, group in groupby(numbers, key=lambda number: number.data_set)
        ],
    }


def _certified_number(number: CertifiedNumber) -> dict[str, Any]:
    return {
        "quantity": number.quantity,
        "exact": None if number.exact is None else exact_text(number.exact),
        "results": [
            {
                "tool": tool,
                "right": result.is_right,
                "digits": result.digits,
                "value": None if result.value is None else finite(result.value),
                **({"told": result.told} if result.told else {}),
            }
            for tool, result in number.results.items()
        ],
    }


def exact_text(exact: Fraction | Points) -> str:
    """A fraction, or the points of a hull, as text.

    Example:
        >>> exact_text(Fraction(17, 25)), exact_text(((Fraction(0), Fraction(1, 5)),))
        ('17/25', '(0, 1/5)')
    """
    if isinstance(exact, Fraction):
        return str(exact)
    return " ".join(f"({x}, {y})" for x, y in exact)


@shows(Certification, "csv")
def certified_csv(certification: Certification) -> str:
    """One line a number and tool."""
    head = ("set", "quantity", "exact", "tool", "value", "digits", "right", "told")
    lines = [
        [
            number.data_set,
            number.quantity,
            None if number.exact is None else exact_text(number.exact),
            tool,
            result.value,
            result.digits,
            AGREES[result.is_right],
            result.told,
        ]
        for number in certification.numbers
        for tool, result in number.results.items()
    ]
    return as_csv(head, lines)
