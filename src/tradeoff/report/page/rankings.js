/* Rankings in the browser: what Python counted at each stop, and the search for good thresholds.
   A place is an index into the stops; place 0 calls nothing positive. */
const Rankings = (() => {
  "use strict";

  /* Values closer than this are equal: they differ by the rounding of a few operations. */
  const SLACK = 8 * Number.EPSILON;

  /** Counts travel as differences; sums of real weights travel as they are. */
  function cumulated(column, counted) {
    const values = Float64Array.from(column);
    if (counted) for (let i = 1; i < values.length; i += 1) values[i] += values[i - 1];
    return values;
  }

  const SPELLED = { inf: Infinity, "-inf": -Infinity };

  class Ranking {
    constructor(model, lowerIsPositive) {
      this.name = model.name;
      this.model = model;
      this.sign = lowerIsPositive ? -1 : 1;
      this.found = cumulated(model.found, model.counted);
      this.alarms = cumulated(model.alarms, model.counted);
      this.thresholds = Float64Array.from(model.thresholds, (t) => SPELLED[t] ?? t);
      this.last = this.thresholds.length - 1;
      [this.undecidedPositives, this.undecidedNegatives] = model.rejected;
      this.positives = this.found[this.last] + this.undecidedPositives;
      this.negatives = this.alarms[this.last] + this.undecidedNegatives;
      this.rows = this.positives + this.negatives;
      this.prevalence = this.rows ? this.positives / this.rows : 0;
      this.squares = model.squares ? new Ranking({ ...model, ...model.squares, squares: null, counted: false }, lowerIsPositive) : null;
    }

    tpr(place) { return this.found[place] / this.positives; }

    fpr(place) { return this.alarms[place] / this.negatives; }

    /** The last place whose threshold is at or above t. */
    placeOf(t) {
      let low = 0;
      let high = this.last;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (this.sign * this.thresholds[middle] >= this.sign * t) low = middle;
        else high = middle - 1;
      }
      return low;
    }

    /** A threshold that can be drawn: "none" and infinite ones lie a little beyond the others. */
    readable(place) {
      const own = this.thresholds[place];
      if (Number.isFinite(own)) return own;
      const known = this.thresholds.filter(Number.isFinite);
      if (!known.length) return 0;
      const [first, end] = [Math.max(...known), Math.min(...known)];
      const beyond = 0.02 * (first - end || Math.abs(first) || 1);
      return own > 0 ? first + beyond : end - beyond;
    }
  }

  /** The rows of a matrix as counted, and their squared weights where they have some. */
  function sampled(ranking, upper, lower) {
    const asCounted = (own) => matrix(own, upper, lower, { prevalence: own.prevalence, population: own.rows });
    return { real: asCounted(ranking), squares: ranking.squares ? asCounted(ranking.squares) : null };
  }

  /** How often each row of a class counts where positives are this share of so many rows. */
  function factors(ranking, prior) {
    const asCounted = prior.prevalence === ranking.prevalence && prior.population === ranking.rows;
    if (asCounted) return { up: 1, down: 1 };
    return {
      up: ranking.positives ? (prior.prevalence * prior.population) / ranking.positives : 0,
      down: ranking.negatives ? ((1 - prior.prevalence) * prior.population) / ranking.negatives : 0,
    };
  }

  /** The confusion matrix of a threshold, or of a band from `lower` up to `upper`. */
  function matrix(ranking, upper, lower, prior) {
    const { up, down } = factors(ranking, prior);
    const { found, alarms, last } = ranking;
    const cells = {
      tp: found[upper] * up,
      fn: (found[last] - found[lower]) * up,
      rp: (found[lower] - found[upper] + ranking.undecidedPositives) * up,
      fp: alarms[upper] * down,
      tn: (alarms[last] - alarms[lower]) * down,
      rn: (alarms[lower] - alarms[upper] + ranking.undecidedNegatives) * down,
    };
    if (!ranking.squares && prior.prevalence === ranking.prevalence) return cells;
    return { ...cells, scale: effectiveScale(ranking, upper, lower, { up, down }) };
  }

  /** How many equally weighted rows a unit of weight of the decided rows stands for. */
  function effectiveScale(ranking, upper, lower, { up, down }) {
    const decided = ({ found, alarms, last }, power) =>
      (found[upper] + found[last] - found[lower]) * up ** power + (alarms[upper] + alarms[last] - alarms[lower]) * down ** power;
    const squares = decided(ranking.squares ?? ranking, 2); // a row that is counted weighs 1
    return squares > 0 ? decided(ranking, 1) / squares : 1;
  }

  function depth(ranking, place, prior) {
    return prior.prevalence * orZero(ranking.tpr(place)) + (1 - prior.prevalence) * orZero(ranking.fpr(place));
  }

  const orZero = (value) => (Number.isNaN(value) ? 0 : value);

  /** What all decisions of a matrix cost together. */
  function total(m, costs) {
    const paid = m.tp * costs.tp + m.fn * costs.fn + m.fp * costs.fp + m.tn * costs.tn
      + m.rp * costs.rp + m.rn * costs.rn;
    return paid + (m.tp + m.fp > 0 ? costs.fixed : 0);
  }

  function totals(ranking, costs, prior) {
    return Float64Array.from(ranking.thresholds, (_, at) => total(matrix(ranking, at, at, prior), costs));
  }

  /** The first of the places where values are least, but for rounding. */
  function least(values) {
    let lowest = Infinity;
    for (const value of values) if (value < lowest) lowest = value;
    const slack = SLACK * Math.max(Math.abs(lowest), 1);
    return values.findIndex((value) => value <= lowest + slack);
  }

  /** All places where decisions cost least, the fewest false alarms first. */
  function cheapestPlaces(ranking, costs, prior) {
    const each = totals(ranking, costs, prior).map((value) => value / prior.population);
    const lowest = each[least(each)];
    const slack = SLACK * Math.max(Math.abs(lowest), 1);
    return Array.from(each.keys()).filter((at) => each[at] <= lowest + slack);
  }

  const cheapest = (ranking, costs, prior) => cheapestPlaces(ranking, costs, prior)[0];

  function youden(ranking) {
    return least(Float64Array.from(ranking.thresholds, (_, at) => ranking.fpr(at) - ranking.tpr(at)));
  }

  /** The fewest alarms that find this share of the positives. */
  function reachingTpr(ranking, target) {
    let place = ranking.thresholds.findIndex((_, at) => ranking.tpr(at) >= target - SLACK);
    if (place < 0) return null; // rows without a score are never found
    while (place < ranking.last && ranking.alarms[place + 1] === ranking.alarms[place]) place += 1;
    return place;
  }

  /** The most found with no more than this share of false alarms. */
  function withinFpr(ranking, target) {
    let place = ranking.last;
    while (place > 0 && ranking.fpr(place) > target + SLACK) place -= 1;
    while (place > 0 && ranking.found[place - 1] === ranking.found[place]) place -= 1;
    return place;
  }

  /** As many of the best rows as can be taken care of. */
  function withinCapacity(ranking, rows, prior) {
    let place = ranking.last;
    while (place > 0 && depth(ranking, place, prior) * prior.population > rows * (1 + SLACK)) place -= 1;
    return place;
  }

  /** The cheapest band, at most `limit` rows of it: [upper, lower]; of equal ones the smallest. */
  function cheapestBand(ranking, costs, prior, limit = Infinity) {
    const { up, down } = factors(ranking, prior);
    const bill = (p, n) => ranking.thresholds.map((_, at) => ranking.found[at] * up * p + ranking.alarms[at] * down * n);
    const positive = bill(costs.tp, costs.fp);
    const negative = bill(costs.fn, costs.tn);
    const rejected = bill(costs.rp, costs.rn);
    const rows = bill(1, 1);
    let best = { cost: Infinity, upper: 0, lower: 0 };
    const slack = SLACK * Math.max(...positive.map(Math.abs), ...negative.map(Math.abs), 1);
    for (let lower = 0; lower <= ranking.last; lower += 1) {
      for (let upper = lower; upper >= 0; upper -= 1) {
        if (rows[lower] - rows[upper] > limit * (1 + SLACK)) break;
        const cost = positive[upper] - rejected[upper] + rejected[lower] - negative[lower];
        const smaller = rows[lower] - rows[upper] < rows[best.lower] - rows[best.upper];
        if (cost < best.cost - slack || (cost <= best.cost + slack && smaller)) {
          best = { cost: Math.min(cost, best.cost), upper, lower };
        }
      }
    }
    return [best.upper, best.lower];
  }

  /** The share PC(+) that misses have in what mistakes cost. */
  function probabilityCost(costs, prevalence) {
    const miss = (costs.fn - costs.tp) * prevalence;
    const alarm = (costs.fp - costs.tn) * (1 - prevalence);
    return miss + alarm > 0 ? miss / (miss + alarm) : NaN;
  }

  /** The vertex of a ranking's hull that is best for a PC(+). */
  function bestVertex(ranking, share) {
    const cost = (at) => (1 - ranking.tpr(at)) * share + ranking.fpr(at) * (1 - share);
    return ranking.model.hull.reduce((best, at) => (cost(at) < cost(best) - SLACK ? at : best));
  }

  /** What is wrong with costs, as a sentence; nothing if they can be used. */
  function unreasonable(costs) {
    if (costs.fn < costs.tp) return "Missing a positive is cheaper than finding it: missing all would be best. Costs are positive, benefits negative.";
    if (costs.fp < costs.tn) return "A false alarm is cheaper than a negative rightly passed. Costs are positive, benefits negative.";
    if (costs.fn === costs.tp && costs.fp === costs.tn) return "With these costs no decision matters.";
    return "";
  }

  /** Average precision, of the scored rows, where positives are this share of all. */
  function averagePrecision(ranking, prevalence) {
    let sum = 0;
    for (let at = 1; at <= ranking.last; at += 1) {
      const gained = ranking.found[at] - ranking.found[at - 1];
      if (gained) sum += (gained * prevalence * ranking.tpr(at)) / depth(ranking, at, { prevalence });
    }
    return sum / ranking.found[ranking.last];
  }

  return {
    Ranking, matrix, sampled, depth, total, totals, cheapest, cheapestPlaces, youden, reachingTpr, withinFpr, withinCapacity,
    cheapestBand, probabilityCost, bestVertex, unreasonable, averagePrecision, least,
  };
})();
