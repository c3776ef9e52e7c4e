"""All that can be said about the honesty of probabilities, and how to make them honest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from tradeoff.calibration.maps import CalibrationMap, isotonic_map, platt_map
from tradeoff.calibration.reliability import Bands, Reliability, reliability
from tradeoff.core.ranking import Ranking
from tradeoff.errors import UnknownName, did_you_mean, listed
from tradeoff.measures.estimate import Estimate, estimate_columns
from tradeoff.measures.registry import SUMMARIES
from tradeoff.measures.summaries.calibration import hosmer_lemeshow, spiegelhalter
from tradeoff.measures.summaries.decomposition import Decomposition, decompose
from tradeoff.results import Result
from tradeoff.stats.significance import Test
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.summaries import sure_summaries

How = Literal["isotonic", "platt"]


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Result, views="tradeoff.calibration.views"):
    """How honest probabilities are.

    `brier` and `log_loss` are taken apart into miscalibration, discrimination and uncertainty,
    `errors` holds summaries by name, `tests` those of the claim that all is right, `diagram` the
    reliability diagram where one was asked for.
    """

    ranking: Ranking
    brier: Decomposition
    log_loss: Decomposition
    errors: dict[str, Estimate]
    tests: tuple[Test, ...]
    level: float
    diagram: Reliability | None = None

    def reliability(
        self, bands: Bands | None = "consistency", *, replicates: int = 1000, seed: int = 0
    ) -> Reliability:
        """The reliability diagram: where the line would lie if all were right, or may lie."""
        return reliability(
            self.ranking, bands=bands, level=self.level, replicates=replicates, seed=seed
        )

    def columns(self) -> dict[str, list[Any]]:
        """One line a summary of how honest the probabilities are."""
        return estimate_columns(self.errors, "measure")

    def __repr__(self) -> str:
        """One line: the parts of the Brier score."""
        return f"Calibration({self.ranking.name}: {self.brier!r})"


def calibration(
    ranking: Ranking,
    *,
    confidence: Confidence | None = None,
    bins: int = 10,
    diagram: bool = False,
    bands: Bands | None = None,
) -> Calibration:
    """Judge the scores of a ranking as probabilities, with the reliability diagram if wanted."""
    asked = confidence or Confidence()
    brier, log_loss = decompose(ranking), decompose(ranking, "log_loss")
    summaries = SUMMARIES.values()
    binned = [own.with_parameters(bins=bins) for own in summaries if "bins" in own.parameters]
    fitted = [own for own in summaries if own.fitted]
    found = sure_summaries([*binned, *fitted], ranking, asked)
    tests = (
        spiegelhalter(ranking),
        hosmer_lemeshow(ranking, bins=bins),
    )
    judged = Calibration(ranking, brier, log_loss, found, tests, asked.level)
    if not diagram:
        return judged
    drawn = judged.reliability(bands, replicates=asked.replicates, seed=asked.seed)
    return replace(judged, diagram=drawn)


def recalibrated(ranking: Ranking, how: How = "isotonic") -> CalibrationMap:
    """The map that makes these scores honest probabilities."""
    if how not in get_args(How):
        raise UnknownName(
            f"No map is called {how!r}.{did_you_mean(str(how), get_args(How))} There are "
            f"{listed(get_args(How))}."
        )
    return isotonic_map(ranking) if how == "isotonic" else platt_map(ranking)
