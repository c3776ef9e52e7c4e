"""Classifiers that switch between two models, for tests."""

from sklearn.naive_bayes import GaussianNB

from tradeoff.hulls.classifier import CombinedClassifier, Rule
from tradeoff.sklearn import HullClassifier


def mixed(share):
    return CombinedClassifier(Rule("a", 0.5), Rule("b", 0.999), share, 0.1, 0.8, "1", "0")


def hulled(share):
    return HullClassifier([("a", GaussianNB()), ("b", GaussianNB(var_smoothing=1))], mixed(share))
