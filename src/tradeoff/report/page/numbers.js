/* Formatting of numbers, exactly as in formatting.py and render/estimate_text.py. */
const Numbers = (() => {
  "use strict";

  const TIE_DIGITS = 40; // digits that distinguish a tie from a number close to one
  const MAX_DECIMALS = 15;
  const MIN_DIGITS = 3; // significant digits of an estimate
  const MIN_WIDTH = 4; // of an interval, in units of its last decimal
  const ROUNDING_ERROR = 1e-13; // of proportions that equal 1
  const MIN_DECIMAL_EXPONENT = -6; // smaller numbers are written with an exponent
  const MIN_PERCENT = 0.001; // smaller percentages above 0 are written as less than this

  /** A number with fixed decimals, ties rounded to even as in Python. */
  function fixed(value, decimals) {
    if (!Number.isFinite(value)) return nonFinite(value);
    const size = Math.abs(value);
    return signOf(value) + (size < 1e21 ? toDecimals(size, decimals) : wholeNumber(size, decimals));
  }

  function toDecimals(size, decimals) {
    return roundHalfEven(size.toFixed(decimals), size.toFixed(decimals + TIE_DIGITS));
  }

  function wholeNumber(size, decimals) {
    return BigInt(size).toString() + (decimals ? `.${"0".repeat(decimals)}` : "");
  }

  /** Ties to even: JavaScript rounds them up, so an odd last digit is one too high. */
  function roundHalfEven(rounded, expanded) {
    const isTie = /^50*$/.test(expanded.slice(-TIE_DIGITS));
    const last = Number(rounded.at(-1));
    return isTie && last % 2 ? rounded.slice(0, -1) + (last - 1) : rounded;
  }

  function nonFinite(value) {
    if (Number.isNaN(value)) return "nan";
    return value > 0 ? "inf" : "-inf";
  }

  function signOf(value) {
    return value < 0 || Object.is(value, -0) ? "-" : "";
  }

  /** A number with significant digits and without trailing zeros, as `format_digits` writes it. */
  function significant(value, digits) {
    if (!Number.isFinite(value)) return nonFinite(value);
    const size = Math.abs(value);
    const [rounded, power] = size.toExponential(digits - 1).split("e");
    const [expanded] = size.toExponential(digits - 1 + TIE_DIGITS).split("e");
    const mantissa = roundHalfEven(rounded, expanded).replace(".", "");
    return signOf(value) + layOut(mantissa, Number(power), digits);
  }

  function layOut(mantissa, power, digits) {
    if (power >= MIN_DECIMAL_EXPONENT && power < digits) return insertPoint(mantissa, power);
    const sign = power < 0 ? "-" : "+";
    const size = String(Math.abs(power)).padStart(2, "0");
    return `${insertPoint(mantissa, 0)}e${sign}${size}`;
  }

  function insertPoint(mantissa, power) {
    const padded = "0".repeat(Math.max(-power, 0)) + mantissa;
    const whole = Math.max(power, 0) + 1;
    return `${padded.slice(0, whole)}.${padded.slice(whole)}`.replace(/\.?0*$/, "");
  }

  /** Thousands separated by commas. */
  function groupThousands(text) {
    return text.replace(/\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
  }

  /** A measured value: rounded, or "undefined" for NaN. */
  function number(value, digits = 4) {
    if (value === null || Number.isNaN(value)) return "undefined";
    if (!Number.isFinite(value)) return nonFinite(value);
    const size = Math.abs(value);
    if (size && size < 10 ** -digits) return significant(value, 2);
    const whole = BigInt(Math.trunc(size)).toString().length;
    return groupThousands(fixed(value + 0, Math.max(digits + 1 - whole, 0))); // + 0: no negative zero
  }

  /** A formatted number with a minus sign instead of a hyphen. */
  const withMinusSign = (text) => text.replace(/^-/, "−");

  /** A count or a sum of weights: whole numbers without a decimal point. */
  function count(value) {
    if (Number.isInteger(value)) return withMinusSign(groupThousands(BigInt(value).toString()));
    const size = Math.abs(value);
    const isLarge = 1e5 < size && size < 1e15;
    return withMinusSign(groupThousands(isLarge ? fixed(value, 0) : significant(value, 6)));
  }

  /** A quantity that may be whole or not: 67 is not 67.000. */
  function amount(value) {
    return Number.isInteger(value) ? count(value) : withMinusSign(number(value));
  }

  /** A threshold, rounded for reading. */
  function threshold(value) {
    return withMinusSign(significant(value, 6));
  }

  /** A proportion as a percentage: 0% and 100% only if it is exactly 0 or 1. */
  function percent(value) {
    const size = 100 * value;
    const isWhole = Number.isFinite(size) && Math.abs(size - 100) <= ROUNDING_ERROR * Math.max(Math.abs(size), 100);
    if (size === 0 || isWhole) return `${fixed(size, 0)}%`;
    if (size > 0 && size < MIN_PERCENT) return `< ${MIN_PERCENT}%`;
    if (Math.abs(size) < 0.1) return `${withMinusSign(significant(size, 2))}%`;
    if (size < 100 && Number(fixed(size, 1)) === 100) return "> 99.9%";
    let decimals = 1;
    while (Number(fixed(size, decimals)) === 100) decimals += 1;
    return `${withMinusSign(fixed(size, decimals))}%`;
  }

  /** The limits of an interval; an empty string if there is none. */
  function interval(low, high) {
    return Number.isNaN(low) || Number.isNaN(high) ? "" : `${number(low)} to ${number(high)}`;
  }

  /** A value with its interval in parentheses, with some significant digits or more. */
  function estimate({ value, low, high }, digits = MIN_DIGITS) {
    if (Number.isNaN(value)) return "undefined";
    let decimals = estimateDecimals(value, low, high, digits);
    // With fewer digits than usual, a value is still never rounded to 0 or 1.
    const isWhole = () => value > 0 && value < 1 && [0, 1].includes(Number(fixed(value, decimals)));
    while (digits < MIN_DIGITS && decimals < MAX_DECIMALS && isWhole()) decimals += 1;
    if (Number.isNaN(low) || Number.isNaN(high)) return decimal(value, decimals);
    const text = (size) => (value === 0 && size === 0 ? "0" : decimal(size, decimals));
    const limits = [low, high].map(text);
    const separator = Math.min(low, high) < 0 || Math.abs(high) === Infinity ? " to " : "–";
    return `${text(value)} (${limits.join(separator)})`;
  }

  /** A difference with its interval, each with its sign; enough decimals show on which side of 0 the limits are. */
  function difference({ value, low, high }) {
    if (Number.isNaN(value)) return "undefined";
    let decimals = estimateDecimals(value, low, high, MIN_DIGITS);
    const isBlurred = (limit) => Number.isFinite(limit) && limit !== 0 && Number(fixed(limit, decimals)) === 0;
    while (decimals < MAX_DECIMALS && [low, high].some(isBlurred)) decimals += 1;
    if (Number.isNaN(low) || Number.isNaN(high)) return signed(value, decimals);
    return `${signed(value, decimals)} (${signed(low, decimals)} to ${signed(high, decimals)})`;
  }

  function signed(value, decimals) {
    const text = decimal(value, decimals);
    if (!/[1-9∞]/.test(text)) return "0";
    return value > 0 ? `+${text}` : text;
  }

  /** Decimals for some significant digits, or more if these would blur the interval. */
  function estimateDecimals(value, low, high, digits) {
    const limits = [low, high].filter(Number.isFinite);
    const largest = Math.max(0, ...[value, ...limits].filter(Number.isFinite).map(Math.abs));
    const width = limits.length === 2 ? Math.max(...limits) - Math.min(...limits) : 0;
    let decimals = largest === 1 ? digits : significantDecimals(largest, digits);
    if (!(width > 1e-12 * largest)) return decimals;
    while (decimals < MAX_DECIMALS && width < MIN_WIDTH * 10 ** -decimals) decimals += 1;
    return decimals;
  }

  function significantDecimals(value, digits) {
    if (!value) return digits;
    const [, exponent] = value.toExponential(digits - 1).split("e");
    return Math.min(Math.max(digits - 1 - Number(exponent), 0), MAX_DECIMALS);
  }

  /** A number with fixed decimals, a minus sign (not a hyphen) and no negative zero. */
  function decimal(value, decimals) {
    const sign = value < 0 ? "−" : "";
    if (!Number.isFinite(value)) return `${sign}∞`;
    const text = groupThousands(fixed(Math.abs(value), decimals));
    return /[1-9]/.test(text) ? sign + text : text;
  }

  /** A formatted amount with the currency, if there is one: codes before a space, symbols without. */
  function money(text, currency) {
    if (!currency) return text;
    if (/^[\p{L}\p{N}]+$/u.test(currency)) return `${currency} ${text}`;
    return text.startsWith("-") || text.startsWith("−") ? `${text[0]}${currency}${text.slice(1)}` : `${currency}${text}`;
  }

  return { amount, count, decimal, difference, estimate, interval, money, number, percent, significant, threshold };
})();
