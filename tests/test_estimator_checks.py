"""Classifiers made here keep scikit-learn's rules: its own checks."""

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks
from wrapped import hulled

from tradeoff.estimators import RejectingClassifier, ThresholdedClassifier
from tradeoff.training.naive_bayes import NaiveBayes

PLAIN = LogisticRegression()
CHECKED = {
    "given": ThresholdedClassifier(PLAIN),
    "learned": ThresholdedClassifier(PLAIN, by="youden", cv=3),
    "empty band": RejectingClassifier(GaussianNB(), 0.5, 0.5),
    "band": RejectingClassifier(GaussianNB(), 0.1, 0.9, rejected=-9),
    "one rule": hulled(0.0),
    "two rules": hulled(0.5),
    "naive Bayes": NaiveBayes(),
}
OTHER_LINE = "predictions do not follow the estimator's own threshold: that is the point"
NAMES = "a hull names its positive class, 1, which classes called one and two do not have"
CHANCE = "which rule decides a row is drawn by its place among the rows"
EXPECTED = {
    "learned": {"check_classifiers_train": OTHER_LINE},
    "band": {"check_classifiers_train": "rejected rows have a third label"},
    "one rule": {"check_classifiers_classes": NAMES},
    "two rules": {
        "check_classifiers_classes": NAMES,
        "check_classifiers_train": "half of the rows are decided by a rule that is far too strict",
        "check_methods_sample_order_invariance": CHANCE,
        "check_methods_subset_invariance": CHANCE,
    },
}


def expected_failures(estimator):
    name = next(name for name, own in CHECKED.items() if own is estimator)
    return EXPECTED.get(name, {})


@pytest.mark.filterwarnings("ignore")  # checks provoke warnings of all kinds
@parametrize_with_checks(list(CHECKED.values()), expected_failed_checks=expected_failures)
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)
