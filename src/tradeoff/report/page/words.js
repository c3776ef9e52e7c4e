/* The words of the page: counts of people, amounts of money, rates and decision rules as text.

   Names from data stand in sentences between U+2068 and U+2069; `write` turns these into <bdi>
   elements, so that no invisible character is on the page or in what is copied from it. */
const Words = (() => {
  "use strict";

  const { html, truncate } = Svg;
  const ISOLATED = /\u2068([^\u2069]*)\u2069/;
  const ISOLATES = /[\u2068\u2069]/g;
  const MIN_WHOLE_AMOUNT = 1000;
  const written = new WeakMap();

  /** A name whose writing direction does not affect the sentence around it. */
  const isolated = (name, length = 30) => `\u2068${truncate(name, length)}\u2069`;

  const quoted = (name) => `“${isolated(name)}”`;

  /** A sentence without the marks around its names. */
  const plain = (text) => text.replace(ISOLATES, "");

  /** Write a sentence into a node, if it changed; names become <bdi> elements. */
  function write(node, text) {
    if (written.get(node) === text) return;
    written.set(node, text);
    const parts = text.split(ISOLATED);
    node.replaceChildren(...parts.map((part, index) => (index % 2 ? html("bdi", {}, part) : part)).filter((part) => part !== ""));
  }

  /** Write a text of parts, of which those in an array are left out where there is little room. */
  function writeParts(node, parts) {
    const key = parts.join("\u0000");
    if (written.get(node) === key) return;
    written.set(node, key);
    node.replaceChildren(...parts.map((part) => (Array.isArray(part) ? html("span", { class: "also" }, part[0]) : part)));
  }

  const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

  /** A count of people: whole, and "<1" if it is not zero but rounds to it. */
  function people(value) {
    if (Number.isNaN(value)) return "undefined";
    const whole = Math.round(value);
    if (whole === 0 && Math.abs(value) > 1e-9) return "<1";
    return Numbers.count(whole);
  }

  /** A sum of weights, or a count of people. */
  function size(value, isCounted) {
    if (isCounted) return people(value);
    return Numbers.count(Number(value.toPrecision(value >= 1e5 ? 6 : 5)));
  }

  /** A proportion in percent; undefined is said. */
  const rate = (value) => (Number.isNaN(value) ? "undefined" : Numbers.percent(value));

  const ratio = (part, total) => rate(total > 0 ? part / total : NaN);

  /** The limits of an interval in percent, with the sign once: "93.0–95.8%". */
  function rateInterval(low, high) {
    if (!Number.isFinite(low) || !Number.isFinite(high)) return "";
    return `${Numbers.percent(low).slice(0, -1)}–${Numbers.percent(high)}`;
  }

  /** An amount of money: whole if it is whole or large, else with two or more decimals. */
  function amount(value) {
    const rounded = Number(value.toFixed(9)) + 0;
    if (Number.isInteger(rounded) || Math.abs(rounded) >= MIN_WHOLE_AMOUNT) return withMinus(Numbers.count(Math.round(rounded)));
    return withMinus(Math.abs(rounded) >= 0.1 ? rounded.toFixed(2) : Numbers.number(rounded));
  }

  const withMinus = (text) => text.replace("-", "−");

  /** A value with three significant digits, such as a cost per person. */
  function average(value) {
    if (Number.isNaN(value)) return "undefined";
    const size = Math.abs(value);
    if (size >= MIN_WHOLE_AMOUNT) return withMinus(Numbers.count(Math.round(value)));
    return withMinus(size ? Number(value.toPrecision(3)).toFixed(Math.max(0, 2 - Math.floor(Math.log10(size)))) : "0");
  }

  const money = (text, view) => Numbers.money(text, view.words.currency);

  /** A difference of amounts with its sign: "€" after it, "EUR" before. */
  function moneyDifference(value, view) {
    const text = money(amount(Math.abs(value)), view);
    const { currency } = view.words;
    return /^[\p{L}\p{N}]+$/u.test(currency) ? money(signed(amount(Math.abs(value)), value), view) : signed(text, value);
  }

  /** A number with its sign, which is a minus, not a hyphen. */
  function signed(text, value) {
    const unsigned = text.replace(/^[-−]/, "");
    return value > 0 ? `+${unsigned}` : value < 0 ? `−${unsigned}` : unsigned;
  }

  /** The word for this number of rows. */
  const noun = (count, { unit, units }) => (count === 1 ? unit : units);

  /** "a score of 0.3 or more", or "or less" if low scores are positive. */
  const scoreRule = (ranking, text) => `a score of ${text} or ${ranking.sign > 0 ? "more" : "less"}`;

  /** The rule of a selection in words: whom to flag, and whom to send to a person. */
  function rule(view, selection, ranking = view.ranking) {
    const { units } = view.words;
    const text = (key) => thresholdText(ranking, selection, key);
    const isBand = selection.lower > selection.upper;
    const low = ranking.sign > 0 ? "below" : "above";
    const undecided = isBand ? (selection.lower >= ranking.last ? `all other ${units}` : `those from ${text("lower")} to ${low} ${text("upper")}`) : "";
    if (isBand && selection.upper === 0) return `Flag no ${units}; send ${selection.lower >= ranking.last ? `all ${units}` : `those with ${scoreRule(ranking, text("lower"))}`} to a person.`;
    if (selection.upper === 0) return `Flag no ${units}.`;
    if (selection.upper >= ranking.last && !isBand) return `Flag all ${units}.`;
    return `Flag ${units} with ${scoreRule(ranking, text("upper"))}${undecided ? `; send ${undecided} to a person` : ""}.`;
  }

  /** A threshold of a selection, as it was requested if that decides the same. */
  function thresholdText(ranking, { requested, ...indices }, key = "upper") {
    if (requested?.[key] !== undefined) return withMinus(Numbers.threshold(requested[key]));
    return withMinus(ranking.text(indices[key]));
  }

  /** Names joined by commas and "and". */
  const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

  return { amount, average, capitalized, isolated, list, money, moneyDifference, noun, people, plain, quoted, rate, rateInterval, ratio, rule, signed, size, thresholdText, write, writeParts };
})();
