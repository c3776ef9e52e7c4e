/**
 * Every metric of a confusion matrix, and how sure it is.
 *
 * No metric is defined here: the document brings each one as a program.
 *
 * @typedef {{tp: number, fn: number, fp: number, tn: number, rp?: number, rn?: number}} Matrix
 *   Counts, sums of weights, or counts scaled to a population; rp and rn are the rejected rows.
 * @typedef {object} About
 * @property {string} positive The names of the classes.
 * @property {string} negative
 * @property {number} level How sure intervals shall be, such as 0.95.
 * @property {number} z How many standard errors that is to each side.
 * @property {Matrix} real The rows as counted: the matrix itself, unless it is scaled.
 * @property {?Matrix} squares Sums of squared weights, where rows have weights.
 * @property {boolean} fixed Whether class totals are given, or the prevalence is known.
 * @property {Object<string, Object<string, number>>} [parameters] Other than usual, by metric.
 * @typedef {{value: number, low: number, high: number, method: ?string, reason: ?string,
 *   note: ?string}} Estimate NaN where there is no value (then a reason) or no interval.
 * @typedef {{low: number, high: number, method: string, note: ?string}} Spread
 */
const Catalogues = (() => {
  "use strict";

  const { FORMULAS, MOVER, MovedShares, noInterval, spread, spreadOf, without } = Intervals;
  const { count, number, share, significant } = Numbers;
  const { CELLS, Steps, letters, single } = Programs;

  /** A name as it is looked up: any case, blanks or hyphens for underscores. */
  function folded(name) {
    return name.trim().toLowerCase().replace(/[\s-]+/g, "_");
  }

  function completed(metric) {
    const { low, high, ...rest } = metric;
    const usual = { parameters: {}, presets: {}, aliases: [], better: null, undefined: "" };
    const more = { expression: "", headline: {}, interval: "", no_interval: "", trials: "" };
    return { ...usual, ...more, ...rest, low: low ?? -Infinity, high: high ?? Infinity };
  }

  function called(metrics) {
    const found = new Map();
    for (const metric of metrics) {
      const usual = { metric, parameters: {} };
      for (const name of [metric.name, ...metric.aliases]) found.set(folded(name), usual);
      for (const [name, parameters] of Object.entries(metric.presets)) {
        found.set(folded(name), { metric, parameters });
      }
    }
    return found;
  }

  /** The metrics of a catalogue and what can be asked of them. */
  class Catalogue {
    #metrics;
    #called;
    #steps;
    #units;

    constructor(list) {
      const metrics = list.map(completed);
      this.#metrics = new Map(metrics.map((metric) => [metric.name, metric]));
      this.#called = called(metrics);
      this.#steps = new Steps(this.#metrics);
      this.#units = this.#ofUnits();
    }

    /** Shares of rows for matrices of one row each, which tell their hits and misses. */
    #ofUnits() {
      const one = CELLS.map((_, at) => Float64Array.from(CELLS, (_, own) => Number(own === at)));
      const names = this.names.filter((name) => this.#metrics.get(name).trials);
      const cells = Object.fromEntries(CELLS.map((cell, at) => [cell, one[at]]));
      const columns = this.#steps.run(names, cells);
      return new Map(names.map((name, at) => [name, columns[at].slice()]));
    }

    /** Canonical names, in the order of the catalogue. */
    get names() {
      return [...this.#metrics.keys()];
    }

    /** The metrics that are shown unasked in a place of the page, in order. */
    headlines(where) {
      const rank = (name) => this.#metrics.get(name).headline[where];
      return this.names.filter(rank).sort((a, b) => rank(a) - rank(b));
    }

    /** The metric called so, by its name, an alias or a preset; undefined where none is. */
    get(name) {
      return this.#called.get(folded(name))?.metric;
    }

    #find(name) {
      const found = this.#called.get(folded(name));
      if (!found) throw new Error(`no metric is called ${name}`);
      return found;
    }

    /** The value for one matrix; NaN where it is undefined. */
    value(name, matrix, parameters = {}) {
      const { metric, parameters: preset } = this.#find(name);
      const settings = { [metric.name]: { ...preset, ...parameters } };
      return this.#steps.run([metric.name], single(matrix), settings)[0][0];
    }

    /** All values for one matrix, by name; settings are parameters by metric. */
    values(matrix, names = this.names, settings = {}) {
      const columns = this.#steps.run(names, single(matrix), settings);
      return Object.fromEntries(names.map((name, at) => [name, columns[at][0]]));
    }

    /** One value with its interval. */
    estimate(name, matrix, about, parameters = {}) {
      const { metric, parameters: preset } = this.#find(name);
      const given = about.parameters?.[metric.name];
      const settings = { [metric.name]: { ...given, ...preset, ...parameters } };
      return this.estimates(matrix, about, [metric.name], settings)[metric.name];
    }

    /** Values with their intervals, by name. */
    estimates(matrix, about, names = this.names, settings = about.parameters ?? {}) {
      const values = this.values(matrix, names, settings);
      const whyNot = noInterval(matrix, about);
      const moved = whyNot ? null : new MovedShares(matrix, about);
      const needed = moved ? names.filter((name) => !Number.isNaN(values[name])) : [];
      const needs = (name) => FORMULAS[this.#metrics.get(name).interval]?.needs;
      const more = needed.map(needs).filter(Boolean);
      const ofMoved = this.#ofMoved([...new Set([...needed, ...more])], moved, settings);
      const byMover = (name) => {
        const metric = this.#metrics.get(name);
        const [value] = this.#steps.run([name], single(matrix), settings)[0];
        return spread(...moved.interval(metric, value, ofMoved.get(name)), MOVER);
      };
      const found = names.map((name) => {
        const metric = this.#metrics.get(name);
        const value = values[name];
        if (Number.isNaN(value)) return this.#undefined(metric, matrix, about, whyNot);
        if (whyNot) return sure(value, without(whyNot));
        const units = this.#units.get(name);
        const own = { metric, value, values: ofMoved.get(name), units, byMover };
        return sure(value, spreadOf(own, moved));
      });
      return Object.fromEntries(names.map((name, at) => [name, found[at]]));
    }

    /** The values of some metrics for all moved matrices, by name. */
    #ofMoved(names, moved, settings) {
      if (!names.length) return new Map();
      const columns = this.#steps.run(names, moved.cells, settings);
      return new Map(names.map((name, at) => [name, columns[at].slice()]));
    }

    #undefined(metric, matrix, about, note) {
      const reason = why(metric, matrix, about);
      return { value: NaN, low: NaN, high: NaN, method: null, reason, note };
    }

    /** The formula with numbers in place of letters. */
    filledIn(name, matrix, parameters = {}) {
      const { metric, parameters: preset } = this.#find(name);
      const settings = { ...metric.parameters, ...preset, ...parameters };
      const counts = letters(matrix);
      const filled = (word) => {
        if (word in counts) return count(counts[word]);
        if (word in settings) return settings[word] === null ? word : setting(settings[word]);
        return this.get(word) ? number(this.value(word, matrix)) : word;
      };
      return (metric.expression || metric.formula).replace(/[A-Za-z_]\w*/g, filled);
    }

    /** Why the metric is undefined for this matrix, in the user's class names. */
    reason(name, matrix, about) {
      return why(this.#find(name).metric, matrix, about);
    }

    /** The metric as a plain sentence in the user's class names, or why it is undefined. */
    sentence(name, matrix, about, { parameters = {}, note = null } = {}) {
      const { metric, parameters: preset } = this.#find(name);
      const settings = { ...about.parameters?.[metric.name], ...preset, ...parameters };
      const value = this.value(name, matrix, settings);
      if (Number.isNaN(value)) return `undefined: ${why(metric, matrix, about)}`;
      const words = { value: number(value), share: share(value) };
      const text = inWords(metric, metric.sentence, about, words, settings);
      return note ? `${text} (${note})` : text;
    }
  }

  /** A value with its interval, or with the note why it has none. */
  function sure(value, { low, high, method, note }) {
    const found = !(Number.isNaN(low) || Number.isNaN(high));
    const ends = found ? { low, high, method } : { low: NaN, high: NaN, method: null };
    return { value, ...ends, reason: null, note };
  }

  function why(metric, matrix, about) {
    const { n, d } = letters(matrix);
    if (!n) return "there are no rows";
    if (!d) return "every row is rejected";
    return inWords(metric, metric.undefined, about, {}, {});
  }

  /** A template in one pass: a class called "{value}" stays what it is. */
  function inWords(metric, template, { positive, negative }, words, settings) {
    const parameters = Object.entries({ ...metric.parameters, ...settings });
    const own = Object.fromEntries(parameters.map(([key, value]) => [key, setting(value)]));
    const all = { positive, negative, ...words, ...own };
    return template.replace(/\{(\w+)\}/g, (whole, word) => all[word] ?? whole);
  }

  /** A parameter as people write it: 2, not 2.0. */
  function setting(value) {
    if (value === null) return "None";
    return typeof value === "number" ? significant(value, 6) : String(value);
  }

  return { of: (list) => new Catalogue(list) };
})();
