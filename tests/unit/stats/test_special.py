"""Special functions agree with SciPy's, to the digits that intervals need."""

import numpy as np
import pytest
from scipy import special as scipy_special

from tradeoff.stats import special

PROBABILITIES = np.concatenate([10.0 ** np.arange(-300, 0, 7), np.linspace(0.01, 0.99, 99)])


def test_expit_is_the_logistic_function_without_overflow():
    log_odds = np.concatenate([np.linspace(-745, 745, 1491), [np.inf, -np.inf]])
    with np.errstate(all="raise", under="ignore"):
        probabilities = special.expit(log_odds)

    np.testing.assert_allclose(
        probabilities, scipy_special.expit(log_odds), rtol=1e-14, atol=1e-307
    )


def test_logit_is_accurate_near_0_and_a_half():
    near = 0.5 + np.array([-1e-9, -1e-15, 1e-15, 1e-9])
    probability = np.concatenate([PROBABILITIES, 1 - PROBABILITIES, near, [0.0, 1.0]])

    np.testing.assert_allclose(
        special.logit(probability), scipy_special.logit(probability), rtol=1e-14
    )


def test_normal_quantiles():
    quantiles = [special.normal_quantile(probability) for probability in PROBABILITIES]

    np.testing.assert_allclose(
        quantiles, scipy_special.ndtri(PROBABILITIES), rtol=1e-14, atol=1e-15
    )


@pytest.mark.parametrize("df", [1, 1.5, 2, 5, 30, 99.5, 499, 500, 999, 12345.6, 1e7])
def test_t_quantiles(df):
    probabilities = [0.5001, 0.6, 0.8, 0.9, 0.95, 0.975, 0.995, 0.9995]
    quantiles = [special.t_quantile(df, probability) for probability in probabilities]

    # t² / (df + t²) is beta distributed; SciPy's t quantiles are less precise before 1.17.
    beta = scipy_special.betaincinv(0.5, df / 2, 2 * np.array(probabilities) - 1)
    np.testing.assert_allclose(quantiles, np.sqrt(df * beta / (1 - beta)), rtol=2e-11)


def test_kolmogorov_quantiles():
    tails = [0.999, 0.9, 0.5, 0.32, 0.2, 0.1, 0.05, 0.01, 0.001, 1e-9]
    quantiles = [special.kolmogorov_quantile(tail) for tail in tails]

    np.testing.assert_allclose(quantiles, scipy_special.kolmogi(tails), rtol=1e-12)
    assert special.kolmogorov_quantile(0.05) == pytest.approx(1.3580986, abs=1e-7)  # Smirnov 1948


@pytest.mark.parametrize("a", [0.5, 1.0, 1.003, 2.0, 2.97, 50.0, 249.5])
@pytest.mark.parametrize("b", [0.5, 1.0, 1.997, 3.0, 40.0])
def test_the_incomplete_beta_function(a, b):
    x = np.concatenate([[0.0, 1e-300, 1e-12], np.linspace(0.001, 0.999, 97), [1.0]])

    np.testing.assert_allclose(
        special.incomplete_beta(a, b, x), scipy_special.betainc(a, b, x), rtol=1e-11, atol=1e-300
    )


def test_the_incomplete_beta_function_by_hand():
    """With integer parameters it is a polynomial: I_x(2, 2) = 3x² - 2x³."""
    x = np.linspace(0, 1, 11)

    np.testing.assert_allclose(special.incomplete_beta(2, 2, x), 3 * x**2 - 2 * x**3, rtol=1e-13)
