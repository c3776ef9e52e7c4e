"""Evaluate classifiers and decide where to put the line.

Every source is reduced to a ranking (the distinct scores from high to low, with the positives and
negatives at or above each), and everything else is a function of rankings.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same names for type checkers; a test keeps both lists equal
    from tradeoff.calibration.calibration import Calibration as Calibration
    from tradeoff.calibration.maps import CalibrationMap as CalibrationMap
    from tradeoff.calibration.reliability import Reliability as Reliability
    from tradeoff.checks.check import check as check
    from tradeoff.checks.registry import CheckedRows as CheckedRows
    from tradeoff.comparison.comparison import Comparison as Comparison
    from tradeoff.comparison.comparison import ComparisonSummary as ComparisonSummary
    from tradeoff.comparison.difference import Difference as Difference
    from tradeoff.comparison.folds import bayesian_rope as bayesian_rope
    from tradeoff.comparison.folds import corrected_t as corrected_t
    from tradeoff.comparison.folds import five_by_two as five_by_two
    from tradeoff.comparison.samples import SampleComparison as SampleComparison
    from tradeoff.comparison.samples import compare_samples as compare_samples
    from tradeoff.comparison.segments import compare_segments as compare_segments
    from tradeoff.comparison.unpaired import difference as difference
    from tradeoff.compatibility import COMPAT as COMPAT
    from tradeoff.compatibility import ToolComparison as ToolComparison
    from tradeoff.compatibility import compare_tools as compare_tools
    from tradeoff.compatibility import compat as compat
    from tradeoff.compatibility import compat_curve as compat_curve
    from tradeoff.core.confusion import ClassMatrix as ClassMatrix
    from tradeoff.core.confusion import ConfusionMatrix as ConfusionMatrix
    from tradeoff.core.costs import Costs as Costs
    from tradeoff.core.ranked_models import RankedModels as RankedModels
    from tradeoff.core.ranking import Ranking as Ranking
    from tradeoff.core.streaming import GrowingRanking as GrowingRanking
    from tradeoff.crossval.cross_validation import CrossValidation as CrossValidation
    from tradeoff.crossval.cross_validation import cross_validate as cross_validate
    from tradeoff.data.registry import DataSet as DataSet
    from tradeoff.data.registry import DataSets as DataSets
    from tradeoff.data.registry import datasets as datasets
    from tradeoff.entry_points import auc as auc
    from tradeoff.entry_points import compare as compare
    from tradeoff.entry_points import evaluate as evaluate
    from tradeoff.entry_points import evaluate_classes as evaluate_classes
    from tradeoff.entry_points import evaluate_labels as evaluate_labels
    from tradeoff.errors import TradeoffError as TradeoffError
    from tradeoff.evaluation.evaluation import METRICS as METRICS
    from tradeoff.evaluation.evaluation import SUMMARIES as SUMMARIES
    from tradeoff.evaluation.evaluation import Evaluation as Evaluation
    from tradeoff.evaluation.labels import LabelComparison as LabelComparison
    from tradeoff.evaluation.labels import LabelEvaluation as LabelEvaluation
    from tradeoff.gains.gains import Gains as Gains
    from tradeoff.gains.gains import ModelGains as ModelGains
    from tradeoff.gates.gate import Gates as Gates
    from tradeoff.gates.gate import gate as gate
    from tradeoff.hulls.classifier import CombinedClassifier as CombinedClassifier
    from tradeoff.hulls.hull import Hull as Hull
    from tradeoff.hulls.hull import hull as hull
    from tradeoff.hulls.roc_points import RocPoints as RocPoints
    from tradeoff.hulls.roc_points import roc_points as roc_points
    from tradeoff.measures.averages import average as average
    from tradeoff.measures.averages import by_class as by_class
    from tradeoff.measures.curves import CURVES as CURVES
    from tradeoff.measures.curves.average import AverageCurve as AverageCurve
    from tradeoff.measures.curves.curve import Curve as Curve
    from tradeoff.measures.estimate import Estimate as Estimate
    from tradeoff.multiclass.multiclass import MultiClass as MultiClass
    from tradeoff.outcomes.class_rows import class_rows as class_rows
    from tradeoff.outcomes.outcome_rows import OutcomeRows as OutcomeRows
    from tradeoff.outcomes.outcome_rows import outcome_rows as outcome_rows
    from tradeoff.overview.overview import Overview as Overview
    from tradeoff.overview.overview import look as look
    from tradeoff.power.auc import Pilot as Pilot
    from tradeoff.power.auc import plan_auc as plan_auc
    from tradeoff.power.auc import plan_auc_difference as plan_auc_difference
    from tradeoff.power.plan import Plan as Plan
    from tradeoff.power.shares import plan_share as plan_share
    from tradeoff.report.empty_page import page as page
    from tradeoff.segments import BySegment as BySegment
    from tradeoff.segments import Segments as Segments
    from tradeoff.segments import by_segment as by_segment
    from tradeoff.sklearn import HullClassifier as HullClassifier
    from tradeoff.sklearn import RejectingClassifier as RejectingClassifier
    from tradeoff.sklearn import ThresholdedClassifier as ThresholdedClassifier
    from tradeoff.sklearn.displays import AccuracyRejectionDisplay as AccuracyRejectionDisplay
    from tradeoff.sklearn.displays import BinLiftDisplay as BinLiftDisplay
    from tradeoff.sklearn.displays import BrierCurveDisplay as BrierCurveDisplay
    from tradeoff.sklearn.displays import CalibrationDisplay as CalibrationDisplay
    from tradeoff.sklearn.displays import ConfusionMatrixDisplay as ConfusionMatrixDisplay
    from tradeoff.sklearn.displays import CostCurveDisplay as CostCurveDisplay
    from tradeoff.sklearn.displays import DetCurveDisplay as DetCurveDisplay
    from tradeoff.sklearn.displays import ExpectedCostDisplay as ExpectedCostDisplay
    from tradeoff.sklearn.displays import GainsDisplay as GainsDisplay
    from tradeoff.sklearn.displays import KsDisplay as KsDisplay
    from tradeoff.sklearn.displays import LiftDisplay as LiftDisplay
    from tradeoff.sklearn.displays import NetBenefitDisplay as NetBenefitDisplay
    from tradeoff.sklearn.displays import PrecisionRecallDisplay as PrecisionRecallDisplay
    from tradeoff.sklearn.displays import PrecisionRecallGainDisplay as PrecisionRecallGainDisplay
    from tradeoff.sklearn.displays import PredictiveValuesDisplay as PredictiveValuesDisplay
    from tradeoff.sklearn.displays import ProfitDisplay as ProfitDisplay
    from tradeoff.sklearn.displays import RiskCoverageDisplay as RiskCoverageDisplay
    from tradeoff.sklearn.displays import RocCurveDisplay as RocCurveDisplay
    from tradeoff.sklearn.displays import ScoresDisplay as ScoresDisplay
    from tradeoff.sklearn.scorers import scorer as scorer
    from tradeoff.sklearn.scorers import scorers as scorers
    from tradeoff.smooth.curve import SmoothCurve as SmoothCurve
    from tradeoff.sources.confusion_matrices import confusion_matrix as confusion_matrix
    from tradeoff.sources.confusion_matrices import map_rule as map_rule
    from tradeoff.sources.confusion_matrices import matrix_of_counts as matrix_of_counts
    from tradeoff.sources.confusion_matrices import ranking_of_matrix as ranking_of_matrix
    from tradeoff.sources.confusion_matrices import ranking_of_ratings as ranking_of_ratings
    from tradeoff.sources.files import File as File
    from tradeoff.sources.files import Query as Query
    from tradeoff.thresholds.cutoffs import Cutoffs as Cutoffs
    from tradeoff.thresholds.decision import Decision as Decision
    from tradeoff.thresholds.decision import Decisions as Decisions
    from tradeoff.thresholds.operating_threshold import OperatingThreshold as OperatingThreshold
    from tradeoff.thresholds.out_of_sample import OutOfSample as OutOfSample
    from tradeoff.thresholds.reject_band import BandDecision as BandDecision
    from tradeoff.tracking import log_to_mlflow as log_to_mlflow
    from tradeoff.uncertainty.confidence import Confidence as Confidence
    from tradeoff.uncertainty.curve_bands import CurveEstimate as CurveEstimate
    from tradeoff.wording import Wording as Wording

__version__ = "0.1.0"

_MODULES = {
    name: module
    for module, names in {
        "tradeoff.entry_points": "auc compare evaluate evaluate_classes evaluate_labels",
        "tradeoff.calibration.calibration": "Calibration",
        "tradeoff.calibration.maps": "CalibrationMap",
        "tradeoff.calibration.reliability": "Reliability",
        "tradeoff.checks.check": "check",
        "tradeoff.checks.registry": "CheckedRows",
        "tradeoff.comparison.comparison": "Comparison ComparisonSummary",
        "tradeoff.comparison.difference": "Difference",
        "tradeoff.comparison.folds": "bayesian_rope corrected_t five_by_two",
        "tradeoff.comparison.samples": "SampleComparison compare_samples",
        "tradeoff.comparison.segments": "compare_segments",
        "tradeoff.comparison.unpaired": "difference",
        "tradeoff.compatibility": "COMPAT ToolComparison compare_tools compat compat_curve",
        "tradeoff.core.confusion": "ClassMatrix ConfusionMatrix",
        "tradeoff.core.costs": "Costs",
        "tradeoff.core.ranked_models": "RankedModels",
        "tradeoff.core.ranking": "Ranking",
        "tradeoff.core.streaming": "GrowingRanking",
        "tradeoff.crossval.cross_validation": "CrossValidation cross_validate",
        "tradeoff.data.registry": "DataSet DataSets datasets",
        "tradeoff.errors": "TradeoffError",
        "tradeoff.evaluation.evaluation": "Evaluation METRICS SUMMARIES",
        "tradeoff.evaluation.labels": "LabelComparison LabelEvaluation",
        "tradeoff.gains.gains": "Gains ModelGains",
        "tradeoff.gates.gate": "Gates gate",
        "tradeoff.hulls.classifier": "CombinedClassifier",
        "tradeoff.hulls.hull": "Hull hull",
        "tradeoff.hulls.roc_points": "RocPoints roc_points",
        "tradeoff.measures.averages": "average by_class",
        "tradeoff.measures.curves": "CURVES",
        "tradeoff.measures.curves.average": "AverageCurve",
        "tradeoff.measures.curves.curve": "Curve",
        "tradeoff.measures.estimate": "Estimate",
        "tradeoff.multiclass.multiclass": "MultiClass",
        "tradeoff.outcomes.class_rows": "class_rows",
        "tradeoff.outcomes.outcome_rows": "OutcomeRows outcome_rows",
        "tradeoff.overview.overview": "Overview look",
        "tradeoff.power.auc": "Pilot plan_auc plan_auc_difference",
        "tradeoff.power.plan": "Plan",
        "tradeoff.power.shares": "plan_share",
        "tradeoff.report.empty_page": "page",
        "tradeoff.segments": "BySegment Segments by_segment",
        "tradeoff.sklearn": "HullClassifier RejectingClassifier ThresholdedClassifier",
        "tradeoff.sklearn.displays": (
            "AccuracyRejectionDisplay BinLiftDisplay BrierCurveDisplay CalibrationDisplay "
            "ConfusionMatrixDisplay CostCurveDisplay DetCurveDisplay ExpectedCostDisplay "
            "GainsDisplay KsDisplay LiftDisplay NetBenefitDisplay PrecisionRecallDisplay "
            "PrecisionRecallGainDisplay PredictiveValuesDisplay ProfitDisplay RiskCoverageDisplay "
            "RocCurveDisplay ScoresDisplay"
        ),
        "tradeoff.sklearn.scorers": "scorer scorers",
        "tradeoff.smooth.curve": "SmoothCurve",
        "tradeoff.sources.files": "File Query",
        "tradeoff.sources.confusion_matrices": (
            "confusion_matrix map_rule matrix_of_counts ranking_of_matrix ranking_of_ratings"
        ),
        "tradeoff.thresholds.cutoffs": "Cutoffs",
        "tradeoff.thresholds.decision": "Decision Decisions",
        "tradeoff.thresholds.operating_threshold": "OperatingThreshold",
        "tradeoff.thresholds.out_of_sample": "OutOfSample",
        "tradeoff.thresholds.reject_band": "BandDecision",
        "tradeoff.tracking": "log_to_mlflow",
        "tradeoff.uncertainty.confidence": "Confidence",
        "tradeoff.uncertainty.curve_bands": "CurveEstimate",
        "tradeoff.wording": "Wording",
    }.items()
    for name in names.split()
}
"""Module of each public name. `import tradeoff` itself imports nothing, not even NumPy."""

__all__ = sorted(_MODULES)  # noqa: PLE0605 - a list nonetheless


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'tradeoff' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(module), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
