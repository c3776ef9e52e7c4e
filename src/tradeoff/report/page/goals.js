/* Goals by which the threshold is chosen, and the threshold that reaches each of them. */
const Goals = (() => {
  "use strict";

  /* A value in percent, a number of cases or a score; a goal without a field has no value. */
  const FIELDS = {
    tpr: { unit: "percent", initial: 0.9 },
    fpr: { unit: "percent", initial: 0.1 },
    precision: { unit: "percent", initial: 0.5 },
    capacity: { unit: "cases", initial: null },
    number: { unit: "score", initial: null },
  };
  const REASONS = { costs: "cost", youden: "youden" };
  const NAMES = { true_positive_rate: "tpr", false_positive_rate: "fpr", youden_j: "youden" }; // of Python's metrics

  /** The goal with which a document opens; "document" is one that only Python can choose by. */
  function opening(document) {
    const { goal, reason } = document.opening;
    if (!goal || reason !== "goal") return { name: REASONS[reason] ?? "number", value: null };
    const name = NAMES[goal.name] ?? goal.name;
    const isPursued = name in FIELDS ? name !== "number" && goal.value !== null : name === "cost" || name === "youden";
    return isPursued ? { name, value: goal.value } : { name: "document", value: null };
  }

  /** Options of the goal picker, in order. */
  function options(document) {
    const label = (name) => Words.capitalized(Tables.label(name));
    const rule = document.models[0].recommendation?.rule ?? "the goal of this report";
    return [
      ...(opening(document).name === "document" ? [["document", Words.capitalized(rule)]] : []),
      ["cost", "Lowest cost"],
      ["tpr", `${label("true_positive_rate")} at least`],
      ["fpr", `${label("false_positive_rate")} at most`],
      ["precision", `${label("precision")} at least`],
      ["capacity", "I can handle"],
      ["youden", "Balanced (Youden’s J)"],
      ["number", "A threshold of my own"],
    ];
  }

  /** A goal in words, such as "recall of at least 90%". */
  function text(goal, view) {
    const { name, value } = goal;
    const label = Tables.shortLabel;
    const rate = Number.isFinite(value) ? Numbers.percent(value) : "";
    if (name === "cost") return "lowest cost";
    if (name === "tpr") return `${label("true_positive_rate")} of at least ${rate}`;
    if (name === "fpr") return `${label("false_positive_rate")} of at most ${rate}`;
    if (name === "precision") return `${label("precision")} of at least ${rate}`;
    if (name === "capacity") return `at most ${Numbers.count(value)} ${Words.noun(value, view.words)} flagged`;
    if (name === "youden") return "balanced (Youden’s J)";
    return name === "document" ? view.ranking.model.recommendation?.rule ?? "" : "";
  }

  /** Whether a goal recommends a threshold; one of the reader's own does not. */
  const recommends = (goal) => goal.name !== "number";

  /** Why a goal cannot be pursued as it is stated; empty if it can. */
  function problem(goal, costs) {
    const field = FIELDS[goal.name];
    if (goal.name === "cost") return Rankings.costProblem(costs);
    const value = goal.value ?? NaN;
    if (field?.unit === "percent" && !(value >= 0 && value <= 1)) return "Enter a percentage from 0 to 100.";
    if (field?.unit === "cases" && !(value >= 0)) return "Enter the number of cases that you can handle.";
    return "";
  }

  /** The threshold of a ranking for a goal: {index, note}, or {problem} if there is none. */
  function find(goal, ranking, costs, prior) {
    const reason = problem(goal, costs);
    if (reason) return { problem: reason };
    if (!ranking.last) return { problem: "There are no scores to choose a threshold from." };
    const { name, value } = goal;
    if (name === "cost") return lowestCost(ranking, costs, prior);
    if (name === "capacity") return { index: Rankings.indexForCapacity(ranking, value, prior) };
    if (name === "precision") return byPrecision(ranking, value, prior);
    if (!ranking.positives || !ranking.negatives) return { problem: `${Words.capitalized(name === "youden" ? "Youden’s index" : "a rate")} is undefined: all rows are of one class.` };
    if (name === "youden") return { index: Rankings.youdenIndex(ranking) };
    if (name === "fpr") return { index: Rankings.indexForFpr(ranking, value) };
    const index = Rankings.indexForTpr(ranking, value);
    if (index !== null) return { index };
    return { problem: `No threshold reaches a recall of ${Numbers.percent(value)}: the maximum is ${Numbers.percent(ranking.tpr(ranking.last))}.` };
  }

  /** The threshold of lowest cost; if several tie, the one with the fewest false positives. */
  function lowestCost(ranking, costs, prior) {
    const [index, ...ties] = Rankings.lowestCostIndices(ranking, costs, prior);
    const thresholds = ties.slice(0, 3).map((tie) => ranking.text(tie)).join(", ");
    const note = ties.length ? `Same cost: ${thresholds}${ties.length > 3 ? " and others" : ""}, with more false positives and fewer false negatives.` : "";
    return { index, note };
  }

  /** The threshold that reaches a precision; if none does, the closest one is named. */
  function byPrecision(ranking, target, prior) {
    const index = Rankings.indexForPrecision(ranking, target, prior);
    if (index !== null) return { index };
    let best = 0;
    for (let candidate = 1; candidate <= ranking.last; candidate += 1) {
      if (!(Rankings.precision(ranking, candidate, prior) <= Rankings.precision(ranking, best, prior))) best = candidate;
    }
    return { problem: `No threshold has a precision of ${Numbers.percent(target)}: the highest is ${Words.rate(Rankings.precision(ranking, best, prior))}, at ${ranking.text(best)}.` };
  }

  return { FIELDS, find, opening, options, problem, recommends, text };
})();
