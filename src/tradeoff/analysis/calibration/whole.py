"""All that can be said about the honesty of probabilities, and how to make them honest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from tradeoff.analysis.calibration import judged
from tradeoff.analysis.calibration.corp import Decomposition, decompose
from tradeoff.analysis.calibration.maps import CalibrationMap, isotonic_map, platt_map
from tradeoff.analysis.calibration.reliability import Reliability, reliability
from tradeoff.analysis.intervals.confidence import Confidence
from tradeoff.analysis.intervals.summaries import sure_summaries
from tradeoff.analysis.registry import SUMMARIES
from tradeoff.errors import UnknownName, did_you_mean, listed

if TYPE_CHECKING:
    from tradeoff.analysis.estimate import Estimate
    from tradeoff.analysis.testing import Test
    from tradeoff.ranking.ranking import Ranking

How = Literal["isotonic", "platt"]
ERRORS = (
    "expected_calibration_error",
    "debiased_calibration_error",
    "largest_calibration_error",
    "calibration_in_the_large",
    "calibration_slope",
    "observed_expected_ratio",
)


@dataclass(frozen=True, eq=False, repr=False)
class Calibration:
    """How honest probabilities are.

    `brier` and `log_loss` are taken apart into miscalibration, discrimination and uncertainty,
    `errors` holds summaries by name, `tests` those of the claim that all is right.
    """

    ranking: Ranking
    brier: Decomposition
    log_loss: Decomposition
    errors: dict[str, Estimate]
    tests: tuple[Test, ...]
    level: float

    def reliability(self, **choices: object) -> Reliability:
        """The reliability diagram with its band; the choices are those of `reliability`."""
        return reliability(self.ranking, level=self.level, **choices)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        """One line: the parts of the Brier score."""
        return f"Calibration({self.ranking.name}: {self.brier!r})"


def calibration(
    ranking: Ranking, *, confidence: Confidence | None = None, bins: int = 10
) -> Calibration:
    """Judge the scores of a ranking as probabilities."""
    asked = confidence or Confidence()
    brier, log_loss = decompose(ranking), decompose(ranking, "log_loss")
    measures = [
        SUMMARIES[name].with_parameters(bins=bins) if "bins" in SUMMARIES[name].parameters else None
        for name in ERRORS
    ]
    named = [m or SUMMARIES[name] for m, name in zip(measures, ERRORS, strict=True)]
    found = sure_summaries(named, ranking, asked)
    tests = (judged.spiegelhalter(ranking), judged.hosmer_lemeshow(ranking, bins=bins))
    return Calibration(ranking, brier, log_loss, found, tests, asked.level)


def recalibrated(ranking: Ranking, how: How = "isotonic") -> CalibrationMap:
    """The map that makes these scores honest probabilities."""
    if how not in get_args(How):
        raise UnknownName(
            f"No map is called {how!r}.{did_you_mean(str(how), get_args(How))} There are "
            f"{listed(get_args(How))}."
        )
    return isotonic_map(ranking) if how == "isotonic" else platt_map(ranking)
