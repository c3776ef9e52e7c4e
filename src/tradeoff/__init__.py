"""Judge classifiers and decide where to put the line.

Every source is reduced to a ranking (the distinct scores from high to low, with the positives and
negatives at or above each), and everything else is a function of rankings.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    from tradeoff.displays import (
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
    from tradeoff.errors import TradeoffError
    from tradeoff.estimators import HullClassifier, RejectingClassifier, ThresholdedClassifier
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
    from tradeoff.reading import auc, compare, evaluate, evaluate_classes
    from tradeoff.scoring import scorer, scorers
    from tradeoff.segments import by_segment
    from tradeoff.sources.matrices import (
        confusion_matrix,
        map_rule,
        matrix_of_counts,
        ranking_of_matrix,
        ranking_of_ratings,
    )
    from tradeoff.sources.relations import Query
    from tradeoff.tracking import log_to_mlflow
    from tradeoff.training.crossing import cross_validate

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
    "Query": "tradeoff.sources.relations",
    "Ranking": "tradeoff.core.ranking",
    "HullClassifier": "tradeoff.estimators",
    "RejectingClassifier": "tradeoff.estimators",
    "ThresholdedClassifier": "tradeoff.estimators",
    "scorer": "tradeoff.scoring",
    "scorers": "tradeoff.scoring",
    "TradeoffError": "tradeoff.errors",
    "CalibrationDisplay": "tradeoff.displays",
    "ConfusionMatrixDisplay": "tradeoff.displays",
    "CostCurveDisplay": "tradeoff.displays",
    "DetCurveDisplay": "tradeoff.displays",
    "GainsDisplay": "tradeoff.displays",
    "KsDisplay": "tradeoff.displays",
    "LiftDisplay": "tradeoff.displays",
    "NetBenefitDisplay": "tradeoff.displays",
    "PrecisionRecallDisplay": "tradeoff.displays",
    "PrecisionRecallGainDisplay": "tradeoff.displays",
    "RiskCoverageDisplay": "tradeoff.displays",
    "RocCurveDisplay": "tradeoff.displays",
    "ScoresDisplay": "tradeoff.displays",
    "auc": "tradeoff.reading",
    "average": "tradeoff.measures.averages",
    "bayesian_rope": "tradeoff.comparison.folds",
    "by_class": "tradeoff.measures.averages",
    "by_segment": "tradeoff.segments",
    "chart": "tradeoff.evaluation.charts",
    "check": "tradeoff.checks.check",
    "compare": "tradeoff.reading",
    "compat": "tradeoff.compatibility",
    "compat_curve": "tradeoff.compatibility",
    "plot": "tradeoff.evaluation.charts",
    "corrected_t": "tradeoff.comparison.folds",
    "cross_validate": "tradeoff.training.crossing",
    "difference": "tradeoff.comparison.unpaired",
    "evaluate": "tradeoff.reading",
    "evaluate_classes": "tradeoff.reading",
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
    if name not in _HOMES:
        raise AttributeError(f"module 'tradeoff' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
