/**
 * Metrics of a confusion matrix with confidence intervals.
 *
 * No metric is defined here: the document holds the formula of each as a program.
 *
 * @typedef {{tp: number, fn: number, fp: number, tn: number, rp?: number, rn?: number}} Matrix
 *   Counts, sums of weights, or counts scaled to a population; rp and rn count rejected rows.
 * @typedef {object} Context
 * @property {string} positive Names of the classes.
 * @property {string} negative
 * @property {number} level Confidence level, such as 0.95.
 * @property {number} z Critical value of that level.
 * @property {Matrix} real The matrix of the sample, not scaled to a population.
 * @property {?Matrix} squares Sums of squared weights, where rows have weights.
 * @property {boolean} fixed Whether class totals are fixed, or the prevalence is known.
 * @property {Object<string, Object<string, number>>} [parameters] Parameters that differ from the default, by metric.
 * @typedef {{value: number, low: number, high: number, method: ?string, reason: ?string,
 *   note: ?string}} Estimate NaN where undefined (with a reason) or without an interval.
 * @typedef {{low: number, high: number, method: string, note: ?string}} Interval
 */
const Catalogues = (() => {
  "use strict";

  const { FORMULAS, MOVER, MovedProportions, noIntervalReason, interval, metricInterval, withoutInterval } = Intervals;
  const { count, number, percent, significant } = Numbers;
  const { CELLS, Steps, letters, matrixColumns } = Programs;

  /** A name normalized for lookups: in lower case, with underscores for blanks and hyphens. */
  function normalizedName(name) {
    return name.trim().toLowerCase().replace(/[\s-]+/g, "_");
  }

  /** A metric of the document with default values for the fields that the document omits. */
  function withDefaults(metric) {
    const { low, high, ...rest } = metric;
    const defaults = {
      parameters: {}, presets: {}, aliases: [], better: null, undefined: "",
      expression: "", headline: {}, interval: "", no_interval: "", trials: "",
    };
    return { ...defaults, ...rest, low: low ?? -Infinity, high: high ?? Infinity };
  }

  function entriesByName(metrics) {
    const entries = new Map();
    for (const metric of metrics) {
      const entry = { metric, parameters: {} };
      for (const name of [metric.name, ...metric.aliases]) entries.set(normalizedName(name), entry);
      for (const [name, parameters] of Object.entries(metric.presets)) {
        entries.set(normalizedName(name), { metric, parameters });
      }
    }
    return entries;
  }

  /** All metrics of the document: values, intervals, formulas and sentences. */
  class Catalogue {
    #metrics;
    #entries;
    #steps;
    #unitValues;

    constructor(list) {
      const metrics = list.map(withDefaults);
      this.#metrics = new Map(metrics.map((metric) => [metric.name, metric]));
      this.#entries = entriesByName(metrics);
      this.#steps = new Steps(this.#metrics);
      this.#unitValues = this.#valuesOfUnits();
    }

    /** Values of proportions for matrices of a single row: 1 for a success, 0 for a failure. */
    #valuesOfUnits() {
      const units = CELLS.map((_, cell) => Float64Array.from(CELLS, (_, row) => Number(row === cell)));
      const names = this.names.filter((name) => this.#metrics.get(name).trials);
      const cells = Object.fromEntries(CELLS.map((cell, index) => [cell, units[index]]));
      const columns = this.#steps.run(names, cells);
      return new Map(names.map((name, index) => [name, columns[index].slice()]));
    }

    /** Canonical names, in the order of the catalogue. */
    get names() {
      return [...this.#metrics.keys()];
    }

    /** Names of the metrics that a section of the page shows by default, in order. */
    headlines(section) {
      const rank = (name) => this.#metrics.get(name).headline[section];
      return this.names.filter(rank).sort((a, b) => rank(a) - rank(b));
    }

    /** The metric with a name, alias or preset; undefined if there is none. */
    get(name) {
      return this.#entries.get(normalizedName(name))?.metric;
    }

    #find(name) {
      const entry = this.#entries.get(normalizedName(name));
      if (!entry) throw new Error(`no metric is called ${name}`);
      return entry;
    }

    /** Value of a metric for one matrix; NaN if it is undefined. */
    value(name, matrix, parameters = {}) {
      const { metric, parameters: preset } = this.#find(name);
      const settings = { [metric.name]: { ...preset, ...parameters } };
      return this.#steps.run([metric.name], matrixColumns(matrix), settings)[0][0];
    }

    /** Values of metrics for one matrix, by name; settings are parameters by metric. */
    values(matrix, names = this.names, settings = {}) {
      const columns = this.#steps.run(names, matrixColumns(matrix), settings);
      return Object.fromEntries(names.map((name, index) => [name, columns[index][0]]));
    }

    /** Value of a metric with its confidence interval. */
    estimate(name, matrix, context, parameters = {}) {
      const { metric, parameters: preset } = this.#find(name);
      const initial = context.parameters?.[metric.name];
      const settings = { [metric.name]: { ...initial, ...preset, ...parameters } };
      return this.estimates(matrix, context, [metric.name], settings)[metric.name];
    }

    /** Values of metrics with their confidence intervals, by name. */
    estimates(matrix, context, names = this.names, settings = context.parameters ?? {}) {
      const values = this.values(matrix, names, settings);
      const reason = noIntervalReason(matrix, context);
      const moved = reason ? null : new MovedProportions(matrix, context);
      const defined = moved ? names.filter((name) => !Number.isNaN(values[name])) : [];
      const requirement = (name) => FORMULAS[this.#metrics.get(name).interval]?.needs;
      const required = defined.map(requirement).filter(Boolean);
      const movedValues = this.#movedValues([...new Set([...defined, ...required])], moved, settings);
      const byMover = (name) => {
        const metric = this.#metrics.get(name);
        const [value] = this.#steps.run([name], matrixColumns(matrix), settings)[0];
        return interval(...moved.interval(metric, value, movedValues.get(name)), MOVER);
      };
      const estimates = names.map((name) => {
        const metric = this.#metrics.get(name);
        const value = values[name];
        if (Number.isNaN(value)) return this.#undefined(metric, matrix, context, reason);
        if (reason) return withInterval(value, withoutInterval(reason));
        const units = this.#unitValues.get(name);
        return withInterval(value, metricInterval({ metric, value, values: movedValues.get(name), units, byMover }, moved));
      });
      return Object.fromEntries(names.map((name, index) => [name, estimates[index]]));
    }

    /** Values of metrics for all moved matrices, by name. */
    #movedValues(names, moved, settings) {
      if (!names.length) return new Map();
      const columns = this.#steps.run(names, moved.cells, settings);
      return new Map(names.map((name, index) => [name, columns[index].slice()]));
    }

    #undefined(metric, matrix, context, note) {
      const reason = undefinedReason(metric, matrix, context);
      return { value: NaN, low: NaN, high: NaN, method: null, reason, note };
    }

    /** Formula of a metric with counts substituted for its letters. */
    substitutedFormula(name, matrix, parameters = {}) {
      const { metric, parameters: preset } = this.#find(name);
      const settings = { ...metric.parameters, ...preset, ...parameters };
      const counts = letters(matrix);
      const substitute = (word) => {
        if (word in counts) return count(counts[word]);
        if (word in settings) return settings[word] === null ? word : formatParameter(settings[word]);
        return this.get(word) ? number(this.value(word, matrix)) : word;
      };
      return (metric.expression || metric.formula).replace(/[A-Za-z_]\w*/g, substitute);
    }

    /** Reason why a metric is undefined for a matrix, with the names of the classes. */
    reason(name, matrix, context) {
      return undefinedReason(this.#find(name).metric, matrix, context);
    }

    /** Sentence on the value of a metric, with the names of the classes, or why it is undefined. */
    sentence(name, matrix, context, { parameters = {}, note = null } = {}) {
      const { metric, parameters: preset } = this.#find(name);
      const settings = { ...context.parameters?.[metric.name], ...preset, ...parameters };
      const value = this.value(name, matrix, settings);
      if (Number.isNaN(value)) return `undefined: ${undefinedReason(metric, matrix, context)}`;
      const valueTexts = { value: number(value), share: percent(value) };
      const text = fillTemplate(metric, metric.sentence, context, valueTexts, settings);
      return note ? `${text} (${note})` : text;
    }
  }

  /** Estimate with its interval, or with a note on why it has none. */
  function withInterval(value, { low, high, method, note }) {
    const hasInterval = !(Number.isNaN(low) || Number.isNaN(high));
    const limits = hasInterval ? { low, high, method } : { low: NaN, high: NaN, method: null };
    return { value, ...limits, reason: null, note };
  }

  function undefinedReason(metric, matrix, context) {
    const { n, d } = letters(matrix);
    if (!n) return "there are no rows";
    if (!d) return "every row is rejected";
    return fillTemplate(metric, metric.undefined, context, {}, {});
  }

  /** Fill a template in one pass: a class named "{value}" is not filled in again. */
  function fillTemplate(metric, template, { positive, negative }, valueTexts, settings) {
    const parameters = Object.entries({ ...metric.parameters, ...settings });
    const parameterTexts = Object.fromEntries(parameters.map(([key, value]) => [key, formatParameter(value)]));
    const substitutes = { positive, negative, ...valueTexts, ...parameterTexts };
    return template.replace(/\{(\w+)\}/g, (field, word) => substitutes[word] ?? field);
  }

  /** Format a parameter: 2, not 2.0. */
  function formatParameter(value) {
    if (value === null) return "None";
    return typeof value === "number" ? significant(value, 6) : String(value);
  }

  return { of: (list) => new Catalogue(list) };
})();
