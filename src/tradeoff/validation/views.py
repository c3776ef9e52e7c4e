"""Validation and certification as text, JSON and CSV."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from tradeoff.render.json_csv import format_csv, json_number
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.validation.agreement import (
    REFUSED,
    REQUIRED_DIGITS,
    UNDEFINED,
    Certification,
    CertifiedNumber,
    Points,
    RecomputedValue,
    Study,
    ToolAnswer,
    Validation,
    printed_decimals,
)

VALIDATION_SCHEMA = "tradeoff/validation/1"
CERTIFICATION_SCHEMA = "tradeoff/certification/1"
AGREEMENT_WORDS = {True: "yes", False: "no", None: "not run"}
EXTRA_DIGITS = 2
"""Number of digits of a computed value shown beyond the published ones."""
DIGITS_NOTE = (
    "Cells show the number of correct digits, −log10 of the relative error; 16 is the double "
    "nearest to the exact value. “undefined” is right if the value is undefined. An exclamation "
    "mark (!) marks wrong answers. Empty cells: not certified, or not computed by the tool."
)
WRONG_BELOW_DIGITS = 6
"""With fewer digits, a value counts as wrong, not as inaccurate."""


@shows(Validation, "sections")
def validation_sections(validation: Validation) -> list[Section]:
    """Text of a validation: how many published values agree, and a table per study."""
    studies = validation.studies
    numbers = [number for study in studies for number in study.numbers]
    counts = _counts(numbers)
    answer = f"{counts['agree']} of {len(numbers)} published values agree to their last digit"
    parts = [f"{counts['differ']} differ"] if counts["differ"] else []
    parts += [f"{counts['not_run']} were not run"] if counts["not_run"] else []
    line = f"{answer}; {' and '.join(parts)}." if parts else f"{answer}."
    return [Section("", (line,)), *map(_study_section, studies)]


def _study_section(study: Study) -> Section:
    head = ("number", "published", "computed", "agrees")
    rows = [
        (number.label, number.published, _format_computed(number), _agreement(number))
        for number in study.numbers
    ]
    return Section(study.title, (study.source,), (head, *rows))


def _format_computed(number: RecomputedValue) -> str:
    """Format a computed value with a few digits more than the published one.

    Example:
        >>> from tradeoff.validation.agreement import RecomputedValue
        >>> [_format_computed(RecomputedValue("", *values)) for values in (
        ...     ("0.7366", 0.73655914), ("17", 17.0), ("49/78", 49 / 78), ("0.5778", None))]
        ['0.736559', '17', '0.628205128205', '']
    """
    if number.computed is None or isinstance(number.computed, str):
        return number.computed or ""
    if "/" in number.published or not printed_decimals(number.published):
        return f"{number.computed:.12g}"
    return f"{number.computed:.{printed_decimals(number.published) + EXTRA_DIGITS}f}"


def _agreement(number: RecomputedValue) -> str:
    word = AGREEMENT_WORDS[number.agrees]
    return f"{word}: {number.reason}" if number.reason else word


def _counts(numbers: Sequence[RecomputedValue]) -> dict[str, int]:
    outcomes = [number.agrees for number in numbers]
    return {
        "agree": outcomes.count(True),
        "differ": outcomes.count(False),
        "not_run": outcomes.count(None),
    }


@shows(Validation, "document")
def validation_document(validation: Validation) -> dict[str, Any]:
    """JSON document of a validation."""
    studies = validation.studies
    return {
        "schema": VALIDATION_SCHEMA,
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


def _number_document(number: RecomputedValue) -> dict[str, Any]:
    computed = number.computed
    value = json_number(float(computed)) if isinstance(computed, int | float) else computed
    reason = {"reason": number.reason} if number.reason else {}
    return {
        "number": number.label,
        "published": number.published,
        "computed": value,
        "agrees": number.agrees,
        **reason,
    }


@shows(Validation, "csv")
def validation_csv(validation: Validation) -> str:
    """CSV of a validation, one row per number."""
    head = ("study", "number", "published", "computed", "agrees", "reason", "source")
    rows = [
        [
            study.title,
            number.label,
            number.published,
            number.computed,
            AGREEMENT_WORDS[number.agrees],
            number.reason,
            study.source,
        ]
        for study in validation.studies
        for number in study.numbers
    ]
    return format_csv(head, rows)


@shows(Certification, "sections")
def certification_sections(certification: Certification) -> list[Section]:
    """Text of a certification: each tool's correct digits, and where tools fall short."""
    numbers = certification.numbers
    sets = list(dict.fromkeys(number.data_set for number in numbers))
    lines = (
        f"{len(sets)} certified data sets with {len(numbers)} exact values.",
        DIGITS_NOTE,
    )
    tables = [_digits_table(tool, numbers, sets) for tool in _tool_names(numbers)]
    return [Section("", lines), *tables, _shortfall_section(numbers)]


def _tool_names(numbers: Sequence[CertifiedNumber]) -> list[str]:
    """Names of the tools that answered, tradeoff first."""
    return list(dict.fromkeys(tool for number in numbers for tool in number.results))


def _all_quantities(numbers: Sequence[CertifiedNumber]) -> list[str]:
    """All quantities, in the order of the data set that has most of them."""
    by_set = groupby(numbers, key=lambda number: number.data_set)
    return max(([number.quantity for number in group] for _, group in by_set), key=len)


