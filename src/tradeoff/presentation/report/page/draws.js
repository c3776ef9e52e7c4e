/* Intervals by draws: many matrices that the counts make likely, from a generator with a seed. */
const Draws = (() => {
  "use strict";

  const { factorOf, sum } = Intervals;
  const { grouped } = Numbers;
  const { CELLS, letters } = Programs;

  const CONSTANT = 1e-12;

  /** Random numbers that a seed repeats: xoshiro128** (Blackman & Vigna 2021). */
  function random(seed) {
    let [a, b, c, d] = seeded(seed);
    let spare = NaN;

    function bits() {
      const mixed = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
      const moved = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= moved;
      d = rotated(d, 11);
      return mixed;
    }

    /** Above 0 and below 1. */
    function uniform() {
      return ((bits() >>> 5) * 67108864 + (bits() >>> 6) + 0.5) / 9007199254740992;
    }

    /** Marsaglia's polar method, which makes two at a time. */
    function normal() {
      if (!Number.isNaN(spare)) {
        const kept = spare;
        spare = NaN;
        return kept;
      }
      let x, y, square;
      do {
        x = 2 * uniform() - 1;
        y = 2 * uniform() - 1;
        square = x * x + y * y;
      } while (square >= 1 || square === 0);
      const stretch = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * stretch;
      return x * stretch;
    }

    /** Marsaglia & Tsang 2000, doi:10.1145/358407.358414; 0 for a shape of 0. */
    function gamma(shape) {
      if (shape === 0) return 0;
      if (shape < 1) return gamma(shape + 1) * uniform() ** (1 / shape);
      const most = shape - 1 / 3;
      const slope = 1 / Math.sqrt(9 * most);
      for (;;) {
        const x = normal();
        const cube = (1 + slope * x) ** 3;
        if (cube <= 0) continue;
        if (Math.log(uniform()) < (x * x) / 2 + most * (1 - cube + Math.log(cube))) {
          return most * cube;
        }
      }
    }

    return { uniform, normal, gamma };
  }

  function rotated(bits, by) {
    return (bits << by) | (bits >>> (32 - by));
  }

  /** Four words of state from one seed (SplitMix). */
  function seeded(seed) {
    let state = (seed ^ Math.imul(Math.floor(seed / 4294967296), 0x85ebca6b)) | 0;
    return [0, 1, 2, 3].map(() => {
      state = (state + 0x9e3779b9) | 0;
      const once = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
      const twice = Math.imul(once ^ (once >>> 15), 0x735a2d97);
      return twice ^ (twice >>> 15);
    });
  }

  /** Many matrices that these counts make likely, each class by itself. */
  function draws(matrix, { effective, seed, replicates }) {
    const source = random(seed);
    const { tp, fn, fp, tn, rp, rn } = letters(matrix);
    const positives = posterior([tp, fn, rp], effective.positives, source, replicates);
    const negatives = posterior([fp, tn, rn], effective.negatives, source, replicates);
    return {
      tp: positives[0],
      fn: positives[1],
      rp: positives[2],
      fp: negatives[0],
      tn: negatives[1],
      rn: negatives[2],
    };
  }

  /** Counts of one class in the shares that its posterior draws, by Jeffreys' prior. */
  function posterior(counts, trials, source, size) {
    const columns = counts.map(() => new Float64Array(size));
    const total = counts[0] + counts[1] + counts[2];
    if (!total) return columns;
    const prior = [0.5, 0.5, counts[2] ? 0.5 : 0]; // where nothing is rejected, nobody rejects
    const shapes = counts.map((own, at) => own * (trials / total) + prior[at]);
    for (let i = 0; i < size; i++) {
      const [a, b, c] = shapes.map(source.gamma);
      const scale = total / (a + b + c);
      columns[0][i] = a * scale;
      columns[1][i] = b * scale;
      columns[2][i] = c * scale;
    }
    return columns;
  }

  /** The interval that the values of draws span. */
  function byDraws(metric, value, values, about) {
    if (isConstant(values)) return without("no interval: class totals are taken as given");
    const found = inside(percentiles(values, about.level), metric);
    // Draws shrink towards the middle: the value itself must not fall outside.
    const [low, high] = [Math.min(found.low, value), Math.max(found.high, value)];
    const size = grouped(String(values.length));
    const method = `Jeffreys' prior, ${size} draws, seed ${about.seed}`;
    return { low, high, method, note: found.note };
  }

  function without(note) {
    return { low: NaN, high: NaN, method: "", note };
  }

  function isConstant(values) {
    let [least, most] = [Infinity, -Infinity];
    for (const own of values) {
      if (!Number.isFinite(own)) return false;
      if (own < least) least = own;
      if (own > most) most = own;
    }
    return most - least <= CONSTANT * Math.max(Math.abs(least), Math.abs(most));
  }

  function percentiles(values, level) {
    const sorted = values.slice().sort(); // what is NaN comes last
    let size = sorted.length;
    while (size && Number.isNaN(sorted[size - 1])) size--;
    const known = sorted.subarray(0, size);
    const failed = sorted.length - size;
    const [lost, all] = [failed, values.length].map((size) => grouped(String(size)));
    const note = failed ? `${lost} of ${all} draws had no value and were left out` : null;
    if (known.length < 2 || 2 * failed > values.length) return without(note);
    if (known[0] === known.at(-1)) return without("no interval: every draw gives the same value");
    const [low, high] = [(1 - level) / 2, (1 + level) / 2].map((tail) => quantile(known, tail));
    return { low, high, method: "", note };
  }

  /** The value below which a share of sorted values lies; between two of them in proportion. */
  function quantile(sorted, tail) {
    const place = tail * (sorted.length - 1);
    // Infinite ratios are values like others: the nearest, no mean of two.
    const isFinite = Number.isFinite(sorted[0]) && Number.isFinite(sorted.at(-1));
    if (!isFinite) return sorted[Math.round(place)];
    const below = Math.floor(place);
    const above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
  }

  /** No end beyond what the metric can be. */
  function inside(spread, { low: least, high: most }) {
    const [low, high] = [Math.max(spread.low, least), Math.min(spread.high, most)];
    if (low >= high) return without("no interval: draws are too biased to tell");
    return { ...spread, low, high };
  }

  /** Why there can be no interval, whatever the metric. */
  function noInterval(matrix, about) {
    if (!letters(matrix).n) return null; // undefined anyway
    const factor = factorOf(matrix, about);
    const real = CELLS.map((cell) => (matrix[cell] ?? 0) * factor);
    const isWhole = real.every((cell) => Math.abs(cell - Math.round(cell)) < CONSTANT);
    if (about.weighed || isWhole || sum(real) > 1 + CONSTANT) return null;
    return "no interval: proportions do not tell how many rows they come from";
  }

  return { byDraws, draws, noInterval, random, without };
})();
