/* Confidence intervals of metrics as in tradeoff/uncertainty, all in closed form (no bootstrap). */
const Intervals = (() => {
  "use strict";

  const { CELLS, letters } = Programs;

  const EMPTY_FRACTION = 1e-12; // a cell with a smaller fraction of the rows is empty up to rounding of weights
  const ORDER = ["tp", "fn", "rp", "fp", "tn", "rn"];
  const MOVER = "MOVER";

  /** Wilson score interval for a proportion. */
  function wilson(successes, trials, z) {
    const z2 = z ** 2;
    const centre = (successes + z2 / 2) / (trials + z2);
    const halfWidth = Math.sqrt(z2 * ((successes * (trials - successes)) / trials + z2 / 4)) / (trials + z2);
    const low = successes === 0 ? 0 : Math.max(centre - halfWidth, 0);
    return [low, successes === trials ? 1 : Math.min(centre + halfWidth, 1)];
  }

  function sum(values) {
    return values.reduce((total, value) => total + value, 0);
  }

  function clamp(value, low, high) {
    return Math.min(Math.max(value, low), high);
  }

  /* ---- proportions ---- */

  /** A proportion of rows, defined by the cells that count as successes and as failures. */
  class Proportion {
    constructor(successes, failures) {
      this.successes = successes;
      this.failures = failures;
    }

    sums(cells) {
      return [this.successes, this.failures].map((part) => sum(part.map((cell) => cells[cell])));
    }

    value(cells) {
      const [successes, failures] = this.sums(cells);
      return successes / (successes + failures);
    }

    /** Number of trials; with weights, their effective number. */
    trials({ real, squares }) {
      const [successes, failures] = this.sums(real);
      const total = successes + failures;
      if (!squares) return total;
      const [successSquares, failureSquares] = this.sums(squares);
      const [p, q] = [successes / total, failures / total];
      const linearised = (p * q) / (successSquares * q ** 2 + failureSquares * p ** 2);
      const isAtLimit = successes === 0 || failures === 0;
      return total ** 2 * (isAtLimit ? 1 / (successSquares + failureSquares) : linearised);
    }

    interval(cells, context) {
      const trials = this.trials(context);
      if (!(trials > 0)) return [0, 1];
      const isOne = this.sums(cells)[1] === 0;
      return wilson(isOne ? trials : this.value(cells) * trials, trials, context.z);
    }

    /** The cells with this proportion moved to another value, all else equal. */
    moved(cells, value) {
      const [successes, failures] = this.sums(cells);
      const total = successes + failures;
      const movedCells = { ...cells };
      for (const [part, before, after] of [
        [this.successes, successes, value * total],
        [this.failures, failures, (1 - value) * total],
      ]) {
        for (const cell of part) {
          movedCells[cell] = before > 0 ? cells[cell] * (after / before) : after / part.length;
        }
      }
      return movedCells;
    }

    /** Influence of a row in each cell on the proportion. */
    influence(cells) {
      const value = this.value(cells);
      const p = Number.isNaN(value) ? 0 : value;
      const total = sum(this.sums(cells));
      return Object.fromEntries(
        ORDER.map((cell) => {
          if (!(total > 0)) return [cell, 0];
          if (this.successes.includes(cell)) return [cell, (1 - p) / total];
          return [cell, this.failures.includes(cell) ? -p / total : 0];
        }),
      );
    }
  }

  const PREVALENCE = new Proportion(["tp", "fn", "rp"], ["fp", "tn", "rn"]);
  const TPR = new Proportion(["tp"], ["fn"]);
  const FPR = new Proportion(["fp"], ["tn"]);
  const REJECTION = [new Proportion(["rp"], ["tp", "fn"]), new Proportion(["rn"], ["fp", "tn"])];
  const ACTUAL_POSITIVE = new Proportion(["tp", "fn"], ["fp", "tn"]);
  const PREDICTED_POSITIVE = new Proportion(["tp", "fp"], ["fn", "tn"]);
  const OF_POSITIVES = new Proportion(["tp"], ["fn", "rp"]);
  const OF_NEGATIVES = new Proportion(["fp"], ["tn", "rn"]);

  function allCells(matrix) {
    return Object.fromEntries(ORDER.map((cell) => [cell, matrix[cell] ?? 0]));
  }

  /* ---- MOVER (method of variance estimates recovery): each proportion moved over its interval ---- */

  /** Values inside a proportion's interval at which a metric may have an extremum. */
  function turningPoints(proportion, cells) {
    if (proportion !== TPR && proportion !== FPR) return [0.5, 0.5];
    const other = (proportion === TPR ? FPR : TPR).value(cells);
    return [0.5, Number.isNaN(other) ? 0.5 : other];
  }

  function correlations(proportions, { real, squares }) {
    const influences = proportions.map((proportion) => proportion.influence(real));
    const covariance = influences.map((a) =>
      influences.map((b) => sum(ORDER.map((cell) => a[cell] * b[cell] * squares[cell]))),
    );
    const standardErrors = proportions.map((_, index) => Math.sqrt(covariance[index][index]) || Infinity);
    return covariance.map((row, i) =>
      row.map((value, j) => (i === j ? 1 : value / (standardErrors[i] * standardErrors[j]))),
    );
  }

  /** A matrix, and copies of it with one proportion at a time moved over its interval. */
  class MovedProportions {
    constructor(matrix, context) {
      this.matrix = allCells(matrix);
      this.context = { ...context, real: allCells(context.real) };
      const cells = this.matrix;
      const proportions = [TPR, FPR];
      if (!context.fixed) proportions.push(PREVALENCE);
      if (cells.rp || cells.rn) proportions.push(...REJECTION);
      this.points = 4;
      this.proportionCount = proportions.length;
      this.directions = [];
      const matrices = [];
      for (const proportion of proportions) {
        const [low, high] = proportion.interval(cells, this.context);
        const value = proportion.value(cells);
        const centre = Number.isNaN(value) ? 0.5 : value;
        const turningValues = turningPoints(proportion, cells).map((point) => clamp(point, low, high));
        for (const point of [low, high, ...turningValues]) {
          matrices.push(proportion.moved(cells, point));
          this.directions.push(Math.sign(point - centre));
        }
      }
      this.cells = Object.fromEntries(
        CELLS.map((cell) => [cell, Float64Array.from(matrices, (moved) => moved[cell])]),
      );
      this.cells.scale = new Float64Array(matrices.length).fill(matrix.scale ?? 1);
      this.correlations = context.squares ? correlations(proportions, this.context) : null;
    }

    /** Limits of a metric's interval; `values` are those of the moved matrices. */
    interval(metric, value, values) {
      const upward = this.#combinedMove(values, (moved) => moved - value);
      const downward = this.#combinedMove(values, (moved) => value - moved);
      return [
        Math.min(Math.max(value - downward, metric.low), value),
        Math.max(Math.min(value + upward, metric.high), value),
      ];
    }

    /** Change in a metric when all proportions move together: the root of the sum of squares. */
    #combinedMove(values, distance) {
      const distances = [];
      const signedDistances = [];
      for (let proportion = 0; proportion < this.proportionCount; proportion++) {
        let [largest, direction] = [-Infinity, 0];
        for (let point = 0; point < this.points; point++) {
          const index = proportion * this.points + point;
          const move = distance(values[index]);
          if (move > largest) [largest, direction] = [move, this.directions[index]];
        }
        const length = largest === -Infinity ? Infinity : Math.max(largest, 0);
        distances.push(length);
        signedDistances.push(length * direction);
      }
      if (!this.correlations || distances.includes(Infinity)) {
        return Math.sqrt(sum(distances.map((length) => length ** 2)));
      }
      const total = sum(
        signedDistances.flatMap((a, i) => signedDistances.map((b, j) => a * this.correlations[i][j] * b)),
      );
      return Math.sqrt(Math.max(total, 0));
    }
  }

  /* ---- metrics with a closed form ---- */

  function interval(low, high, method, note = null) {
    return { low, high, method, note };
  }

  function withoutInterval(note) {
    return interval(NaN, NaN, "", note);
  }

  /** Successes and failures, with rounding errors set to 0. */
  function successesAndFailures(successes, trials) {
    const failures = trials - successes;
    const rounding = EMPTY_FRACTION * trials;
    return [successes <= rounding ? 0 : successes, failures <= rounding ? 0 : failures];
  }

  /** An interval widened to contain its value, which is 0 or infinite if a cell is empty. */
  function includingValue(value, low, high, method) {
    return interval(Math.min(low, value), Math.max(high, value), method);
  }

  /** True positives, positives, false positives and negatives as effective numbers of rows. */
  function classCounts({ matrix, context }) {
    const [tp, positives] = effectiveCounts(OF_POSITIVES, matrix, context);
    const [fp, negatives] = effectiveCounts(OF_NEGATIVES, matrix, context);
    return { tp, positives, fp, negatives };
  }

  function effectiveCounts(proportion, matrix, context) {
    const total = sum(proportion.sums(matrix));
    const trials = total ? proportion.trials(context) : 0;
    return [total ? Math.min(proportion.value(matrix) * trials, trials) : 0, trials];
  }

  function oddsRatio({ tp, positives, fp, negatives }, z) {
    const cells = [...successesAndFailures(tp, positives), ...successesAndFailures(fp, negatives)];
    const isEmpty = cells.includes(0);
    const [a, b, c, d] = cells.map((cell) => cell + (isEmpty ? 0.5 : 0));
    const centre = Math.log(a) + Math.log(d) - Math.log(b) - Math.log(c);
    const halfWidth = z * Math.sqrt(1 / a + 1 / b + 1 / c + 1 / d);
    const method = isEmpty ? "Woolf, with 1/2 added" : "Woolf";
    const value = (cells[0] * cells[3]) / (cells[2] * cells[1]);
    return includingValue(value, Math.exp(centre - halfWidth), Math.exp(centre + halfWidth), method);
  }

  /** Logarithm of the ratio of two proportions, and the half-width of its interval. */
  function logRatio(cells, added, z) {
    const [a, b, c, d] = cells.map((cell) => cell + added);
    const centre = Math.log(a) - Math.log(a + b) - Math.log(c) + Math.log(c + d);
    return [centre, z * Math.sqrt(b / (a * (a + b)) + d / (c * (c + d)))];
  }

  /** Ratio of two proportions (Simel, Samsa & Matchar). */
  function likelihoodRatio(successes1, trials1, successes2, trials2, z) {
    const cells = [...successesAndFailures(successes1, trials1), ...successesAndFailures(successes2, trials2)];
    const [a, b, c, d] = cells;
    const isEmpty = cells.includes(0);
    const [centre, halfWidth] = logRatio(cells, isEmpty ? 0.5 : 0, z);
    const method = isEmpty ? "log, with 1/2 added" : "log";
    const value = a / (a + b) / (c / (c + d));
    return includingValue(value, Math.exp(centre - halfWidth), Math.exp(centre + halfWidth), method);
  }

  /** Predictive value at a known prevalence (Mercaldo, Lau & Zhou). */
  function predictiveValue([a, b, c, d], prior, z) {
    const isEmpty = [a, b, c, d].includes(0);
    const correct = (a / (a + b)) * prior;
    const value = correct / (correct + (c / (c + d)) * (1 - prior));
    const [ratio, halfWidth] = logRatio([a, b, c, d], isEmpty ? z ** 2 / 2 : 0, z);
    const centre = ratio + Math.log(prior) - Math.log1p(-prior);
    const method = isEmpty ? "Mercaldo, logit, with z²/2 added" : "Mercaldo, logit";
    const [high, low] = [-halfWidth, halfWidth].map((side) => 1 / (1 + Math.exp(side - centre)));
    return includingValue(value, low, high, method);
  }

  function hasRejected({ rp, rn }) {
    return rp + rn !== 0;
  }

  /** An interval transformed by an increasing function. */
  function transformed(limits, transform) {
    return limits && { ...limits, low: transform(limits.low), high: transform(limits.high) };
  }

  function complement(limits) {
    return limits && { ...limits, low: 1 - limits.high, high: 1 - limits.low };
  }

  function oddsRatioInterval(transform) {
    return (moved) =>
      hasRejected(moved.matrix)
        ? null
        : transformed(oddsRatio(classCounts(moved), moved.context.z), transform);
  }

  const fromOdds = (odds) => 1 - 2 / (1 + odds);

  function positiveLikelihood(moved) {
    const { tp, fp } = moved.matrix;
    if (fp || !tp) return null;
    const counts = classCounts(moved);
    return likelihoodRatio(counts.tp, counts.positives, counts.fp, counts.negatives, moved.context.z);
  }

  function negativeLikelihood(moved) {
    const { tn, fn } = moved.matrix;
    if (tn || !fn || hasRejected(moved.matrix)) return null;
    const { tp, positives, fp, negatives } = classCounts(moved);
    return likelihoodRatio(positives - tp, positives, negatives - fp, negatives, moved.context.z);
  }

  /** Newcombe interval for the difference between two independent proportions. */
  function differenceOfRates(moved) {
    const { tp, positives, fp, negatives } = classCounts(moved);
    const [tpr, fpr] = [tp / positives, fp / negatives];
    const [low1, high1] = wilson(tp, positives, moved.context.z);
    const [low2, high2] = wilson(fp, negatives, moved.context.z);
    const low = tpr - fpr - Math.hypot(tpr - low1, high2 - fpr);
    const high = tpr - fpr + Math.hypot(high1 - tpr, fpr - low2);
    return interval(Math.max(low, -1), Math.min(high, 1), "Newcombe");
  }

  function meanOfRates(moved) {
    return hasRejected(moved.matrix) ? null : transformed(differenceOfRates(moved), (limit) => (1 + limit) / 2);
  }

  function reciprocal(difference) {
    if (difference.low <= 0 && difference.high >= 0) {
      return withoutInterval("no interval: it is the reciprocal of a difference that may be 0");
    }
    return { ...difference, low: 1 / difference.high, high: 1 / difference.low };
  }

  /** 1 - 1 / (positive likelihood ratio): the prevalence cancels out. */
  function likelihoodGain(moved, byMover) {
    const ratio = positiveLikelihood(moved) ?? byMover("positive_likelihood_ratio");
    return transformed(ratio, (limit) => (limit ? 1 - 1 / limit : -Infinity));
  }

  /** 1 - exp(logit of the prevalence - logit of recall), both logits approximately normal. */
  function recallGain({ matrix, context }, _, value) {
    const { P, N } = letters(matrix);
    if (hasRejected(matrix) || !P || !N) return null;
    const [successes, failures] = TPR.sums(matrix);
    const trials = TPR.trials(context);
    const isEmpty = !(successes && failures);
    const [a, b] = [successes, failures].map(
      (part) => (part * trials) / (successes + failures) + (isEmpty ? 0.5 : 0),
    );
    const proportion = PREVALENCE.value(matrix);
    const prevalenceVariance = context.fixed ? 0 : 1 / (PREVALENCE.trials(context) * proportion * (1 - proportion));
    const centre = Math.log(proportion / (1 - proportion)) + Math.log(b / a);
    const halfWidth = context.z * Math.sqrt(1 / a + 1 / b + prevalenceVariance);
    const method = isEmpty ? "logit, with 1/2 added" : "logit";
    return includingValue(value, 1 - Math.exp(centre + halfWidth), 1 - Math.exp(centre - halfWidth), method);
  }

  /** Interval for a function of one proportion with its only extremum at one half. */
  function singleProportion(proportion, transform) {
    return ({ matrix, context }) => {
      if (context.fixed) return null;
      const [low, high] = proportion.interval(matrix, context);
      const values = [low, high, clamp(0.5, low, high)].map(transform);
      return interval(Math.min(...values), Math.max(...values), "Wilson");
    };
  }

  const largerClass = (proportion) => Math.max(proportion, 1 - proportion);

  function binaryEntropy(proportion) {
    return -sum([proportion, 1 - proportion].filter((p) => p > 0).map((p) => p * Math.log2(p)));
  }

  /** True positives among the predicted positives or the positives, whichever are fewer. */
  function overlap(isLarger) {
    return ({ matrix, context }) => {
      const isByClass = matrix.tp + matrix.fn + matrix.rp > matrix.tp + matrix.fp === isLarger;
      if (context.fixed && !isByClass) return null;
      const proportion = isByClass ? OF_POSITIVES : new Proportion(["tp"], ["fp"]);
      return interval(...proportion.interval(matrix, context), "Wilson");
    };
  }

  /** Predictive values at a known prevalence; otherwise they are proportions. */
  function predictive(kind) {
    return (moved) => {
      const { P, N, n } = letters(moved.matrix);
      if (hasRejected(moved.matrix) || !P || !N) return null;
      const { tp, positives, fp, negatives } = classCounts(moved);
      const [a, b, c, d] = [...successesAndFailures(tp, positives), ...successesAndFailures(fp, negatives)];
      if (kind === "positive") return predictiveValue([a, b, c, d], P / n, moved.context.z);
      return predictiveValue([d, c, b, a], 1 - P / n, moved.context.z);
    };
  }

  const positivePredictive = predictive("positive");
  const negativePredictive = predictive("negative");

  /** A formula that needs the values of another metric for the moved matrices. */
  const requiring = (name, formula) => Object.assign(formula, { needs: name });

  /**
   * Formulas by their names in `measures/interval_formulas.py`, to which the document refers; null if
   * one does not apply.
   */
  const FORMULAS = {
    odds: oddsRatioInterval((odds) => odds),
    log_odds: oddsRatioInterval(Math.log),
    effect_size: oddsRatioInterval((odds) => (Math.sqrt(3) / Math.PI) * Math.log(odds)),
    association: oddsRatioInterval(fromOdds),
    colligation: oddsRatioInterval((odds) => fromOdds(Math.sqrt(odds))),
    positive_likelihood: positiveLikelihood,
    negative_likelihood: negativeLikelihood,
    difference_of_rates: differenceOfRates,
    mean_of_rates: meanOfRates,
    mean_of_errors: (moved) => complement(meanOfRates(moved)),
    reciprocal_difference: (moved) => reciprocal(differenceOfRates(moved)),
    reciprocal_markedness: requiring("markedness", (_, byMover) => reciprocal(byMover("markedness"))),
    log_lift: requiring("lift", (_, byMover) => transformed(byMover("lift"), Math.log2)),
    likelihood_gain: requiring("positive_likelihood_ratio", likelihoodGain),
    recall_gain: recallGain,
    larger_share: singleProportion(ACTUAL_POSITIVE, largerClass),
    actual_entropy: singleProportion(ACTUAL_POSITIVE, binaryEntropy),
    predicted_entropy: singleProportion(PREDICTED_POSITIVE, binaryEntropy),
    overlap_with_fewer: overlap(false),
    overlap_with_more: overlap(true),
    positive_predictive: positivePredictive,
    negative_predictive: negativePredictive,
    false_discovery: (moved) => complement(positivePredictive(moved)),
    false_omission: (moved) => complement(negativePredictive(moved)),
  };

  const CLASS_TRIALS = ["positives", "negatives"];

  /** The proportion that a metric equals: 1 for a single success, 0 for a single failure. */
  function proportionOf(units) {
    const [successes, failures] = [1, 0].map((value) => CELLS.filter((_, index) => units[index] === value));
    return new Proportion(successes, failures);
  }

  /**
   * Confidence interval of a metric that is defined.
   *
   * `values` belong to the moved matrices, `units` to matrices of a single row, and
   * `byMover` returns the interval of another metric.
   */
  function metricInterval({ metric, value, values, units, byMover }, moved) {
    const { context, matrix } = moved;
    if (metric.no_interval) return withoutInterval(`no interval: ${metric.no_interval}`);
    if (metric.trials && (CLASS_TRIALS.includes(metric.trials) || !context.fixed)) {
      const trials = proportionOf(units).trials(context);
      return interval(...wilson(value * trials, trials, context.z), "Wilson");
    }
    const byFormula = metric.interval && FORMULAS[metric.interval](moved, byMover, value);
    if (byFormula) return byFormula;
    const [low, high] = moved.interval(metric, value, values);
    if (!Number.isFinite(value)) return withoutInterval("no interval: the value is infinite");
    if (high - low <= EMPTY_FRACTION * Math.max(Math.abs(low), Math.abs(high))) {
      return withoutInterval("no interval: class totals are fixed");
    }
    return interval(low, high, MOVER);
  }

  /** Reason why no metric of a matrix has an interval; null if there is none. */
  function noIntervalReason(matrix, { real, squares }) {
    if (!letters(matrix).n) return null; // undefined anyway
    const counts = CELLS.map((cell) => real[cell] ?? 0);
    const isWhole = counts.every((cell) => Math.abs(cell - Math.round(cell)) < EMPTY_FRACTION);
    if (squares || isWhole || sum(counts) > 1 + EMPTY_FRACTION) return null;
    return "no interval: a matrix of proportions does not give the number of rows";
  }

  return { FORMULAS, MovedProportions, interval, metricInterval, noIntervalReason, withoutInterval, MOVER };
})();
