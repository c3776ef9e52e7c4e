"""Classifiers of any number of classes, judged by one score for each class and row."""

from tradeoff.analysis.multiclass.judged import MultiClass
from tradeoff.analysis.multiclass.pairs import Pair

__all__ = ["MultiClass", "Pair"]
