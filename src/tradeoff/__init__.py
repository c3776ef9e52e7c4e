"""Judge classifiers and decide where to put the line.

Every source is reduced to a ranking (the distinct scores from high to low, with the positives and
negatives at or above each), and everything else is a function of rankings.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tradeoff.api import auc, compare, evaluate, evaluate_classes
    from tradeoff.calibration.maps import CalibrationMap
    from tradeoff.checks.check import check
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.comparison.folds import bayesian_rope, corrected_t, five_by_two
    from tradeoff.comparison.unpaired import difference
    from tradeoff.compatibility import COMPAT, compat, compat_curve
    from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
    from tradeoff.core.costs import Costs
    from tradeoff.core.ranking import Ranking
    from tradeoff.core.streaming import GrowingRanking
    from tradeoff.crossval.cross_validation import cross_validate
    from tradeoff.errors import TradeoffError
    from tradeoff.evaluation.charts import chart, plot
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.gates.gate import gate
    from tradeoff.hulls.classifier import CombinedClassifier
    from tradeoff.hulls.hull import hull
    from tradeoff.measures.averages import average, by_class
    from tradeoff.measures.curves import CURVES
    from tradeoff.measures.estimate import Estimate
    from tradeoff.measures.registry import METRICS, SUMMARIES
    from tradeoff.multiclass.multiclass import MultiClass
    from tradeoff.power.auc import Pilot, plan_auc, plan_auc_difference
    from tradeoff.power.shares import plan_share
    from tradeoff.segments import by_segment
    from tradeoff.sklearn import HullClassifier, RejectingClassifier, ThresholdedClassifier
    from tradeoff.sklearn.displays import (
        CalibrationDisplay,
        ConfusionMatrixDisplay,
        CostCurveDisplay,
        DetCurveDisplay,
        GainsDisplay,
        KsDisplay,
        LiftDisplay,
        NetBenefitDisplay,
        PrecisionRecallDisplay,
        PrecisionRecallGainDisplay,
        RiskCoverageDisplay,
        RocCurveDisplay,
        ScoresDisplay,
    )
    from tradeoff.sklearn.scorers import scorer, scorers
    from tradeoff.sources.files import Query
    from tradeoff.sources.matrices import (
        confusion_matrix,
        map_rule,
        matrix_of_counts,
        ranking_of_matrix,
        ranking_of_ratings,
    )
    from tradeoff.tracking import log_to_mlflow

__version__ = "0.1.0"

# Where each public name lives. `import tradeoff` itself imports nothing, not even NumPy.
_HOMES = {
    "COMPAT": "tradeoff.compatibility",
    "CURVES": "tradeoff.measures.curves",
    "METRICS": "tradeoff.evaluation.evaluation",
    "SUMMARIES": "tradeoff.evaluation.evaluation",
    "ClassMatrix": "tradeoff.core.confusion",
    "CalibrationMap": "tradeoff.calibration.maps",
    "CombinedClassifier": "tradeoff.hulls.classifier",
    "Comparison": "tradeoff.comparison.comparison",
    "Costs": "tradeoff.core.costs",
    "ConfusionMatrix": "tradeoff.core.confusion",
    "Estimate": "tradeoff.measures.estimate",
    "Evaluation": "tradeoff.evaluation.evaluation",
    "GrowingRanking": "tradeoff.core.streaming",
    "MultiClass": "tradeoff.multiclass.multiclass",
    "Pilot": "tradeoff.power.auc",
    "Query": "tradeoff.sources.files",
    "Ranking": "tradeoff.core.ranking",
    "HullClassifier": "tradeoff.sklearn",
    "RejectingClassifier": "tradeoff.sklearn",
    "ThresholdedClassifier": "tradeoff.sklearn",
    "scorer": "tradeoff.sklearn.scorers",
    "scorers": "tradeoff.sklearn.scorers",
    "TradeoffError": "tradeoff.errors",
    "auc": "tradeoff.api",
    "average": "tradeoff.measures.averages",
    "bayesian_rope": "tradeoff.comparison.folds",
    "by_class": "tradeoff.measures.averages",
    "by_segment": "tradeoff.segments",
    "chart": "tradeoff.evaluation.charts",
    "check": "tradeoff.checks.check",
    "compare": "tradeoff.api",
    "compat": "tradeoff.compatibility",
    "compat_curve": "tradeoff.compatibility",
    "plot": "tradeoff.evaluation.charts",
    "corrected_t": "tradeoff.comparison.folds",
    "cross_validate": "tradeoff.crossval.cross_validation",
    "difference": "tradeoff.comparison.unpaired",
    "evaluate": "tradeoff.api",
    "evaluate_classes": "tradeoff.api",
    "five_by_two": "tradeoff.comparison.folds",
    "gate": "tradeoff.gates.gate",
    "hull": "tradeoff.hulls.hull",
    "log_to_mlflow": "tradeoff.tracking",
    "map_rule": "tradeoff.sources.matrices",
    "matrix_of_counts": "tradeoff.sources.matrices",
    "plan_auc": "tradeoff.power.auc",
    "plan_auc_difference": "tradeoff.power.auc",
    "plan_share": "tradeoff.power.shares",
    "ranking_of_matrix": "tradeoff.sources.matrices",
    "ranking_of_ratings": "tradeoff.sources.matrices",
    "confusion_matrix": "tradeoff.sources.matrices",
}

__all__ = [
    "COMPAT",
    "CURVES",
    "METRICS",
    "SUMMARIES",
    "CalibrationDisplay",
    "CalibrationMap",
    "ClassMatrix",
    "CombinedClassifier",
    "Comparison",
    "ConfusionMatrix",
    "ConfusionMatrixDisplay",
    "CostCurveDisplay",
    "Costs",
    "DetCurveDisplay",
    "Estimate",
    "Evaluation",
    "GainsDisplay",
    "GrowingRanking",
    "HullClassifier",
    "KsDisplay",
    "LiftDisplay",
    "MultiClass",
    "NetBenefitDisplay",
    "Pilot",
    "PrecisionRecallDisplay",
    "PrecisionRecallGainDisplay",
    "Query",
    "Ranking",
    "RejectingClassifier",
    "RiskCoverageDisplay",
    "RocCurveDisplay",
    "ScoresDisplay",
    "ThresholdedClassifier",
    "TradeoffError",
    "auc",
    "average",
    "bayesian_rope",
    "by_class",
    "by_segment",
    "chart",
    "check",
    "compare",
    "compat",
    "compat_curve",
    "confusion_matrix",
    "corrected_t",
    "cross_validate",
    "difference",
    "evaluate",
    "evaluate_classes",
    "five_by_two",
    "gate",
    "hull",
    "log_to_mlflow",
    "map_rule",
    "matrix_of_counts",
    "plan_auc",
    "plan_auc_difference",
    "plan_share",
    "plot",
    "ranking_of_matrix",
    "ranking_of_ratings",
    "scorer",
    "scorers",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if name.endswith("Display"):  # of any chart: `tradeoff.sklearn.displays` finds it by its name
        home = "tradeoff.sklearn.displays"
    if home is None:
        raise AttributeError(f"module 'tradeoff' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
