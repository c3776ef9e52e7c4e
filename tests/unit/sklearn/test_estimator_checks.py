"""Our classifiers pass scikit-learn's estimator checks."""

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks
from wrapped import hulled

from tradeoff.crossval.naive_bayes import NaiveBayes
from tradeoff.crossval.weka_j48 import WekaJ48
from tradeoff.crossval.weka_naive_bayes import WekaNaiveBayes
from tradeoff.sklearn import RejectingClassifier, ThresholdedClassifier
from tradeoff.sklearn.estimators import two_classes

PLAIN = LogisticRegression()


class SecondIsPositive(ThresholdedClassifier):
    """The second class is positive: the checks have classes of all kinds."""

    def _positive_class(self, **_):
        return two_classes(self.estimator_)[1]


ESTIMATORS = {
    "given": ThresholdedClassifier(PLAIN),
    "learned": SecondIsPositive(PLAIN, by="youden", cv=3),
    "ambiguous": ThresholdedClassifier(PLAIN, by="youden", cv=3),
    "empty band": RejectingClassifier(GaussianNB(), 0.5, 0.5),
    "band": RejectingClassifier(GaussianNB(), 0.1, 0.9, rejected=-9),
    "one rule": hulled(0.0),
    "two rules": hulled(0.5),
    "naive Bayes": NaiveBayes(),
    "Weka's naive Bayes": WekaNaiveBayes(),
    "Weka's J48": WekaJ48(),
}
OTHER_THRESHOLD = "predictions do not follow the estimator's own threshold: that is the point"
CLASS_NAMES = "a hull names its positive class, 1, which classes called one and two do not have"
RANDOMIZED = "the rule that decides a row is chosen at random, by its position among the rows"
OWN_MESSAGE = "it is refused with a message of our own"
PRECISION = "the precision of numeric columns depends on all rows, including those of weight 0"
WEKA = {
    "check_n_features_in_after_fitting": OWN_MESSAGE,
    "check_estimators_empty_data_messages": OWN_MESSAGE,
    "check_fit2d_predict1d": OWN_MESSAGE,
    "check_requires_y_none": OWN_MESSAGE,
    "check_supervised_y_2d": "classes in a table of one column are refused, not guessed at",
}
AMBIGUOUS = "classes such as 1 and 2, or one and two, do not say which of them is positive"
EXPECTED = {
    "Weka's naive Bayes": {
        **WEKA,
        "check_sample_weight_equivalence_on_dense_data": PRECISION,
    },
    "Weka's J48": WEKA,
    "ambiguous": {
        "check_classifiers_train": OTHER_THRESHOLD,
        **dict.fromkeys(
            (
                "check_classifier_data_not_an_array",
                "check_classifiers_classes",
                "check_estimators_dtypes",
                "check_fit2d_1feature",
                "check_sample_weights_not_an_array",
                "check_sample_weights_not_overwritten",
                "check_sample_weights_pandas_series",
                "check_sample_weights_shape",
            ),
            AMBIGUOUS,
        ),
    },
    "learned": {"check_classifiers_train": OTHER_THRESHOLD},
    "band": {"check_classifiers_train": "rejected rows have a third label"},
    "one rule": {"check_classifiers_classes": CLASS_NAMES},
    "two rules": {
        "check_classifiers_classes": CLASS_NAMES,
        "check_classifiers_train": "half of the rows are decided by a rule that is far too strict",
        "check_methods_sample_order_invariance": RANDOMIZED,
        "check_methods_subset_invariance": RANDOMIZED,
    },
}


def expected_failures(estimator):
    name = next(name for name, candidate in ESTIMATORS.items() if candidate is estimator)
    return EXPECTED.get(name, {})


@pytest.mark.filterwarnings("ignore")  # checks provoke warnings of all kinds
@parametrize_with_checks(list(ESTIMATORS.values()), expected_failed_checks=expected_failures)
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)
