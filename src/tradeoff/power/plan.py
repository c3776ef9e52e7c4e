"""The plan of a study: its sample size and power, its sentences and its checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, floor, log10
from typing import Any

from tradeoff.core.ranking import require_prevalence
from tradeoff.errors import InputError, require_number
from tradeoff.render.sections import Section
from tradeoff.results import Result, shows
from tradeoff.text import format_count

PLAN = "tradeoff/plan/1"
FACTS = ("what", "solved", "positives", "negatives", "rows", "power", "significance")
WORDS = ("none is", "one is", "two are", "three are", "four are")


@dataclass(frozen=True, eq=False)
class Plan(Result, views="tradeoff.power.plan"):
    """Plan of a study: sample size with its power or precision.

    `solved` names the number that was solved for. Rows are real numbers as computed; the sentences
    round them up. None stands for what plays no part. For two groups (models tested on different
    rows) `positives` and `negatives` are those of each group, and `rows` of both.

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
        """The plan as a table of one row."""
        return {name: [getattr(self, name)] for name in FACTS}

    def __str__(self) -> str:
        """The sentences."""
        return " ".join(self.sentences)


@shows(Plan, "document")
def plan_document(plan: Plan) -> dict[str, Any]:
    """JSON document of a sample size plan."""
    return {
        "schema": PLAN,
        **{name: getattr(plan, name) for name in FACTS},
        "values": dict(plan.values),
        "sentences": list(plan.sentences),
    }


@shows(Plan, "sections")
def plan_sections(plan: Plan) -> list[Section]:
    """Printed sentences of a sample size plan."""
    return [Section(lines=plan.sentences)]


@dataclass(frozen=True)
class PowerSentence:
    """Parts of the sentence that states the sample size or power of a plan.

    `aim` and `done` are templates for the two parts of `target`.

    Example:
        >>> rows, target = "9 positive and 9 negative rows", ("an AUC of 0.80", "from chance")
        >>> PowerSentence(rows, "distinguish {} {}", "{} is distinguished {}", target).sentence(
        ...     "positives", 0.9, 0.05
        ... )
        'To distinguish an AUC of 0.80 from chance with a power of 90% (two-sided significance \
level 5%), 9 positive and 9 negative rows are needed.'
    """

    rows: str
    aim: str
    done: str
    target: tuple[str, str]
    sides: str = "two"

    def sentence(self, solved: str, power: float, significance: float) -> str:
        """The sentence for the number that was solved for."""
        risk = f"{self.sides}-sided significance level"
        with_power = f"with a power of {format_percent(power)}"
        aside = f"({risk} {format_percent(significance)})"
        if solved == "positives":
            return (
                f"To {self.aim.format(*self.target)} {with_power} {aside}, {self.rows} are needed."
            )
        if solved == "power":
            return f"With {self.rows} {self.done.format(*self.target)} {with_power} {aside}."
        if solved == "significance":
            last = f"at a {risk} of {format_percent(significance)}"
            return f"With {self.rows} {self.done.format(*self.target)} {with_power} {last}."
        subject, reference = self.target
        predicate = self.done.format("", reference).strip()
        smallest = subject.removeprefix("an AUC of ")
        condition = f"that {predicate} {with_power} {aside}"
        return f"With {self.rows} the smallest AUC {condition} is {smallest}."


def missing_parameter(**parameters: float | None) -> str:
    """Name of the one parameter of a plan that was left out, to be solved for.

    Example:
        >>> missing_parameter(positives=None, auc=0.8, power=0.9)
        'positives'
    """
    missing = [name for name, value in parameters.items() if value is None]
    if len(missing) != 1:
        *names, last = parameters
        raise InputError(
            f"Give all but one of {', '.join(names)} and {last}: {WORDS[len(missing)]} missing."
        )
    return missing[0]


def require_between(value: float | None, what: str, low: float = 0.0, high: float = 1.0) -> None:
    """Require a planning parameter strictly between two numbers; None is solved for."""
    if value is not None and not low < require_number(value, what) < high:
        hint = f" ({value:g}% is {value / 100:g})" if 1 < value < 100 and high == 1 else ""
        raise InputError(f"{what} must lie between {low:g} and {high:g}, not at {value:g}{hint}.")


def require_rows(value: float | None, what: str) -> None:
    """Require a positive number of rows in a plan; None is solved for."""
    if value is not None and not 0 < require_number(value, what) < float("inf"):
        raise InputError(f"{what} must be more than 0, not {value:g}.")


def negatives_per_positive(
    positives: float | None,
    negatives: float | None,
    ratio: float | None,
    prevalence: float | None,
) -> float:
    """Negatives per positive of a plan, from negatives, ratio or prevalence; 1 by default.

    Example:
        >>> negatives_per_positive(None, None, None, prevalence=0.2)
        4.0
    """
    require_rows(positives, "Positives")
    require_rows(negatives, "Negatives")
    if sum(value is not None for value in (negatives, ratio, prevalence)) > 1:
        raise InputError("Give one of negatives, ratio and prevalence: each follows from another.")
    if negatives is not None:
        if positives is None:
            raise InputError(
                "To find the number of rows, give the ratio (negatives for each positive) or the "
                "prevalence, not the negatives."
            )
        return negatives / positives
    if prevalence is not None:
        require_prevalence(prevalence)
        return (1 - prevalence) / prevalence
    require_rows(ratio, "Negatives for each positive (the ratio)")
    return 1.0 if ratio is None else float(ratio)


def round_up_rows(rows: float) -> int:
    """Round a sample size up; an excess by rounding errors alone does not count."""
    return ceil(rows - 1e-9)


def format_class_rows(positives: float, negatives: float) -> str:
    """Format the rows of both classes of a plan in words.

    Example:
        >>> format_class_rows(13.3, 23.4)
        '14 positive and 24 negative rows'
    """
    counts = [format_count(round_up_rows(rows)) for rows in (positives, negatives)]
    return f"{counts[0]} positive and {counts[1]} negative rows"


def format_percent(share: float) -> str:
    """Format a power or share in percent, with digits until it differs from 0 and 100.

    Example:
        >>> [format_percent(x) for x in (0.9, 0.9999509834, 0.05, 0.2619268, 1.0)]
        ['90%', '99.995%', '5%', '26.2%', '100%']
    """
    value = 100 * share
    distance = min(value, 100 - value)
    if distance <= 1e-9:
        return f"{value:.0f}%"
    return f"{value:.{max(1, -floor(log10(distance)))}f}".rstrip("0").rstrip(".") + "%"


def format_decimals(value: float) -> str:
    """Format an AUC of a plan with two decimals, up to four where it has more.

    Example:
        >>> [format_decimals(x) for x in (0.8, 0.731368, 0.6105)]
        ['0.80', '0.7314', '0.6105']
    """
    text = f"{value:.4f}"
    return text[:-2] + text[-2:].rstrip("0")
