/* Intervals of metrics, as tradeoff/uncertainty finds them: closed forms, no resamples. */
const Intervals = (() => {
  "use strict";

  const { CELLS, letters } = Programs;

  const NOTHING = 1e-12; // a cell with less than this share of its rows is empty: dust of weights
  const ORDER = ["tp", "fn", "rp", "fp", "tn", "rn"];
  const MOVER = "MOVER";

  /** The shares that a score test would not reject. */
  function wilson(hits, trials, z) {
    const z2 = z ** 2;
    const middle = (hits + z2 / 2) / (trials + z2);
    const half = Math.sqrt(z2 * ((hits * (trials - hits)) / trials + z2 / 4)) / (trials + z2);
    const low = hits === 0 ? 0 : Math.max(middle - half, 0);
    return [low, hits === trials ? 1 : Math.min(middle + half, 1)];
  }

  function sum(values) {
    return values.reduce((total, value) => total + value, 0);
  }

  function clamp(value, low, high) {
    return Math.min(Math.max(value, low), high);
  }

  /* ---- shares of rows ---- */

  /** A share of rows: the cells that are its hits, and those that are its misses. */
  class Share {
    constructor(hits, misses) {
      this.hits = hits;
      this.misses = misses;
    }

    sums(cells) {
      return [this.hits, this.misses].map((part) => sum(part.map((cell) => cells[cell])));
    }

    value(cells) {
      const [hits, misses] = this.sums(cells);
      return hits / (hits + misses);
    }

    /** The number of rows; with weights, of equally weighted rows that would know as much. */
    trials({ real, squares }) {
      const [hits, misses] = this.sums(real);
      const total = hits + misses;
      if (!squares) return total;
      const [ofHits, ofMisses] = this.sums(squares);
      const [p, q] = [hits / total, misses / total];
      const linearised = (p * q) / (ofHits * q ** 2 + ofMisses * p ** 2);
      const isAtEnd = hits === 0 || misses === 0;
      return total ** 2 * (isAtEnd ? 1 / (ofHits + ofMisses) : linearised);
    }

    interval(cells, about) {
      const trials = this.trials(about);
      if (!(trials > 0)) return [0, 1];
      const isWhole = this.sums(cells)[1] === 0;
      return wilson(isWhole ? trials : this.value(cells) * trials, trials, about.z);
    }

    /** The cells if this share were another one and all else stayed as it is. */
    moved(cells, share) {
      const [hits, misses] = this.sums(cells);
      const total = hits + misses;
      const table = { ...cells };
      for (const [part, before, after] of [
        [this.hits, hits, share * total],
        [this.misses, misses, (1 - share) * total],
      ]) {
        for (const cell of part) {
          table[cell] = before > 0 ? cells[cell] * (after / before) : after / part.length;
        }
      }
      return table;
    }

    /** How far one more row in each cell moves the share. */
    influence(cells) {
      const value = this.value(cells);
      const p = Number.isNaN(value) ? 0 : value;
      const total = sum(this.sums(cells));
      return Object.fromEntries(
        ORDER.map((cell) => {
          if (!(total > 0)) return [cell, 0];
          if (this.hits.includes(cell)) return [cell, (1 - p) / total];
          return [cell, this.misses.includes(cell) ? -p / total : 0];
        }),
      );
    }
  }

  const PREVALENCE = new Share(["tp", "fn", "rp"], ["fp", "tn", "rn"]);
  const TPR = new Share(["tp"], ["fn"]);
  const FPR = new Share(["fp"], ["tn"]);
  const REJECTION = [new Share(["rp"], ["tp", "fn"]), new Share(["rn"], ["fp", "tn"])];
  const ACTUAL_POSITIVE = new Share(["tp", "fn"], ["fp", "tn"]);
  const PREDICTED_POSITIVE = new Share(["tp", "fp"], ["fn", "tn"]);
  const OF_POSITIVES = new Share(["tp"], ["fn", "rp"]);
  const OF_NEGATIVES = new Share(["fp"], ["tn", "rn"]);

  function whole(matrix) {
    return Object.fromEntries(ORDER.map((cell) => [cell, matrix[cell] ?? 0]));
  }

  /* ---- every share moved across its interval ---- */

  /** Where a metric may be largest or smallest inside a share's interval. */
  function turningPoints(share, cells) {
    if (share !== TPR && share !== FPR) return [0.5, 0.5];
    const other = (share === TPR ? FPR : TPR).value(cells);
    return [0.5, Number.isNaN(other) ? 0.5 : other];
  }

  function correlations(shares, { real, squares }) {
    const moves = shares.map((share) => share.influence(real));
    const covariance = moves.map((a) =>
      moves.map((b) => sum(ORDER.map((cell) => a[cell] * b[cell] * squares[cell]))),
    );
    const errors = shares.map((_, at) => Math.sqrt(covariance[at][at]) || Infinity);
    return covariance.map((line, i) =>
      line.map((own, j) => (i === j ? 1 : own / (errors[i] * errors[j]))),
    );
  }

  /** A matrix, and what it would be if one share after the other moved across its interval. */
  class MovedShares {
    constructor(matrix, about) {
      this.matrix = whole(matrix);
      this.about = { ...about, real: whole(about.real) };
      const cells = this.matrix;
      const shares = [TPR, FPR];
      if (!about.fixed) shares.push(PREVALENCE);
      if (cells.rp || cells.rn) shares.push(...REJECTION);
      this.points = 4;
      this.shares = shares.length;
      this.directions = [];
      const tables = [];
      for (const share of shares) {
        const [low, high] = share.interval(cells, this.about);
        const value = share.value(cells);
        const middle = Number.isNaN(value) ? 0.5 : value;
        const turns = turningPoints(share, cells).map((point) => clamp(point, low, high));
        for (const point of [low, high, ...turns]) {
          tables.push(share.moved(cells, point));
          this.directions.push(Math.sign(point - middle));
        }
      }
      this.cells = Object.fromEntries(
        CELLS.map((cell) => [cell, Float64Array.from(tables, (table) => table[cell])]),
      );
      this.cells.scale = new Float64Array(tables.length).fill(matrix.scale ?? 1);
      this.correlations = about.squares ? correlations(shares, this.about) : null;
    }

    /** The ends of a metric's interval; `values` are those of the moved matrices. */
    interval(metric, value, values) {
      const up = this.#added(values, (moved) => moved - value);
      const down = this.#added(values, (moved) => value - moved);
      return [
        Math.min(Math.max(value - down, metric.low), value),
        Math.max(Math.min(value + up, metric.high), value),
      ];
    }

    /** How far the shares together move a metric: squares added. */
    #added(values, distance) {
      const far = [];
      const signed = [];
      for (let share = 0; share < this.shares; share++) {
        let [most, direction] = [-Infinity, 0];
        for (let point = 0; point < this.points; point++) {
          const at = share * this.points + point;
          const move = distance(values[at]);
          if (move > most) [most, direction] = [move, this.directions[at]];
        }
        const own = most === -Infinity ? Infinity : Math.max(most, 0);
        far.push(own);
        signed.push(own * direction);
      }
      if (!this.correlations || far.includes(Infinity)) {
        return Math.sqrt(sum(far.map((own) => own ** 2)));
      }
      const total = sum(
        signed.flatMap((a, i) => signed.map((b, j) => a * this.correlations[i][j] * b)),
      );
      return Math.sqrt(Math.max(total, 0));
    }
  }

  /* ---- metrics with formulas of their own ---- */

  function spread(low, high, method, note = null) {
    return { low, high, method, note };
  }

  function without(note) {
    return spread(NaN, NaN, "", note);
  }

  /** Hits and misses, either 0 where it is but dust. */
  function dusted(hits, trials) {
    const misses = trials - hits;
    const dust = NOTHING * trials;
    return [hits <= dust ? 0 : hits, misses <= dust ? 0 : misses];
  }

  /** The interval holds its value, which may be 0 or infinite where a cell is empty. */
  function holding(value, low, high, method) {
    return spread(Math.min(low, value), Math.max(high, value), method);
  }

  /** True positives, positives, false positives, negatives, as equally weighted rows. */
  function classCounts({ matrix, about }) {
    const [tp, positives] = scaled(OF_POSITIVES, matrix, about);
    const [fp, negatives] = scaled(OF_NEGATIVES, matrix, about);
    return { tp, positives, fp, negatives };
  }

  function scaled(share, matrix, about) {
    const total = sum(share.sums(matrix));
    const trials = total ? share.trials(about) : 0;
    return [total ? Math.min(share.value(matrix) * trials, trials) : 0, trials];
  }

  function oddsRatio({ tp, positives, fp, negatives }, z) {
    const cells = [...dusted(tp, positives), ...dusted(fp, negatives)];
    const isEmpty = cells.includes(0);
    const [a, b, c, d] = cells.map((cell) => cell + (isEmpty ? 0.5 : 0));
    const middle = Math.log(a) + Math.log(d) - Math.log(b) - Math.log(c);
    const half = z * Math.sqrt(1 / a + 1 / b + 1 / c + 1 / d);
    const method = isEmpty ? "Woolf, with 1/2 added" : "Woolf";
    const value = (cells[0] * cells[3]) / (cells[2] * cells[1]);
    return holding(value, Math.exp(middle - half), Math.exp(middle + half), method);
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

  function hasRejected({ rp, rn }) {
    return rp + rn !== 0;
  }

  /** An interval on another scale: `low` and `high` by one rising function. */
  function onScale(own, scale) {
    return own && { ...own, low: scale(own.low), high: scale(own.high) };
  }

  function complement(own) {
    return own && { ...own, low: 1 - own.high, high: 1 - own.low };
  }

  function ofOdds(scale) {
    return (moved) =>
      hasRejected(moved.matrix)
        ? null
        : onScale(oddsRatio(classCounts(moved), moved.about.z), scale);
  }

  const fromOdds = (odds) => 1 - 2 / (1 + odds);

  function positiveLikelihood(moved) {
    const { tp, fp } = moved.matrix;
    if (fp || !tp) return null;
    const own = classCounts(moved);
    return likelihoodRatio(own.tp, own.positives, own.fp, own.negatives, moved.about.z);
  }

  function negativeLikelihood(moved) {
    const { tn, fn } = moved.matrix;
    if (tn || !fn || hasRejected(moved.matrix)) return null;
    const { tp, positives, fp, negatives } = classCounts(moved);
    return likelihoodRatio(positives - tp, positives, negatives - fp, negatives, moved.about.z);
  }

  /** The difference of two shares of different rows: Wilson's intervals, squared and added. */
  function differenceOfRates(moved) {
    const { tp, positives, fp, negatives } = classCounts(moved);
    const [one, other] = [tp / positives, fp / negatives];
    const [low1, high1] = wilson(tp, positives, moved.about.z);
    const [low2, high2] = wilson(fp, negatives, moved.about.z);
    const low = one - other - Math.hypot(one - low1, high2 - other);
    const high = one - other + Math.hypot(high1 - one, other - low2);
    return spread(Math.max(low, -1), Math.min(high, 1), "Newcombe");
  }

  function meanOfRates(moved) {
    return hasRejected(moved.matrix) ? null : onScale(differenceOfRates(moved), (end) => (1 + end) / 2);
  }

  function reciprocal(difference) {
    if (difference.low <= 0 && difference.high >= 0) {
      return without("no interval: the difference that it is the reciprocal of may be 0");
    }
    return { ...difference, low: 1 / difference.high, high: 1 / difference.low };
  }

  /** 1 - 1 / (positive likelihood ratio): the prevalence cancels out. */
  function likelihoodGain(moved, byMover) {
    const ratio = positiveLikelihood(moved) ?? byMover("positive_likelihood_ratio");
    return onScale(ratio, (end) => (end ? 1 - 1 / end : -Infinity));
  }

  /** 1 - exp(logit of the prevalence - logit of recall), each logit nearly normal. */
  function recallGain({ matrix, about }, _, value) {
    const { P, N } = letters(matrix);
    if (hasRejected(matrix) || !P || !N) return null;
    const [hits, misses] = TPR.sums(matrix);
    const trials = TPR.trials(about);
    const isEmpty = !(hits && misses);
    const [a, b] = [hits, misses].map(
      (part) => (part * trials) / (hits + misses) + (isEmpty ? 0.5 : 0),
    );
    const share = PREVALENCE.value(matrix);
    const ofShare = about.fixed ? 0 : 1 / (PREVALENCE.trials(about) * share * (1 - share));
    const middle = Math.log(share / (1 - share)) + Math.log(b / a);
    const half = about.z * Math.sqrt(1 / a + 1 / b + ofShare);
    const method = isEmpty ? "logit, with 1/2 added" : "logit";
    return holding(value, 1 - Math.exp(middle + half), 1 - Math.exp(middle - half), method);
  }

  /** A function of one share that turns at one half and nowhere else. */
  function ofOneShare(share, scale) {
    return ({ matrix, about }) => {
      if (about.fixed) return null;
      const [low, high] = share.interval(matrix, about);
      const values = [low, high, clamp(0.5, low, high)].map(scale);
      return spread(Math.min(...values), Math.max(...values), "Wilson");
    };
  }

  const largerClass = (share) => Math.max(share, 1 - share);

  function binaryEntropy(share) {
    return -sum([share, 1 - share].filter((p) => p > 0).map((p) => p * Math.log2(p)));
  }

  /** True positives among the predicted positives or the positives, whichever are fewer. */
  function overlap(isLarger) {
    return ({ matrix, about }) => {
      const isByClass = matrix.tp + matrix.fn + matrix.rp > matrix.tp + matrix.fp === isLarger;
      if (about.fixed && !isByClass) return null;
      const share = isByClass ? OF_POSITIVES : new Share(["tp"], ["fp"]);
      return spread(...share.interval(matrix, about), "Wilson");
    };
  }

  /** Predictive values where the prevalence is known; else they are plain shares. */
  function predictive(which) {
    return (moved) => {
      const { P, N, n } = letters(moved.matrix);
      if (hasRejected(moved.matrix) || !P || !N) return null;
      const { tp, positives, fp, negatives } = classCounts(moved);
      const [a, b, c, d] = [...dusted(tp, positives), ...dusted(fp, negatives)];
      if (which === "positive") return predictiveValue([a, b, c, d], P / n, moved.about.z);
      return predictiveValue([d, c, b, a], 1 - P / n, moved.about.z);
    };
  }

  const positivePredictive = predictive("positive");
  const negativePredictive = predictive("negative");

  /** A formula that reads off the moved matrices of another metric. */
  const needing = (name, formula) => Object.assign(formula, { needs: name });

  /**
   * Formulas by the names that `measures/intervals.py` gives them; a metric of the document says
   * which is its own. They give null where they do not hold.
   */
  const FORMULAS = {
    odds: ofOdds((odds) => odds),
    log_odds: ofOdds(Math.log),
    effect_size: ofOdds((odds) => (Math.sqrt(3) / Math.PI) * Math.log(odds)),
    association: ofOdds(fromOdds),
    colligation: ofOdds((odds) => fromOdds(Math.sqrt(odds))),
    positive_likelihood: positiveLikelihood,
    negative_likelihood: negativeLikelihood,
    difference_of_rates: differenceOfRates,
    mean_of_rates: meanOfRates,
    mean_of_errors: (moved) => complement(meanOfRates(moved)),
    reciprocal_difference: (moved) => reciprocal(differenceOfRates(moved)),
    reciprocal_markedness: needing("markedness", (_, byMover) => reciprocal(byMover("markedness"))),
    log_lift: needing("lift", (_, byMover) => onScale(byMover("lift"), Math.log2)),
    likelihood_gain: needing("positive_likelihood_ratio", likelihoodGain),
    recall_gain: recallGain,
    larger_share: ofOneShare(ACTUAL_POSITIVE, largerClass),
    actual_entropy: ofOneShare(ACTUAL_POSITIVE, binaryEntropy),
    predicted_entropy: ofOneShare(PREDICTED_POSITIVE, binaryEntropy),
    overlap_with_fewer: overlap(false),
    overlap_with_more: overlap(true),
    positive_predictive: positivePredictive,
    negative_predictive: negativePredictive,
    false_discovery: (moved) => complement(positivePredictive(moved)),
    false_omission: (moved) => complement(negativePredictive(moved)),
  };

  const OF_ONE_CLASS = ["positives", "negatives"];

  /** Which cells are hits and which are misses: the metric is 1 for some and 0 for others. */
  function shareOf(units) {
    const [hits, misses] = [1, 0].map((end) => CELLS.filter((_, at) => units[at] === end));
    return new Share(hits, misses);
  }

  /**
   * The interval of a metric that is defined.
   *
   * `values` are the metric's for the moved matrices, `units` those for matrices of one row each,
   * and `byMover` the intervals of other metrics.
   */
  function spreadOf({ metric, value, values, units, byMover }, moved) {
    const { about, matrix } = moved;
    if (metric.no_interval) return without(`no interval: ${metric.no_interval}`);
    if (metric.trials && (OF_ONE_CLASS.includes(metric.trials) || !about.fixed)) {
      const trials = shareOf(units).trials(about);
      return spread(...wilson(value * trials, trials, about.z), "Wilson");
    }
    const byFormula = metric.interval && FORMULAS[metric.interval](moved, byMover, value);
    if (byFormula) return byFormula;
    const [low, high] = moved.interval(metric, value, values);
    if (!Number.isFinite(value)) return without("no interval: the value is infinite");
    if (high - low <= NOTHING * Math.max(Math.abs(low), Math.abs(high))) {
      return without("no interval: class totals are taken as given");
    }
    return spread(low, high, MOVER);
  }

  /** Why there can be no interval, whatever the metric. */
  function noInterval(matrix, { real, squares }) {
    if (!letters(matrix).n) return null; // undefined anyway
    const counts = CELLS.map((cell) => real[cell] ?? 0);
    const isWhole = counts.every((cell) => Math.abs(cell - Math.round(cell)) < NOTHING);
    if (squares || isWhole || sum(counts) > 1 + NOTHING) return null;
    return "no interval: proportions do not tell how many rows they come from";
  }

  return { FORMULAS, MovedShares, noInterval, spread, spreadOf, without, MOVER };
})();
