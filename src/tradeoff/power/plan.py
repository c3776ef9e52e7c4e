"""What a plan says, and what is asked of the numbers it is made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, floor, log10
from typing import Any

from tradeoff.core.ranking import demand_prevalence
from tradeoff.errors import InputError, as_number
from tradeoff.render.sections import Section
from tradeoff.results import Result, shows
from tradeoff.text import count

PLAN = "tradeoff/plan/1"
FACTS = ("what", "solved", "positives", "negatives", "rows", "power", "significance")
WORDS = ("none is", "one is", "two are", "three are", "four are")


@dataclass(frozen=True, eq=False)
class Plan(Result, views="tradeoff.power.plan"):
    """How many rows go with which power, or with which precision; as text, what a reader needs.

    `solved` names the number that was asked for. Rows are real numbers as computed; the sentences
    round them up. None stands for what plays no part. Of two groups (models tried on different
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
        """The plan in one line."""
        return {name: [getattr(self, name)] for name in FACTS}

    def __str__(self) -> str:
        """The sentences."""
        return " ".join(self.sentences)


@shows(Plan, "document")
def plan_document(plan: Plan) -> dict[str, Any]:
    """The plan as other programs read it."""
    return {
        "schema": PLAN,
        **{name: getattr(plan, name) for name in FACTS},
        "values": dict(plan.values),
        "sentences": list(plan.sentences),
    }


@shows(Plan, "sections")
def plan_sections(plan: Plan) -> list[Section]:
    """The sentences."""
    return [Section(lines=plan.sentences)]


@dataclass(frozen=True)
class Wording:
    """The parts of which the sentence on a test is made.

    `aim` and `done` have two places for the `target`: what is shown, and beside what.

    Example:
        >>> rows, target = "9 positive and 9 negative rows", ("an AUC of 0.80", "from chance")
        >>> Wording(rows, "tell {} {}", "{} is told {}", target).sentence("positives", 0.9, 0.05)
        'To tell an AUC of 0.80 from chance with a power of 90 % (two-sided significance 5 %), \
9 positive and 9 negative rows are needed.'
    """

    rows: str
    aim: str
    done: str
    target: tuple[str, str]
    sides: str = "two"

    def sentence(self, solved: str, power: float, significance: float) -> str:
        """What was found, first or last in the sentence as fits it best."""
        risk = f"{self.sides}-sided significance"
        sure = f"with a power of {percent(power)}"
        aside = f"({risk} {percent(significance)})"
        if solved == "positives":
            return f"To {self.aim.format(*self.target)} {sure} {aside}, {self.rows} are needed."
        if solved == "power":
            return f"With {self.rows} {self.done.format(*self.target)} {sure} {aside}."
        if solved == "significance":
            last = f"at a {risk} of {percent(significance)}"
            return f"With {self.rows} {self.done.format(*self.target)} {sure} {last}."
        smallest, beside = self.target
        least = self.done.format("", beside).strip()
        found = smallest.removeprefix("an AUC of ")
        return f"With {self.rows} the smallest AUC that {least} {sure} {aside} is {found}."


def missing_one(**given: float | None) -> str:
    """The name of the only number that was left out.

    Example:
        >>> missing_one(positives=None, auc=0.8, power=0.9)
        'positives'
    """
    missing = [name for name, value in given.items() if value is None]
    if len(missing) != 1:
        *names, last = given
        raise InputError(
            f"Give all but one of {', '.join(names)} and {last}: {WORDS[len(missing)]} missing."
        )
    return missing[0]


def inside(value: float | None, what: str, low: float = 0.0, high: float = 1.0) -> None:
    """A number strictly between two others; None is what is to be found."""
    if value is not None and not low < as_number(value, what) < high:
        percent = f" ({value:g} % is {value / 100:g})" if 1 < value < 100 and high == 1 else ""
        raise InputError(f"{what} lies between {low:g} and {high:g}, not at {value:g}{percent}.")


def demand_rows(value: float | None, what: str) -> None:
    """A number of rows that is not 0; None is what is to be found."""
    if value is not None and not 0 < as_number(value, what) < float("inf"):
        raise InputError(f"{what} are more than 0, not {value:g}.")


def ratio_of(
    positives: float | None,
    negatives: float | None,
    ratio: float | None,
    prevalence: float | None,
) -> float:
    """Negatives for each positive, in whichever way they were given; as many, if not at all.

    Example:
        >>> ratio_of(None, None, None, prevalence=0.2)
        4.0
    """
    demand_rows(positives, "Positives")
    demand_rows(negatives, "Negatives")
    if sum(given is not None for given in (negatives, ratio, prevalence)) > 1:
        raise InputError("Give one of negatives, ratio and prevalence: each follows from another.")
    if negatives is not None:
        if positives is None:
            raise InputError(
                "To find the number of rows, give the ratio (negatives for each positive) or the "
                "prevalence, not the negatives."
            )
        return negatives / positives
    if prevalence is not None:
        demand_prevalence(prevalence)
        return (1 - prevalence) / prevalence
    demand_rows(ratio, "Negatives for each positive (the ratio)")
    return 1.0 if ratio is None else float(ratio)


def whole(rows: float) -> int:
    """Rows rounded up; what exceeds a whole number by rounding alone does not count."""
    return ceil(rows - 1e-9)


def both_classes(positives: float, negatives: float) -> str:
    """The rows of both classes in words.

    Example:
        >>> both_classes(13.3, 23.4)
        '14 positive and 24 negative rows'
    """
    return f"{count(whole(positives))} positive and {count(whole(negatives))} negative rows"


def percent(share: float) -> str:
    """A share in percent, with digits until it differs from 0 and 100.

    Example:
        >>> [percent(x) for x in (0.9, 0.9999509834, 0.05, 0.2619268, 1.0)]
        ['90 %', '99.995 %', '5 %', '26.2 %', '100 %']
    """
    value = 100 * share
    away = min(value, 100 - value)
    if away <= 1e-9:
        return f"{value:.0f} %"
    return f"{value:.{max(1, -floor(log10(away)))}f}".rstrip("0").rstrip(".") + " %"


def decimals(value: float) -> str:
    """An area or share with two decimals, up to four where it has more.

    Example:
        >>> [decimals(x) for x in (0.8, 0.731368, 0.6105)]
        ['0.80', '0.7314', '0.6105']
    """
    text = f"{value:.4f}"
    return text[:-2] + text[-2:].rstrip("0")
