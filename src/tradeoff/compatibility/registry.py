"""Registry of the values and curves of other tools (scikit-learn, pROC, Weka, Spark).

`tool_measure` registers a function in `COMPAT`: a number or curve computed from a ranking by the
rules of another tool, with tradeoff's corresponding measure, whether both agree by definition, and
why. The command line, the reference page and the tests read this registry.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, SUMMARIES, Measure, Undefined, format_parameter
from tradeoff.results import ByValue, Result

Function = TypeVar("Function", bound=Callable[..., Any])
ToolKind = Literal["number", "curve"]
THRESHOLD = "threshold"

TOOLS = {
    "scikit-learn": ("sklearn", "scikit_learn"),
    "pROC": ("proc", "r"),
    "Weka": ("weka",),
    "Spark": ("spark", "pyspark", "mllib"),
}
"""Other tools in the order of the reference, with their aliases."""


@dataclass(frozen=True)
class ToolMeasure:
    """Registry entry of a number or curve of another tool.

    `name` is the tool's spelling, `ours` the canonical name of our corresponding measure or None.
    If our value is not simply that measure, `our_function` computes it from the parameters that it
    accepts, and `part` names the part ("lower limit"). `agrees`: both are equal by definition if
    both are defined; `why` explains the convention, and what the tool does if ours is undefined. A
    value at one threshold has `threshold` among its `parameters`.
    """

    tool: str
    name: str
    function: Callable[..., Any]
    ours: str | None
    agrees: bool
    why: str
    kind: ToolKind = "number"
    our_function: Callable[..., Any] | None = None
    part: str = ""
    aliases: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The name in `COMPAT`: "tool:name"."""
        return f"{self.tool.casefold()}:{self.name}"

    @property
    def measure(self) -> Measure | None:
        """Tradeoff's corresponding measure, or None if there is none."""
        if self.ours is None:
            return None
        return (METRICS if METRICS.knows(self.ours) else SUMMARIES).find(self.ours)

    def with_parameters(self, **parameters: Any) -> ToolMeasure:
        """The same measure with other parameters, for example another threshold."""
        unknown = sorted(set(parameters) - set(self.parameters))
        if unknown:
            takes = (
                f"takes {format_list(self.parameters)}"
                if self.parameters
                else "takes no parameters"
            )
            raise UnknownName(f"{self.key} {takes}, not {format_list(unknown)}.")
        for key, value in parameters.items():
            _require_same_type(self.key, key, value, self.parameters[key])
        return replace(self, parameters={**self.parameters, **parameters})

    def estimate(self, ranking: Ranking) -> Estimate:
        """The tool's value, or a reason that says what the tool does instead."""
        if self.kind != "number":
            raise InputError(f"{self.key} is a curve: use compat_curve.")
        estimate = _call(self.function, ranking, self.parameters, self.tool)
        if not estimate.is_defined and estimate.reason is None:
            estimate = replace(estimate, reason=f"{self.tool} gives NaN")
        return replace(estimate, name=_name_with_parameters(self))

    def our_estimate(self, ranking: Ranking) -> Estimate | None:
        """The value of tradeoff for the same rows; None if it has no such measure."""
        measure = self.measure
        if measure is None:
            return None
        if self.our_function is not None:
            accepted = inspect.signature(self.our_function).parameters
            parameters = {key: value for key, value in self.parameters.items() if key in accepted}
            return replace(_call(self.our_function, ranking, parameters), name=measure.name)
        if measure.kind == "metric":
            return measure.estimate(ranking.at(self.parameters[THRESHOLD]))
        return measure.estimate(ranking)

    def curve(self, ranking: Ranking) -> dict[str, NDArray[np.float64]]:
        """Columns of the tool's curve, under the tool's names."""
        if self.kind != "curve":
            raise InputError(f"{self.key} is a number: use compat.")
        try:
            columns = self.function(require_rows_in_memory(ranking, self.tool), **self.parameters)
        except Undefined as reason:
            raise InputError(f"{self.key} is undefined for these rows: {reason}.") from reason
        return {name: np.asarray(column, np.float64) for name, column in columns.items()}


