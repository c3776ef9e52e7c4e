/* Special functions, as in stats/special.py: normal, beta, Student's t. */
const Special = (() => {
  "use strict";

  const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2;
  const MIN_STIRLING = 10; // from here on, Stirling's series has all digits
  const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];
  const TINY = 1e-300;
  const MAX_STEPS = 200;
  const MIN_SERIES_DF = 500;
  const MAX_SERIES_ERF = 2;

  /* ---- normal distribution ---- */

  /** Cumulative distribution function of the standard normal distribution. */
  function normalCdf(z) {
    const x = Math.abs(z) / Math.SQRT2;
    const tail = x < MAX_SERIES_ERF ? (1 - erfBySeries(x)) / 2 : erfcByFraction(x) / 2;
    return z < 0 ? tail : 1 - tail;
  }

  function erfBySeries(x) {
    let term = x;
    let sum = x;
    for (let n = 1; term > 1e-17 * sum; n += 1) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return ((2 / Math.sqrt(Math.PI)) * Math.exp(-x * x)) * sum;
  }

  /** The continued fraction x + (1/2) / (x + 1 / (x + (3/2) / (x + …))), from its end. */
  function erfcByFraction(x) {
    let fraction = x;
    for (let k = 120; k > 0; k -= 1) fraction = x + k / 2 / fraction;
    return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction);
  }

  /* ---- gamma and beta functions ---- */

  /** What Stirling's formula lacks of the logarithm of the gamma function. */
  function stirlingRest(x) {
    const inverse = 1 / (x * x);
    return STIRLING.reduceRight((sum, coefficient) => sum * inverse + coefficient, 0) / x;
  }

  /** Logarithm of the gamma function of a positive number. */
  function logGamma(x) {
    let shift = 0;
    let shifted = x;
    for (; shifted < MIN_STIRLING; shifted += 1) shift += Math.log(shifted);
    return (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_TWO_PI + stirlingRest(shifted) - shift;
  }

  /** Logarithm of x^a (1 - x)^b / B(a, b), without cancellation if a and b are large. */
  function logBetaTerm(a, b, x, complement) {
    if (a < MIN_STIRLING || b < MIN_STIRLING) {
      const small = Math.min(a, b);
      const large = Math.max(a, b);
      const logBeta = logGamma(small) + logGammaRatio(large, small);
      return a * Math.log(x) + b * Math.log(complement) - logBeta;
    }
    const total = a + b;
    return a * Math.log((x * total) / a) + b * Math.log((complement * total) / b)
      + Math.log((a / total) * b) / 2 - HALF_LOG_TWO_PI + stirlingRest(total) - stirlingRest(a) - stirlingRest(b);
  }

  /** Logarithm of gamma(x) / gamma(x + d). */
  function logGammaRatio(x, d) {
    if (x < MIN_STIRLING) return logGamma(x) - logGamma(x + d);
    return d - (x - 0.5) * Math.log1p(d / x) - d * Math.log(x + d) + stirlingRest(x) - stirlingRest(x + d);
  }

  /** Regularised incomplete beta function, by its continued fraction (DLMF 8.17.22). */
  function incompleteBeta(a, b, x, complement = 1 - x) {
    if (x <= 0) return 0;
    if (complement <= 0) return 1;
    if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, complement, x);
    return (Math.exp(logBetaTerm(a, b, x, complement)) / a) * betaFraction(a, b, x);
  }

  /** Lentz's method. */
  function betaFraction(a, b, x) {
    let c = 1;
    let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
    let fraction = d;
    for (let m = 1; m < 10_000; m += 1) {
      const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / awayFromZero(1 + even * d);
      c = awayFromZero(1 + even / c);
      fraction *= c * d;
      const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / awayFromZero(1 + odd * d);
      c = awayFromZero(1 + odd / c);
      fraction *= c * d;
      if (Math.abs(c * d - 1) <= 4e-16) break;
    }
    return fraction;
  }

  const awayFromZero = (x) => (Math.abs(x) < TINY ? TINY : x);

  /** Quantile of a beta distribution, by Newton's method within a bracket; `z` is that of the normal. */
  function betaQuantile(a, b, probability, z) {
    let low = 0;
    let high = 1;
    let x = firstGuess(a, b, z);
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const excess = incompleteBeta(a, b, x) - probability;
      if (excess > 0) high = x;
      else low = x;
      const density = Math.exp(logBetaTerm(a, b, x, 1 - x)) / (x * (1 - x));
      const newton = excess / density;
      // Halley's correction: the slope of the density.
      const change = newton / (1 - Math.min(0.5, Math.max(-0.5, (newton / 2) * ((a - 1) / x - (b - 1) / (1 - x)))));
      let next = x - change;
      if (!(next > low && next < high)) next = (low + high) / 2;
      // The error of a step of Halley's method is of the order of its cube.
      if (Math.abs(next - x) <= 1e-8 * Math.min(x, 1 - x)) return next;
      x = next;
    }
    return x;
  }

  /** A normal approximation on the logit scale, kept inside 0 to 1. */
  function firstGuess(a, b, z) {
    const logit = Math.log(a / b) + z * Math.sqrt(1 / a + 1 / b);
    return Math.min(Math.max(1 / (1 + Math.exp(-logit)), 1e-12), 1 - 1e-12);
  }

  /* ---- Student's t distribution ---- */

  /** Quantile of Student's t for the tail of a normal quantile. */
  function tQuantile(df, probability, z) {
    if (df >= MIN_SERIES_DF) return tQuantileBySeries(df, z);
    const logConstant = logGamma((df + 1) / 2) - logGamma(df / 2);
    let t = z;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const slope = 2 * Math.exp(logConstant - ((df + 1) / 2) * Math.log1p((t * t) / df));
      const change = ((2 * probability - 1 - centralTProbability(t, df)) * Math.sqrt(df * Math.PI)) / slope;
      t += change;
      if (change <= 1e-15 * t) break;
    }
    return t;
  }

  function centralTProbability(t, df) {
    const squared = t * t;
    if (squared < df) return incompleteBeta(0.5, df / 2, squared / (df + squared));
    return 1 - incompleteBeta(df / 2, 0.5, df / (df + squared));
  }

  /** Abramowitz & Stegun 26.7.5. */
  function tQuantileBySeries(df, z) {
    const coefficients = [
      (z ** 3 + z) / 4,
      (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
      (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
      (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160,
    ];
    return coefficients.reduce((sum, coefficient, index) => sum + coefficient / df ** (index + 1), z);
  }

  return { betaQuantile, normalCdf, tQuantile };
})();
