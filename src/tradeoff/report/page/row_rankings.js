/* Rankings of rows, as in core/ranking.py: distinct scores with cumulative counts of both classes. */
const RowRankings = (() => {
  "use strict";

  /**
   * A ranking. Its first threshold, at which nothing is predicted positive, is infinite.
   *
   * `sign` is -1 if low scores are positive. `squares` has the sums of squared weights if weights are
   * importances, else it is null.
   */
  class RowRanking {
    constructor(name, tally, { rows, sign, isCounted, rejected, squares = null }) {
      Object.assign(this, { name, ...tally, rows, sign, isCounted, rejected, squares });
      this.last = this.thresholds.length - 1;
      this.positives = this.truePositives[this.last];
      this.negatives = this.falsePositives[this.last];
    }

    get distinct() { return this.last; }

    /** Number of rows or sum of weights, including rejected rows. */
    get total() { return this.positives + this.negatives + this.rejected[0] + this.rejected[1]; }

    /** Effective numbers of positives and negatives (Kish 1965). */
    get effectiveRows() {
      const totals = [this.positives, this.negatives];
      if (!this.squares) return totals;
      const squares = [this.squares.positives, this.squares.negatives];
      return totals.map((total, side) => (squares[side] ? total ** 2 / squares[side] : 0));
    }

    /** Lowest and highest score. */
    get limits() {
      const ends = [this.thresholds[1], this.thresholds[this.last]];
      return this.sign > 0 ? ends.reverse() : ends;
    }

    /** Whether all scores are probabilities. */
    get hasProbabilities() {
      const [low, high] = this.limits;
      return low >= 0 && high <= 1;
    }

    /** Index of the last threshold at or above a value. */
    indexOf(value) {
      let [first, last] = [0, this.last];
      while (first < last) {
        const middle = (first + last + 1) >> 1;
        if (this.sign * this.thresholds[middle] >= this.sign * value) first = middle;
        else last = middle - 1;
      }
      return first;
    }

    /** Counts of one class at each score, without the first threshold. */
    countsOf(cumulative) {
      const counts = new Float64Array(this.last);
      for (let index = 0; index < this.last; index += 1) counts[index] = cumulative[index + 1] - cumulative[index];
      return counts;
    }

    /** The ranking at some of its thresholds. */
    at(indices) {
      const tally = { thresholds: values(this.thresholds, indices), truePositives: values(this.truePositives, indices), falsePositives: values(this.falsePositives, indices) };
      return new RowRanking(this.name, tally, { ...this, squares: this.squares?.at(indices) ?? null });
    }
  }

  /**
   * The ranking of rows: `scores` (NaN if missing), `positiveRows`, and `weights` or null.
   *
   * Rows without a score are left out, or count as rejected.
   */
  function rank(name, rows, { sign = 1, missing = "drop", isImportance = false } = {}) {
    const scored = rows.scores.some(Number.isNaN) ? select(rows, (row) => !Number.isNaN(rows.scores[row])) : rows;
    const isRejecting = missing === "reject" && scored !== rows;
    const unscored = isRejecting ? select(rows, (row) => Number.isNaN(rows.scores[row])) : null;
    const isCounted = !scored.weights || !isImportance;
    const settings = { rows: scored.scores.length + (unscored?.scores.length ?? 0), sign, isCounted };
    const { weights } = scored;
    const [tally, squaredTally] = weights ? weightedTallies(scored, sign, isImportance) : [plainTally(scored, sign), null];
    const squares = squaredTally && new RowRanking(name, squaredTally, { ...settings, rejected: classSums(unscored, 2) });
    return new RowRanking(name, tally, { ...settings, rejected: classSums(unscored, 1), squares });
  }

  /** The rows for which a condition holds. */
  function select(rows, condition) {
    const indices = [];
    for (let row = 0; row < rows.scores.length; row += 1) if (condition(row)) indices.push(row);
    return pick(rows, indices);
  }

  /** Rows by their indices. */
  function pick(rows, indices) {
    const { scores, positiveRows, weights } = rows;
    return { scores: values(scores, indices), positiveRows: values(positiveRows, indices), weights: weights && values(weights, indices) };
  }

  /** Values of a typed array at indices. */
  function values(column, indices) {
    const picked = new column.constructor(indices.length);
    for (let index = 0; index < picked.length; index += 1) picked[index] = column[indices[index]];
    return picked;
  }

  /** Sums of a power of the weights of positives and of negatives. */
  function classSums(rows, power) {
    const sums = [0, 0];
    rows?.positiveRows.forEach((isPositive, row) => { sums[isPositive ? 0 : 1] += rows.weights ? rows.weights[row] ** power : 1; });
    return sums;
  }

  /** Tally of rows without weights: both classes are sorted on their own, then merged. */
  function plainTally({ scores, positiveRows }, sign) {
    const [positives, negatives] = [1, 0].map((side) => sortedKeys(scores, positiveRows, side, sign));
    const columns = [0, 1, 2].map(() => new Float64Array(scores.length + 1));
    columns[0][0] = sign * Infinity;
    let [p, n, size] = [positives.length, negatives.length, 1];
    while (p > 0 || n > 0) {
      const key = Math.max(p > 0 ? positives[p - 1] : -Infinity, n > 0 ? negatives[n - 1] : -Infinity);
      while (p > 0 && positives[p - 1] === key) p -= 1;
      while (n > 0 && negatives[n - 1] === key) n -= 1;
      columns[0][size] = sign * key + 0;
      columns[1][size] = positives.length - p;
      columns[2][size] = negatives.length - n;
      size += 1;
    }
    return tallyOf(columns.map((column) => column.slice(0, size)));
  }

  /** Scores of one class in ascending order, negated if low scores are positive. */
  function sortedKeys(scores, positiveRows, side, sign) {
    const keys = new Float64Array(scores.length);
    let size = 0;
    for (let row = 0; row < scores.length; row += 1) {
      if (positiveRows[row] !== side) continue;
      keys[size] = sign * scores[row] + 0; // no negative zero
      size += 1;
    }
    return keys.subarray(0, size).sort();
  }

  /** Tallies of weights and, for importances, of squared weights. */
  function weightedTallies({ scores, positiveRows, weights }, sign, isImportance) {
    const order = Uint32Array.from(scores.keys()).sort((a, b) => sign * (scores[b] - scores[a]) || a - b);
    const columns = [[sign * Infinity], [0], [0], [0], [0]];
    const sums = [0, 0, 0, 0];
    order.forEach((row, position) => {
      const side = positiveRows[row] ? 0 : 1;
      sums[side] += weights[row];
      sums[2 + side] += weights[row] ** 2;
      if (position + 1 < order.length && scores[order[position + 1]] === scores[row]) return;
      [scores[row] + 0, ...sums].forEach((value, column) => columns[column].push(value));
    });
    const [thresholds, tp, fp, squaredTp, squaredFp] = columns;
    return [tallyOf([thresholds, tp, fp]), isImportance ? tallyOf([thresholds, squaredTp, squaredFp]) : null];
  }

  function tallyOf(columns) {
    const [thresholds, truePositives, falsePositives] = columns.map((column) => (column instanceof Float64Array ? column : Float64Array.from(column)));
    return { thresholds, truePositives, falsePositives };
  }

  /** Indices of the vertices of the convex hull of the ROC points; collinear points are left out. */
  function hullIndices({ truePositives: ys, falsePositives: xs }) {
    const chain = [0];
    for (let vertex = 1; vertex < xs.length; vertex += 1) {
      const end = chain.at(-1);
      if (xs[vertex] === xs[end] && ys[vertex] === ys[end]) continue; // a tiny weight, lost to rounding
      while (chain.length > 1 && !isRightTurn(xs, ys, chain.at(-2), chain.at(-1), vertex)) chain.pop();
      chain.push(vertex);
    }
    return chain;
  }

  const isRightTurn = (xs, ys, a, b, c) => (xs[b] - xs[a]) * (ys[c] - ys[b]) < (xs[c] - xs[b]) * (ys[b] - ys[a]);

  /** Indices, in a ranking, of the thresholds of another one. */
  function places(ranking, thresholds) {
    let index = 0;
    return Array.from(thresholds, (threshold) => {
      while (index < ranking.last && ranking.sign * ranking.thresholds[index + 1] >= ranking.sign * threshold) index += 1;
      return index;
    });
  }

  return { hullIndices, pick, places, rank, values };
})();