def _digits_table(tool: str, numbers: Sequence[CertifiedNumber], sets: list[str]) -> Section:
    results = {(n.data_set, n.quantity): n.results[tool] for n in numbers if tool in n.results}
    answered = {quantity for _, quantity in results}
    quantities = [quantity for quantity in _all_quantities(numbers) if quantity in answered]
    correct = sum(result.is_right for result in results.values())
    line = f"{correct} of {len(results)} values have {REQUIRED_DIGITS:.0f} or more correct digits."
    rows = [
        (name, *(_format_cell(results.get((name, quantity))) for quantity in quantities))
        for name in sets
        if any((name, quantity) in results for quantity in quantities)
    ]
    return Section(tool, (line,), (("data set", *quantities), *rows))


def _format_cell(result: ToolAnswer | None) -> str:
    if result is None:
        return ""
    if result.digits is not None and not result.is_right:
        return f"{result.digits:.1f}!"
    if result.digits is not None:
        return f"{result.digits:.1f}".removesuffix(".0")
    word = REFUSED if result.remark.startswith(REFUSED) else result.remark
    return word if result.is_right else f"{word}!"


def _shortfall_section(numbers: Sequence[CertifiedNumber]) -> Section:
    sentences = shortfalls(numbers)
    return Section("Where tools fall short", tuple(sentences or ["Nowhere."]))


def shortfalls(numbers: Sequence[CertifiedNumber]) -> list[str]:
    """Sentences on wrong or inaccurate answers of tools for certified values.

    Example:
        >>> from tradeoff.validation.agreement import CertifiedNumber, assess_answer
        >>> wrong, right = assess_answer(None, 0.0), assess_answer(None, float("nan"))
        >>> answers = {"abacus 1": wrong, "slide rule": right}
        >>> shortfalls([CertifiedNumber("no-positives", "auc", None, answers)])
        ['abacus 1, no-positives: auc is 0 instead of undefined.']
    """
    wrong_answers = [
        (tool, number.data_set, _describe_shortfall(result), number.quantity)
        for tool in _tool_names(numbers)
        for number in numbers
        if tool in number.results
        for result in [number.results[tool]]
        if not result.is_right
    ]
    sentences = []
    for (tool, data_set, reason), group in groupby(wrong_answers, key=lambda entry: entry[:3]):
        quantities = [entry[3] for entry in group]
        verb = "is" if len(quantities) == 1 else "are"
        names = ", ".join(quantities)
        sentences.append(f"{tool}, {data_set}: {names} {reason.replace('is ', verb + ' ', 1)}.")
    return sentences


def _describe_shortfall(result: ToolAnswer) -> str:
    if result.remark.startswith(REFUSED):
        reason = result.remark.removeprefix(f"{REFUSED}: ").rstrip(".")
        return f"is refused ({reason})"
    if result.remark == UNDEFINED:
        return "is defined, but reported as undefined"
    if result.digits is None:
        return f"is {result.value:g} instead of undefined"
    if result.remark or result.digits < WRONG_BELOW_DIGITS:
        return f"is wrong ({result.remark or f'{result.value:.6g}'})"
    return f"is correct to only {result.digits:.1f} digits"


@shows(Certification, "document")
def certification_document(certification: Certification) -> dict[str, Any]:
    """JSON document of a certification."""
    numbers, titles = certification.numbers, certification.titles
    return {
        "schema": CERTIFICATION_SCHEMA,
        "tools": _tool_names(numbers),
        "sets": [
            {
                "name": name,
                "title": titles[name],
                "numbers": [_certified_number_document(number) for number in group],
            }
            for name, group in groupby(numbers, key=lambda number: number.data_set)
        ],
    }


def _certified_number_document(number: CertifiedNumber) -> dict[str, Any]:
    return {
        "quantity": number.quantity,
        "exact": None if number.exact is None else format_exact(number.exact),
        "results": [
            {
                "tool": tool,
                "right": result.is_right,
                "digits": result.digits,
                "value": None if result.value is None else json_number(result.value),
                **({"told": result.remark} if result.remark else {}),
            }
            for tool, result in number.results.items()
        ],
    }


def format_exact(exact: Fraction | Points) -> str:
    """Format a certified value as text: a fraction, or the points of a hull.

    Example:
        >>> format_exact(Fraction(17, 25)), format_exact(((Fraction(0), Fraction(1, 5)),))
        ('17/25', '(0, 1/5)')
    """
    if isinstance(exact, Fraction):
        return str(exact)
    return " ".join(f"({x}, {y})" for x, y in exact)


@shows(Certification, "csv")
def certification_csv(certification: Certification) -> str:
    """CSV of a certification, one row per number and tool."""
    head = ("set", "quantity", "exact", "tool", "value", "digits", "right", "told")
    rows = [
        [
            number.data_set,
            number.quantity,
            None if number.exact is None else format_exact(number.exact),
            tool,
            result.value,
            result.digits,
            AGREEMENT_WORDS[result.is_right],
            result.remark,
        ]
        for number in certification.numbers
        for tool, result in number.results.items()
    ]
    return format_csv(head, rows)
