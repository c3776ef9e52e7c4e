"""Multiclass classifiers with one score per class: AUCs, confusable pairs, confusion matrix."""

from tradeoff.multiclass.multiclass import MultiClass
from tradeoff.multiclass.pairs import Pair

__all__ = ["MultiClass", "Pair"]
