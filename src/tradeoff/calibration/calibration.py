"""Calibration of a model's probabilities: decompositions, calibration errors and tests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tradeoff.calibration.maps import CalibrationMap, calibrated_ranking
from tradeoff.calibration.reliability import Bands, Reliability, reliability
from tradeoff.core.ranked_models import GroupedRankings, RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.measures.estimate import Estimate, estimate_columns
from tradeoff.measures.registry import SUMMARIES
from tradeoff.measures.summaries.calibration import hosmer_lemeshow, spiegelhalter
from tradeoff.measures.summaries.decomposition import Decomposition, decompose
from tradeoff.results import Result
from tradeoff.stats.significance import Test
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.summary_intervals import summaries_with_intervals


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Result, views="tradeoff.calibration.views"):
    """Calibration of the probabilities of one model.

    `brier` and `log_loss` are decomposed into miscalibration, discrimination and uncertainty,
    `errors` holds the calibration errors by name, `tests` the tests of perfect calibration, and
    `diagram` the reliability diagram if it was requested. `bins` is the number of bins that the
    errors use.
    """

    ranking: Ranking
    brier: Decomposition
    log_loss: Decomposition
    errors: dict[str, Estimate]
    tests: tuple[Test, ...]
    level: float
    diagram: Reliability | None = None
    bins: int = 10

    def reliability(
        self, bands: Bands | None = "consistency", *, replicates: int = 1000, seed: int = 0
    ) -> Reliability:
        """Reliability diagram with a consistency band or a confidence band."""
        return reliability(
            self.ranking, bands=bands, level=self.level, replicates=replicates, seed=seed
        )

    def columns(self) -> dict[str, list[Any]]:
        """One row per calibration error."""
        return estimate_columns(self.errors, "measure")

    def __repr__(self) -> str:
        """One line: the decomposition of the Brier score."""
        return f"Calibration({self.ranking.name}: {self.brier!r})"


def calibration(
    ranking: Ranking,
    *,
    confidence: Confidence | None = None,
    bins: int = 10,
    diagram: bool = False,
    bands: Bands | None = None,
) -> Calibration:
    """Calibration of a ranking's probabilities: calibration errors, decompositions and tests."""
    confidence = confidence or Confidence()
    brier, log_loss = decompose(ranking), decompose(ranking, "log_loss")
    summaries = SUMMARIES.values()
    binned_summaries = [
        summary.with_parameters(bins=bins) for summary in summaries if "bins" in summary.parameters
    ]
    fitted_summaries = [summary for summary in summaries if summary.returns_interval]
    errors = summaries_with_intervals([*binned_summaries, *fitted_summaries], ranking, confidence)
    tests = (
        spiegelhalter(ranking),
        hosmer_lemeshow(ranking, bins=bins),
    )
    result = Calibration(ranking, brier, log_loss, errors, tests, confidence.level, bins=bins)
    if not diagram:
        return result
    replicates, seed = confidence.replicates, confidence.seed
    return replace(result, diagram=result.reliability(bands, replicates=replicates, seed=seed))


def calibrated_model(
    models: RankedModels, name: str, calibration_map: CalibrationMap, fitted_to: str
) -> RankedModels:
    """Ranked models in which a calibration map is applied to the scores of one model."""

    def parts(groups: GroupedRankings) -> GroupedRankings:
        if name not in groups:
            return groups
        calibrated = {
            part: calibrated_ranking(ranking, calibration_map, fitted_to)
            for part, ranking in groups[name].items()
        }
        return {**groups, name: calibrated}

    clusters = dict(models.clusters)
    if name in clusters:
        rows = clusters[name]
        scores = {model: calibration_map(values) for model, values in rows.scores.items()}
        clusters[name] = replace(rows, scores=scores, lower_is_positive=False)
    ranking = calibrated_ranking(models.rankings[name], calibration_map, fitted_to)
    return replace(
        models,
        rankings={**models.rankings, name: ranking},
        folds=parts(models.folds),
        segments=parts(models.segments),
        clusters=clusters,
    )