class ToolMeasures(Mapping[str, ToolMeasure]):
    """Registry of tool measures by "tool:name"; `find` also accepts aliases of tools and names."""

    def __init__(self) -> None:
        self._measures: dict[str, ToolMeasure] = {}
        self._names: dict[str, ToolMeasure] = {}

    def add(self, measure: ToolMeasure) -> None:
        """Register a measure under its name and aliases, which must be new."""
        for name in (measure.name, *measure.aliases):
            normalized = f"{measure.tool.casefold()}:{_normalized_name(name)}"
            if normalized in self._names:
                raise ValueError(f"two numbers of {measure.tool} are called {name!r}")
            self._names[normalized] = measure
        self._measures[measure.key] = measure

    def find(self, name: str) -> ToolMeasure:
        """Look up "tool:name" in any usual spelling; the tool may be left out if unambiguous.

        Example:
            >>> from tradeoff.compatibility import COMPAT
            >>> COMPAT.find("sklearn:Average precision score").key
            'scikit-learn:average_precision_score'
            >>> COMPAT.find("areaUnderPR").tool
            'Spark'
        """
        tool, _, bare_name = name.rpartition(":")
        normalized = _normalized_name(bare_name)
        if tool:
            key = f"{find_tool(tool).casefold()}:{normalized}"
            matches = [self._names[key]] if key in self._names else []
        else:
            matches = [
                measure
                for key, measure in self._names.items()
                if key.partition(":")[2] == normalized
            ]
        if len(matches) == 1:
            return matches[0]
        if matches:
            keys = " or ".join(repr(measure.key) for measure in matches)
            raise UnknownName(f"{name!r} exists in several tools: write {keys}.")
        keys_of_tool = [
            measure.key
            for measure in self._measures.values()
            if not tool or measure.tool == find_tool(tool)
        ]
        raise UnknownName(
            f"No number of another tool is called {name!r}.{_suggestion(name, keys_of_tool)} "
            f"`tradeoff compat` lists all {len(self._measures)}."
        )

    def select(self, tool: str | None = None, kind: ToolKind = "number") -> list[ToolMeasure]:
        """Numbers (or curves) of one tool, or of all tools, in the order of the reference."""
        tools = TOOLS if tool is None else (find_tool(tool),)
        measures = [measure for measure in self._measures.values() if measure.kind == kind]
        return [measure for name in tools for measure in measures if measure.tool == name]

    def __getitem__(self, name: str) -> ToolMeasure:
        """Look up "tool:name" in any usual spelling."""
        return self.find(name)

    def __contains__(self, name: object) -> bool:
        """Whether a measure of another tool has this name."""
        try:
            return isinstance(name, str) and bool(self.find(name))
        except UnknownName:
            return False

    def __iter__(self) -> Iterator[str]:
        """Iterate over all "tool:name" keys."""
        return iter(self._measures)

    def __len__(self) -> int:
        """Number of measures."""
        return len(self._measures)


COMPAT = ToolMeasures()
"""Numbers and curves of other tools by "tool:name", registered with `tool_measure`."""


def tool_measure(  # noqa: PLR0913 - one argument per field
    tool: str,
    name: str,
    *,
    ours: str | None,
    why: str,
    agrees: bool = False,
    kind: ToolKind = "number",
    our_function: Callable[..., Any] | None = None,
    part: str = "",
    aliases: tuple[str, ...] = (),
) -> Callable[[Function], Function]:
    """Register a function of a ranking as a number or curve of another tool.

    The function raises `Undefined`, with the reason, if the tool fails or gives no value. Its
    keyword-only arguments are parameters; one called `threshold` makes it a value at one threshold.
    """

    def register(function: Function) -> Function:
        parameters = inspect.signature(function).parameters.values()
        defaults = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
        fields = (tool, name, function, ours, agrees, why, kind, our_function, part, aliases)
        COMPAT.add(ToolMeasure(*fields, defaults))
        return function

    return register


def find_tool(name: str) -> str:
    """Canonical name of another tool, looked up by any of its aliases.

    Example:
        >>> find_tool("SKLearn"), find_tool("R")
        ('scikit-learn', 'pROC')
    """
    normalized = name.strip().casefold()
    for tool, aliases in TOOLS.items():
        if normalized in (tool.casefold(), *aliases):
            return tool
    names = [*(alias for aliases in TOOLS.values() for alias in aliases), *TOOLS]
    raise UnknownName(
        f"There is no tool {name!r}.{did_you_mean(name, names)} Available tools: "
        f"{format_list(TOOLS)}."
    )


def compat(subject: Any, name: str, **parameters: Any) -> Estimate:
    """Value that another tool reports for a ranking or an evaluation of one model.

    If the tool fails or gives NaN, the estimate is undefined and gives the reason.
    `COMPAT[name].why` explains the convention.

    Example:
        >>> from tradeoff.compatibility import compat
        >>> rows = np.array([0.1, 0.4, 0.4, 0.4, 0.8, 0.9]), np.array([0, 1, 1, 0, 1, 0], bool)
        >>> compat(Ranking.of(*rows), "sklearn:average_precision_score")
        0.567
        >>> compat(Ranking.of(*rows), "spark:areaUnderPR", bins=2)
        0.500
    """
    return COMPAT.find(name).with_parameters(**parameters).estimate(_require_ranking(subject))


def compat_curve(subject: Any, name: str, **parameters: Any) -> dict[str, NDArray[np.float64]]:
    """Curve of another tool: its columns, under the tool's names.

    Example:
        >>> from tradeoff.compatibility import compat_curve
        >>> ranking = Ranking.of(np.array([0.9, 0.4, 0.2]), np.array([True, False, True]))
        >>> compat_curve(ranking, "weka:ThresholdCurve")["Threshold"].tolist()
        [0.2, 0.4, 0.9, 0.90001]
    """
    return COMPAT.find(name).with_parameters(**parameters).curve(_require_ranking(subject))


