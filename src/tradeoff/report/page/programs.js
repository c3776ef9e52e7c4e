/* Formulas of metrics as programs (see page_formulas.py), evaluated for one or many confusion matrices. */
const Programs = (() => {
  "use strict";

  const CELLS = ["tp", "fn", "fp", "tn", "rp", "rn"];

  /** Sums of counts, added in the order of ConfusionMatrix so that rounding is the same. */
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
   * All programs as one list of steps; a step that several metrics share is computed once.
   *
   * A step is a count, a constant, a parameter or an operation on earlier steps.
   */
  class Steps {
    #metrics;
    #steps = [];
    #stepIndices = new Map();
    #resultIndices = new Map();
    #dependencies = new Map();
    #columns = new Map();

    constructor(metrics) {
      this.#metrics = metrics;
      for (const name of metrics.keys()) this.#resultIndex(name);
    }

    /**
     * Values of metrics, one column each; `cells` are columns of counts, with a row per matrix.
     *
     * Settings are parameters by metric. The next call with the same number of matrices overwrites the columns.
     */
    run(names, cells, settings = {}) {
      const size = cells.tp.length;
      const columns = this.#buffers(size);
      for (const index of this.#requiredSteps(names)) {
        const step = this.#steps[index];
        if (step.cell) columns[index] = cells[step.cell] ?? new Float64Array(size).fill(1);
        else if (step.operands) apply(step, columns, index);
        else columns[index].fill(settings[step.owner]?.[step.parameter] ?? step.constant);
      }
      return names.map((name) => columns[this.#resultIndices.get(name)]);
    }

    #buffers(size) {
      if (!this.#columns.has(size)) {
        if (this.#columns.size > 1) this.#columns.clear(); // two sizes are kept: a single matrix, and the moved matrices
        this.#columns.set(size, this.#steps.map(() => new Float64Array(size)));
      }
      return this.#columns.get(size);
    }

    #requiredSteps(names) {
      if (names.length === 1) return this.#stepsOf(names[0]);
      const indices = new Set(names.flatMap((name) => this.#stepsOf(name)));
      return [...indices].sort((a, b) => a - b);
    }

    #stepsOf(name) {
      if (!this.#dependencies.has(name)) {
        const indices = new Set();
        const visit = (index) => {
          if (indices.has(index)) return;
          indices.add(index);
          this.#steps[index].operands?.forEach(visit);
        };
        visit(this.#resultIndices.get(name));
        this.#dependencies.set(name, [...indices].sort((a, b) => a - b));
      }
      return this.#dependencies.get(name);
    }

    #resultIndex(name) {
      if (!this.#resultIndices.has(name)) {
        this.#resultIndices.set(name, null);
        this.#resultIndices.set(name, this.#compile(this.#metrics.get(name).program, name));
      }
      const index = this.#resultIndices.get(name);
      if (index === null) throw new Error(`${name} is defined by itself`);
      return index;
    }

    /** Index of the step that computes a program. */
    #compile(program, owner) {
      if (program === null || typeof program === "number") {
        return this.#stepIndex(`${program}`, { constant: program ?? NaN });
      }
      if (typeof program === "string") return this.#compileWord(program, owner);
      const [word, ...parts] = program;
      if (word === "parameter") return this.#compileParameter(parts[0], owner);
      const operands = parts.map((part) => this.#compile(part, owner));
      return this.#stepIndex(`${word} ${operands}`, { word, operands });
    }

    #compileWord(word, owner) {
      if (CELLS.includes(word) || word === "scale") return this.#stepIndex(word, { cell: word });
      return word in SUMS ? this.#compile(SUMS[word], owner) : this.#resultIndex(word);
    }

    #compileParameter(word, owner) {
      const constant = this.#metrics.get(owner).parameters[word] ?? NaN;
      return this.#stepIndex(`${owner}.${word}`, { owner, parameter: word, constant });
    }

    #stepIndex(key, step) {
      if (!this.#stepIndices.has(key)) {
        this.#stepIndices.set(key, this.#steps.length);
        this.#steps.push(step);
      }
      return this.#stepIndices.get(key);
    }
  }

  /** Apply an operation to columns; arithmetic, the usual case, needs no function calls. */
  function apply({ word, operands }, columns, index) {
    const out = columns[index];
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

  /** One matrix as columns of length 1; `scale` turns sums of weights into effective rows. */
  function matrixColumns(matrix) {
    const cells = CELLS.map((cell) => [cell, Float64Array.of(matrix[cell] ?? 0)]);
    return { ...Object.fromEntries(cells), scale: Float64Array.of(matrix.scale ?? 1) };
  }

  /** Counts of a matrix by their symbols in formulas. */
  function letters(matrix) {
    const { tp, fn, fp, tn, rp = 0, rn = 0 } = matrix;
    const d = tp + fp + (fn + tn);
    const e = d * (matrix.scale ?? 1);
    return { tp, fn, fp, tn, rp, rn, P: tp + fn + rp, N: fp + tn + rn, d, n: d + (rp + rn), e };
  }

  return { CELLS, Steps, letters, matrixColumns };
})();
