/* Intervals that have formulas, as tradeoff/analysis/intervals finds them. */
const Intervals = (() => {
  "use strict";

  const { letters } = Programs;

  const NOTHING = 1e-12; // a cell with less than this share of its rows is empty: dust of weights
  const DUST = 1e-28; // less variance of one row than this is none

  /** The shares that a score test would not reject. */
  function wilson(hits, trials, z) {
    const z2 = z ** 2;
    const middle = (hits + z2 / 2) / (trials + z2);
    const half = Math.sqrt(z2 * ((hits * (trials - hits)) / trials + z2 / 4)) / (trials + z2);
    const low = hits === 0 ? 0 : Math.max(middle - half, 0);
    return [low, hits === trials ? 1 : Math.min(middle + half, 1)];
  }

  /** The difference of two shares of different rows: Wilson's intervals, squared and added. */
  function newcombe({ found, positives, alarms, negatives }, z) {
    const [one, other] = [found / positives, alarms / negatives];
    const [low1, high1] = wilson(found, positives, z);
    const [low2, high2] = wilson(alarms, negatives, z);
    const low = one - other - Math.hypot(one - low1, high2 - other);
    const high = one - other + Math.hypot(high1 - one, other - low2);
    return { low: Math.max(low, -1), high: Math.min(high, 1), method: "Newcombe", note: null };
  }

  /** Hits and misses, either 0 where it is but dust. */
  function dusted(hits, trials) {
    const misses = trials - hits;
    const dust = NOTHING * trials;
    return [hits <= dust ? 0 : hits, misses <= dust ? 0 : misses];
  }

  /** The interval holds its value, which may be 0 or infinite where a cell is empty. */
  function holding(value, low, high, method) {
    return { low: Math.min(low, value), high: Math.max(high, value), method, note: null };
  }

  /** Woolf's interval of the odds ratio. */
  function oddsRatio({ found, positives, alarms, negatives }, z) {
    const cells = [...dusted(found, positives), ...dusted(alarms, negatives)];
    const [tp, fn, fp, tn] = cells;
    const isEmpty = cells.includes(0);
    const [a, b, c, d] = cells.map((cell) => cell + (isEmpty ? 0.5 : 0));
    const middle = Math.log(a) + Math.log(d) - Math.log(b) - Math.log(c);
    const half = z * Math.sqrt(1 / a + 1 / b + 1 / c + 1 / d);
    const method = isEmpty ? "Woolf, with 1/2 added" : "Woolf";
    const ends = [Math.exp(middle - half), Math.exp(middle + half)];
    return holding((tp * tn) / (fp * fn), ...ends, method);
  }

  /** The logarithm of a ratio of two shares, and how far its interval reaches to each side. */
  function logRatio(cells, added, z) {
    const [a, b, c, d] = cells.map((cell) => cell + added);
    const middle = Math.log(a) - Math.log(a + b) - Math.log(c) + Math.log(c + d);
    return [middle, z * Math.sqrt(b / (a * (a + b)) + d / (c * (c + d)))];
  }

  /** How many times as large one share is as another (Simel, Samsa & Matchar). */
  function likelihoodRatio(hits1, trials1, hits2, trials2, z) {
    const cells = [...dusted(hits1, trials1), ...dusted(hits2, trials2)];
    const [a, b, c, d] = cells;
    const isEmpty = cells.includes(0);
    const [middle, half] = logRatio(cells, isEmpty ? 0.5 : 0, z);
    const method = isEmpty ? "log, with 1/2 added" : "log";
    const value = a / (a + b) / (c / (c + d));
    return holding(value, Math.exp(middle - half), Math.exp(middle + half), method);
  }

  /** How often a prediction is right at a prevalence that is known (Mercaldo, Lau & Zhou). */
  function predictiveValue([a, b, c, d], prior, z) {
    const isEmpty = [a, b, c, d].includes(0);
    const right = (a / (a + b)) * prior;
    const value = right / (right + (c / (c + d)) * (1 - prior));
    const [ratio, half] = logRatio([a, b, c, d], isEmpty ? z ** 2 / 2 : 0, z);
    const middle = ratio + Math.log(prior) - Math.log1p(-prior);
    const method = isEmpty ? "Mercaldo, logit, with z²/2 added" : "Mercaldo, logit";
    const [high, low] = [-half, half].map((side) => 1 / (1 + Math.exp(side - middle)));
    return holding(value, low, high, method);
  }

  /** Cohen's kappa by Fleiss, Cohen & Everitt; null where the variance says nothing. */
  function kappa({ tp, fn, fp, tn }, factor, z) {
    const cells = [tp, fn, fp, tn].map((cell) => cell * factor);
    const total = sum(cells);
    const [a, b, c, d] = cells.map((cell) => cell / total);
    const [actual, called] = [[a + b, c + d], [a + c, b + d]];
    const expected = actual[0] * called[1] + actual[1] * called[0];
    if (!expected) return null;
    const value = 1 - (b + c) / expected;
    const variance = kappaVariance([a, b, c, d], actual, called, value);
    if (!(variance > DUST)) return null;
    const half = (z * Math.sqrt(variance / total)) / expected;
    const [low, high] = [Math.max(value - half, -1), Math.min(value + half, 1)];
    return { low, high, method: "Fleiss–Cohen–Everitt", note: null };
  }

  function kappaVariance(shares, actual, called, value) {
    const pulls = [0, 1, 2, 3].map((cell) => {
      const [i, j] = [cell >> 1, cell & 1];
      return (i === j ? 1 : 0) - (called[i] + actual[j]) * (1 - value);
    });
    const middle = sum(shares.map((own, cell) => own * pulls[cell]));
    return sum(shares.map((own, cell) => own * (pulls[cell] - middle) ** 2));
  }

  function sum(values) {
    return values.reduce((total, value) => total + value, 0);
  }

  /** Found, positives, alarms, negatives: as many rows as they say as much as. */
  function classes(matrix, { effective }) {
    const { tp, fp, P, N } = letters(matrix);
    return {
      found: scaled(tp, P, effective.positives),
      positives: effective.positives,
      alarms: scaled(fp, N, effective.negatives),
      negatives: effective.negatives,
    };
  }

  function scaled(hits, total, trials) {
    return total === trials ? hits : (hits / total) * trials;
  }

  /** How many real rows one of the matrix is, where a matrix is scaled to a population. */
  function factorOf(matrix, { effective }) {
    return (effective.positives + effective.negatives) / letters(matrix).n;
  }

  function hasRejected({ rp = 0, rn = 0 }) {
    return rp + rn !== 0;
  }

  /** An interval on another scale: `low` and `high` by one rising function. */
  function onScale(spread, scale) {
    return spread && { ...spread, low: scale(spread.low), high: scale(spread.high) };
  }

  /** An interval of one minus the share. */
  function turned(spread) {
    return spread && { ...spread, low: 1 - spread.high, high: 1 - spread.low };
  }

  function ofOdds(scale) {
    return (matrix, about) =>
      hasRejected(matrix) ? null : onScale(oddsRatio(classes(matrix, about), about.z), scale);
  }

  const fromOdds = (odds) => 1 - 2 / (1 + odds);

  function positiveLikelihood(matrix, about) {
    const { found, positives, alarms, negatives } = classes(matrix, about);
    return likelihoodRatio(found, positives, alarms, negatives, about.z);
  }

  function negativeLikelihood(matrix, about) {
    if (hasRejected(matrix)) return null;
    const { found, positives, alarms, negatives } = classes(matrix, about);
    return likelihoodRatio(positives - found, positives, negatives - alarms, negatives, about.z);
  }

  function youden(matrix, about) {
    return newcombe(classes(matrix, about), about.z);
  }

  function balancedAccuracy(matrix, about) {
    return hasRejected(matrix) ? null : onScale(youden(matrix, about), (end) => (1 + end) / 2);
  }

  /** Predictive values where classes are weighed; else they are plain shares. */
  function predictive(which) {
    return (matrix, about) => {
      const { P, N, n } = letters(matrix);
      if (!about.weighed || hasRejected(matrix) || !P || !N) return null;
      const { found, positives, alarms, negatives } = classes(matrix, about);
      const [a, b, c, d] = [...dusted(found, positives), ...dusted(alarms, negatives)];
      if (which === "positive") return predictiveValue([a, b, c, d], P / n, about.z);
      return predictiveValue([d, c, b, a], 1 - P / n, about.z);
    };
  }

  const positivePredictive = predictive("positive");
  const negativePredictive = predictive("negative");

  /** Metrics whose intervals have formulas of their own; null where these do not hold. */
  const KNOWN = {
    odds_ratio: ofOdds((odds) => odds),
    log_odds_ratio: ofOdds(Math.log),
    discriminant_power: ofOdds((odds) => (Math.sqrt(3) / Math.PI) * Math.log(odds)),
    yules_q: ofOdds(fromOdds),
    yules_y: ofOdds((odds) => fromOdds(Math.sqrt(odds))),
    positive_likelihood_ratio: positiveLikelihood,
    negative_likelihood_ratio: negativeLikelihood,
    youden_j: youden,
    balanced_accuracy: balancedAccuracy,
    balanced_error_rate: (matrix, about) => turned(balancedAccuracy(matrix, about)),
    cohens_kappa: (matrix, about) =>
      about.weighed ? null : kappa(matrix, factorOf(matrix, about), about.z),
    precision: positivePredictive,
    negative_predictive_value: negativePredictive,
    false_discovery_rate: (matrix, about) => turned(positivePredictive(matrix, about)),
    false_omission_rate: (matrix, about) => turned(negativePredictive(matrix, about)),
  };

  const TRIALS = {
    rows: ({ n }) => n,
    decided: ({ d }) => d,
    predicted_positives: ({ tp, fp }) => tp + fp,
    predicted_negatives: ({ fn, tn }) => fn + tn,
  };

  /** How many rows a share is of; NaN where classes that were weighed differently are mixed. */
  function trialsOf(trials, matrix, about) {
    if (trials in about.effective) return about.effective[trials];
    return about.weighed ? NaN : TRIALS[trials](letters(matrix)) * factorOf(matrix, about);
  }

  /** The interval of a share or a known ratio; null where draws are needed. */
  function byFormula(metric, value, matrix, about) {
    const known = KNOWN[metric.name]?.(matrix, about) ?? null;
    if (known || !metric.trials) return known;
    const trials = trialsOf(metric.trials, matrix, about);
    if (Number.isNaN(trials)) return null;
    const [low, high] = wilson(value * trials, trials, about.z);
    return { low, high, method: "Wilson", note: null };
  }

  return { KNOWN, byFormula, factorOf, sum };
})();
