"""What a number of another tool is, the table that holds them, and how one is asked for.

A *peer* is a number (or a curve) of another tool, made here from a ranking by that tool's own
rules. `like` enters a plain function in `COMPAT` with what a reader must know: which of our
measures it stands beside, whether both are the same number, and why or why not. The command line,
the reference page and the tests read that table, so a new peer is one decorated function. No
formula stands here.
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
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError, UnknownName, did_you_mean, listed
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, SUMMARIES, Measure, Undefined, written
from tradeoff.results import ByValue, Result

Function = TypeVar("Function", bound=Callable[..., Any])
Gives = Literal["number", "curve"]
THRESHOLD = "threshold"

TOOLS = {
    "scikit-learn": ("sklearn", "scikit_learn"),
    "pROC": ("proc", "r"),
    "Weka": ("weka",),
    "Spark": ("spark", "pyspark", "mllib"),
}
"""The tools in the order of the reference, and other words for them."""


@dataclass(frozen=True)
class Peer:
    """A number or curve of another tool, with all that a reader must know about it.

    `name` is the tool's own spelling, `ours` the canonical name of our measure beside it or None.
    Where it is not simply that measure, `our` computes our number, from those parameters that it
    takes, and `part` says which part of it is meant ("lower end"). `agrees` tells that both are the
    same by definition wherever both are defined; `why` says the convention, and what the tool does
    where ours is undefined. A number of one threshold has `threshold` among its `parameters`.
    """

    tool: str
    name: str
    function: Callable[..., Any]
    ours: str | None
    agrees: bool
    why: str
    gives: Gives = "number"
    our: Callable[..., Any] | None = None
    part: str = ""
    also: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What it is called in `COMPAT`: its tool and its name."""
        return f"{self.tool.casefold()}:{self.name}"

    @property
    def measure(self) -> Measure | None:
        """Our measure beside it."""
        if self.ours is None:
            return None
        return (METRICS if METRICS.knows(self.ours) else SUMMARIES).find(self.ours)

    def with_parameters(self, **given: Any) -> Peer:
        """The same peer with other parameters, for example another threshold."""
        unknown = sorted(set(given) - set(self.parameters))
        if unknown:
            takes = f"takes {listed(self.parameters)}" if self.parameters else "takes no parameters"
            raise UnknownName(f"{self.key} {takes}, not {listed(unknown)}.")
        for key, value in given.items():
            _demand_kind(self.key, key, value, self.parameters[key])
        return replace(self, parameters={**self.parameters, **given})

    def theirs(self, ranking: Ranking) -> Estimate:
        """The tool's number, or what the tool does instead of giving one."""
        if self.gives != "number":
            raise InputError(f"{self.key} is a curve: ask compat_curve for it.")
        found = _asked(self.function, ranking, self.parameters, self.tool)
        if not found.is_defined and found.reason is None:
            found = replace(found, reason=f"{self.tool} gives NaN")
        return replace(found, name=_called(self))

    def beside(self, ranking: Ranking) -> Estimate | None:
        """Our number for the same rows; None where there is no such number here."""
        measure = self.measure
        if measure is None:
            return None
        if self.our is not None:
            takes = inspect.signature(self.our).parameters
            own = {key: value for key, value in self.parameters.items() if key in takes}
            return replace(_asked(self.our, ranking, own), name=measure.name)
        if measure.kind == "metric":
            return measure.estimate(ranking.at(self.parameters[THRESHOLD]))
        return measure.estimate(ranking)

    def curve(self, ranking: Ranking) -> dict[str, NDArray[np.float64]]:
        """The tool's curve: its columns by the names that it gives them."""
        if self.gives != "curve":
            raise InputError(f"{self.key} is a number: ask compat for it.")
        try:
            columns = self.function(_with_rows(ranking, self.tool), **self.parameters)
        except Undefined as why:
            raise InputError(f"There is no {self.key} of these rows: {why}.") from why
        return {name: np.asarray(column, np.float64) for name, column in columns.items()}


