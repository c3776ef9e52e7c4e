/* Pointwise confidence bands of ROC curves, as in uncertainty/confidence_region.py: the envelope of
   the curves whose rates are shifted in all directions by Jeffreys quantiles. */
const RocBands = (() => {
  "use strict";

  const MAX_THRESHOLDS = 1024;
  const DIRECTIONS = 24;
  const METHOD = "Jeffreys intervals profiled over thresholds (after Claeskens, Jing, Peng & Zhou 2003), conservative with few rows";

  const evenly = (low, high, count) => Array.from({ length: count }, (_, index) => (index === count - 1 ? high : low + index * ((high - low) / (count - 1))));

  const geometrically = (low, high, count) => evenly(Math.log10(low), Math.log10(high), count)
    .map((power, index) => (index === 0 ? low : index === count - 1 ? high : 10 ** power));

  const unique = (values) => [...new Set(values)].sort((a, b) => a - b);

  const GRID = unique([...evenly(0, 1, 81), ...geometrically(0.001, 0.1, 36)]);

  /** The band of a ranking: limits of the true positive rate over false positive rates. */
  function band(ranking, { z, level }) {
    const coarse = coarsened(ranking);
    const [tpr, fpr] = [0, 1].map((side) => new Rate(coarse, side));
    const low = GRID.map(() => NaN);
    const high = GRID.map(() => NaN);
    for (const [tprShift, fprShift] of directions(z)) {
      const ys = tpr.shifted(tprShift);
      const xs = fpr.shifted(fprShift);
      GRID.forEach((x, index) => {
        for (const y of heights(xs, ys, x)) {
          if (!(y >= low[index])) low[index] = y;
          if (!(y <= high[index])) high[index] = y;
        }
      });
    }
    return { x: GRID, low, high, level: `${Numbers.significant(100 * level, 10)}%`, method: METHOD };
  }

  /** Shifts of both rates apart or towards each other. */
  function directions(z) {
    const angles = Array.from({ length: DIRECTIONS }, (_, index) => (2 * Math.PI * index) / DIRECTIONS);
    const points = angles.map((angle) => [Math.cos(angle), Math.sin(angle)].map((side) => Number(side.toFixed(12))));
    return points.filter(([x, y]) => x * y <= 0).map((point) => point.map((side) => Number((side * z).toFixed(9))));
  }

  /** A ranking with fewer thresholds: finer where the rows of either class are dense, and at the top. */
  function coarsened(ranking) {
    if (ranking.distinct <= MAX_THRESHOLDS) return ranking;
    const size = Math.floor(MAX_THRESHOLDS / 3);
    const quantiles = [ranking.truePositives, ranking.falsePositives].flatMap((counts) => {
      let index = 0;
      return evenly(0, counts[ranking.last], size).map((count) => {
        while (index < ranking.last && counts[index] < count) index += 1;
        return index;
      });
    });
    const top = geometrically(1, ranking.distinct, MAX_THRESHOLDS - 2 * size - 1).map(Math.trunc);
    return ranking.at(unique([0, ...quantiles, ...top, ranking.distinct]));
  }

  /** A rate at each threshold, and the effective number of rows behind it. */
  class Rate {
    constructor(ranking, side) {
      const counts = side ? ranking.falsePositives : ranking.truePositives;
      this.hasRejected = ranking.rejected[side] > 0;
      const total = counts[ranking.last] + ranking.rejected[side];
      this.values = counts.map((count) => count / total);
      this.rows = new Float64Array(counts.length).fill(total);
      if (ranking.squares) this.rows = effectiveRows(this.values, total, ranking.squares, side);
      this.cache = new Map();
    }

    /** The rate from before the first threshold to after the last, shifted by normal deviates. */
    shifted(z) {
      if (!this.cache.has(z)) {
        const rates = z ? this.#quantiles(z) : this.values;
        this.cache.set(z, [0, ...rates, this.hasRejected ? rates.at(-1) : 1]);
      }
      return this.cache.get(z);
    }

    /** Jeffreys quantiles; a rate of 0 is not shifted down, nor a rate of 1 up. */
    #quantiles(z) {
      const probability = Special.normalCdf(z);
      let highest = 0;
      let [previous, previousRows] = [NaN, NaN];
      return this.values.map((value, index) => {
        const rows = this.rows[index];
        if (value !== previous || rows !== previousRows) {
          const isFixed = z > 0 ? value === 1 : value === 0;
          const limit = isFixed ? value : Special.betaQuantile(value * rows + 0.5, (1 - value) * rows + 0.5, probability, z);
          highest = Math.max(highest, limit);
        }
        [previous, previousRows] = [value, rows];
        return highest;
      });
    }
  }

  /** Effective numbers of rows behind the rate of weighted rows, by linearised variances. */
  function effectiveRows(values, total, squares, side) {
    const counts = side ? squares.falsePositives : squares.truePositives;
    const last = counts.length - 1;
    const all = counts[last] + squares.rejected[side];
    const first = values.findIndex((value) => value > 0);
    const end = values.findLastIndex((value) => value < values[last]);
    const mean = all / total;
    const ends = [total / mean, total / mean]; // where the rate is 0, and where it is 1
    if (first >= 0 && end >= 0) {
      // The next row is assumed to weigh as much as those at that end, or as the average row if that is heavier.
      const top = counts[first] / (values[first] * total);
      const bottom = (counts[last] - counts[end]) / ((values[last] - values[end]) * total);
      ends[0] = total / Math.max(mean, top);
      ends[1] = total / Math.max(mean, bottom);
    }
    return values.map((value, index) => {
      if (!(value > 0 && value < 1)) return ends[value > 0 ? 1 : 0];
      const variance = (counts[index] * (1 - value) ** 2 + (all - counts[index]) * value ** 2) / total ** 2;
      return (value * (1 - value)) / variance;
    });
  }

  /** Heights of a curve at x: both ends of a vertical step; none beyond its last point. */
  function heights(xs, ys, x) {
    const first = lowerBound(xs, x);
    if (first === xs.length) return [];
    if (xs[first] !== x) return [interpolated(xs, ys, x, first)];
    let last = first;
    while (last + 1 < xs.length && xs[last + 1] === x) last += 1;
    return [ys[first], ys[last]];
  }

  const interpolated = (xs, ys, x, index) =>
    ys[index - 1] + ((x - xs[index - 1]) * (ys[index] - ys[index - 1])) / (xs[index] - xs[index - 1]);

  /** Index of the first value that is at least x. */
  function lowerBound(values, x) {
    let [first, end] = [0, values.length];
    while (first < end) {
      const middle = (first + end) >> 1;
      if (values[middle] < x) first = middle + 1;
      else end = middle;
    }
    return first;
  }

  return { band };
})();
