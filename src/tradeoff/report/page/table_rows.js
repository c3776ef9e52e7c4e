/* Rows of a table from its columns: classes, scores, weights and segments, as in sources/classes.py,
   sources/row_rules.py and sources/groups.py. */
const TableRows = (() => {
  "use strict";

  const { FileProblem } = TextSource;
  const MAX_VALUES = 1000;
  const NO_VALUE = "(no value)";

  const quoted = (name) => `“${Sentences.printable(name)}”`;

  /** Numbers of a column that grows; missing ones are NaN. */
  class NumberColumn {
    constructor(name, form) {
      this.name = name;
      this.form = form;
      this.values = new Float64Array(1024);
      this.size = 0;
    }

    add(cell) {
      if (this.size === this.values.length) {
        const longer = new Float64Array(2 * this.size);
        longer.set(this.values);
        this.values = longer;
      }
      this.values[this.size] = CellValues.isMissing(cell) ? NaN : this.#number(CellValues.plain(cell, this.form));
      this.size += 1;
    }

    #number(cell) {
      const value = CellValues.number(cell);
      const row = `row ${Numbers.count(this.size + 1)}`;
      if (value === undefined) throw new FileProblem(`${quoted(this.name)} must hold numbers, but ${Sentences.quote(Sentences.printable(cell))} in ${row} is not a number.`);
      if (CellValues.losesDigits(cell)) throw new FileProblem(`${quoted(this.name)} holds integers above 2**53 that floating point cannot distinguish (first: ${row}). Divide them or replace them by ranks first.`);
      return value;
    }

    get result() { return this.values.subarray(0, this.size); }
  }

  /** Codes of the distinct cells of a column that grows; -1 if missing. */
  class CodeColumn {
    constructor(name, form) {
      this.name = name;
      this.form = form;
      this.codeOf = new Map();
      this.codes = new Int32Array(1024);
      this.size = 0;
    }

    add(cell) {
      if (this.size === this.codes.length) {
        const longer = new Int32Array(2 * this.size);
        longer.set(this.codes);
        this.codes = longer;
      }
      this.codes[this.size] = CellValues.isMissing(cell) ? -1 : this.#code(cell);
      this.size += 1;
    }

    #code(cell) {
      let code = this.codeOf.get(cell);
      if (code === undefined) {
        code = this.codeOf.size;
        if (code === MAX_VALUES) throw new FileProblem(`${quoted(this.name)} has more than ${Numbers.count(MAX_VALUES)} different values: choose a column with fewer.`);
        this.codeOf.set(cell, code);
      }
      return code;
    }

    /** Codes of values, and their names; cells that are the same number are one value. */
    get values() {
      const cells = [...this.codeOf.keys()];
      const named = namedValues(cells.map((cell) => CellValues.plain(cell, this.form)));
      const order = orderOf(named);
      const places = new Map(order.map((name, place) => [name, place]));
      const codes = this.codes.subarray(0, this.size).map((code) => (code < 0 || named.names[code] === null ? -1 : places.get(named.names[code])));
      return { codes, names: order };
    }
  }

  /** Cell values as labels (1.0 becomes 1), and whether all of them are numbers. */
  function namedValues(cells) {
    const numbers = cells.map(CellValues.number);
    if (numbers.every((value) => value !== undefined) && !cells.some(CellValues.losesDigits)) {
      return { areNumbers: true, names: numbers.map((value) => (Number.isNaN(value) ? null : String(value + 0))) };
    }
    const areBoolean = cells.every((cell) => cell === "true" || cell === "false");
    return { areNumbers: false, names: areBoolean ? cells.map(Sentences.capitalized) : cells };
  }

  /** Distinct names in order: numbers by size, words so that fold 2 comes before fold 10. */
  function orderOf({ areNumbers, names }) {
    const distinct = [...new Set(names.filter((name) => name !== null))];
    return areNumbers ? distinct.sort((a, b) => Number(a) - Number(b)) : distinct.sort().sort(compareNaturally);
  }

  function compareNaturally(first, second) {
    const [a, b] = [first, second].map((name) => name.split(/([0-9]+)/).map((part) => part.replace(/^0+/, "")));
    for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
      if (index % 2 && a[index].length !== b[index].length) return a[index].length - b[index].length;
      if (a[index] !== b[index]) return a[index] < b[index] ? -1 : 1;
    }
    return a.length - b.length;
  }

  /**
   * Rows of a table for a choice of columns.
   *
   * `summaries` are those of the columns. `choice` has the positions of `actual`, `scores`, `weight` and
   * `segment` (null for none) and the name of the `positive` class.
   */
  async function rows(table, summaries, choice, onProgress) {
    const { layout: { forms, names, header } } = table;
    const column = (Kind, position) => {
      const numbers = table.isComplete && Kind === NumberColumn ? summaries[position].numbers : undefined;
      return numbers ? { name: names[position], result: numbers } : new Kind(names[position], forms[position]);
    };
    const actual = column(CodeColumn, choice.actual);
    const scores = choice.scores.map((position) => column(NumberColumn, position));
    const weights = choice.weight === null ? null : column(NumberColumn, choice.weight);
    const segments = choice.segment === null ? null : column(CodeColumn, choice.segment);
    const chosen = [[choice.actual, actual], ...scores.map((score, index) => [choice.scores[index], score]), [choice.weight, weights], [choice.segment, segments]].filter(([, reader]) => reader);
    for (const [position] of chosen) {
      if (header.filter((name) => name === header[position]).length > 1) throw new FileProblem(`${table.title} has several columns called ${quoted(header[position])}: rename them.`);
    }
    const unread = chosen.filter(([, reader]) => reader.add);
    const positions = [...new Set(unread.map(([position]) => position))];
    const slots = unread.map(([position]) => positions.indexOf(position));
    await CsvTable.read(table, positions, (cells) => { unread.forEach(([, reader], index) => reader.add(cells[slots[index]])); }, onProgress);
    return {
      ...classesOf(actual, choice.positive),
      scores: scores.map((score) => ({ name: score.name, values: score.result })),
      weights: weights && weights.result,
      segments: segments && segmentsOf(segments),
    };
  }

  /** Which rows are positive (-1: without a class), and the names of both classes. */
  function classesOf(column, positive) {
    const { codes, names } = column.values;
    const code = names.indexOf(positive);
    if (code < 0) throw new FileProblem(`${quoted(positive)} does not occur in ${quoted(column.name)}. Its classes are ${Sentences.list(names, 6)}.`);
    const others = names.filter((name) => name !== positive);
    if (!others.length) throw new FileProblem(`Every row of ${quoted(column.name)} is ${quoted(positive)}: there is nothing to tell apart.`);
    return {
      positiveRows: Int8Array.from(codes, (value) => (value < 0 ? -1 : value === code ? 1 : 0)),
      positive,
      negative: others.length === 1 ? others[0] : `not ${positive}`,
    };
  }

  /** Segments; rows without a value form one of their own. */
  function segmentsOf(column) {
    const { codes, names } = column.values;
    if (!codes.includes(-1)) return { codes, names };
    const order = [...names, NO_VALUE].sort().sort(compareNaturally);
    const places = names.map((name) => order.indexOf(name));
    return { codes: codes.map((code) => (code < 0 ? order.indexOf(NO_VALUE) : places[code])), names: order };
  }

  return { rows };
})();
