/* The table of cut-offs: counts and metrics with intervals at round thresholds, as `tradeoff cutoffs` prints them. */
const Cutoffs = (() => {
  "use strict";

  const { html } = Svg;
  const METRICS = [
    ["true_positive_rate", "sensitivity"], ["true_negative_rate", "specificity"], ["precision", "PPV"],
    ["negative_predictive_value", "NPV"], ["positive_likelihood_ratio", "LR+"], ["negative_likelihood_ratio", "LR−"],
  ];
  const RATIOS = new Set(["positive_likelihood_ratio", "negative_likelihood_ratio"]);
  const DIGITS = 2; // of proportions, as studies of diagnostic tests report them
  const MAX_KNOWN_ROWS = 100;
  const COUNTS = [["tp", "TP", "true_positives"], ["fp", "FP", "false_positives"], ["fn", "FN", "false_negatives"], ["tn", "TN", "true_negatives"]];

  /** The listed cut-offs of a model: {threshold, index, label}. */
  function listed(view) {
    const { ranking } = view;
    const youden = ranking.positives && ranking.negatives ? Rankings.youdenIndex(ranking) : -1;
    return (ranking.model.cutoffs ?? []).map((value) => {
      const threshold = Rankings.thresholdNumber(value);
      const index = ranking.indexOf(threshold);
      return { threshold, index, labels: index === youden ? ["Youden"] : [] };
    });
  }

  /** The cut-offs of the table, with those that are recommended and chosen; equal decisions share a row. */
  function cutoffs(view) {
    const { ranking } = view;
    const rows = listed(view);
    const add = (selection, key, label) => {
      const index = selection[key];
      const known = rows.find((row) => row.index === index);
      if (known) known.labels.push(label);
      else rows.push({ threshold: selection.requested?.[key] ?? ranking.thresholds[index], index, labels: [label] });
    };
    if (view.recommended) add(view.recommended, "upper", "recommended");
    add(view.selection, "upper", view.band ? "upper" : "chosen");
    if (view.band) add(view.selection, "lower", "lower");
    return rows;
  }

  class Table {
    /** `onMove(key, index, threshold)` chooses a cut-off, `onCopy(text, format)` puts a text on the clipboard. */
    constructor(element, { onMove = () => {}, onCopy = null } = {}) {
      const place = html("div");
      this.about = html("p", { class: "about" });
      element.replaceChildren(place, this.about, html("p", { class: "about screen" }, "Choose a row to move the threshold there."));
      this.choose = (threshold) => onMove("upper", this.view.ranking.indexOf(threshold), Number.isFinite(threshold) ? threshold : undefined);
      this.grid = new Tables.Grid(place, { label: "Cut-offs", onCopy, onRow: this.choose, sort: { name: "threshold", direction: "ascending" } });
    }

    update(view) {
      this.forget();
      this.move(view);
    }

    forget() {
      this.contents = new Map();
      this.rows = new Map();
    }

    move(view) {
      this.view = view;
      if (this.rows.size > MAX_KNOWN_ROWS) this.forget();
      this.grid.show(this.columns(view), cutoffs(view).map((cutoff) => this.row(view, cutoff)));
      Words.write(this.about, aboutText(view));
    }

    columns(view) {
      const sign = view.ranking.sign > 0 ? "≥" : "≤";
      const currency = view.words.currency && Charts.kindOf(view) !== "errors" ? `, ${view.words.currency}` : "";
      const limits = (name) => ["", "_low", "_high"].map((end, order) => [`${name}${end}`, ({ estimates }) => [estimates[name].value, estimates[name].low, estimates[name].high][order]]);
      return [
        { name: "threshold", label: `${Svg.truncate(view.ranking.name, 24)} ${sign}`, isText: true, isAscending: true, csv: [["cutoff", ({ threshold }) => threshold], ["label", ({ labels }) => labels.join(", ")]] },
        ...COUNTS.map(([name, label, csv]) => ({ name, label, csv: [[csv, ({ cells }) => cells[name].value]] })),
        { name: "flagged", label: "flagged", csv: [["predicted_positives", ({ cells }) => cells.flagged.value]] },
        ...METRICS.map(([name, label]) => ({ name, label, csv: limits(name) })),
        ...(Rankings.costProblem(view.costs) ? [] : [{ name: "cost", label: `${Charts.costName(view)}${currency}`, csv: [[Charts.kindOf(view), ({ cells }) => cells.cost.value]] }]),
      ];
    }

    /** The cut-off, which moves the threshold to it, and why it is listed. */
    button(threshold, text, labels) {
      return html("button", { type: "button", class: "name", onclick: () => this.choose(threshold) }, html("span", {}, text), ...(labels.length ? [" ", html("small", {}, labels.join(", "))] : []));
    }

    /** A row; all but its labels depend on the index alone, so that they are computed once. */
    row(view, { threshold, index, labels }) {
      const key = [index, threshold, ...labels].join();
      if (!this.contents.has(index)) this.contents.set(index, content(view, index));
      if (!this.rows.has(key)) this.rows.set(key, this.newRow(threshold, index, labels));
      return this.rows.get(key);
    }

    newRow(threshold, index, labels) {
      const { cells, estimates } = this.contents.get(index);
      const text = index ? Numbers.threshold(threshold) : "none";
      return {
        key: threshold,
        threshold,
        labels,
        estimates,
        className: labels.some((label) => ["chosen", "upper", "lower"].includes(label)) ? "active" : null,
        cells: { threshold: { value: threshold, text, small: labels.join(", "), node: this.button(threshold, text, labels) }, ...cells },
      };
    }
  }

  /** Counts of the rows, metrics at the prevalence of the page, and the cost. */
  function content(view, index) {
    const { ranking, prior } = view;
    const { real, squares } = Rankings.sampleMatrices(ranking, index, index);
    const matrix = Rankings.matrix(ranking, index, index, prior);
    const names = METRICS.map(([name]) => name);
    const estimates = view.catalogue.estimates(matrix, { ...view.context, real, squares }, names);
    const cells = Object.fromEntries(COUNTS.map(([name]) => [name, { value: real[name], text: Numbers.count(real[name]) }]));
    for (const [name] of METRICS) {
      const [text, limits] = Numbers.estimate(estimates[name], RATIOS.has(name) ? undefined : DIGITS).split(" (");
      cells[name] = { value: estimates[name].value, text, small: limits ? `(${limits}` : "" };
    }
    const flagged = matrix.tp + matrix.fp;
    const cost = Rankings.totalCost(matrix, view.costs) * Charts.costFactor(view);
    cells.flagged = { value: flagged, text: Words.size(flagged, view.isCounted), small: Words.ratio(flagged, prior.population) };
    cells.cost = { value: cost, text: Charts.costNumber(view, cost) };
    return { cells, estimates };
  }

  function aboutText(view) {
    const { ranking, prior } = view;
    const counts = `${Numbers.count(ranking.positives)} of ${Numbers.count(ranking.rows)}`;
    const prevalence = prior.isSample
      ? `Prevalence ${Words.rate(ranking.prevalence)} (${counts}); PPV and NPV hold at this prevalence.`
      : `PPV and NPV hold at a prevalence of ${Words.rate(prior.prevalence)}; in the rows it is ${Words.rate(ranking.prevalence)} (${counts}).`;
    return `In parentheses: ${view.level} CI. ${prevalence}`;
  }

  return { Table };
})();