def _require_ranking(subject: Any) -> Ranking:
    ranking = getattr(subject, "ranking", subject)
    if not isinstance(ranking, Ranking):
        raise InputError(
            "compat needs a ranking or an evaluation, as in compat(e, …), "
            f"not {type(subject).__name__}."
        )
    if not ranking.exact:
        raise InputError("Other tools' numbers need all scores, but these are in bins.")
    return ranking


def _call(
    function: Callable[..., Any], ranking: Ranking, parameters: Mapping[str, Any], tool: str = ""
) -> Estimate:
    """Estimate from a function of a ranking, or the reason why it is undefined."""
    try:
        value = function(require_rows_in_memory(ranking, tool) if tool else ranking, **parameters)
    except Undefined as reason:
        return Estimate("", math.nan, reason=str(reason))
    return value if isinstance(value, Estimate) else Estimate("", float(value))


def require_rows_in_memory(ranking: Ranking, tool: str) -> Ranking:
    if not ranking.distinct:
        raise Undefined(f"there are no scored rows, for which {tool} is not reproduced")
    return ranking


def _name_with_parameters(measure: ToolMeasure) -> str:
    """The key, with those parameters that differ from the tool's defaults."""
    defaults = COMPAT.find(measure.key).parameters
    changed_values = {k: value for k, value in measure.parameters.items() if value != defaults[k]}
    parameters = ", ".join(f"{k}={format_parameter(value)}" for k, value in changed_values.items())
    return f"{measure.key}({parameters})" if parameters else measure.key


def _require_same_type(key: str, parameter: str, value: Any, default: Any) -> None:
    """Require a parameter of the same type as its default: a number, a pair or a string."""
    types = (str, bool, tuple)
    if any(isinstance(default, kind) != isinstance(value, kind) for kind in types):
        raise UnknownName(f"{key} cannot take {parameter}={value!r}: the default is {default!r}.")


def _suggestion(name: str, keys: list[str]) -> str:
    """Suggest the closest key; a name without a tool is compared with bare names."""
    if ":" in name:
        tool, _, bare_name = name.rpartition(":")
        return did_you_mean(f"{find_tool(tool).casefold()}:{bare_name}", keys)
    bare_names = {key.partition(":")[2]: key for key in keys}
    return did_you_mean(name, bare_names)


def _normalized_name(name: str) -> str:
    return re.sub(r"[\s\-_.]+", "_", name.strip().casefold())


ROUNDING_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class ToolNumber(ByValue):
    """Another tool's value and tradeoff's (None if it has no such measure) for the same rows.

    Example:
        >>> import numpy as np
        >>> from tradeoff.compatibility import tool_numbers
        >>> from tradeoff.core.ranking import Ranking
        >>> ranking = Ranking.of(np.array([0.1, 0.3, 0.8]), np.array([True, True, False]))
        >>> number = tool_numbers(ranking, "pROC")[0]
        >>> number.measure.name, number.theirs.value, number.ours.value, number.same
        ('auc', 1.0, 0.0, False)
    """

    measure: ToolMeasure
    theirs: Estimate
    ours: Estimate | None

    @property
    def same(self) -> bool | None:
        """Whether both are equal up to rounding, or both undefined; None if `ours` is None."""
        if self.ours is None:
            return None
        if not (self.theirs.is_defined and self.ours.is_defined):
            return self.theirs.is_defined == self.ours.is_defined
        theirs, ours = self.theirs.value, self.ours.value
        return math.isclose(theirs, ours, rel_tol=ROUNDING_TOLERANCE, abs_tol=ROUNDING_TOLERANCE)


@dataclass(frozen=True, eq=False)
class ToolComparison(Result, views="tradeoff.compatibility.views"):
    """Values of other tools for a ranking, next to those of tradeoff."""

    ranking: Ranking
    threshold: float
    numbers: tuple[ToolNumber, ...]

    def columns(self) -> dict[str, list[Any]]:
        """One row per number."""
        return {
            "tool": [number.measure.tool for number in self.numbers],
            "name": [number.measure.name for number in self.numbers],
            "value": [number.theirs.value for number in self.numbers],
            "our_value": [
                number.ours.value if number.ours else math.nan for number in self.numbers
            ],
            "same": [number.same for number in self.numbers],
        }


def compare_tools(
    ranking: Ranking, tool: str | None = None, *, threshold: float = 0.5
) -> ToolComparison:
    """Compare tradeoff's values with those of another tool, or of all tools, for a ranking."""
    return ToolComparison(
        ranking, threshold, tuple(tool_numbers(ranking, tool, threshold=threshold))
    )


def tool_numbers(
    ranking: Ranking, tool: str | None = None, *, threshold: float = 0.5
) -> list[ToolNumber]:
    """All registered values of another tool, or of all tools, next to those of tradeoff."""
    return [_tool_number(measure, ranking, threshold) for measure in COMPAT.select(tool)]


def _tool_number(measure: ToolMeasure, ranking: Ranking, threshold: float) -> ToolNumber:
    if THRESHOLD in measure.parameters:
        measure = measure.with_parameters(threshold=threshold)
    return ToolNumber(measure, measure.estimate(ranking), measure.our_estimate(ranking))
