/* Rankings in the browser: counts at each stop of the slider, and the search for good thresholds.
   Indices are those of the stops; at index 0 nothing is predicted positive. */
const Rankings = (() => {
  "use strict";

  /* Values closer than this differ only by rounding. */
  const TOLERANCE = 8 * Number.EPSILON;

  /** Cumulative counts from the first differences in the document; sums of weights are stored as they are. */
  function cumulativeSums(column, isCounted) {
    const values = Float64Array.from(column);
    if (isCounted) for (let i = 1; i < values.length; i += 1) values[i] += values[i - 1];
    return values;
  }

  const INFINITIES = { inf: Infinity, "-inf": -Infinity };

  /** A threshold of the document as a number: JSON has no infinities. */
  const thresholdNumber = (threshold) => INFINITIES[threshold] ?? threshold;

  class Ranking {
    constructor(model, lowerIsPositive) {
      this.name = model.name;
      this.model = model;
      this.sign = lowerIsPositive ? -1 : 1;
      this.truePositives = cumulativeSums(model.found, model.counted);
      this.falsePositives = cumulativeSums(model.alarms, model.counted);
      this.thresholds = Float64Array.from(model.thresholds, thresholdNumber);
      this.last = this.thresholds.length - 1;
      [this.undecidedPositives, this.undecidedNegatives] = model.rejected;
      this.positives = this.truePositives[this.last] + this.undecidedPositives;
      this.negatives = this.falsePositives[this.last] + this.undecidedNegatives;
      this.rows = this.positives + this.negatives;
      this.prevalence = this.rows ? this.positives / this.rows : 0;
      this.squares = model.squares ? new Ranking({ ...model, ...model.squares, squares: null, counted: false }, lowerIsPositive) : null;
    }

    tpr(index) { return this.truePositives[index] / this.positives; }

    fpr(index) { return this.falsePositives[index] / this.negatives; }

    /** Index of the last threshold that is at or above this one. */
    indexOf(threshold) {
      let first = 0;
      let last = this.last;
      while (first < last) {
        const middle = (first + last + 1) >> 1;
        if (this.sign * this.thresholds[middle] >= this.sign * threshold) first = middle;
        else last = middle - 1;
      }
      return first;
    }

    /** A finite threshold to draw: infinite thresholds are placed just outside the finite ones. */
    drawnThreshold(index) {
      const threshold = this.thresholds[index];
      if (Number.isFinite(threshold)) return threshold;
      const finite = this.thresholds.filter(Number.isFinite);
      if (!finite.length) return 0;
      const [highest, lowest] = [Math.max(...finite), Math.min(...finite)];
      const margin = 0.02 * (highest - lowest || Math.abs(highest) || 1);
      return threshold > 0 ? highest + margin : lowest - margin;
    }
  }

  /** The confusion matrix of the sample, not scaled to a population, and that of squared weights. */
  function sampleMatrices(ranking, upper, lower) {
    const unscaled = (source) => matrix(source, upper, lower, { prevalence: source.prevalence, population: source.rows });
    return { real: unscaled(ranking), squares: ranking.squares ? unscaled(ranking.squares) : null };
  }

  /** Factors that scale the rows of each class to a population with another prevalence. */
  function classFactors(ranking, prior) {
    const isSample = prior.prevalence === ranking.prevalence && prior.population === ranking.rows;
    if (isSample) return { positiveFactor: 1, negativeFactor: 1 };
    return {
      positiveFactor: ranking.positives ? (prior.prevalence * prior.population) / ranking.positives : 0,
      negativeFactor: ranking.negatives ? ((1 - prior.prevalence) * prior.population) / ranking.negatives : 0,
    };
  }

  /** The confusion matrix at a threshold, or of a reject band from `lower` up to `upper`. */
  function matrix(ranking, upper, lower, prior) {
    const { positiveFactor, negativeFactor } = classFactors(ranking, prior);
    const { truePositives, falsePositives, last } = ranking;
    const cells = {
      tp: truePositives[upper] * positiveFactor,
      fn: (truePositives[last] - truePositives[lower]) * positiveFactor,
      rp: (truePositives[lower] - truePositives[upper] + ranking.undecidedPositives) * positiveFactor,
      fp: falsePositives[upper] * negativeFactor,
      tn: (falsePositives[last] - falsePositives[lower]) * negativeFactor,
      rn: (falsePositives[lower] - falsePositives[upper] + ranking.undecidedNegatives) * negativeFactor,
    };
    if (!ranking.squares && prior.prevalence === ranking.prevalence) return cells;
    return { ...cells, scale: effectiveScale(ranking, upper, lower, { positiveFactor, negativeFactor }) };
  }

  /** Effective number of rows (Kish) per unit of weight, without rejected rows. */
  function effectiveScale(ranking, upper, lower, { positiveFactor, negativeFactor }) {
    const decidedWeight = ({ truePositives, falsePositives, last }, power) =>
      (truePositives[upper] + truePositives[last] - truePositives[lower]) * positiveFactor ** power
      + (falsePositives[upper] + falsePositives[last] - falsePositives[lower]) * negativeFactor ** power;
    const squares = decidedWeight(ranking.squares ?? ranking, 2); // without weights every row weighs 1
    return squares > 0 ? decidedWeight(ranking, 1) / squares : 1;
  }

  /** Proportion of the population that is predicted positive. */
  function depth(ranking, index, prior) {
    return prior.prevalence * orZero(ranking.tpr(index)) + (1 - prior.prevalence) * orZero(ranking.fpr(index));
  }

  const orZero = (value) => (Number.isNaN(value) ? 0 : value);

  /** Total cost of all decisions of a confusion matrix. */
  function totalCost(m, costs) {
    const variable = m.tp * costs.tp + m.fn * costs.fn + m.fp * costs.fp + m.tn * costs.tn
      + m.rp * costs.rp + m.rn * costs.rn;
    return variable + (m.tp + m.fp > 0 ? costs.fixed : 0);
  }

  /** Total cost at every threshold. */
  function totalCosts(ranking, costs, prior) {
    return Float64Array.from(ranking.thresholds, (_, index) => totalCost(matrix(ranking, index, index, prior), costs));
  }

  /** Index of the first value that is minimal up to rounding. */
  function indexOfMinimum(values) {
    let lowest = Infinity;
    for (const value of values) if (value < lowest) lowest = value;
    const tolerance = TOLERANCE * Math.max(Math.abs(lowest), 1);
    return values.findIndex((value) => value <= lowest + tolerance);
  }

  /** Indices of all thresholds of lowest cost, the one with the fewest false positives first. */
  function lowestCostIndices(ranking, costs, prior) {
    const rowCosts = totalCosts(ranking, costs, prior).map((value) => value / prior.population);
    const lowest = rowCosts[indexOfMinimum(rowCosts)];
    const tolerance = TOLERANCE * Math.max(Math.abs(lowest), 1);
    return Array.from(rowCosts.keys()).filter((index) => rowCosts[index] <= lowest + tolerance);
  }

  const lowestCostIndex = (ranking, costs, prior) => lowestCostIndices(ranking, costs, prior)[0];

  /** Index of the threshold with the largest Youden index. */
  function youdenIndex(ranking) {
    return indexOfMinimum(Float64Array.from(ranking.thresholds, (_, index) => ranking.fpr(index) - ranking.tpr(index)));
  }

  /** Index of the threshold with the fewest false positives that reaches a true positive rate. */
  function indexForTpr(ranking, target) {
    let index = ranking.thresholds.findIndex((_, candidate) => ranking.tpr(candidate) >= target - TOLERANCE);
    if (index < 0) return null; // rows without a score are never true positives
    while (index < ranking.last && ranking.falsePositives[index + 1] === ranking.falsePositives[index]) index += 1;
    return index;
  }

  /** Index of the threshold with the most true positives within a false positive rate. */
  function indexForFpr(ranking, target) {
    let index = ranking.last;
    while (index > 0 && ranking.fpr(index) > target + TOLERANCE) index -= 1;
    while (index > 0 && ranking.truePositives[index - 1] === ranking.truePositives[index]) index -= 1;
    return index;
  }

  /** Index of the last threshold that predicts at most this many rows positive. */
  function indexForCapacity(ranking, rows, prior) {
    let index = ranking.last;
    while (index > 0 && depth(ranking, index, prior) * prior.population > rows * (1 + TOLERANCE)) index -= 1;
    return index;
  }

  /** The reject band of lowest cost with at most `limit` rows: [upper, lower]; the smallest one if several tie. */
  function lowestCostBand(ranking, costs, prior, limit = Infinity) {
    const { positiveFactor, negativeFactor } = classFactors(ranking, prior);
    const cumulativeCosts = (positiveCost, negativeCost) => ranking.thresholds.map((_, index) =>
      ranking.truePositives[index] * positiveFactor * positiveCost + ranking.falsePositives[index] * negativeFactor * negativeCost);
    const positive = cumulativeCosts(costs.tp, costs.fp);
    const negative = cumulativeCosts(costs.fn, costs.tn);
    const rejected = cumulativeCosts(costs.rp, costs.rn);
    const rows = cumulativeCosts(1, 1);
    let best = { cost: Infinity, upper: 0, lower: 0 };
    const tolerance = TOLERANCE * Math.max(...positive.map(Math.abs), ...negative.map(Math.abs), 1);
    for (let lower = 0; lower <= ranking.last; lower += 1) {
      for (let upper = lower; upper >= 0; upper -= 1) {
        if (rows[lower] - rows[upper] > limit * (1 + TOLERANCE)) break;
        const cost = positive[upper] - rejected[upper] + rejected[lower] - negative[lower];
        const isSmaller = rows[lower] - rows[upper] < rows[best.lower] - rows[best.upper];
        if (cost < best.cost - tolerance || (cost <= best.cost + tolerance && isSmaller)) {
          best = { cost: Math.min(cost, best.cost), upper, lower };
        }
      }
    }
    return [best.upper, best.lower];
  }

  /** Probability cost PC(+): the proportion of the cost of errors that is due to false negatives. */
  function probabilityCost(costs, prevalence) {
    const falseNegative = (costs.fn - costs.tp) * prevalence;
    const falsePositive = (costs.fp - costs.tn) * (1 - prevalence);
    return falseNegative + falsePositive > 0 ? falseNegative / (falseNegative + falsePositive) : NaN;
  }

  /** Index of the vertex of the convex hull with the lowest expected cost at a PC(+). */
  function bestVertex(ranking, probability) {
    const cost = (index) => (1 - ranking.tpr(index)) * probability + ranking.fpr(index) * (1 - probability);
    return ranking.model.hull.reduce((best, index) => (cost(index) < cost(best) - TOLERANCE ? index : best));
  }

  /** Why the costs cannot be used; empty if they can. */
  function costProblem(costs) {
    if (costs.fn < costs.tp) return "A false negative costs less than a true positive: predicting all negative would be best. Costs are positive, benefits negative.";
    if (costs.fp < costs.tn) return "A false positive costs less than a true negative. Costs are positive, benefits negative.";
    if (costs.fn === costs.tp && costs.fp === costs.tn) return "With these costs all decisions cost the same.";
    return "";
  }

  /** Average precision of the scored rows at a prevalence. */
  function averagePrecision(ranking, prevalence) {
    let sum = 0;
    for (let index = 1; index <= ranking.last; index += 1) {
      const gain = ranking.truePositives[index] - ranking.truePositives[index - 1];
      if (gain) sum += (gain * prevalence * ranking.tpr(index)) / depth(ranking, index, { prevalence });
    }
    return sum / ranking.truePositives[ranking.last];
  }

  return {
    Ranking, thresholdNumber, matrix, sampleMatrices, depth, totalCost, lowestCostIndex, lowestCostIndices, youdenIndex,
    indexForTpr, indexForFpr, indexForCapacity, lowestCostBand, probabilityCost, bestVertex, costProblem,
    averagePrecision, indexOfMinimum,
  };
})();
