/* Summaries of columns, and which hold the class and the scores if only one choice is possible: the
   rules of sources/column_summaries.py and sources/role_inference.py. */
const ColumnRoles = (() => {
  "use strict";

  const SCORE_NAME = /^(p|p[_ .-].*|prob.*|score.*|pred.*)$/is;
  const PREDICTION_NAME = /^(pred.*|y_?pred.*|y_?hat.*|.*[_ .-]pred(icted|iction)?)$/is;
  const CLASS_NAMES = ["actual", "class", "ground_truth", "label", "outcome", "target", "true_class", "true_label", "truth", "y", "y_true"];
  const GROUP_NAMES = ["fold", "split", "set", "part", "partition", "run", "repeat", "cv_fold"];
  const ID_NAME = /^(.*[_ .-])?(id|ids|uuid|guid|key|index|row|rownames|rowid|nr|no)$/is;
  const ID_SUFFIX = /^.*[a-z](ID|Id)$/s;
  const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}\S*)?$/;
  const CLASS_PREFIXES = ["", "p_", "prob_", "proba_", "score_", "pred_", "p.", "p "];
  const MIN_ROWS_OF_ID = 20;
  const MIN_ROWS_OF_INDEX = 3;
  const MAX_CLASSES = 30;

  /* ---- summaries ---- */

  /** Summary of a column: kind, distinct values (all if they are few enough to be classes), and range. */
  function summary(name, position, cells, form) {
    const numbers = numbersOf(cells, form);
    if (numbers) return { name, position, ...summaryOfNumbers(name, position, numbers) };
    const present = cells.filter((cell) => !CellValues.isMissing(cell)).map((cell) => CellValues.plain(cell, form));
    const counts = new Map();
    for (const cell of present) counts.set(cell, (counts.get(cell) ?? 0) + 1);
    const isBoolean = present.length > 0 && [...counts.keys()].every((cell) => cell === "true" || cell === "false");
    const identifiesRows = present.length > 1 && counts.size === present.length;
    return {
      name,
      position,
      kind: isBoolean ? "boolean" : [...counts.keys()].every((cell) => ISO_DATE.test(cell)) ? "date" : "text",
      rows: cells.length,
      missing: cells.length - present.length,
      distinct: counts.size,
      counts: listed([...counts].map(([value, rows]) => [isBoolean ? Sentences.capitalized(value) : value, rows])),
      low: null,
      high: null,
      isIndex: isUnnamed(name, position) && position === 0 && identifiesRows,
      numbersRows: false,
    };
  }

  /** The cells of a column as numbers, NaN if missing; null if one is not a number. */
  function numbersOf(cells, form) {
    const numbers = new Float64Array(cells.length);
    for (let row = 0; row < cells.length; row += 1) {
      if (CellValues.isMissing(cells[row])) {
        numbers[row] = NaN;
        continue;
      }
      const cell = CellValues.plain(cells[row], form);
      const value = CellValues.number(cell);
      if (value === undefined || CellValues.losesDigits(cell)) return null;
      numbers[row] = value;
    }
    return numbers;
  }

  function summaryOfNumbers(name, position, numbers) {
    const rows = numbers.length;
    const values = numbers.filter((value) => !Number.isNaN(value));
    const missing = rows - values.length;
    const sorted = values.slice().sort();
    const distinct = sorted.reduce((count, value, index) => count + (index && value === sorted[index - 1] ? 0 : 1), 0);
    const counts = distinct > MAX_CLASSES ? [] : countsOf(sorted);
    const [low, high] = sorted.length ? [sorted[0], sorted.at(-1)] : [null, null];
    const isFirst = low === 0 || low === 1;
    const numbersRows = missing === 0 && rows >= MIN_ROWS_OF_INDEX && (values[0] === 0 || values[0] === 1) && values.every((value, row) => value === values[0] + row);
    const areRowNumbers = isFirst && distinct >= MIN_ROWS_OF_INDEX && high - low + 1 === distinct;
    const identifiesRows = values.length > 0 && ((distinct === values.length && values.length > 1) || areRowNumbers);
    return {
      kind: "number",
      rows,
      missing,
      distinct,
      counts,
      low,
      high,
      isIndex: isUnnamed(name, position) && (numbersRows || (position === 0 && identifiesRows)),
      numbersRows,
      numbers,
    };
  }

  /** Names of sorted numbers, and the rows of each. */
  function countsOf(sorted) {
    const counts = new Map();
    for (const value of sorted) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].map(([value, rows]) => [String(value + 0), rows]);
  }

  const listed = (counts) => (counts.length > MAX_CLASSES ? [] : counts.sort(([a], [b]) => (a < b ? -1 : 1)));

  const isUnnamed = (name, position) => ["", `Unnamed: ${position}`, `column${position}`, "__index_level_0__"].includes(name);

  const valuesOf = ({ counts }) => counts.map(([value]) => value);

  const normalized = (name) => name.trim().replace(/[ .-]+/g, "_").toLowerCase();

  /* ---- the class ---- */

  /** Whether a column may hold the actual classes: two values, and no other role by its name. */
  const isClassColumn = (column) => column.distinct === 2 && !column.isIndex && !GROUP_NAMES.includes(normalized(column.name)) && !PREDICTION_NAME.test(column.name);

  /** Whether a column can be chosen as the class: two values, or several words or whole numbers. */
  function canBeClass(column) {
    const areWhole = column.kind !== "number" || column.counts.every(([value]) => Number.isInteger(Number(value)));
    return column.distinct === 2 || (column.distinct > 2 && column.distinct <= MAX_CLASSES && areWhole);
  }

  /** The column of the class, or null if several or none are possible. */
  function classColumn(columns) {
    let candidates = columns.filter(isClassColumn);
    if (candidates.length > 1) {
      const usual = candidates.filter(({ name }) => CLASS_NAMES.includes(normalized(name)));
      candidates = usual.length === 1 ? usual : candidates;
    }
    return candidates.length === 1 ? candidates[0] : null;
  }

  /** The positive class, if the classes say so: 1 of 0 and 1 or -1 and 1, true; never of words. */
  function positiveClass(column) {
    const values = valuesOf(column);
    if (column.kind === "boolean") return "True";
    const isBinary = column.kind === "number" && values.length === 2 && values[1] === "1" && ["0", "-1"].includes(values[0]);
    return isBinary ? "1" : null;
  }

  /* ---- the scores ---- */

  /** Whether a column may hold scores: numbers with more than two values that are not an index. */
  const isScoreColumn = (column) => column.kind === "number" && column.distinct > 2 && !column.isIndex && !isIdColumn(column);

  const isWithinUnit = ({ low, high }) => low !== null && low >= 0 && high <= 1;

  /** Whether a column holds IDs: by its name, row numbers, or text that never repeats. */
  function isIdColumn(column) {
    if (column.isIndex || column.numbersRows) return true;
    if (!(column.distinct > 1 && column.distinct === column.rows - column.missing)) return false;
    const isWhole = column.kind === "text" || (column.low !== null && Number.isInteger(column.low) && !isWithinUnit(column));
    if (isWhole && (ID_NAME.test(column.name) || ID_SUFFIX.test(column.name))) return true;
    return column.kind === "text" && column.rows >= MIN_ROWS_OF_ID;
  }

  /** Columns of scores: those named like scores, else those within 0 to 1; without the scores of the negative class. */
  function scoreColumns(columns, actual, positive) {
    const numeric = columns.filter((column) => column !== actual && isScoreColumn(column));
    const byName = numeric.filter(({ name }) => SCORE_NAME.test(name));
    const candidates = byName.length ? byName : numeric.filter(isWithinUnit);
    const classes = actual?.distinct === 2 ? valuesOf(actual) : [];
    const ofClass = classes.map((value) => candidates.filter(({ name }) => isScoreOf(name, value)));
    if (positive === null || ofClass.length < 2 || ofClass.some((names) => !names.length)) return candidates;
    const others = classes.flatMap((value, index) => (value === positive ? [] : ofClass[index]));
    return candidates.filter((column) => !others.includes(column));
  }

  const isScoreOf = (name, value) => CLASS_PREFIXES.some((prefix) => `${prefix}${value}`.toLowerCase() === name.toLowerCase().replace(/[()[\]]/g, ""));

  /** The roles of columns that the table itself shows; null or empty where a reader must choose. */
  function infer(columns) {
    const actual = classColumn(columns);
    const positive = actual && positiveClass(actual);
    return { actual, positive, scores: scoreColumns(columns, actual, positive) };
  }

  /** Why no class or no score can be chosen; empty if both can. */
  function problem(columns) {
    if (!columns.some(canBeClass)) return "No column has two values, as a class would: a table needs a column with the actual class of each row.";
    const actual = classColumn(columns);
    if (columns.some((column) => column !== actual && column.kind === "number" && column.distinct > 0)) return "";
    const comma = columns.find((column) => column.kind === "text" && column.counts.length && valuesOf(column).every(CellValues.hasDecimalComma));
    if (!comma) return "No column of numbers could be a score.";
    return `Numbers in “${Sentences.printable(comma.name)}” look like ${Sentences.quote(valuesOf(comma)[0])} (decimal comma) in a file whose delimiter is a comma: save it with another delimiter, such as a semicolon.`;
  }

  return { canBeClass, infer, positiveClass, problem, scoreColumns, summary, valuesOf };
})();
