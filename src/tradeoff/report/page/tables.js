/* Tables and sentences: headline, confusion matrix, costs, metrics, models and segments. */
const Tables = (() => {
  "use strict";

  const { html } = Svg;
  const MAIN_METRICS = "main metrics";
  const MAX_IN_LEGEND = 12;
  const UNDECIDED = Symbol("undecided");
  const labels = new Map();

  /** Use the labels of a document: a metric's name as requested, else in the chosen vocabulary. */
  function setLabels(labelsByName) {
    for (const [name, text] of Object.entries(labelsByName)) labels.set(name, text);
  }

  const label = (name) => labels.get(name) ?? name.replaceAll("_", " ");

  /** Label without a synonym in parentheses, for column headings. */
  const shortLabel = (name) => label(name).replace(/ \(.*/, "");

  /** A table head; the first `left` columns are left-aligned. */
  function head(names, left = 1) {
    return html("thead", {}, html("tr", {}, ...names.map((name, index) => html("th", { scope: "col", class: index < left ? "text" : null }, name))));
  }

  const ratioText = (part, total) => (total > 0 ? Numbers.percent(part / total) : "undefined");

  /** Set the text of a node, if it changed. */
  function setText(node, text) {
    if (node.textContent !== text) node.textContent = text;
  }

  /** The selected threshold of the active model as text. */
  function selectedText(view, key = "upper") {
    return thresholdText(view.ranking, view.selection, key);
  }

  /** A selected threshold, as it was requested if that gives the same predictions. */
  function thresholdText(ranking, { requested, ...indices }, key = "upper") {
    if (requested?.[key] !== undefined) return Numbers.threshold(requested[key]);
    return indices[key] === 0 ? "none" : Numbers.threshold(ranking.thresholds[indices[key]]);
  }

  /** One or two sentences on the decisions at the threshold. */
  function headline(view) {
    const m = view.matrix;
    const [positives, negatives] = [m.tp + m.fn + m.rp, m.fp + m.tn + m.rn];
    const percent = (part, total) => (total > 0 ? ` (${Numbers.percent(part / total)})` : "");
    const sign = view.ranking.sign > 0 ? "≥" : "≤";
    const [upper, lower] = [selectedText(view), selectedText(view, "lower")];
    const hasUpper = view.selection.upper > 0;
    const rule = hasUpper ? `Predict ${view.positive} if ${Svg.quoted(view.ranking.name)} ${sign} ${upper}` : `Never predict ${view.positive}`;
    const truePositives = `${countText(m.tp)} of ${countText(positives)} ${view.positive} are true positives${percent(m.tp, positives)}`;
    const falsePositives = `${countText(m.fp)} of ${countText(negatives)} ${view.negative} are false positives${percent(m.fp, negatives)}`;
    const rejected = m.rp + m.rn;
    const range = hasUpper ? ` with scores between ${lower} and ${upper}` : ` with scores ${sign} ${lower}`;
    const undecided = rejected > 0
      ? ` ${countText(rejected)} ${view.unit}${view.band ? range : ""} are left undecided${percent(rejected, positives + negatives)}.` : "";
    return `${rule}: ${truePositives}, ${falsePositives}.${undecided}`;
  }

  /** A count in the population, rounded to a tenth. */
  function countText(value) {
    return Numbers.count(Math.abs(value) < 10 ? Number(value.toFixed(2)) : Number(value.toFixed(1)));
  }

  /* ---- the confusion matrix ---- */

  class MatrixTable {
    constructor(element) {
      this.element = element;
    }

    update(view) {
      const m = view.matrix;
      const hasRejected = m.rp + m.rn > 0 || view.band;
      const actual = [
        { name: view.names[0], cells: [m.tp, m.fn, m.rp], correct: 0 },
        { name: view.names[1], cells: [m.fp, m.tn, m.rn], correct: 1 },
      ];
      const predicted = [...view.names, UNDECIDED];
      const columns = hasRejected ? 3 : 2;
      const sums = actual.map((row) => row.cells.reduce((a, b) => a + b, 0));
      const key = `${view.layout}${columns}`;
      if (this.key !== key) this.build(view, actual, predicted.slice(0, columns), key);
      this.cells.forEach(({ count, percent, row, column }) => {
        const value = actual[row].cells[column];
        setText(count, countText(value));
        setText(percent, sums[row] > 0 ? Numbers.percent(value / sums[row]) : "");
      });
    }

    build(view, actual, predicted, key) {
      this.key = key;
      this.cells = [];
      const byActual = view.layout === "actual";
      const cell = (row, column) => {
        const [count, percent] = [html("span", { class: "count" }), html("span", { class: "percent" })];
        this.cells.push({ count, percent, row, column });
        const kind = column === 2 ? "undecided" : column === actual[row].correct ? "right" : "wrong";
        return html("td", { class: kind }, count, percent);
      };
      const columnNames = byActual ? predicted : actual.map((row) => row.name);
      const rowNames = byActual ? actual.map((row) => row.name) : predicted;
      const [columnWord, rowWord] = byActual ? ["predicted", "actual"] : ["actual", "predicted"];
      const rows = rowNames.map((name, row) => html("tr", {},
        classHead("row", rowWord, name),
        ...columnNames.map((_, column) => (byActual ? cell(row, column) : cell(column, row)))));
      this.element.replaceChildren(
        html("caption", {}, "Confusion matrix; percentages are of the actual class"),
        html("thead", {}, html("tr", {}, html("td"), ...columnNames.map((name) => classHead("col", columnWord, name)))),
        html("tbody", {}, ...rows),
      );
    }
  }

  function classHead(scope, word, name) {
    return html("th", { scope }, html("small", {}, name === UNDECIDED ? "left" : word), " ", html("bdi", {}, name === UNDECIDED ? "undecided" : Svg.truncate(name)));
  }

  /* ---- costs ---- */

  const costPhrase = (total, view) => (total < 0 ? `bring ${costText(-total, view)}` : `cost ${costText(total, view)}`);

  /** A total cost without the rounding errors of its sum, in the currency of the page. */
  const costText = (total, view) => Numbers.money(Numbers.amount(Number(total.toPrecision(12))), view.document.currency);

  /** Sentences on the cost of these decisions, the best threshold and trivial decisions. */
  function costSentences(view) {
    const { costs, prior, ranking } = view;
    const problem = Rankings.costProblem(costs);
    if (problem) return [problem];
    const costAt = (index) => Rankings.totalCost(Rankings.matrix(ranking, index, index, prior), costs);
    const total = Rankings.totalCost(view.matrix, costs);
    const best = Rankings.lowestCostIndex(ranking, costs, prior);
    const average = Numbers.money(Numbers.number(Math.abs(total) / prior.population), view.document.currency);
    const bestRule = best === 0 ? "nothing predicted positive" : `a threshold of ${Numbers.threshold(ranking.thresholds[best])}`;
    const excess = total - costAt(best);
    const isBest = Math.abs(excess) <= 1e-9 * Math.max(Math.abs(total), 1);
    const comparison = isBest
      ? "No threshold of this model is better."
      : excess > 0
        ? `The best threshold would ${costPhrase(costAt(best), view)} (${bestRule}).`
        : `That is ${costText(-excess, view)} better than any single threshold.`;
    return [
      `These decisions ${costPhrase(total, view)} for ${Numbers.count(prior.population)} ${view.unit}, ${average} each.`,
      comparison,
      `Predicting all negative would ${costPhrase(costAt(0), view)}, predicting all positive would ${costPhrase(costAt(ranking.last), view)}.`,
    ];
  }

  /* ---- metrics ---- */

  class MetricTables {
    constructor(element, catalogue) {
      this.catalogue = catalogue;
      this.rows = new Map();
      const groups = new Map([[MAIN_METRICS, catalogue.headlines("page")]]);
      for (const name of catalogue.names) {
        const { family } = catalogue.get(name);
        groups.set(family, [...(groups.get(family) ?? []), name]);
      }
      for (const [family, names] of groups) element.append(this.group(family, names));
    }

    /** Metrics of one family in a collapsible section; its rows are created when it is first opened. */
    group(family, names) {
      const body = html("tbody");
      const columns = ["metric", "value", "CI", "in words", "formula with the counts"];
      const table = html("table", { class: "metrics" }, html("caption", { class: "hidden" }, `Metrics: ${family}`), head(columns, columns.length), body);
      const region = html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Metrics: ${family}` }, table);
      const details = html("details", {}, html("summary", {}, `${family[0].toUpperCase()}${family.slice(1)} (${names.length})`), region);
      const fill = () => {
        if (!body.rows.length) body.append(...names.map((name) => this.row(name, details)));
      };
      if (family === MAIN_METRICS) {
        details.open = true;
        fill();
      }
      // Ctrl+F opens sections without a click. The first event of an initially open section is not the reader's.
      let isInitial = details.open;
      details.addEventListener("toggle", () => {
        if (details.open && !isInitial) {
          fill();
          this.update(this.view);
        }
        isInitial = false;
      });
      return details;
    }

    /** The main metrics beside the confusion matrix. */
    fillMain(element) {
      const rows = this.catalogue.headlines("matrix").map((name) => {
        const cells = { value: html("td", { class: "number" }), interval: html("td", { class: "number" }), details: { open: true } };
        this.rows.set(name, [...(this.rows.get(name) ?? []), cells]);
        return html("tr", {}, html("th", { scope: "row" }, label(name)), cells.value, cells.interval);
      });
      element.append(html("caption", {}, "Main metrics with confidence intervals"), html("tbody", {}, ...rows));
    }

    row(name, details) {
      const { aliases } = this.catalogue.get(name);
      const cells = { details, value: html("td", { class: "number" }), interval: html("td", { class: "number" }), sentence: html("td"), formula: html("td", { class: "formula" }) };
      const otherNames = aliases.length ? html("small", {}, aliases.map(label).join(", ")) : null;
      this.rows.set(name, [...(this.rows.get(name) ?? []), cells]);
      return html("tr", {}, html("th", { scope: "row" }, label(name), otherNames), cells.value, cells.interval, cells.sentence, cells.formula);
    }

    /** Update the metrics of open sections. */
    update(view) {
      this.view = view;
      const open = [...this.rows]
        .map(([name, copies]) => [name, copies.filter(({ details }) => details.open)])
        .filter(([, copies]) => copies.length);
      const estimates = this.catalogue.estimates(view.matrix, view.context, open.map(([name]) => name));
      for (const [name, copies] of open) this.write(name, copies, view, estimates[name]);
    }

    write(name, copies, { matrix, context }, estimate) {
      for (const cells of copies) {
        setText(cells.value, Numbers.number(estimate.value));
        setText(cells.interval, intervalText(estimate));
        cells.interval.title = [estimate.method, estimate.note].filter(Boolean).join("; ");
        if (!cells.sentence) continue;
        setText(cells.sentence, this.catalogue.sentence(name, matrix, context));
        setText(cells.formula, this.catalogue.substitutedFormula(name, matrix, context.parameters[name]));
      }
    }
  }

  function intervalText({ low, high, note }) {
    if (Number.isFinite(low) || Number.isFinite(high)) return Numbers.interval(low, high);
    return note ? "–" : "";
  }

  /* ---- models ---- */

  function estimateText({ value, low, high }) {
    if (value === null) return "undefined";
    return Numbers.estimate({ value, low: low ?? NaN, high: high ?? NaN });
  }

  /** A summary of a ranking at the prevalence of the view. */
  function summaryText(summary, ranking, view) {
    if (view.prior.isSample || summary.follows === "rates" || summary.value === null) return estimateText(summary);
    if (summary.follows === "classes") {
      const [positive, negative] = summary.means;
      const { truePositives, falsePositives, last } = ranking;
      const positiveWeight = (view.prior.prevalence * truePositives[last]) / ranking.positives;
      const negativeWeight = ((1 - view.prior.prevalence) * falsePositives[last]) / ranking.negatives;
      return Numbers.number((positiveWeight * positive + negativeWeight * negative) / (positiveWeight + negativeWeight));
    }
    if (summary.name !== "average_precision") return "–"; // the page cannot compute others
    const value = Rankings.averagePrecision(ranking, view.prior.prevalence);
    return `${ranking.model.thinned ? "≈ " : ""}${Numbers.number(value)}`;
  }

  class ModelTable {
    constructor(element, onChoose) {
      this.element = element;
      this.onChoose = onChoose;
    }

    update(view) {
      const [first] = view.rankings;
      // Scores need not be probabilities: summaries that are undefined for all models have no column.
      this.isDefined = first.model.summaries.map((_, index) =>
        view.rankings.some(({ model }) => model.summaries[index].value !== null));
      const names = first.model.summaries.filter((_, index) => this.isDefined[index]).map(({ name }) => label(name));
      const columns = ["model", ...names, "threshold", shortLabel("true_positive_rate"), shortLabel("false_positive_rate"), "cost"];
      const rows = view.rankings.map((ranking, index) => this.row(view, ranking, index));
      this.element.replaceChildren(
        html("caption", { class: "hidden" }, "Models, each at its own threshold"),
        head(columns),
        html("tbody", {}, ...rows),
      );
    }

    /** Update the row of the active model, whose threshold moved. */
    move(view) {
      const { active } = view;
      this.element.tBodies[0].rows[active].replaceWith(this.row(view, view.rankings[active], active));
    }

    button(view, ranking, index) {
      const stroke = Svg.svg("path", { class: `line model m${index % 8}${index === view.active ? " active" : ""}`, d: "M0 5H26" });
      const swatch = Svg.svg("svg", { class: "swatch", viewBox: "0 0 26 10", "aria-hidden": "true" }, stroke);
      return html("button", { type: "button", class: "name", "aria-pressed": String(index === view.active), title: ranking.name, onclick: () => this.onChoose(index) }, swatch, html("bdi", {}, Svg.truncate(ranking.name)));
    }

    /** Legend above the charts; of many models, only the first few. */
    legend(view) {
      if (view.rankings.length < 2) return [];
      const items = view.rankings.slice(0, MAX_IN_LEGEND).map((ranking, index) => html("li", {}, this.button(view, ranking, index)));
      const more = view.rankings.length - items.length;
      return more > 0 ? [...items, html("li", {}, `and ${more} more`)] : items;
    }

    row(view, ranking, index) {
      const selection = view.selections[index];
      const { upper, lower } = selection;
      const threshold = thresholdText(ranking, selection);
      const m = Rankings.matrix(ranking, upper, view.band ? lower : upper, view.priorOf(ranking));
      const numbers = [
        ...ranking.model.summaries.filter((_, column) => this.isDefined[column]).map((summary) => summaryText(summary, ranking, view)),
        view.band && lower > upper ? `${thresholdText(ranking, selection, "lower")} to ${threshold}` : threshold,
        ratioText(m.tp, m.tp + m.fn + m.rp),
        ratioText(m.fp, m.fp + m.tn + m.rn),
        costText(Rankings.totalCost(m, view.costs), view),
      ];
      return html("tr", { class: index === view.active ? "active" : null }, html("th", { scope: "row" }, this.button(view, ranking, index)), ...numbers.map((text) => html("td", { class: "number" }, text)));
    }
  }

  function segments(element, view) {
    const metrics = view.catalogue.headlines("parts");
    const columns = ["segment", view.unit, `share of ${view.positive}`, "AUC", ...metrics.map(label)];
    const { upper } = view.selection;
    const lower = view.band ? view.selection.lower : upper;
    const rows = (view.ranking.model.segments ?? []).map((segment) => {
      const { ranking } = segment;
      const samples = Rankings.sampleMatrices(ranking, upper, lower);
      const context = { ...view.context, ...samples, fixed: view.document.by_class };
      const cells = metrics.map((name) => Numbers.estimate(view.catalogue.estimate(name, samples.real, context)));
      const prevalence = ratioText(ranking.positives, ranking.rows);
      return html("tr", {}, html("th", { scope: "row" }, Svg.truncate(segment.name)), ...[Numbers.count(segment.rows), prevalence, estimateText(segment.auc), ...cells].map((text) => html("td", { class: "number" }, text)));
    });
    element.replaceChildren(
      html("caption", { class: "hidden" }, "Segments of the sample at the same threshold"),
      head(columns),
      html("tbody", {}, ...rows),
    );
  }

  /** Best thresholds of the models for the initial costs or goal, as texts of the document. */
  function decisions(element, table) {
    const rows = table.rows.map(([name, ...cells]) => html("tr", {},
      html("th", { scope: "row" }, Svg.truncate(name)), ...cells.map((text) => html("td", { class: "number" }, text))));
    element.replaceChildren(
      html("caption", { class: "hidden" }, "Best threshold of each model"),
      head(["model", ...table.columns]),
      html("tbody", {}, ...rows),
    );
  }

  /** Differences between models on their shared rows, from the document. */
  function differences(element, comparison) {
    const columns = ["first", "second", "difference", "CI", "p", "adjusted p", "first better"];
    const rows = comparison.differences.map((d) => html("tr", {},
      html("th", { scope: "row" }, Svg.truncate(d.first)), html("td", {}, Svg.truncate(d.second)),
      ...[Numbers.number(d.value ?? NaN), d.low === null ? "–" : Numbers.interval(d.low, d.high), d.p, d.adjusted, d.better].map((text) => html("td", { class: "number" }, text ?? "–"))));
    element.replaceChildren(
      html("caption", { class: "hidden" }, "Differences in AUC"),
      head(columns, 2),
      html("tbody", {}, ...rows),
    );
  }

  return { MatrixTable, MetricTables, ModelTable, headline, costSentences, segments, decisions, differences, selectedText, setText, setLabels, label, shortLabel };
})();
