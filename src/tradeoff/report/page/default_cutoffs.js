/* Thresholds in the table of cut-offs, as in thresholds/cutoffs.py and thresholds/identical.py: all
   scores if they are few, else that of Youden's J and round ones near quantiles of the scores. */
const DefaultCutoffs = (() => {
  "use strict";

  const MAX_SCORES_LISTED = 8;
  const QUANTILES = [0.95, 0.9, 0.75, 0.5, 0.25, 0.1, 0.05];
  const QUANTILE_TOLERANCE = 0.2;

  /** The thresholds of the table, by decreasing proportion of rows predicted positive. */
  function of(ranking) {
    const { sign, distinct, thresholds } = ranking;
    const ascending = (a, b) => sign * (a - b);
    if (distinct <= MAX_SCORES_LISTED) return Array.from(thresholds.subarray(1)).sort(ascending);
    const youden = OperatingThreshold.youdenIndex(ranking);
    return [...new Set([thresholds[youden], ...roundQuantiles(ranking, [0, ranking.last, youden])])].sort(ascending);
  }

  /** Round thresholds near quantiles of the scores, with predictions unlike those listed. */
  function roundQuantiles(ranking, listed) {
    const indices = new Set(listed);
    const depths = ranking.truePositives.map((count, index) => (count + ranking.falsePositives[index]) / ranking.total);
    const rounded = [];
    for (const proportion of QUANTILES) {
      const distances = depths.map((depth) => Math.abs(depth - proportion));
      const tolerance = QUANTILE_TOLERANCE * Math.min(proportion, 1 - proportion);
      let [first, last] = [distances.findIndex((distance) => distance <= tolerance), distances.findLastIndex((distance) => distance <= tolerance)];
      if (first < 0) first = last = distances.indexOf(least(distances));
      const threshold = roundestThreshold(ranking, first, last);
      const index = ranking.indexOf(threshold);
      if (!indices.has(index)) rounded.push(threshold);
      indices.add(index);
    }
    return rounded;
  }

  const least = (values) => values.reduce((lowest, value) => Math.min(lowest, value), Infinity);

  /** The roundest threshold whose predictions are those of an index from `first` to `last`. */
  function roundestThreshold({ sign, thresholds, last: end }, first, last) {
    const low = last < end ? sign * thresholds[last + 1] : -Infinity;
    return sign * roundestNumber(low, sign * thresholds[first]) + 0;
  }

  /** The roundest number above `low` and up to `high`; the largest if there are several. */
  function roundestNumber(low, high) {
    if (high === -Infinity) return high;
    if (high === Infinity) return low === -Infinity ? Infinity : roundBeyond(low, true);
    if (low === -Infinity) return roundBeyond(high, false);
    if (low < 0 && high >= 0) return 0;
    const [exactLow, exactHigh] = [decimal(low), decimal(high)];
    // The first decimal in which two numbers with this difference can differ, or the one before it.
    const digits = -leadingExponent(difference(exactHigh, exactLow)) - 1;
    for (let decimals = digits; decimals < digits + 3; decimals += 1) {
      // In the next decimal, 5 is rounder than any other digit.
      for (const step of [{ digits: 1n, exponent: -decimals }, { digits: 5n, exponent: -decimals - 1 }]) {
        const candidate = numberOf(roundedDown(exactHigh, step));
        if (candidate > low && candidate <= high) return candidate;
      }
    }
    return high;
  }

  /** A round threshold above the highest score, or below the lowest one. */
  function roundBeyond(score, isAbove) {
    if (!isAbove && score > 0) return 0;
    const step = { digits: 1n, exponent: score === 0 ? 0 : leadingExponent(decimal(score)) };
    let rounded = roundedDown(decimal(score), step);
    if (isAbove) rounded = { ...rounded, digits: rounded.digits + 1n };
    return numberOf(rounded) + 0;
  }

  /* ---- decimal numbers: digits times a power of ten ---- */

  /** The shortest decimal number that a number is read from. */
  function decimal(value) {
    const [mantissa, power] = value.toExponential().split("e");
    const [whole, fraction = ""] = mantissa.split(".");
    return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
  }

  const numberOf = ({ digits, exponent }) => Number(`${digits}e${exponent}`);

  const scaled = ({ digits, exponent }, lower) => digits * 10n ** BigInt(exponent - lower);

  function difference(first, second) {
    const exponent = Math.min(first.exponent, second.exponent);
    return { digits: scaled(first, exponent) - scaled(second, exponent), exponent };
  }

  /** Exponent of the first digit. */
  const leadingExponent = ({ digits, exponent }) => String(digits < 0n ? -digits : digits).length - 1 + exponent;

  /** The largest multiple of a step that is not above a number. */
  function roundedDown(value, step) {
    const exponent = Math.min(value.exponent, step.exponent);
    const [size, unit] = [scaled(value, exponent), scaled(step, exponent)];
    const remainder = ((size % unit) + unit) % unit;
    return { digits: ((size - remainder) / unit) * step.digits, exponent: step.exponent };
  }

  return { of, roundestNumber };
})();
