/* The tiles: five numbers at the threshold, each with its interval and its difference to the pinned threshold. */
const Tiles = (() => {
  "use strict";

  const { html } = Svg;
  const RATES = ["true_positive_rate", "false_positive_rate", "precision"];
  const BETTER = { true_positive_rate: 1, false_positive_rate: -1, precision: 1, flagged: 0, cost: -1 };

  /** Whether errors are merely counted: costs of 1 for each, as without costs. */
  function areErrorsCounted({ fp, fn, tp, tn, rp, rn, fixed }) {
    return fp === 1 && fn === 1 && [tp, tn, rp, rn, fixed ?? 0].every((cost) => cost === 0);
  }

  /** A label; the synonym in its parentheses is left out where there is no room. */
  function labelParts(text) {
    const [name, also] = text.split(/(?= \()/);
    return also ? [name, [also]] : [name];
  }

  const flagged = ({ tp, fp }) => tp + fp;

  /** A difference of rates in percentage points. */
  function points(difference) {
    const size = Math.abs(100 * difference);
    const text = size === 0 ? "0" : size < 0.1 ? Numbers.significant(size, 2) : size.toFixed(1);
    return `${Words.signed(text, difference)} points`;
  }

  class Strip {
    #tiles = new Map();

    constructor(element) {
      for (const name of [...RATES, "flagged", "cost"]) this.#tiles.set(name, this.#tile(element, name));
    }

    #tile(element, name) {
      const parts = Object.fromEntries(["label", "value", "range", "change"].map((part) => [part, html("span", { class: part })]));
      element.append(html("div", { class: "tile", id: `tile-${name}` }, parts.label, parts.value, parts.range, parts.change));
      return parts;
    }

    update(view) {
      for (const name of RATES) Words.writeParts(this.#tiles.get(name).label, labelParts(Words.capitalized(Tables.label(name))));
      Words.write(this.#tiles.get("flagged").label, `${Words.capitalized(view.words.units)} flagged`);
      this.move(view);
    }

    move(view) {
      const estimates = view.catalogue.estimates(view.matrix, view.context, [...RATES, "accuracy", "expected_cost"]);
      const pinned = view.pinnedMatrix;
      const values = pinned ? view.catalogue.values(pinned, RATES) : null;
      for (const name of RATES) {
        const { value, low, high } = estimates[name];
        const interval = Words.rateInterval(low, high);
        this.#write(name, Words.rate(value), interval ? [[`${view.level} CI `], interval] : []);
        this.#compare(name, view, value - values?.[name], points);
      }
      this.#writeFlagged(view, pinned);
      this.#writeCost(view, pinned, estimates);
    }

    #writeFlagged(view, pinned) {
      const { matrix, prior } = view;
      const size = (value) => Words.size(value, view.isCounted);
      this.#write("flagged", size(flagged(matrix)), [`${Words.ratio(flagged(matrix), prior.population)} of ${size(prior.population)}`]);
      this.#compare("flagged", view, pinned ? flagged(matrix) - flagged(pinned) : NaN, (difference) => Words.signed(size(Math.abs(difference)), difference));
    }

    #writeCost(view, pinned, { accuracy, expected_cost: average }) {
      const { costs, prior, words } = view;
      const total = (matrix) => Rankings.totalCost(matrix, costs);
      const label = this.#tiles.get("cost").label;
      if (areErrorsCounted(costs)) {
        const interval = Words.rateInterval(accuracy.low, accuracy.high);
        Words.write(label, "Errors");
        this.#write("cost", Words.size(total(view.matrix), view.isCounted), [`accuracy ${Words.rate(accuracy.value)}`, [interval && ` (${interval})`]]);
        this.#compare("cost", view, pinned ? total(view.matrix) - total(pinned) : NaN, (difference) => Words.signed(Words.size(Math.abs(difference), view.isCounted), difference));
        return;
      }
      const isProfit = Math.min(costs.tp, costs.tn, costs.fp, costs.fn) < 0;
      const sign = isProfit ? -1 : 1;
      const each = sign * total(view.matrix) / prior.population;
      const ends = [sign * average.low, sign * average.high].sort((a, b) => a - b);
      const interval = costs.fixed || ends.some((end) => !Number.isFinite(end)) ? "" : ` (${ends.map(Words.average).join(ends[0] < 0 ? " to " : "–")})`;
      const money = (value) => Words.money(Words.amount(value), view);
      Words.write(label, isProfit ? "Profit" : "Cost");
      this.#write("cost", money(sign * total(view.matrix)), [`${Words.average(each)}${interval}`, [` per ${words.unit}`]]);
      this.#compare("cost", view, pinned ? sign * (total(view.matrix) - total(pinned)) : NaN, (difference) => Words.moneyDifference(difference, view), isProfit ? 1 : -1);
    }

    #write(name, value, range) {
      const tile = this.#tiles.get(name);
      Words.write(tile.value, value);
      Words.writeParts(tile.range, range);
    }

    /** The difference to the pinned threshold: better, worse or neither. */
    #compare(name, view, difference, text, better = BETTER[name]) {
      const { change } = this.#tiles.get(name);
      change.hidden = Number.isNaN(difference);
      if (change.hidden) return;
      const sign = Math.sign(better * difference);
      change.className = `change${sign > 0 ? " good" : sign < 0 ? " bad" : ""}`;
      Words.writeParts(change, [text(difference), [` vs ${Words.plain(view.pinText)}`]]);
    }
  }

  return { Strip, areErrorsCounted };
})();