class Peers(Mapping[str, Peer]):
    """Peers by "tool:name"; `find` also knows other words for tools and names."""

    def __init__(self) -> None:
        self._peers: dict[str, Peer] = {}
        self._names: dict[str, Peer] = {}

    def add(self, peer: Peer) -> None:
        """Enter a peer under its names; each means one thing."""
        for name in (peer.name, *peer.also):
            folded = f"{peer.tool.casefold()}:{_folded(name)}"
            if folded in self._names:
                raise ValueError(f"two numbers of {peer.tool} are called {name!r}")
            self._names[folded] = peer
        self._peers[peer.key] = peer

    def find(self, name: str) -> Peer:
        """The peer called "tool:name" in any usual spelling; the tool may be left out if clear.

        Example:
            >>> from tradeoff.compatibility import COMPAT
            >>> COMPAT.find("sklearn:Average precision score").key
            'scikit-learn:average_precision_score'
            >>> COMPAT.find("areaUnderPR").tool
            'Spark'
        """
        tool, _, own = name.rpartition(":")
        if tool:
            wanted = f"{find_tool(tool).casefold()}:{_folded(own)}"
            fitting = [self._names[wanted]] if wanted in self._names else []
        else:
            fitting = [p for key, p in self._names.items() if key.partition(":")[2] == _folded(own)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise UnknownName(
                f"Several tools have {name!r}: write {' or '.join(repr(p.key) for p in fitting)}."
            )
        near = [p.key for p in self._peers.values() if not tool or p.tool == find_tool(tool)]
        raise UnknownName(
            f"No number of another tool is called {name!r}.{_near(name, near)} "
            f"`tradeoff compat` shows all {len(self._peers)}."
        )

    def of(self, tool: str | None = None, gives: Gives = "number") -> list[Peer]:
        """The numbers (or curves) of one tool, or of all, in the order of the reference."""
        wanted = None if tool is None else find_tool(tool)
        peers = [p for p in self._peers.values() if p.gives == gives]
        return [p for name in TOOLS for p in peers if p.tool == name and wanted in (None, name)]

    def __getitem__(self, name: str) -> Peer:
        """The peer called "tool:name", in any usual spelling."""
        return self.find(name)

    def __contains__(self, name: object) -> bool:
        """Whether something is called so."""
        try:
            return isinstance(name, str) and bool(self.find(name))
        except UnknownName:
            return False

    def __iter__(self) -> Iterator[str]:
        """Every "tool:name"."""
        return iter(self._peers)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._peers)


COMPAT = Peers()
"""Numbers and curves of other tools, by "tool:name". `like` enters one."""


def like(  # noqa: PLR0913 - what a peer may say about itself
    tool: str,
    name: str,
    *,
    ours: str | None,
    why: str,
    agrees: bool = False,
    gives: Gives = "number",
    our: Callable[..., Any] | None = None,
    part: str = "",
    also: tuple[str, ...] = (),
) -> Callable[[Function], Function]:
    """Enter a function of a ranking as a number of another tool.

    The function raises `Undefined` where the tool stops or gives no number, and says so.
    Keyword-only arguments are its parameters; one called `threshold` makes it a number of one
    threshold.
    """

    def enter(function: Function) -> Function:
        parameters = inspect.signature(function).parameters.values()
        defaults = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
        entry = Peer(tool, name, function, ours, agrees, why, gives, our, part, also, defaults)
        COMPAT.add(entry)
        return function

    return enter


def find_tool(name: str) -> str:
    """A tool by any of the words for it.

    Example:
        >>> find_tool("SKLearn"), find_tool("R")
        ('scikit-learn', 'pROC')
    """
    folded = name.strip().casefold()
    for tool, words in TOOLS.items():
        if folded in (tool.casefold(), *words):
            return tool
    known = [*(word for words in TOOLS.values() for word in words), *TOOLS]
    raise UnknownName(
        f"No tool is called {name!r}.{did_you_mean(name, known)} There are {listed(TOOLS)}."
    )


