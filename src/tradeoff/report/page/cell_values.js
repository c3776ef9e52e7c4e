/* Values of cells, as in sources/text_values.py and sources/csv_layout.py: which are numbers. */
const CellValues = (() => {
  "use strict";

  const SPACE = "[ \\t\\n\\r\\f\\v]*";
  const NUMBER = new RegExp(`^${SPACE}[+-]?(((0|[1-9][0-9]*)(\\.[0-9]*)?|\\.[0-9]+)(e[+-]?[0-9]+)?|inf(inity)?|nan)${SPACE}$`, "i");
  const INTEGER = new RegExp(`^${SPACE}[+-]?(0|[1-9][0-9]*)${SPACE}$`);
  const COMMA_NUMBER = new RegExp(`^${SPACE}[+-]?((0|[1-9][0-9]*)(,[0-9]*)?|,[0-9]+)(e[+-]?[0-9]+)?${SPACE}$`, "i");
  const PERCENT = /[ \u00a0\u202f]*%[ ]*$/;
  const EXACT_DIGITS = 15;

  /** Whether a cell has no value; R and pandas write NA. */
  const isMissing = (cell) => cell === "" || cell === "NA";

  /** Whether a cell is written as a number: 0x1F, 1_000 and 007 are text. */
  const isNumber = (cell) => NUMBER.test(cell);

  const hasDecimalComma = (cell) => cell.includes(",") && COMMA_NUMBER.test(cell);

  /** The number that a cell holds; undefined if it is not written as one. */
  function number(cell) {
    if (!NUMBER.test(cell)) return undefined;
    const value = Number(cell);
    if (!Number.isNaN(value)) return value;
    const word = cell.trim().toLowerCase();
    if (word.endsWith("nan")) return NaN;
    return word.startsWith("-") ? -Infinity : Infinity;
  }

  /** Whether a cell is an integer that a number of JavaScript would round. */
  function losesDigits(cell) {
    if (cell.length <= EXACT_DIGITS || !INTEGER.test(cell)) return false;
    return BigInt(Number(cell)) !== BigInt(cell.trim().replace(/^\+/, ""));
  }

  /**
   * How the numbers of a column are written, from its first cells: with decimal commas, percent signs.
   *
   * In a file whose delimiter is a comma no number has a decimal comma, unless its reader says so.
   */
  function writtenForm(cells, { canHaveCommas }) {
    const present = cells.filter((cell) => !isMissing(cell));
    return { hasComma: canHaveCommas && haveDecimalCommas(present), isPercentage: arePercentages(present) };
  }

  const haveDecimalCommas = (cells) => cells.some((cell) => cell.includes(",")) && cells.every(isCommaNumber);

  function isCommaNumber(cell) {
    const plain = cell.replace(PERCENT, "");
    return hasDecimalComma(plain) || (isNumber(plain) && !plain.includes("."));
  }

  function arePercentages(cells) {
    return cells.length > 0 && cells.every((cell) => PERCENT.test(cell) && isNumber(cell.replace(PERCENT, "").replace(",", ".")));
  }

  /** A cell with a decimal point and without a percent sign; text that says why, if it is written otherwise. */
  function plain(cell, { hasComma, isPercentage }) {
    if (isPercentage && !cell.includes("%")) return `no percent sign in ${cell}`;
    if (hasComma && cell.includes(".")) return `decimal point in ${cell}`;
    const pointed = hasComma ? cell.replaceAll(",", ".") : cell;
    return isPercentage ? pointed.replace(/[ \u00a0\u202f]/g, "").replace("%", "e-2") : pointed;
  }

  return { hasDecimalComma, isMissing, losesDigits, number, plain, writtenForm };
})();
