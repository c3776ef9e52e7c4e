/* Names and numbers in sentences, as in formatting.py and errors.py. */
const Sentences = (() => {
  "use strict";

  const JOINERS = /[\u200c\u200d]/;
  const CONTROL = /\p{C}/u;
  const [MIN_P_VALUE, MAX_P_VALUE, SIGNIFICANCE] = [0.001, 0.99, 0.05];

  /** A name from the data as a line of text: shortened, without control characters. */
  function printable(name, maxLength = 60) {
    const characters = [...name];
    const isLong = characters.length > maxLength;
    const shown = isLong
      ? [...characters.slice(0, Math.floor(maxLength / 2)), "…", ...characters.slice(characters.length - Math.floor((maxLength - 1) / 2))]
      : characters;
    return shown.map((character) => (CONTROL.test(character) && !JOINERS.test(character) ? "?" : character)).join("");
  }

  /** A name in straight quotes. */
  function quote(name) {
    const mark = name.includes("'") && !name.includes('"') ? '"' : "'";
    return `${mark}${name.replaceAll("\\", "\\\\").replaceAll(mark, `\\${mark}`)}${mark}`;
  }

  /** Words joined by commas and "and". */
  function join(words) {
    return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
  }

  /** Names in quotes; of very many, the first ones and how many more there are. */
  function list(names, maxNames = 12) {
    const quoted = names.map((name) => quote(printable(name)));
    return join(quoted.length > maxNames ? [...quoted.slice(0, maxNames), `${Numbers.count(quoted.length - maxNames)} more`] : quoted);
  }

  /** "1 row", "1,000 rows". */
  const rows = (count) => `${Numbers.count(count)} row${count === 1 ? "" : "s"}`;

  const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

  /** A p-value as journals print it, with enough digits to see whether it is below 0.05. */
  function pValue(p) {
    if (Number.isNaN(p)) return "–";
    if (p < MIN_P_VALUE) return `< ${MIN_P_VALUE}`;
    if (p < 1 && p > MAX_P_VALUE && p.toFixed(2) === "1.00") return `> ${MAX_P_VALUE}`;
    let decimals = p < 0.01 ? 3 : 2;
    while (decimals < 12 && Number(p.toFixed(12)) !== SIGNIFICANCE && Number(p.toFixed(decimals)) === SIGNIFICANCE) decimals += 1;
    return p.toFixed(decimals);
  }

  return { capitalized, join, list, pValue, printable, quote, rows };
})();