def compat(subject: Any, name: str, **parameters: Any) -> Estimate:
    """A number as another tool gives it, for a ranking or an evaluation of one model.

    Where the tool stops or gives NaN, the estimate says so instead. `COMPAT[name].why` tells the
    convention.

    Example:
        >>> from tradeoff.compatibility import compat
        >>> rows = np.array([0.1, 0.4, 0.4, 0.4, 0.8, 0.9]), np.array([0, 1, 1, 0, 1, 0], bool)
        >>> compat(Ranking.of(*rows), "sklearn:average_precision_score")
        Estimate(scikit-learn:average_precision_score = 0.5667)
        >>> compat(Ranking.of(*rows), "spark:areaUnderPR", bins=2)
        Estimate(spark:areaUnderPR(bins=2) = 0.5000)
    """
    return COMPAT.find(name).with_parameters(**parameters).theirs(_ranking_of(subject))


def compat_curve(subject: Any, name: str, **parameters: Any) -> dict[str, NDArray[np.float64]]:
    """A curve as another tool gives it: its columns by the names that the tool gives them.

    Example:
        >>> from tradeoff.compatibility import compat_curve
        >>> ranking = Ranking.of(np.array([0.9, 0.4, 0.2]), np.array([True, False, True]))
        >>> compat_curve(ranking, "weka:ThresholdCurve")["Threshold"].tolist()
        [0.2, 0.4, 0.9, 0.90001]
    """
    return COMPAT.find(name).with_parameters(**parameters).curve(_ranking_of(subject))


def _ranking_of(subject: Any) -> Ranking:
    ranking = getattr(subject, "ranking", subject)
    if not isinstance(ranking, Ranking):
        raise InputError(
            "A number of another tool is made from a ranking or an evaluation, such as "
            f"compat(e, …), not from {type(subject).__name__}."
        )
    if not ranking.exact:
        raise InputError("Other tools' numbers are made from all scores, and these are in bins.")
    return ranking


def _asked(
    function: Callable[..., Any], ranking: Ranking, parameters: Mapping[str, Any], tool: str = ""
) -> Estimate:
    """What a function says of a ranking: a number, or why there is none."""
    try:
        found = function(_with_rows(ranking, tool) if tool else ranking, **parameters)
    except Undefined as why:
        return Estimate("", math.nan, reason=str(why))
    return found if isinstance(found, Estimate) else Estimate("", float(found))


def _with_rows(ranking: Ranking, tool: str) -> Ranking:
    if not ranking.distinct:
        raise Undefined(f"there are no scored rows, and what {tool} says then is not repeated here")
    return ranking


def _called(peer: Peer) -> str:
    """The key, with those parameters that are not as the tool has them."""
    defaults = COMPAT.find(peer.key).parameters
    changed = {k: v for k, v in peer.parameters.items() if v != defaults[k]}
    inside = ", ".join(f"{key}={written(value)}" for key, value in changed.items())
    return f"{peer.key}({inside})" if inside else peer.key


def _demand_kind(key: str, parameter: str, value: Any, usual: Any) -> None:
    """A parameter must be of the kind that it has by default: a number, a pair, a word."""
    kinds = (str, bool, tuple)
    if any(isinstance(usual, kind) != isinstance(value, kind) for kind in kinds):
        raise UnknownName(f"{key} cannot take {parameter}={value!r}: the usual is {usual!r}.")


def _near(name: str, keys: list[str]) -> str:
    """The closest key; a bare name is compared with bare names."""
    if ":" in name:
        tool, _, own = name.rpartition(":")
        return did_you_mean(f"{find_tool(tool).casefold()}:{own}", keys)
    bare = {key.partition(":")[2]: key for key in keys}
    return did_you_mean(name, bare)


def _folded(name: str) -> str:
    return re.sub(r"[\s\-_.]+", "_", name.strip().casefold())


