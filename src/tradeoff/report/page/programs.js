/* Programs of metrics (see formulas.py), computed for one matrix or for many at once. */
const Programs = (() => {
  "use strict";

  const CELLS = ["tp", "fn", "fp", "tn", "rp", "rn"];

  /** Sums of counts, added up in the order of ConfusionMatrix: its digits are then the same. */
  const SUMS = {
    P: ["+", ["+", "tp", "fn"], "rp"],
    N: ["+", ["+", "fp", "tn"], "rn"],
    d: ["+", ["+", "tp", "fp"], ["+", "fn", "tn"]],
    n: ["+", "d", ["+", "rp", "rn"]],
    e: ["*", "d", "scale"],
  };

  const FUNCTIONS = {
    "**": (a, b) => (b === 2 ? a * a : a ** b),
    sqrt: (a) => Math.sqrt(a),
    log: (a) => Math.log(a),
    log2: (a) => Math.log2(a),
    abs: (a) => Math.abs(a),
    min: (a, b) => Math.min(a, b),
    max: (a, b) => Math.max(a, b),
    xlog2y: (a, b) => (a === 0 ? 0 : a * Math.log2(b)),
    counted: (a) => (a > 1 ? a : NaN),
    if_zero: (a, b, c) => (a === 0 ? b : c),
  };

  /**
   * All programs as one list of steps, each computed once whatever needs it.
   *
   * A step is a count, a constant, a parameter or an operation on the results of earlier steps.
   */
  class Steps {
    #metrics;
    #steps = [];
    #places = new Map();
    #ends = new Map();
    #needs = new Map();
    #columns = new Map();

    constructor(metrics) {
      this.#metrics = metrics;
      for (const name of metrics.keys()) this.#end(name);
    }

    /**
     * The values of some metrics, a column each, for as many matrices as the cells have numbers.
     *
     * Settings are parameters by metric. The columns are used again by the next call for as many
     * matrices.
     */
    run(names, cells, settings = {}) {
      const size = cells.tp.length;
      const columns = this.#room(size);
      for (const at of this.#needed(names)) {
        const step = this.#steps[at];
        if (step.cell) columns[at] = cells[step.cell] ?? new Float64Array(size).fill(1);
        else if (step.operands) apply(step, columns, at);
        else columns[at].fill(settings[step.owner]?.[step.parameter] ?? step.constant);
      }
      return names.map((name) => columns[this.#ends.get(name)]);
    }

    #room(size) {
      if (!this.#columns.has(size)) {
        if (this.#columns.size > 1) this.#columns.clear(); // one matrix, and one number of draws
        this.#columns.set(size, this.#steps.map(() => new Float64Array(size)));
      }
      return this.#columns.get(size);
    }

    #needed(names) {
      if (names.length === 1) return this.#below(names[0]);
      const all = new Set(names.flatMap((name) => this.#below(name)));
      return [...all].sort((a, b) => a - b);
    }

    #below(name) {
      if (!this.#needs.has(name)) {
        const found = new Set();
        const visit = (at) => {
          if (found.has(at)) return;
          found.add(at);
          this.#steps[at].operands?.forEach(visit);
        };
        visit(this.#ends.get(name));
        this.#needs.set(name, [...found].sort((a, b) => a - b));
      }
      return this.#needs.get(name);
    }

    #end(name) {
      if (!this.#ends.has(name)) {
        this.#ends.set(name, null);
        this.#ends.set(name, this.#place(this.#metrics.get(name).program, name));
      }
      const end = this.#ends.get(name);
      if (end === null) throw new Error(`${name} is defined by itself`);
      return end;
    }

    #place(program, owner) {
      if (program === null || typeof program === "number") {
        return this.#step(`${program}`, { constant: program ?? NaN });
      }
      if (typeof program === "string") return this.#word(program, owner);
      const [word, ...parts] = program;
      if (word === "parameter") return this.#parameter(parts[0], owner);
      const operands = parts.map((part) => this.#place(part, owner));
      return this.#step(`${word} ${operands}`, { word, operands });
    }

    #word(word, owner) {
      if (CELLS.includes(word) || word === "scale") return this.#step(word, { cell: word });
      return word in SUMS ? this.#place(SUMS[word], owner) : this.#end(word);
    }

    #parameter(word, owner) {
      const constant = this.#metrics.get(owner).parameters[word] ?? NaN;
      return this.#step(`${owner}.${word}`, { owner, parameter: word, constant });
    }

    #step(key, step) {
      if (!this.#places.has(key)) {
        this.#places.set(key, this.#steps.length);
        this.#steps.push(step);
      }
      return this.#places.get(key);
    }
  }

  /** One operation on whole columns. Nearly all are the first four, which need no calls. */
  function apply({ word, operands }, columns, at) {
    const out = columns[at];
    const a = columns[operands[0]];
    const b = columns[operands[1] ?? operands[0]];
    const size = out.length;
    if (word === "+") for (let i = 0; i < size; i++) out[i] = a[i] + b[i];
    else if (word === "-") for (let i = 0; i < size; i++) out[i] = a[i] - b[i];
    else if (word === "*") for (let i = 0; i < size; i++) out[i] = a[i] * b[i];
    else if (word === "/") for (let i = 0; i < size; i++) out[i] = a[i] / b[i];
    else {
      const c = columns[operands[2] ?? operands[0]];
      const operation = FUNCTIONS[word];
      for (let i = 0; i < size; i++) out[i] = operation(a[i], b[i], c[i]);
    }
  }

  /** One matrix as columns of one number; `scale` makes sums of weights effective rows. */
  function single(matrix) {
    const cells = CELLS.map((cell) => [cell, Float64Array.of(matrix[cell] ?? 0)]);
    return { ...Object.fromEntries(cells), scale: Float64Array.of(matrix.scale ?? 1) };
  }

  /** The letters that formulas use, and the rows that metrics are shares of. */
  function letters(matrix) {
    const { tp, fn, fp, tn, rp = 0, rn = 0 } = matrix;
    const d = tp + fp + (fn + tn);
    const e = d * (matrix.scale ?? 1);
    return { tp, fn, fp, tn, rp, rn, P: tp + fn + rp, N: fp + tn + rn, d, n: d + (rp + rn), e };
  }

  return { CELLS, Steps, letters, single };
})();
