"""Classifiers of any number of classes, judged by one score for each class and row."""

from tradeoff.multiclass.multiclass import MultiClass
from tradeoff.multiclass.pairs import Pair

__all__ = ["MultiClass", "Pair"]
