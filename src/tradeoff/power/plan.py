"""Study plans (sample size and power): the result, its wording, and checks of parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, floor, log10
from typing import Any

from tradeoff.core.ranking import require_prevalence
from tradeoff.errors import InputError, require_number
from tradeoff.formatting import format_count
from tradeoff.render.sections import Section
from tradeoff.results import Result, shows

SCHEMA = "tradeoff/plan/1"
PLAN_FIELDS = ("what", "solved", "positives", "negatives", "rows", "power", "significance")
MISSING_COUNT_PHRASES = ("none is", "one is", "two are", "three are", "four are")


@dataclass(frozen=True, eq=False)
class Plan(Result, views="tradeoff.power.plan"):
    """Plan of a study: sample size with its power or precision.

    `solved` names the quantity that was solved for. Numbers of rows are not rounded; the sentences
    round them up. Quantities that do not apply are None. For two groups (models tested on different
    rows), `positives` and `negatives` are those of each group, and `rows` is the total of both.

    Example:
        >>> plan = Plan("precision of a share", "positives", positives=141.0)
        >>> plan.positives, plan.power
        (141.0, None)
    """

    what: str
    solved: str
    positives: float | None = None
    negatives: float | None = None
    rows: float | None = None
    power: float | None = None
    significance: float | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row for the plan."""
        return {name: [getattr(self, name)] for name in PLAN_FIELDS}

    def __str__(self) -> str:
        """The plan in sentences."""
        return " ".join(self.sentences)


@shows(Plan, "document")
def plan_document(plan: Plan) -> dict[str, Any]:
    """JSON document of a sample size plan."""
    return {
        "schema": SCHEMA,
        **{name: getattr(plan, name) for name in PLAN_FIELDS},
        "values": dict(plan.values),
        "sentences": list(plan.sentences),
    }


@shows(Plan, "sections")
def plan_sections(plan: Plan) -> list[Section]:
    """Text sections of a sample size plan: its sentences."""
    return [Section(lines=plan.sentences)]


@dataclass(frozen=True)
class PowerDescription:
    """Wording of the sample size or power of a plan.

    `aim` and `finding` are templates for the two parts of `target`.

    Example:
        >>> rows, target = "9 positive and 9 negative rows", ("an AUC of 0.80", "from chance")
        >>> PowerDescription(rows, "distinguish {} {}", "{} is distinguished {}", target).describe(
        ...     "positives", 0.9, 0.05
        ... )
        'To distinguish an AUC of 0.80 from chance with a power of 90% (two-sided significance \
level 5%), 9 positive and 9 negative rows are needed.'
    """

    rows: str
    aim: str
    finding: str
    target: tuple[str, str]
    sides: str = "two"

    def describe(self, unknown: str, power: float, significance: float) -> str:
        """The plan in a sentence, by the quantity that was solved for."""
        level_name = f"{self.sides}-sided significance level"
        level = format_power(significance)
        with_power = f"with a power of {format_power(power)}"
        if unknown == "positives":
            aim = self.aim.format(*self.target)
            return f"To {aim} {with_power} ({level_name} {level}), {self.rows} are needed."
        if unknown == "power":
            finding = self.finding.format(*self.target)
            return f"With {self.rows}, {finding} {with_power} ({level_name} {level})."
        if unknown == "significance":
            finding = self.finding.format(*self.target)
            return f"With {self.rows}, {finding} {with_power} at a {level_name} of {level}."
        detectable_auc, reference = self.target
        finding = self.finding.format("", reference).strip()
        smallest_auc = detectable_auc.removeprefix("an AUC of ")
        condition = f"that {finding} {with_power} ({level_name} {level})"
        return f"With {self.rows}, the smallest AUC {condition} is {smallest_auc}."


def missing_parameter(**parameters: float | None) -> str:
    """Name of the one parameter that was left out of a plan, to be solved for.

    Example:
        >>> missing_parameter(positives=None, auc=0.8, power=0.9)
        'positives'
    """
    missing = [name for name, value in parameters.items() if value is None]
    if len(missing) != 1:
        *names, last = parameters
        raise InputError(
            f"Leave out exactly one of {', '.join(names)} and {last}: "
            f"{MISSING_COUNT_PHRASES[len(missing)]} missing."
        )
    return missing[0]


def require_between(
    value: float | None, description: str, low: float = 0.0, high: float = 1.0
) -> None:
    """Require a parameter of a plan to lie between two values; None marks the one to solve for."""
    if value is not None and not low < require_number(value, description) < high:
        hint = f" ({value:g}% is {value / 100:g})" if 1 < value < 100 and high == 1 else ""
        raise InputError(
            f"{description} must be between {low:g} and {high:g}, not {value:g}{hint}."
        )


def require_rows(value: float | None, description: str) -> None:
    """Require a positive number of rows in a plan; None marks the parameter to solve for."""
    if value is not None and not 0 < require_number(value, description) < float("inf"):
        raise InputError(f"{description} must be more than 0, not {value:g}.")


def negatives_per_positive(
    positives: float | None,
    negatives: float | None,
    ratio: float | None,
    prevalence: float | None,
) -> float:
    """Negatives per positive in a plan, from negatives, ratio or prevalence; 1 by default.

    Example:
        >>> negatives_per_positive(None, None, None, prevalence=0.2)
        4.0
    """
    require_rows(positives, "Positives")
    require_rows(negatives, "Negatives")
    if sum(value is not None for value in (negatives, ratio, prevalence)) > 1:
        raise InputError(
            "Give only one of negatives, ratio and prevalence: each determines the others."
        )
    if negatives is not None:
        if positives is None:
            raise InputError(
                "To solve for the number of rows, give the ratio (negatives per positive) or the "
                "prevalence, not the negatives."
            )
        return negatives / positives
    if prevalence is not None:
        require_prevalence(prevalence)
        return (1 - prevalence) / prevalence
    require_rows(ratio, "Negatives per positive (the ratio)")
    return 1.0 if ratio is None else float(ratio)


def round_up_rows(rows: float) -> int:
    """Round a sample size up to whole rows, ignoring an excess that is mere rounding error."""
    return ceil(rows - 1e-9)


def format_class_rows(positives: float, negatives: float) -> str:
    """Format the numbers of positive and negative rows of a plan.

    Example:
        >>> format_class_rows(13.3, 23.4)
        '14 positive and 24 negative rows'
    """
    counts = [format_count(round_up_rows(rows)) for rows in (positives, negatives)]
    return f"{counts[0]} positive and {counts[1]} negative rows"


def format_power(proportion: float) -> str:
    """Format a power, or another proportion in a plan, in percent; never rounded to 0% or 100%.

    Example:
        >>> [format_power(x) for x in (0.9, 0.9999509834, 0.05, 0.2619268, 1.0)]
        ['90%', '99.995%', '5%', '26.2%', '100%']
    """
    value = 100 * proportion
    distance = min(value, 100 - value)
    if distance <= 1e-9:
        return f"{value:.0f}%"
    return f"{value:.{max(1, -floor(log10(distance)))}f}".rstrip("0").rstrip(".") + "%"


def format_planned_auc(auc: float) -> str:
    """Format the AUC of a plan with two to four decimals, as many as it needs.

    Example:
        >>> [format_planned_auc(x) for x in (0.8, 0.731368, 0.6105)]
        ['0.80', '0.7314', '0.6105']
    """
    text = f"{auc:.4f}"
    return text[:-2] + text[-2:].rstrip("0")
