/* Results at the threshold, as text or CSV to take along. */
const Clipboard = (() => {
  "use strict";

  const CELLS = { tp: "true_positives", fn: "false_negatives", fp: "false_positives", tn: "true_negatives", rp: "rejected_positives", rn: "rejected_negatives" };

  function thresholds(view) {
    const { requested } = view.selection;
    const value = (key) => requested?.[key] ?? view.ranking.thresholds[view.selection[key]];
    return view.band ? { threshold: value("upper"), lower_threshold: value("lower") } : { threshold: value("upper") };
  }

  /** The page in a few lines: the rule, its consequences, the settings and the main metrics. */
  function text(view) {
    const metrics = view.catalogue.headlines("page").map((name) => {
      const { value, low, high } = view.catalogue.estimate(name, view.matrix, view.context);
      return `${Tables.label(name)}: ${Numbers.estimate({ value, low, high })}`;
    });
    const { costs, prior } = view;
    const money = (name) => Words.money(Words.amount(costs[name]), view);
    const undecided = view.undecided ? `, undecided ${money("rp")} and ${money("rn")}` : "";
    const settings = `Share of ${view.positive}: ${Numbers.percent(prior.prevalence)}. Costs: false positive ${money("fp")}, false negative ${money("fn")}, true positive ${money("tp")}, true negative ${money("tn")}${undecided}.`;
    const lines = [view.document.title, `Model: ${view.ranking.name}`, Words.rule(view, view.selectionShown), Meaning.headline(view), settings, ...Meaning.costSentences(view), `In parentheses: ${view.level} CI.`, ...metrics];
    return lines.map(Words.plain).join("\n");
  }

  const lines = (rows) => rows.map((row) => row.map(Tables.csvField).join(",")).join("\n");

  /** All metrics at the threshold. */
  function csv(view) {
    const estimates = view.catalogue.estimates(view.matrix, view.context);
    const defined = (value) => (value === undefined || Number.isNaN(value) ? "" : value);
    return lines([
      ["name", "value", "low", "high", "method"],
      ["model", view.ranking.name, "", "", ""],
      ...Object.entries(thresholds(view)).map(([name, value]) => [name, value, "", "", ""]),
      ["prevalence", view.prior.prevalence, "", "", ""],
      ...Object.entries(CELLS).map(([cell, name]) => [name, view.matrix[cell], "", "", ""]),
      ["cost", Rankings.totalCost(view.matrix, view.costs), "", "", ""],
      ...Object.entries(estimates).map(([name, e]) => [name, defined(e.value), defined(e.low), defined(e.high), e.method ?? ""]),
    ]);
  }

  /** Counts at every threshold of the active model. */
  function curveCsv({ ranking }) {
    const { truePositives, falsePositives, positives, negatives, thresholds: values } = ranking;
    const rows = Array.from(values, (threshold, index) => [
      Number.isFinite(threshold) ? threshold : threshold > 0 ? "inf" : "-inf",
      truePositives[index], falsePositives[index], positives - truePositives[index], negatives - falsePositives[index],
    ].map((value) => (typeof value === "number" ? value : String(value))));
    return lines([["threshold", "true_positives", "false_positives", "false_negatives", "true_negatives"], ...rows]);
  }

  /** A table of the page as it is shown. */
  function tableCsv(table) {
    const rows = [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim().replaceAll("−", "-")));
    return rows.map((row) => row.map((text) => (text !== "" && Number.isFinite(Number(text)) ? text : Tables.csvField(text))).join(",")).join("\n");
  }

  return { csv, curveCsv, tableCsv, text };
})();
