/* Numbers as text, exactly as tradeoff/text.py writes them. */
const Numbers = (() => {
  "use strict";

  const BEHIND = 40; // digits that are looked at to tell a tie from what is merely near one

  /** A number with so many decimals; ties go to the even digit, as in Python. */
  function fixed(value, places) {
    if (!Number.isFinite(value)) return unbounded(value);
    const size = Math.abs(value);
    return signOf(value) + (size < 1e21 ? nearest(size, places) : huge(size, places));
  }

  function nearest(size, places) {
    return evened(size.toFixed(places), size.toFixed(places + BEHIND));
  }

  function huge(size, places) {
    return BigInt(size).toString() + (places ? `.${"0".repeat(places)}` : "");
  }

  /** JavaScript rounds ties up. Where that made the last digit odd, the one below is even. */
  function evened(rounded, longer) {
    const isTie = /^50*$/.test(longer.slice(-BEHIND));
    const last = Number(rounded.at(-1));
    return isTie && last % 2 ? rounded.slice(0, -1) + (last - 1) : rounded;
  }

  function unbounded(value) {
    if (Number.isNaN(value)) return "nan";
    return value > 0 ? "inf" : "-inf";
  }

  function signOf(value) {
    return value < 0 || Object.is(value, -0) ? "-" : "";
  }

  /** A number with so many significant digits, without zeros at its end: Python's format "g". */
  function significant(value, digits) {
    if (!Number.isFinite(value)) return unbounded(value);
    const size = Math.abs(value);
    const [rounded, power] = size.toExponential(digits - 1).split("e");
    const [longer] = size.toExponential(digits - 1 + BEHIND).split("e");
    const all = evened(rounded, longer).replace(".", "");
    return signOf(value) + laidOut(all, Number(power), digits);
  }

  function laidOut(all, power, digits) {
    if (power >= -4 && power < digits) return withPoint(all, power);
    const sign = power < 0 ? "-" : "+";
    const size = String(Math.abs(power)).padStart(2, "0");
    return `${withPoint(all, 0)}e${sign}${size}`;
  }

  function withPoint(all, power) {
    const filled = "0".repeat(Math.max(-power, 0)) + all;
    const whole = Math.max(power, 0) + 1;
    return `${filled.slice(0, whole)}.${filled.slice(whole)}`.replace(/\.?0*$/, "");
  }

  /** Thousands apart. */
  function grouped(text) {
    return text.replace(/\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
  }

  /** A measured number: rounded, without noise, `undefined` when there is none. */
  function number(value, digits = 4) {
    if (value === null || Number.isNaN(value)) return "undefined";
    if (!Number.isFinite(value)) return unbounded(value);
    const size = Math.abs(value);
    if (size && size < 10 ** -digits) return significant(value, 2);
    const whole = BigInt(Math.trunc(size)).toString().length;
    return grouped(fixed(value + 0, Math.max(digits + 1 - whole, 0))); // + 0: no negative zero
  }

  /** A count or a sum of weights: whole numbers without a point. */
  function count(value) {
    if (Number.isInteger(value)) return grouped(BigInt(value).toString());
    const size = Math.abs(value);
    const isLarge = 1e5 < size && size < 1e15;
    return grouped(isLarge ? fixed(value, 0) : significant(value, 6));
  }

  /** A quantity that may be whole or not: 67 is not 67.000. */
  function amount(value) {
    return Number.isInteger(value) ? count(value) : number(value);
  }

  /** A threshold, rounded for reading. */
  function threshold(value) {
    return significant(value, 6);
  }

  /** A threshold, or that there is none. */
  function written(value) {
    return value === Infinity ? "none" : threshold(value);
  }

  /** A proportion in percent. */
  function share(value) {
    const percent = 100 * value;
    if (percent === 0 || percent === 100) return `${fixed(percent, 0)} %`;
    return `${Math.abs(percent) >= 0.1 ? fixed(percent, 1) : significant(percent, 2)} %`;
  }

  /** A level as people say it. */
  function percentOf(level) {
    return `${significant(100 * level, 10)} %`;
  }

  /** A number of rows, with the right word. */
  function rows(size) {
    return `${grouped(String(size))} row${size === 1 ? "" : "s"}`;
  }

  /** The ends of an interval for people; empty where there is none. */
  function interval(low, high) {
    return Number.isNaN(low) || Number.isNaN(high) ? "" : `${number(low)} to ${number(high)}`;
  }

  /** A value with its interval in as few characters as a narrow column needs. */
  function brief({ value, low, high }) {
    if (Number.isNaN(low) || Number.isNaN(high)) return number(value);
    return `${number(value)} (${shortEnds(low, high).join(low < 0 ? " to " : "–")})`;
  }

  /** Two digits behind the point; more where the ends would read nearly the same. */
  function shortEnds(low, high) {
    if (!(Math.abs(low) < 100 && Math.abs(high) < 100)) return [number(low), number(high)];
    const digits = [2, 3].find((d) => high - low >= 2 * 10 ** -d) ?? 4;
    return [low, high].map((end) => fixed(end, digits).replace(/^-(?=[0.]+$)/, ""));
  }

  return { amount, brief, count, grouped, interval, number, percentOf, rows, share, significant, threshold, written };
})();