# Other tools' numbers beside ours, for the same rows.


ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Likeness(ByValue):
    """A number of another tool, ours for the same rows (None: there is none), and why they differ.

    Example:
        >>> import numpy as np
        >>> from tradeoff.compatibility import likenesses
        >>> from tradeoff.core.ranking import Ranking
        >>> ranking = Ranking.of(np.array([0.1, 0.3, 0.8]), np.array([True, True, False]))
        >>> found = likenesses(ranking, "pROC")[0]
        >>> found.peer.name, found.theirs.value, found.ours.value, found.same
        ('auc', 1.0, 0.0, False)
    """

    peer: Peer
    theirs: Estimate
    ours: Estimate | None

    @property
    def same(self) -> bool | None:
        """Whether both are the same up to rounding, or both undefined; None: ours is missing."""
        if self.ours is None:
            return None
        if not (self.theirs.is_defined and self.ours.is_defined):
            return self.theirs.is_defined == self.ours.is_defined
        theirs, ours = self.theirs.value, self.ours.value
        return math.isclose(theirs, ours, rel_tol=ROUNDING, abs_tol=ROUNDING)


@dataclass(frozen=True, eq=False)
class ToolComparison(Result, views="tradeoff.compatibility.views"):
    """All numbers of other tools for a ranking, each beside ours."""

    ranking: Ranking
    threshold: float
    likenesses: tuple[Likeness, ...]

    def columns(self) -> dict[str, list[Any]]:
        """One line a number."""
        return {
            "tool": [one.peer.tool for one in self.likenesses],
            "name": [one.peer.name for one in self.likenesses],
            "value": [one.theirs.value for one in self.likenesses],
            "our_value": [one.ours.value if one.ours else math.nan for one in self.likenesses],
            "same": [one.same for one in self.likenesses],
        }


def compare_tools(
    ranking: Ranking, tool: str | None = None, *, threshold: float = 0.5
) -> ToolComparison:
    """What a tool, or every tool, says of a ranking, beside our numbers."""
    return ToolComparison(ranking, threshold, tuple(likenesses(ranking, tool, threshold=threshold)))


def likenesses(
    ranking: Ranking, tool: str | None = None, *, threshold: float = 0.5
) -> list[Likeness]:
    """All numbers of a tool, or of every tool, beside ours."""
    return [_likeness(peer, ranking, threshold) for peer in COMPAT.of(tool)]


def _likeness(peer: Peer, ranking: Ranking, threshold: float) -> Likeness:
    asked = peer.with_parameters(threshold=threshold) if THRESHOLD in peer.parameters else peer
    return Likeness(asked, asked.theirs(ranking), asked.beside(ranking))


# A ranking seen from its other end, or from the negative class.


def turned(ranking: Ranking) -> Ranking:
    """The same rows ranked the other way round: where high scores meant positive, low ones do.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> ranking = Ranking.of(np.array([0.9, 0.4, 0.2]), np.array([True, False, False]))
        >>> turned(ranking).thresholds.tolist(), turned(ranking).false_positives.tolist()
        ([-inf, 0.2, 0.4, 0.9], [0, 1, 2, 2])
    """
    none = np.inf if ranking.lower_is_positive else -np.inf
    thresholds = np.concatenate([[none], ranking.thresholds[:0:-1]])
    tally = Tally(thresholds, _back(ranking.true_positives), _back(ranking.false_positives))
    squares = None if ranking.squares is None else turned(ranking.squares)
    lower = not ranking.lower_is_positive
    return replace(ranking, tally=tally, lower_is_positive=lower, squares=squares)


def swapped(ranking: Ranking) -> Ranking:
    """The ranking of the negative class: its rows are wanted, and the other end comes first."""
    other = turned(ranking)
    thresholds, found, alarms = other.tally
    return replace(
        other,
        tally=Tally(thresholds, alarms, found),
        positive=ranking.negative,
        negative=ranking.positive,
        rejected_positives=ranking.rejected_negatives,
        rejected_negatives=ranking.rejected_positives,
        squares=None if ranking.squares is None else swapped(ranking.squares),
    )


def _back(counts: NDArray[Any]) -> NDArray[Any]:
    """Counts from the other end: what lies below is now above."""
    return np.asarray(counts[-1] - counts[::-1])
