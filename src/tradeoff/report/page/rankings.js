/* Rankings in the browser: counts at each stop of the slider, and the search for good thresholds,
   which chooses as thresholds/criteria.py and thresholds/reject_band.py do, ties and rounding included.
   Indices are those of the stops; at index 0 nothing is predicted positive. */
const Rankings = (() => {
  "use strict";

  /* Values closer than this differ only by rounding. */
  const TOLERANCE = 8 * Number.EPSILON;
  const MAX_TIES = 1000; // of reject bands, compared for the narrowest
  const MIN_SHOWN_DIGITS = 6;
  const MAX_DIGITS = 17;

  /** Cumulative counts from the first differences in the document; sums of weights are stored as they are. */
  function cumulativeSums(column, isCounted) {
    const values = Float64Array.from(column);
    if (isCounted) for (let i = 1; i < values.length; i += 1) values[i] += values[i - 1];
    return values;
  }

  const INFINITIES = { inf: Infinity, "-inf": -Infinity };

  /** A threshold of the document as a number: JSON has no infinities. */
  const thresholdNumber = (threshold) => INFINITIES[threshold] ?? threshold;

  /** A number rounded down to some significant digits. */
  function roundDown(value, digits) {
    if (!Number.isFinite(value) || value === 0) return value;
    const text = value.toExponential(digits - 1);
    const rounded = Number(text);
    if (rounded <= value) return rounded;
    const [mantissa, exponent] = text.split("e");
    const isPowerOfTen = value > 0 && Number(mantissa) === 1; // below it, digits are worth a tenth
    const unit = Number(`1e${Number(exponent) - digits + (isPowerOfTen ? 0 : 1)}`);
    return Number((rounded - unit).toPrecision(digits));
  }

  class Ranking {
    constructor(model, lowerIsPositive) {
      this.name = model.name;
      this.model = model;
      this.sign = lowerIsPositive ? -1 : 1;
      this.truePositives = cumulativeSums(model.found, model.counted);
      this.falsePositives = cumulativeSums(model.alarms, model.counted);
      this.thresholds = model.thresholds instanceof Float64Array
        ? model.thresholds : Float64Array.from(model.thresholds, thresholdNumber);
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

    /** Indices between which all charts are straight: those that lines need to be drawn through. */
    get drawn() {
      this.drawnIndices ??= this.model.drawn ?? Array.from(this.thresholds.keys());
      return this.drawnIndices;
    }

    /** Index of the last threshold that is at or above this one. */
    indexOf(threshold) {
      const target = this.sign * threshold;
      // Stored thresholds are rounded down: a score with all its digits is at its own threshold.
      const rounded = this.model.digits ? roundDown(target, this.model.digits) : target;
      let first = 0;
      let last = this.last;
      while (first < last) {
        const middle = (first + last + 1) >> 1;
        const value = this.sign * this.thresholds[middle];
        if (value >= target || value === rounded) first = middle;
        else last = middle - 1;
      }
      return first;
    }

    /** A threshold as text: six digits, or as many as decide the same here and on the command line. */
    text(index) {
      const threshold = this.thresholds[index];
      if (!Number.isFinite(threshold)) return index === 0 ? "none" : Numbers.threshold(threshold);
      const value = this.sign * threshold;
      const next = index < this.last ? this.sign * this.thresholds[index + 1] : -Infinity;
      const isThinned = this.model.thinned; // the next score is then unknown, but the stop's digits decide
      for (let digits = MIN_SHOWN_DIGITS; digits < MAX_DIGITS; digits += 1) {
        const rounded = roundDown(value, digits);
        if (rounded === value || (!isThinned && rounded > next)) return Numbers.significant(this.sign * rounded, digits);
      }
      return Numbers.significant(threshold, MAX_DIGITS);
    }

    /** A finite threshold to draw: infinite thresholds are placed just outside the finite ones. */
    drawnThreshold(index) {
      const threshold = this.thresholds[index];
      if (Number.isFinite(threshold)) return threshold;
      const [highest, lowest] = this.#finiteRange();
      const margin = 0.02 * (highest - lowest || Math.abs(highest) || 1);
      return threshold > 0 ? highest + margin : lowest - margin;
    }

    /** The highest and the lowest finite threshold; zeros if there are none. */
    #finiteRange() {
      if (!this.range) {
        const finite = this.thresholds.filter(Number.isFinite);
        const ends = finite.length ? [finite[0], finite[finite.length - 1]] : [0, 0];
        this.range = this.sign > 0 ? ends : ends.reverse();
      }
      return this.range;
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

  /** Total cost of all decisions at every threshold, for the population. */
  function totalCosts(ranking, costs, prior) {
    const perRow = rowCosts(ranking, costs, prior);
    return perRow.map((cost) => cost * prior.population);
  }

  /** Factors that reweight the classes to a prevalence; 1 at the prevalence of the rows. */
  function weights(ranking, { prevalence }) {
    if (prevalence === ranking.prevalence) return [1, 1];
    return [
      ranking.positives ? (prevalence * ranking.rows) / ranking.positives : 0,
      ranking.negatives ? ((1 - prevalence) * ranking.rows) / ranking.negatives : 0,
    ];
  }

  /** Counts at every threshold, reweighted to a prevalence. */
  function weightedCounts(ranking, prior) {
    const [positiveWeight, negativeWeight] = weights(ranking, prior);
    const scaled = (column, weight) => (weight === 1 ? column : column.map((count) => count * weight));
    return {
      tp: scaled(ranking.truePositives, positiveWeight),
      fp: scaled(ranking.falsePositives, negativeWeight),
      rp: ranking.undecidedPositives * positiveWeight,
      rn: ranking.undecidedNegatives * negativeWeight,
    };
  }

  /** Cost per row at every threshold, added up in the order of `Costs.totals` so that rounding is the same. */
  function rowCosts(ranking, costs, prior) {
    return remembered(ranking, "rowCosts", [costs, prior], () => {
      const { tp, fp, rp, rn } = weightedCounts(ranking, prior);
      const { last, rows } = ranking;
      const fixed = (costs.fixed * rows) / prior.population;
      const noneFound = tp[last] * costs.fn + fp[last] * costs.tn + rp * costs.rp + rn * costs.rn;
      const alarm = costs.fp - costs.tn;
      const finding = costs.tp - costs.fn;
      return tp.map((count, index) => {
        const total = fp[index] * alarm + count * finding + noneFound;
        return (fixed && index ? total + fixed : total) / rows;
      });
    });
  }

  const memories = new WeakMap();

  /** A result of a search, kept until its arguments change: the page asks again at every move. */
  function remembered(ranking, name, parameters, compute) {
    if (!memories.has(ranking)) memories.set(ranking, new Map());
    const memory = memories.get(ranking);
    const key = JSON.stringify(parameters, (_, value) => (value === Infinity ? "inf" : value));
    if (memory.get(name)?.key !== key) memory.set(name, { key, result: compute() });
    return memory.get(name).result;
  }

  /** Index of the first value that is minimal up to rounding. */
  function indexOfMinimum(values) {
    const limit = minimumWithTolerance(values);
    return values.findIndex((value) => value <= limit);
  }

  /** The largest value that counts as the minimum; NaN is never a minimum. */
  function minimumWithTolerance(values) {
    let lowest = Infinity;
    for (const value of values) if (value < lowest) lowest = value;
    return lowest + TOLERANCE * Math.max(Math.abs(lowest), 1);
  }

  /** Indices of all thresholds of lowest cost, the one with the fewest false positives first. */
  function lowestCostIndices(ranking, costs, prior) {
    return remembered(ranking, "lowestCost", [costs, prior], () => {
      const perRow = rowCosts(ranking, costs, prior);
      const limit = minimumWithTolerance(perRow);
      const indices = [];
      for (let index = 0; index <= ranking.last; index += 1) if (perRow[index] <= limit) indices.push(index);
      const isCounted = ranking.model.counted && prior.prevalence === ranking.prevalence;
      return isCounted ? withoutRounding(ranking, costs, prior, indices) : indices;
    });
  }

  /** With very many rows, one row may cost less than the rounding error of cancelling sums. */
  function withoutRounding(ranking, costs, prior, indices) {
    const { truePositives, falsePositives, last } = ranking;
    const sums = indices.map((index) => {
      const [tp, fp] = [truePositives[index], falsePositives[index]];
      const outcomes = [
        tp * costs.tp, (truePositives[last] - tp) * costs.fn, fp * costs.fp, (falsePositives[last] - fp) * costs.tn,
        ranking.undecidedPositives * costs.rp, ranking.undecidedNegatives * costs.rn,
        tp + fp > 0 ? (costs.fixed * ranking.rows) / prior.population : 0,
      ];
      const add = (total, cost) => total + cost;
      return { total: outcomes.reduce(add, 0), error: TOLERANCE * outcomes.map(Math.abs).reduce(add, 0) };
    });
    const minimum = Math.min(...sums.map(({ total, error }) => total + error));
    return indices.filter((_, place) => sums[place].total - sums[place].error <= minimum);
  }

  const lowestCostIndex = (ranking, costs, prior) => lowestCostIndices(ranking, costs, prior)[0];

  /** Index of the threshold with the largest Youden index. */
  function youdenIndex(ranking) {
    return remembered(ranking, "youden", [], () =>
      indexOfMinimum(ranking.thresholds.map((_, index) => -(ranking.tpr(index) - ranking.fpr(index)))));
  }

  const slack = (target) => TOLERANCE * Math.max(Math.abs(target), 1);

  /** The first index with as many true positives, and so the fewest false positives. */
  function firstWithSameTruePositives(ranking, index) {
    let first = index;
    while (first > 0 && ranking.truePositives[first - 1] === ranking.truePositives[index]) first -= 1;
    return first;
  }

  /** Index of the threshold with the fewest false positives that reaches a true positive rate; null if none does. */
  function indexForTpr(ranking, target) {
    const limit = target - slack(target);
    let index = 0;
    while (index <= ranking.last && !(ranking.tpr(index) >= limit)) index += 1;
    if (index > ranking.last) return null; // rows without a score are never true positives
    while (index < ranking.last && ranking.falsePositives[index + 1] === ranking.falsePositives[index]) index += 1;
    return index;
  }

  /** Index of the threshold with the most true positives within a false positive rate. */
  function indexForFpr(ranking, target) {
    const limit = target + slack(target);
    let index = ranking.last;
    while (index > 0 && ranking.fpr(index) > limit) index -= 1;
    return firstWithSameTruePositives(ranking, index);
  }

  /** Precision at an index; NaN if nothing is predicted positive. */
  function precision(ranking, index, prior) {
    const [positiveWeight, negativeWeight] = weights(ranking, prior);
    const tp = ranking.truePositives[index] * positiveWeight;
    return tp / (tp + ranking.falsePositives[index] * negativeWeight);
  }

  /** Index of the threshold with the most true positives that reaches a precision; null if none does. */
  function indexForPrecision(ranking, target, prior) {
    const limit = target - slack(target);
    let index = ranking.last;
    while (index >= 0 && !(precision(ranking, index, prior) >= limit)) index -= 1;
    return index < 0 ? null : firstWithSameTruePositives(ranking, index);
  }

  /** Index of the last threshold that predicts at most this many rows of the population positive. */
  function indexForCapacity(ranking, rows, prior) {
    const { tp, fp } = weightedCounts(ranking, prior);
    const limit = ((rows * ranking.rows) / prior.population) * (1 + TOLERANCE);
    let index = ranking.last;
    while (index > 0 && tp[index] + fp[index] > limit) index -= 1;
    return index;
  }

  /**
   * The reject band of lowest cost: [upper, lower]; the narrowest one if several tie.
   *
   * At most `limit` rows of the population are sent to a person; others may be predicted positive.
   */
  function lowestCostBand(ranking, costs, prior, limit = Infinity) {
    return remembered(ranking, "band", [costs, prior, limit], () => findBand(ranking, costs, prior, limit));
  }

  function findBand(ranking, costs, prior, limit) {
    const { tp, fp } = weightedCounts(ranking, prior);
    const bills = (positiveCost, negativeCost) => tp.map((count, index) => count * positiveCost + fp[index] * negativeCost);
    const [positive, negative, rejected] = [bills(costs.tp, costs.fp), bills(costs.fn, costs.tn), bills(costs.rp, costs.rn)];
    const rows = tp.map((count, index) => count + fp[index]);
    // The cost of a band is a term of its upper threshold plus a term of its lower threshold.
    const upperTerms = positive.map((cost, index) => cost - rejected[index]);
    const lowerTerms = rejected.map((cost, index) => cost - negative[index]);
    const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const tolerance = TOLERANCE * Math.max(largest(positive), largest(negative), 1);
    const firsts = firstsWithin(rows, (limit * ranking.rows) / prior.population);
    const minima = windowMinima(upperTerms, firsts);
    const totals = minima.map((cost, index) => cost + lowerTerms[index]);
    let lowest = Infinity;
    for (const total of totals) if (total < lowest) lowest = total;
    let best = null;
    let ties = 0;
    for (let lower = 0; lower <= ranking.last && ties < MAX_TIES; lower += 1) {
      if (!(totals[lower] <= lowest + tolerance)) continue;
      if (limit !== Infinity) ties += 1;
      let upper = lower;
      while (upper > firsts[lower] && !(upperTerms[upper] <= minima[lower] + tolerance)) upper -= 1;
      const width = rows[lower] - rows[upper];
      if (best === null || width < best.width) best = { upper, lower, width };
    }
    return [best.upper, best.lower];
  }

  /** For each index, the first one from which at most `limit` rows lie between the two. */
  function firstsWithin(rows, limit) {
    let first = 0;
    const rounding = TOLERANCE * rows[rows.length - 1];
    return rows.map((count) => {
      while (rows[first] < count - limit - rounding) first += 1;
      return first;
    });
  }

  /** Minima of sliding windows, each from an index in `firsts` up to its own. */
  function windowMinima(values, firsts) {
    const candidates = []; // indices of rising values
    let start = 0;
    return values.map((value, index) => {
      while (candidates.length > start && values[candidates[candidates.length - 1]] >= value) candidates.pop();
      candidates.push(index);
      while (candidates[start] < firsts[index]) start += 1;
      return values[candidates[start]];
    });
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
    Ranking, thresholdNumber, matrix, sampleMatrices, depth, totalCost, totalCosts, rowCosts, lowestCostIndex, lowestCostIndices,
    youdenIndex, indexForTpr, indexForFpr, indexForPrecision, indexForCapacity, lowestCostBand, precision, probabilityCost, bestVertex, costProblem,
    averagePrecision, indexOfMinimum,
  };
})();
