/* Results at the threshold, as text or CSV for the clipboard. */
const Clipboard = (() => {
  "use strict";

  const CELLS = { tp: "true_positives", fn: "false_negatives", fp: "false_positives", tn: "true_negatives", rp: "rejected_positives", rn: "rejected_negatives" };

  function thresholds(view) {
    const upper = view.ranking.thresholds[view.selection.upper];
    const lower = view.ranking.thresholds[view.selection.lower];
    return view.band ? { threshold: upper, lower_threshold: lower } : { threshold: upper };
  }

  function text(view) {
    const metrics = view.catalogue.headlines("page").map((name) => {
      const { value, low, high } = view.catalogue.estimate(name, view.matrix, view.context);
      const interval = Number.isFinite(low) ? ` (${Numbers.interval(low, high)})` : "";
      return `${Tables.label(name)}: ${Numbers.number(value)}${interval}`;
    });
    const { costs, prior } = view;
    const settings = `Share of ${view.positive}: ${Numbers.percent(prior.prevalence)}. Costs: false positive ${costs.fp}, false negative ${costs.fn}, true positive ${costs.tp}, true negative ${costs.tn}, undecided ${costs.rp} and ${costs.rn}.`;
    return [view.document.title, `Model: ${view.ranking.name}`, Tables.headline(view), settings, ...Tables.costSentences(view), ...metrics].join("\n");
  }

  /** CSV field; in a spreadsheet, text must not become a formula. */
  function field(value) {
    if (typeof value === "number") return String(value);
    const safe = value.replace(/^(?=[-=+@\t\r])/, "'");
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  function csv(view) {
    const estimates = view.catalogue.estimates(view.matrix, view.context);
    const defined = (value) => (value === undefined || Number.isNaN(value) ? "" : value);
    const rows = [
      ["name", "value", "low", "high", "method"],
      ["model", view.ranking.name, "", "", ""],
      ...Object.entries(thresholds(view)).map(([name, value]) => [name, value, "", "", ""]),
      ["prevalence", view.prior.prevalence, "", "", ""],
      ...Object.entries(CELLS).map(([cell, name]) => [name, view.matrix[cell], "", "", ""]),
      ["cost", Rankings.totalCost(view.matrix, view.costs), "", "", ""],
      ...Object.entries(estimates).map(([name, e]) => [name, defined(e.value), defined(e.low), defined(e.high), e.method ?? ""]),
    ];
    return rows.map((row) => row.map(field).join(",")).join("\n");
  }

  return { text, csv };
})();
