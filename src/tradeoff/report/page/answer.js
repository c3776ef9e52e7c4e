/* The answer: the recommended threshold, what to expect from it, and why; or the question whose answer recommends one. */
const Answer = (() => {
  "use strict";

  const { html } = Svg;
  const OPENINGS = {
    probability: "Conventional threshold for probabilities",
    given: "Threshold of this report",
    youden: "Provisional threshold",
    otherwise: "Provisional threshold · Youden’s J",
    costs: "Threshold of this report",
    goal: "Threshold of this report",
  };

  /** The recommended threshold of a model: {selection, document, note} or {problem}; null without a goal. */
  function recommendation(state, initialState, model, ranking, prior) {
    if (!Goals.recommends(state.goal)) return null;
    const fromPython = ranking.model.recommendation;
    if (fromPython && isOpeningGoal(state, initialState)) {
      return { selection: openingSelection(ranking), document: fromPython };
    }
    if (state.goal.name === "document") {
      return fromPython ? { selection: openingSelection(ranking), note: "" } : { problem: "This goal was not reached by any threshold of this model." };
    }
    const { index, note, problem } = Goals.find(state.goal, ranking, state.costs, prior);
    return problem ? { problem } : { selection: { upper: index, lower: index, requested: {} }, note };
  }

  /** The selection that Python recommends, with the threshold in as few digits as decide the same. */
  function openingSelection(ranking) {
    const { text, threshold } = ranking.model.recommendation;
    const selection = State.selectionAt(ranking, Rankings.thresholdNumber(threshold));
    const short = Number(text);
    if (Number.isFinite(short) && ranking.indexOf(short) === selection.upper) selection.requested.upper = short;
    return selection;
  }

  /** Whether goal, costs and population are those for which Python computed its recommendation. */
  function isOpeningGoal(state, initialState) {
    const settings = ({ goal, prevalence, costs }) => JSON.stringify([goal, prevalence, goal.name === "cost" ? costs : null]);
    const isResized = state.goal.name === "capacity" && state.population !== initialState.population;
    return settings(state) === settings(initialState) && !isResized;
  }

  /* ---- sentences ---- */

  /** The value of a measure as text: money, percent or a number. */
  function measureText(name, value, view) {
    if (name === "expected_cost") return Words.money(Words.average(value), view);
    return view.catalogue.get(name)?.trials ? Words.rate(value) : Numbers.number(value);
  }

  /** What a measure is called in a sentence; a cost below zero is a profit. */
  function measureName(name, label, value) {
    if (name !== "expected_cost") return label.replace(/ \(.*/, "");
    return value < 0 ? label.replace("cost", "profit") : label;
  }

  function expectation(document, view) {
    const { measure, objective } = document;
    const part = (name, label, value) => `a ${measureName(name, label, value)} of ${measureText(name, name === "expected_cost" ? Math.abs(value) : value, view)}`;
    if (document.new_data === null) return `${Words.capitalized(part(measure.name, measure.label, document.value))} on these ${view.words.units}.`;
    const values = [part(measure.name, measure.label, document.new_data)];
    if (objective?.new_data !== null && objective?.new_data !== undefined) values.push(part(objective.name, objective.label, objective.new_data));
    return `Expect ${values.join(" and ")} on new data${saving(document, view)}.`;
  }

  /** How much less than at the conventional threshold of probabilities. */
  function saving({ measure, new_data: expected }, view) {
    if (measure.name !== "expected_cost" || !State.isProbability(view.ranking)) return "";
    const conventional = averageCost(view, view.ranking.indexOf(0.5));
    const share = 1 - expected / conventional;
    return expected > 0 && conventional > 0 && share >= 0.01 ? `, ${Math.round(100 * share)}% less than at 0.5` : "";
  }

  const averageCost = (view, index) =>
    Rankings.totalCost(Rankings.matrix(view.ranking, index, index, view.prior), view.costs) / view.prior.population;

  const range = ([low, high]) => `${thresholdText(low)} to ${thresholdText(high)}`;

  function thresholdText(value) {
    const threshold = Rankings.thresholdNumber(value);
    return Number.isFinite(threshold) ? significant(threshold) : threshold > 0 ? "∞" : "−∞";
  }

  const significant = (value) => Numbers.significant(value, 3).replace("-", "−");

  function asGood({ as_good: limits, simplest_as_good: simplest }) {
    if (!limits || limits[0] === limits[1]) return "";
    const round = simplest === null ? "" : `; ${thresholdText(simplest)} is the roundest`;
    return `Any threshold from ${range(limits)} is as good${round}.`;
  }

  /** Value of the goal's measure at the recommended threshold, on the rows of this page. */
  function valueOnRows(view, { selection }) {
    const { goal } = view;
    const { upper } = selection;
    if (goal.name === "cost") {
      const cost = averageCost(view, upper);
      return `${cost < 0 ? "A profit" : "A cost"} of ${Words.money(Words.average(Math.abs(cost)), view)} per ${view.words.unit} on these ${view.words.units}.`;
    }
    const { ranking, prior } = view;
    const recall = `${Tables.shortLabel("true_positive_rate")} ${Words.rate(ranking.tpr(upper))}`;
    const alarms = `false positive rate ${Words.rate(ranking.fpr(upper))}`;
    const flagged = `${Words.people(Rankings.depth(ranking, upper, prior) * prior.population)} flagged`;
    return `On these ${view.words.units}: ${recall}, ${alarms}, ${flagged}.`;
  }

  function areaSentence(view) {
    const auc = view.ranking.model.summaries.find(({ name }) => name === "auc");
    if (!auc || auc.value === null) return "";
    return `AUC ${Numbers.estimate({ value: auc.value, low: auc.low ?? NaN, high: auc.high ?? NaN })}.`;
  }

  const sentences = (...texts) => texts.filter(Boolean).join(" ");

  /** Facts behind the recommendation, as [term, description]. */
  function reasons(view) {
    const { recommendation: entry, costs } = view;
    const facts = [["Opening", view.document.opening.sentence]];
    if (!entry?.selection) return facts;
    if (view.goal.name === "cost") facts.unshift(["Goal", `Lowest cost, if a false positive costs ${Words.money(Words.amount(costs.fp), view)} and a false negative ${Words.money(Words.amount(costs.fn), view)}.`]);
    else facts.unshift(["Goal", `${Words.capitalized(Goals.text(view.goal, view))}.`]);
    if (entry.document) facts.push(...documentFacts(entry.document, view));
    else facts.push(["On new data", `Not estimated: the threshold was chosen on these ${view.words.units}. A report made with costs or a goal has the out-of-sample estimate.`]);
    if (view.goal.name === "cost") facts.push(...costFacts(view));
    return facts;
  }

  function documentFacts(document, view) {
    const { measure, equivalent, as_good: good, resampled, simplest } = document;
    const facts = [];
    const text = (value) => measureText(measure.name, value, view);
    const interval = document.low === null ? "" : ` (${text(document.low)} to ${text(document.high)})`;
    const label = measureName(measure.name, measure.label, document.value);
    facts.push(["On these rows", `${Words.capitalized(label)} ${text(document.value)}${interval}.`]);
    if (document.new_data === null) facts.push(["On new data", `Not known${document.about ? `: ${document.about}` : ""}.`]);
    else facts.push(["On new data", `${Words.capitalized(label)} ${text(document.new_data)} (${document.about}).`]);
    if (equivalent && equivalent[0] !== equivalent[1]) {
      const round = simplest === null ? "" : `; the roundest is ${Numbers.threshold(Rankings.thresholdNumber(simplest))}`;
      facts.push(["Same decisions", `Thresholds from ${equivalent.map(Rankings.thresholdNumber).map(Numbers.threshold).join(" to ")} decide the same${round}.`]);
    }
    if (good && good[0] !== good[1]) facts.push(["As good", `Thresholds from ${range(good)} are within one standard error of the best.`]);
    if (resampled) facts.push(["Stability", `Over bootstrap resamples, the chosen threshold ranges from ${range(resampled)} (95%).`]);
    return facts;
  }

  /** What trivial rules would cost, and the threshold that theory gives to calibrated probabilities. */
  function costFacts(view) {
    const { costs, ranking } = view;
    const text = (index) => Words.money(Words.average(averageCost(view, index)), view);
    const rules = [`flag everybody ${text(ranking.last)}`, `flag nobody ${text(0)}`];
    if (State.isProbability(ranking)) rules.unshift(`threshold 0.5 ${text(ranking.indexOf(0.5))}`);
    const facts = [["For comparison", `Per ${view.words.unit}: ${rules.join(", ")}.`]];
    const [alarm, miss] = [costs.fp - costs.tn, costs.fn - costs.tp];
    if (State.isProbability(ranking) && view.prior.isSample && alarm + miss > 0) {
      facts.push(["In theory", `For calibrated probabilities the best threshold is ${Numbers.amount(alarm)} / (${Numbers.amount(alarm)} + ${Numbers.amount(miss)}) = ${significant(alarm / (alarm + miss))}.`]);
    }
    return facts;
  }

  /* ---- the card ---- */

  class Card {
    #parts;

    constructor(element, { onUse, onQuestion }) {
      this.element = element;
      const part = (name) => element.querySelector(`#${name}`);
      this.#parts = {
        label: part("answer-label"), rule: part("answer-rule"), text: part("answer-text"), use: part("use"),
        why: part("why"), reasons: part("reasons"), question: part("question"), worse: part("worse"),
        ratio: part("ratio"), hint: part("question-hint"), comparison: part("worse-than"),
      };
      const { use, why, reasons: list, question, worse } = this.#parts;
      use.addEventListener("click", onUse);
      why.addEventListener("click", () => {
        list.hidden = !list.hidden;
        why.setAttribute("aria-expanded", String(!list.hidden));
      });
      worse.addEventListener("change", () => this.#compare());
      question.addEventListener("submit", (event) => {
        event.preventDefault();
        onQuestion(worse.value, this.#parts.ratio.value);
      });
      this.#compare();
    }

    #compare() {
      const { worse, comparison } = this.#parts;
      comparison.textContent = `times as bad as ${worse.value === "fn" ? "a false alarm" : "a miss"}`;
    }

    update(view) {
      const { label, text, use, question, hint, reasons: list, why } = this.#parts;
      const entry = view.recommendation;
      Words.write(label, this.#labelText(view));
      Words.write(text, this.#explanation(view));
      use.hidden = !entry?.selection;
      const isOpen = view.document.labels_only ? false : !Goals.recommends(view.goal) || view.goal.name === "youden";
      question.hidden = !isOpen;
      why.hidden = view.document.labels_only;
      Words.write(hint, `A miss: a ${view.positive} that is not flagged. A false alarm: a ${view.negative} that is flagged.`);
      list.replaceChildren(...reasons(view).flatMap(([term, description]) => [html("dt", {}, term), describe(description)]));
      this.move(view);
    }

    /** Without a goal the rule is that of the threshold as it moves. */
    move(view) {
      const { rule, use } = this.#parts;
      const entry = view.recommendation;
      if (view.document.labels_only) Words.write(rule, labelsRule(view));
      else if (entry?.problem) Words.write(rule, "No threshold reaches this goal.");
      else Words.write(rule, Words.rule(view, entry?.selection ?? view.selectionShown));
      if (!entry?.selection) return;
      const isUsed = !view.band && entry.selection.upper === view.selection.upper;
      Words.write(use, isUsed ? "In use" : `Use ${Words.thresholdText(view.ranking, entry.selection)}`);
      use.disabled = isUsed;
    }

    #labelText(view) {
      const { document, goal, rankings, active } = view;
      const model = rankings.length > 1 ? ` · ${Words.isolated(view.ranking.name)}` : "";
      if (document.labels_only) return `Predicted labels${model}`;
      const isBest = rankings.length > 1 && view.recommendation?.document && active === document.best;
      const best = isBest ? `, the best of ${rankings.length} models` : "";
      if (!Goals.recommends(goal)) return `${view.hasMoved ? "Your threshold" : OPENINGS[openingReason(view)]}${model}`;
      if (goal.name === "youden" && document.opening.reason === "youden") return `Provisional threshold · Youden’s J${model}`;
      return `Recommended · ${Goals.text(goal, view)}${model}${best}`;
    }

    #explanation(view) {
      const { document, goal } = view;
      const entry = view.recommendation;
      if (document.labels_only) return sentences(areaSentence(view));
      if (entry?.problem) return entry.problem;
      if (entry?.document) return sentences(expectation(entry.document, view), asGood(entry.document), areaSentence(view));
      if (entry && !(goal.name === "youden" && document.opening.reason === "youden")) return sentences(valueOnRows(view, entry), entry.note, areaSentence(view));
      const sentence = openingReason(view) === "otherwise" ? otherwiseSentence(view) : document.opening.sentence;
      return sentences(sentence, areaSentence(view));
    }
  }

  /** Why the active model opens where it does: "otherwise" if the conventional threshold would decide nothing. */
  function openingReason({ document, ranking }) {
    const { reason } = document.opening;
    return reason === "probability" && !State.opensAsAnnounced(document, ranking) ? "otherwise" : reason;
  }

  const otherwiseSentence = ({ document, words }) =>
    `Provisional: at ${Numbers.threshold(document.threshold)}, the conventional threshold for probabilities, all ${words.units} would be treated alike, so this is the threshold of Youden’s J.`;

  function describe(text) {
    const node = html("dd");
    Words.write(node, text);
    return node;
  }

  function labelsRule(view) {
    const { tp, tn } = view.matrix;
    return `${Words.ratio(tp + tn, view.prior.population)} of ${Words.people(view.prior.population)} ${view.words.units} are classified correctly.`;
  }

  return { Card, openingSelection, recommendation };
})();
