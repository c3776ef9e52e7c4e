/* What the threshold means: the confusion matrix in the classes and the unit of the user, and the
   goal, costs, population and reject band, which the reader can change. */
const Meaning = (() => {
  "use strict";

  const { html } = Svg;
  const CELLS = {
    tp: { row: 0, column: 0, name: "true positives" },
    fn: { row: 0, column: 1, name: "missed" },
    rp: { row: 0, column: 2, name: "to a person" },
    fp: { row: 1, column: 0, name: "false alarms" },
    tn: { row: 1, column: 1, name: "true negatives" },
    rn: { row: 1, column: 2, name: "to a person" },
  };
  const NATURAL_SIZES = [1000, 10_000, 100_000, 1_000_000]; // people in a sentence on a larger population
  const MIN_POSITIVES = 10; // among them

  /* ---- sentences ---- */

  /** What happens to the people, as whole numbers: of 1,000 of them if they are many. */
  function headline(view) {
    const { matrix: m, prior, words, isCounted } = view;
    const natural = NATURAL_SIZES.find((number) => number < prior.population && number * prior.prevalence >= MIN_POSITIVES);
    const factor = isCounted && natural ? natural / prior.population : 1;
    const size = (value) => Words.size(value * factor, isCounted);
    const whole = `Of ${size(prior.population)} ${words.units}`;
    const about = factor === 1 ? "" : "about ";
    const be = (value) => (size(value) === "1" ? "is" : "are");
    const person = m.rp + m.rn > 0 ? `, ${size(m.rp + m.rn)} ${view.band ? "go to a person" : "are left undecided"}` : "";
    return `${whole}, ${about}${size(m.tp + m.fp)} ${be(m.tp + m.fp)} flagged: ${size(m.tp)} ${view.positive} and ${size(m.fp)} false ${size(m.fp) === "1" ? "alarm" : "alarms"}${person}. ${Words.capitalized(`${size(m.fn)} ${view.positive} ${be(m.fn)} missed.`)}`;
  }

  const isProfit = ({ costs }) => Math.min(costs.tp, costs.tn, costs.fp, costs.fn) < 0;

  /** Sentences on the cost of these decisions, the best threshold and trivial decisions. */
  function costSentences(view) {
    const { costs, prior, ranking, words } = view;
    const problem = Rankings.costProblem(costs);
    if (problem) return [problem];
    const sign = isProfit(view) ? -1 : 1;
    const isCounted = Tiles.areErrorsCounted(costs);
    const verb = isCounted ? "make" : sign < 0 ? "earn" : "cost";
    const costAt = (index) => Rankings.totalCost(Rankings.matrix(ranking, index, index, prior), costs);
    const money = (value) => (isCounted ? `${Words.size(value, view.isCounted)} errors` : Words.money(Words.amount(sign * value), view));
    const total = Rankings.totalCost(view.matrix, costs);
    const best = view.lowestCostIndex;
    const excess = total - costAt(best);
    const isBest = Math.abs(excess) <= 1e-9 * Math.max(Math.abs(total), 1);
    const rule = best === 0 ? "flagging nobody" : best === ranking.last ? "flagging everybody" : `a threshold of ${ranking.text(best)}`;
    const isReviewFree = view.matrix.rp + view.matrix.rn > 0 && costs.rp === 0 && costs.rn === 0;
    const comparison = isReviewFree && view.band
      ? "Undecided cases cost nothing here: enter what a person’s look costs."
      : isBest
      ? "No threshold of this model is better."
      : excess > 0
        ? `The best single threshold would ${verb} ${money(costAt(best))} (${rule}).`
        : `That is ${isCounted ? `${Words.size(-excess, view.isCounted)} fewer` : `${Words.money(Words.amount(-excess), view)} better`} than any single threshold.`;
    return [
      `These decisions ${verb} ${money(total)} for ${Words.size(prior.population, view.isCounted)} ${words.units}.`,
      comparison,
      `Flagging nobody would ${verb} ${money(costAt(0))}, flagging everybody ${money(costAt(ranking.last))}.`,
    ];
  }

  /* ---- the matrix ---- */

  class MatrixTable {
    constructor(element) {
      this.element = element;
    }

    update(view) {
      const columns = view.undecided ? 3 : 2;
      const key = JSON.stringify([view.layout, columns, view.names]);
      if (this.key !== key) this.#build(view, columns, key);
      this.move(view);
    }

    move(view) {
      const m = view.matrix;
      const totals = [m.tp + m.fn + m.rp, m.fp + m.tn + m.rn];
      for (const { cell, count, percent } of this.cells) {
        Words.write(count, Words.size(m[cell], view.isCounted));
        const total = totals[CELLS[cell].row];
        Words.write(percent, total > 0 ? Numbers.percent(m[cell] / total) : "");
      }
    }

    #build(view, columns, key) {
      this.key = key;
      this.cells = [];
      const classes = view.names.map((name) => Svg.truncate(name, 32));
      const actual = classes.map((name) => classHead("actual", name));
      const predicted = [...classes.map((name) => classHead("predicted", name)), classHead("left", "undecided")].slice(0, columns);
      const byActual = view.layout === "actual";
      const [rows, heads] = byActual ? [actual, predicted] : [predicted, actual];
      const cell = (row, column) => {
        const [name, { name: label }] = Object.entries(CELLS).find(([, place]) => place.row === row && place.column === column);
        const [count, percent] = [html("span", { class: "count" }), html("span", { class: "percent" })];
        this.cells.push({ cell: name, count, percent });
        return html("td", { class: `cell ${column === 2 ? "undecided" : name}` }, html("div", {}, count, " ", percent, " ", html("span", { class: "cell-name" }, label)));
      };
      this.element.replaceChildren(
        html("caption", {}, "Confusion matrix; percentages are of the actual class"),
        html("thead", {}, html("tr", {}, html("td"), ...heads.map((head) => head("col")))),
        html("tbody", {}, ...rows.map((head, row) => html("tr", {}, head("row"),
          ...heads.map((_, column) => (byActual ? cell(row, column) : cell(column, row)))))),
      );
    }
  }

  const classHead = (word, name) => (scope) => html("th", { scope }, html("small", {}, word), " ", html("bdi", {}, name));

  /* ---- the goal ---- */

  /** The goal picker: a goal and, if it takes one, its value. */
  class GoalPicker {
    constructor(element, document, onGoal) {
      this.select = element.querySelector("#goal");
      this.field = element.querySelector("#goal-field");
      this.value = element.querySelector("#goal-value");
      this.unit = element.querySelector("#goal-unit");
      this.onGoal = onGoal;
      this.values = Object.fromEntries(Object.entries(Goals.FIELDS).map(([name, { initial }]) => [name, initial]));
      this.select.replaceChildren(...Goals.options(document).map(([value, label]) => html("option", { value }, label)));
      this.select.addEventListener("change", () => this.#choose());
      this.value.addEventListener("change", () => this.#enter());
    }

    update(view) {
      const { name, value } = view.goal;
      if (value !== null) this.values[name] = value;
      this.view = view;
      this.select.value = name;
      this.#show(name);
    }

    #show(name) {
      const field = Goals.FIELDS[name];
      this.field.hidden = !field;
      if (!field) return;
      const value = name === "number" ? this.view.threshold : this.values[name] ?? this.#usual(name);
      if (document.activeElement !== this.value) this.value.value = field.unit === "percent" ? Number((100 * value).toPrecision(6)) : value;
      this.unit.textContent = field.unit === "percent" ? "%" : field.unit === "cases" ? this.view.words.units : "";
      const label = this.select.selectedOptions[0]?.textContent ?? "";
      this.value.setAttribute("aria-label", field.unit === "percent" ? `${label}, in percent` : label);
    }

    /** A tenth of all cases, until the reader says how many can be handled. */
    #usual(name) {
      return name === "capacity" ? Math.max(1, Math.round(this.view.prior.population / 10)) : null;
    }

    #choose() {
      const name = this.select.value;
      const value = name === "number" ? null : this.values[name] ?? this.#usual(name);
      this.onGoal({ name, value: value ?? null });
    }

    #enter() {
      const name = this.select.value;
      const text = this.value.value.replace(",", ".");
      const value = State.parseNumber(text);
      const scaled = Goals.FIELDS[name].unit === "percent" && value !== null ? value / 100 : value;
      this.onGoal({ name, value: scaled }, this.value);
    }
  }

  return { GoalPicker, MatrixTable, costSentences, headline };
})();
