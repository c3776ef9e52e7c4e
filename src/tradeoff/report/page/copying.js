/* What the reader takes along: the numbers at the line, as text or as CSV. */
const Copying = (() => {
  "use strict";

  const CELLS = { tp: "true_positives", fn: "false_negatives", fp: "false_positives", tn: "true_negatives", rp: "rejected_positives", rn: "rejected_negatives" };

  function chosen(view) {
    const upper = view.ranking.thresholds[view.line.upper];
    const lower = view.ranking.thresholds[view.line.lower];
    return view.band ? { threshold: upper, lower_threshold: lower } : { threshold: upper };
  }

  function text(view) {
    const metrics = view.catalogue.headlines("page").map((name) => {
      const e = view.catalogue.estimate(name, view.matrix, view.about);
      const ends = Number.isFinite(e.low) ? ` (${Numbers.interval(e.low, e.high)})` : "";
      return `${Tables.words(name)}: ${Numbers.number(e.value)}${ends}`;
    });
    const { costs, prior } = view;
    const used = `Share of ${view.positive}: ${Numbers.share(prior.prevalence)}. Costs: false positive ${costs.fp}, false negative ${costs.fn}, true positive ${costs.tp}, true negative ${costs.tn}, undecided ${costs.rp} and ${costs.rn}.`;
    return [view.document.title, `Model: ${view.ranking.name}`, Tables.headline(view), used, ...Tables.money(view), ...metrics].join("\n");
  }

  /** Text in a spreadsheet must not become a formula. */
  function field(value) {
    if (typeof value === "number") return String(value);
    const safe = value.replace(/^(?=[-=+@\t\r])/, "'");
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  function csv(view) {
    const estimates = view.catalogue.estimates(view.matrix, view.about);
    const known = (value) => (value === undefined || Number.isNaN(value) ? "" : value);
    const rows = [
      ["name", "value", "low", "high", "method"],
      ["model", view.ranking.name, "", "", ""],
      ...Object.entries(chosen(view)).map(([name, value]) => [name, value, "", "", ""]),
      ["prevalence", view.prior.prevalence, "", "", ""],
      ...Object.entries(CELLS).map(([cell, name]) => [name, view.matrix[cell], "", "", ""]),
      ["cost", Rankings.total(view.matrix, view.costs), "", "", ""],
      ...Object.entries(estimates).map(([name, e]) => [name, known(e.value), known(e.low), known(e.high), e.method ?? ""]),
    ];
    return rows.map((row) => row.map(field).join(",")).join("\n");
  }

  return { text, csv };
})();
