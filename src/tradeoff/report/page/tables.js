/* Everything on the page that is read: sentences, the matrix, money, metrics, models, segments. */
const Tables = (() => {
  "use strict";

  const { html } = Drawing;
  const FIRST = "most asked for";
  const MOST_IN_LEGEND = 12;
  const UNDECIDED = Symbol("undecided");
  const words = (name) => name.replaceAll("_", " ");

  /** A head whose first `left` columns are text. */
  function head(names, left = 1) {
    return html("thead", {}, html("tr", {}, ...names.map((name, at) => html("th", { scope: "col", class: at < left ? "text" : null }, name))));
  }

  const shareOf = (part, all) => (all > 0 ? Numbers.share(part / all) : "undefined");

  /** Text that is only written when it changes. */
  function say(node, text) {
    if (node.textContent !== text) node.textContent = text;
  }

  /** How a threshold reads: where rows become positive. */
  function lineText(view, key = "upper") {
    return thresholdText(view.ranking, view.line, key);
  }

  /** A threshold as it was asked for, where that decides the same. */
  function thresholdText(ranking, line, key = "upper") {
    const { asked } = line;
    if (asked?.[key] !== undefined) return Numbers.threshold(asked[key]);
    return line[key] === 0 ? "none" : Numbers.threshold(ranking.thresholds[line[key]]);
  }

  const sided = (view) => (view.ranking.sign > 0 ? "or more" : "or less");

  /** What the line does, in a sentence or two. */
  function headline(view) {
    const m = view.matrix;
    const [positives, negatives] = [m.tp + m.fn + m.rp, m.fp + m.tn + m.rn];
    const of = (part, all) => (all > 0 ? ` (${Numbers.share(part / all)})` : "");
    const where = view.line.upper === 0 ? "when nothing is called" : `with a score of ${lineText(view)} ${sided(view)} called`;
    const found = `${amount(m.tp)} of ${amount(positives)} ${view.positive} are found${of(m.tp, positives)}`;
    const alarms = `${amount(m.fp)} of ${amount(negatives)} ${view.negative} are called so by mistake${of(m.fp, negatives)}`;
    const rejected = m.rp + m.rn;
    const from = view.band ? ` with scores from ${lineText(view, "lower")} on` : "";
    const left = rejected > 0 ? ` ${amount(rejected)} ${view.unit}${from} are left undecided${of(rejected, positives + negatives)}.` : "";
    const told = `${where} ${view.positive}, ${found}, and ${alarms}.${left}`;
    if (view.rankings.length > 1) return `${Drawing.quoted(view.ranking.name)}: ${told}`;
    return told[0].toUpperCase() + told.slice(1);
  }

  /** Counts of a population are rounded to what can be counted. */
  function amount(value) {
    return Numbers.count(Math.abs(value) < 10 ? Number(value.toFixed(2)) : Number(value.toFixed(1)));
  }

  /* ---- the confusion matrix ---- */

  class Matrix {
    constructor(element) {
      this.element = element;
    }

    update(view) {
      const m = view.matrix;
      const rejecting = m.rp + m.rn > 0 || view.band;
      const actual = [
        { name: view.names[0], cells: [m.tp, m.fn, m.rp], right: 0 },
        { name: view.names[1], cells: [m.fp, m.tn, m.rn], right: 1 },
      ];
      const predicted = [...view.names, UNDECIDED];
      const wide = rejecting ? 3 : 2;
      const sums = actual.map((row) => row.cells.reduce((a, b) => a + b, 0));
      const key = `${view.layout}${wide}`;
      if (this.key !== key) this.build(view, actual, predicted.slice(0, wide), key);
      this.cells.forEach(({ node, small, row, column }) => {
        const value = actual[row].cells[column];
        say(node, amount(value));
        say(small, sums[row] > 0 ? Numbers.share(value / sums[row]) : "");
      });
    }

    build(view, actual, predicted, key) {
      this.key = key;
      this.cells = [];
      const byActual = view.layout === "actual";
      const cell = (row, column) => {
        const [node, small] = [html("span", { class: "count" }), html("span", { class: "percent" })];
        this.cells.push({ node, small, row, column });
        const kind = column === 2 ? "undecided" : column === actual[row].right ? "right" : "wrong";
        return html("td", { class: kind }, node, small);
      };
      const heads = byActual ? predicted : actual.map((row) => row.name);
      const sides = byActual ? actual.map((row) => row.name) : predicted;
      const [above, beside] = byActual ? ["called", "is"] : ["is", "called"];
      const rows = sides.map((side, at) => html("tr", {},
        named("row", beside, side),
        ...heads.map((_, other) => (byActual ? cell(at, other) : cell(other, at)))));
      this.element.replaceChildren(
        html("caption", {}, "Confusion matrix; in percent of the actual class"),
        html("thead", {}, html("tr", {}, html("td"), ...heads.map((head) => named("col", above, head)))),
        html("tbody", {}, ...rows),
      );
    }
  }

  function named(scope, word, name) {
    return html("th", { scope }, html("small", {}, name === UNDECIDED ? "left" : word), " ", html("bdi", {}, name === UNDECIDED ? "undecided" : Drawing.short(name)));
  }

  /* ---- what it costs ---- */

  const cost = (total) => (total < 0 ? `bring ${paid(-total)}` : `cost ${paid(total)}`);

  /** A sum of money without the dust of adding it up. */
  const paid = (total) => Numbers.amount(Number(total.toPrecision(12)));

  function money(view) {
    const { costs, prior, ranking } = view;
    const wrong = Rankings.unreasonable(costs);
    if (wrong) return [wrong];
    const at = (place) => Rankings.total(Rankings.matrix(ranking, place, place, prior), costs);
    const now = Rankings.total(view.matrix, costs);
    const best = Rankings.cheapest(ranking, costs, prior);
    const each = Numbers.number(Math.abs(now) / prior.population);
    const said = [`These decisions ${cost(now)} for ${Numbers.count(prior.population)} ${view.unit}, ${each} each.`];
    const where = best === 0 ? "calling none" : `a threshold of ${Numbers.threshold(ranking.thresholds[best])}`;
    const more = now - at(best);
    const near = Math.abs(more) <= 1e-9 * Math.max(Math.abs(now), 1);
    said.push(near
      ? "No threshold of this model is better."
      : more > 0
        ? `The best threshold would ${cost(at(best))} (${where}).`
        : `That is ${paid(-more)} better than any single threshold.`);
    said.push(`Calling none would ${cost(at(0))}, calling all would ${cost(at(ranking.last))}.`);
    return said;
  }

  /* ---- every metric ---- */

  class Metrics {
    constructor(element, catalogue) {
      this.catalogue = catalogue;
      this.rows = new Map();
      const groups = new Map([[FIRST, catalogue.headlines("page")]]);
      for (const name of catalogue.names) {
        const { family } = catalogue.get(name);
        groups.set(family, [...(groups.get(family) ?? []), name]);
      }
      for (const [family, names] of groups) element.append(this.group(family, names));
    }

    /** Metrics of one family, folded away; a table is made when it is first opened. */
    group(family, names) {
      const body = html("tbody");
      const columns = ["metric", "value", "interval", "in words", "formula, with the counts"];
      const table = html("table", { class: "metrics" }, html("caption", { class: "hidden" }, `Metrics: ${family}`), head(columns, columns.length), body);
      const region = html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Metrics: ${family}` }, table);
      const fold = html("details", {}, html("summary", {}, `${family[0].toUpperCase()}${family.slice(1)} (${names.length})`), region);
      const filled = () => {
        if (!body.rows.length) body.append(...names.map((name) => this.row(name, fold)));
      };
      if (family === FIRST) {
        fold.open = true;
        filled();
      }
      // Opening also comes by Ctrl+F, so the event counts; the first one is of our own making.
      let ours = fold.open;
      fold.addEventListener("toggle", () => {
        if (fold.open && !ours) {
          filled();
          this.update(this.view);
        }
        ours = false;
      });
      return fold;
    }

    /** The few that stand beside the matrix. */
    keys(element) {
      const rows = this.catalogue.headlines("matrix").map((name) => {
        const cells = { value: html("td", { class: "number" }), ends: html("td", { class: "number" }), fold: { open: true } };
        this.rows.set(name, [...(this.rows.get(name) ?? []), cells]);
        return html("tr", {}, html("th", { scope: "row" }, words(name)), cells.value, cells.ends);
      });
      element.append(html("caption", {}, "Most asked for, with intervals"), html("tbody", {}, ...rows));
    }

    row(name, fold) {
      const about = this.catalogue.get(name);
      const cells = { fold, value: html("td", { class: "number" }), ends: html("td", { class: "number" }), words: html("td"), formula: html("td", { class: "formula" }) };
      const also = about.aliases.length ? html("small", {}, about.aliases.map(words).join(", ")) : null;
      this.rows.set(name, [...(this.rows.get(name) ?? []), cells]);
      return html("tr", {}, html("th", { scope: "row" }, words(name), also), cells.value, cells.ends, cells.words, cells.formula);
    }

    /** Write what is open. */
    update(view) {
      this.view = view;
      const open = [...this.rows]
        .map(([name, copies]) => [name, copies.filter(({ fold }) => fold.open)])
        .filter(([, copies]) => copies.length);
      const found = this.catalogue.estimates(view.matrix, view.about, open.map(([name]) => name));
      for (const [name, copies] of open) this.write(name, copies, view, found[name]);
    }

    write(name, copies, view, found) {
      const about = view.about;
      const parameters = about.parameters[name];
      const ends = intervalText(found);
      for (const cells of copies) {
        say(cells.value, Numbers.number(found.value));
        say(cells.ends, ends);
        cells.ends.title = [found.method, found.note].filter(Boolean).join("; ");
        if (!cells.words) continue;
        say(cells.words, this.catalogue.sentence(name, view.matrix, about));
        say(cells.formula, this.catalogue.filledIn(name, view.matrix, parameters));
      }
    }
  }

  function intervalText({ low, high, note }) {
    if (Number.isFinite(low) || Number.isFinite(high)) return Numbers.interval(low, high);
    return note ? "–" : "";
  }

  /* ---- models beside each other ---- */

  function estimateText(found) {
    if (found.value === null) return "undefined";
    return Numbers.brief({ value: found.value, low: found.low ?? NaN, high: found.high ?? NaN });
  }

  /** A summary as it is where positives are another share of all rows. */
  function following(summary, ranking, view) {
    if (view.prior.own || summary.follows === "rates" || summary.value === null) return estimateText(summary);
    if (summary.follows === "classes") {
      const [positive, negative] = summary.means;
      const { found, alarms, last } = ranking;
      const up = (view.prior.prevalence * found[last]) / ranking.positives;
      const down = ((1 - view.prior.prevalence) * alarms[last]) / ranking.negatives;
      return Numbers.number((up * positive + down * negative) / (up + down));
    }
    if (summary.name !== "average_precision") return "–"; // no other one is computed here
    const value = Rankings.averagePrecision(ranking, view.prior.prevalence);
    return `${ranking.model.thinned ? "≈ " : ""}${Numbers.number(value)}`;
  }

  class Models {
    constructor(element, choose) {
      this.element = element;
      this.choose = choose;
    }

    update(view) {
      const [first] = view.rankings;
      // A summary that no model has says nothing: scores need not be probabilities.
      const known = (_, at) => view.rankings.some(({ model }) => model.summaries[at].value !== null);
      this.shown = first.model.summaries.map(known);
      const names = first.model.summaries.filter((_, at) => this.shown[at]).map(({ name }) => words(name));
      const columns = ["model", ...names, "threshold", "found", "false alarms", "cost"];
      const rows = view.rankings.map((ranking, at) => this.row(view, ranking, at));
      this.element.replaceChildren(
        html("caption", { class: "hidden" }, "Models, each at its own threshold"),
        head(columns),
        html("tbody", {}, ...rows),
      );
    }

    /** Only the chosen model's line has moved. */
    move(view) {
      const at = view.active;
      this.element.tBodies[0].rows[at].replaceWith(this.row(view, view.rankings[at], at));
    }

    button(view, ranking, at) {
      const stroke = Drawing.svg("path", { class: `line model m${at % 8}${at === view.active ? " active" : ""}`, d: "M0 5H26" });
      const swatch = Drawing.svg("svg", { class: "swatch", viewBox: "0 0 26 10", "aria-hidden": "true" }, stroke);
      return html("button", { type: "button", class: "name", "aria-pressed": String(at === view.active), title: ranking.name, onclick: () => this.choose(at) }, swatch, html("bdi", {}, Drawing.short(ranking.name)));
    }

    /** Which line is whose, above the charts; of many models the first. */
    legend(view) {
      if (view.rankings.length < 2) return [];
      const shown = view.rankings.slice(0, MOST_IN_LEGEND).map((ranking, at) => html("li", {}, this.button(view, ranking, at)));
      const more = view.rankings.length - shown.length;
      return more > 0 ? [...shown, html("li", {}, `and ${more} more`)] : shown;
    }

    row(view, ranking, at) {
      const { upper, lower } = view.lines[at];
      const m = Rankings.matrix(ranking, upper, view.band ? lower : upper, view.priorOf(ranking));
      const numbers = [
        ...ranking.model.summaries.filter((_, at) => this.shown[at]).map((summary) => following(summary, ranking, view)),
        view.band && lower > upper ? `${thresholdText(ranking, view.lines[at], "lower")} to ${thresholdText(ranking, view.lines[at])}` : thresholdText(ranking, view.lines[at]),
        shareOf(m.tp, m.tp + m.fn + m.rp),
        shareOf(m.fp, m.fp + m.tn + m.rn),
        paid(Rankings.total(m, view.costs)),
      ];
      return html("tr", { class: at === view.active ? "active" : null }, html("th", { scope: "row" }, this.button(view, ranking, at)), ...numbers.map((text) => html("td", { class: "number" }, text)));
    }
  }

  function segments(element, view) {
    const own = view.ranking.model.segments ?? [];
    const shown = view.catalogue.headlines("parts");
    const columns = ["segment", view.unit, `share of ${view.positive}`, "auc", ...shown.map(words)];
    const { upper, lower } = view.line;
    const rows = own.map((segment) => {
      const { ranking } = segment;
      const asCounted = { prevalence: ranking.prevalence, population: ranking.rows };
      const m = Rankings.matrix(ranking, upper, view.band ? lower : upper, asCounted);
      const about = { ...view.about, ...Rankings.sampled(ranking, upper, view.band ? lower : upper), fixed: view.document.by_class };
      const cells = shown.map((name) => {
        return Numbers.brief(view.catalogue.estimate(name, m, about));
      });
      const positive = shareOf(ranking.positives, ranking.rows);
      return html("tr", {}, html("th", { scope: "row" }, Drawing.short(segment.name)), ...[Numbers.count(segment.rows), positive, estimateText(segment.auc), ...cells].map((text) => html("td", { class: "number" }, text)));
    });
    element.replaceChildren(
      html("caption", { class: "hidden" }, "Each segment as counted, at the same threshold"),
      head(columns),
      html("tbody", {}, ...rows),
    );
  }

  /** Differences between models, as Python found them on the shared rows. */
  function differences(element, comparison) {
    const columns = ["first", "second", "difference", "interval", "p", "adjusted p", "first better"];
    const rows = comparison.differences.map((d) => html("tr", {},
      html("th", { scope: "row" }, Drawing.short(d.first)), html("td", {}, Drawing.short(d.second)),
      ...[Numbers.number(d.value ?? NaN), d.low === null ? "–" : Numbers.interval(d.low, d.high), d.p, d.adjusted, d.better].map((text) => html("td", { class: "number" }, text ?? "–"))));
    element.replaceChildren(
      html("caption", { class: "hidden" }, "Differences between areas"),
      head(columns, 2),
      html("tbody", {}, ...rows),
    );
  }

  return { Matrix, Metrics, Models, headline, money, segments, differences, lineText, say, words, amount };
})();
