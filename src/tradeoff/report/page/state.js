/* State of the page, and its URL fragment, so that a link opens the same page.

   A selection holds the indices of a model's threshold (`upper`, and `lower` of a reject band) and,
   in `requested`, thresholds as they were typed if they give the same predictions as these indices. */
const State = (() => {
  "use strict";

  const NUMBERS = { prevalence: (value) => value > 0 && value < 1, population: (value) => value > 0, review: (value) => value >= 0 };
  const COSTS = ["fp", "fn", "tp", "tn", "rp", "rn"];
  const WORDS = ["unit", "currency"];
  const SCALES = ["score", "recall", "flagged"];
  const LAYOUTS = ["actual", "predicted"];
  const MAX_WORD_LENGTH = 40;
  const RARE = 0.01;

  /** The threshold as requested, or undefined if the slider has only a stop near it. */
  function exactThreshold(ranking, value) {
    const isExact = !ranking.model.thinned || ranking.model.asked.includes(value) || ranking.thresholds[ranking.indexOf(value)] === value;
    return Number.isFinite(value) && isExact ? value : undefined;
  }

  /** The selection of a single threshold. */
  function selectionAt(ranking, threshold) {
    const index = ranking.indexOf(threshold);
    return { upper: index, lower: index, requested: { upper: exactThreshold(ranking, threshold) } };
  }

  /** The selection at which a model opens; only a threshold that was named is shown as it was. */
  function openingSelection(document, ranking) {
    const { model } = ranking;
    const { reason } = document.opening;
    if (model.recommendation && ["costs", "goal"].includes(reason)) return Answer.openingSelection(ranking);
    const selection = selectionAt(ranking, Rankings.thresholdNumber(model.opening ?? document.threshold));
    return reason === "given" || opensAsAnnounced(document, ranking) ? selection : { ...selection, requested: {} };
  }

  /** Whether a model opens at the conventional threshold; else this would predict one class for all rows. */
  const opensAsAnnounced = (document, { model }) => document.opening.reason === "probability" && (model.opening ?? null) === null;

  /** The initial state of the page. */
  function initial(document, rankings) {
    const selections = rankings.map((ranking) => openingSelection(document, ranking));
    const active = document.best ?? 0;
    const isRare = rankings[active].prevalence < RARE;
    return {
      active,
      selections,
      band: false,
      pin: initialPin(document, rankings[active], selections[active], active),
      goal: Goals.opening(document),
      prevalence: document.prevalence, // null: the prevalence of each model's rows
      population: null, // null: the number of rows
      review: null, // how many undecided rows a person can look at; null: any number
      unit: document.unit,
      currency: document.currency ?? "",
      layout: "actual",
      scale: isRare ? "recall" : "score", // scores of rare positives are close together
      zoom: isRare,
      costs: { ...document.costs },
    };
  }

  /** A page that opens at a recommendation compares it with the conventional 0.5 of probabilities. */
  function initialPin(document, ranking, selection, model) {
    const isChosen = ["costs", "goal"].includes(document.opening.reason);
    if (!isChosen || !isProbability(ranking)) return null;
    const pin = { model, ...selectionAt(ranking, 0.5) };
    return pin.upper === selection.upper ? null : pin;
  }

  const isProbability = ({ thresholds, last }) => last > 0 && thresholds[1] <= 1 && thresholds[last] >= 0 && thresholds[1] >= 0 && thresholds[last] <= 1;

  /* ---- the URL fragment ---- */

  /** A selected threshold as it stands in a link. */
  function thresholdParameter(ranking, selection, key) {
    const threshold = selection.requested?.[key] ?? ranking.thresholds[selection[key]];
    return Number.isFinite(threshold) ? String(threshold) : selection[key] === 0 ? "none" : "all";
  }

  /** URL fragment with all settings that differ from the initial state. */
  function toFragment(state, initialState, rankings) {
    const parameters = new URLSearchParams();
    if (state.active !== initialState.active) parameters.set("model", rankings[state.active].name);
    state.selections.forEach((selection, model) => {
      const ranking = rankings[model];
      const text = (key) => thresholdParameter(ranking, selection, key);
      const isActive = model === state.active;
      const hasMoved = selection.upper !== initialState.selections[model].upper;
      const isBand = state.band && (isActive || selection.lower > selection.upper);
      if (hasMoved || isBand) parameters.append(isActive ? "threshold" : "at", isActive ? text("upper") : `${ranking.name}=${text("upper")}`);
      if (isBand) parameters.append(isActive ? "lower" : "below", isActive ? text("lower") : `${ranking.name}=${text("lower")}`);
    });
    setPin(parameters, state.pin, initialState.pin, rankings);
    if (state.goal.name !== initialState.goal.name || state.goal.value !== initialState.goal.value) {
      parameters.set("goal", state.goal.name);
      if (state.goal.value !== null) parameters.set("target", String(state.goal.value));
    }
    for (const name of Object.keys(NUMBERS)) if (state[name] !== initialState[name]) parameters.set(name, state[name] === null ? "own" : String(state[name]));
    for (const name of COSTS) if (state.costs[name] !== initialState.costs[name]) parameters.set(name, String(state.costs[name]));
    for (const name of [...WORDS, "layout", "scale"]) if (state[name] !== initialState[name]) parameters.set(name, state[name]);
    if (state.zoom !== initialState.zoom) parameters.set("zoom", state.zoom ? "in" : "out");
    return parameters.toString();
  }

  function setPin(parameters, pin, initialPin, rankings) {
    if (JSON.stringify(pin) === JSON.stringify(initialPin)) return;
    if (!pin) {
      parameters.set("pin", "off");
      return;
    }
    const ranking = rankings[pin.model];
    parameters.set("pin", thresholdParameter(ranking, pin, "upper"));
    if (pin.lower > pin.upper) parameters.set("pin-lower", thresholdParameter(ranking, pin, "lower"));
    parameters.set("pin-model", ranking.name);
  }

  /** A finite number, or null. */
  function parseNumber(text) {
    const value = Number(text);
    return text !== null && text.trim() !== "" && Number.isFinite(value) ? value : null;
  }

  /** A threshold as it is typed or stands in a link: {index, requested, isExact}, or null. */
  function parseThreshold(ranking, text) {
    if (text === null) return null;
    if (text === "none") return { index: 0, isExact: true };
    if (text === "all") return { index: ranking.last, isExact: true };
    const value = parseNumber(text);
    if (value === null) return null;
    const index = ranking.indexOf(value);
    const exact = exactThreshold(ranking, value);
    return { index, isExact: exact !== undefined, requested: ranking.thresholds[index] === value ? undefined : exact };
  }

  /** Thresholds by model from parameters such as "boosting=0.025". */
  function byModel(texts, rankings) {
    const entries = texts.map((text) => [text.slice(0, text.lastIndexOf("=")), text.slice(text.lastIndexOf("=") + 1)]);
    return new Map(entries.map(([name, threshold]) => [rankings.findIndex((ranking) => ranking.name === name), threshold]));
  }

  /** A selection from the texts of its thresholds; null if there is no valid one. */
  function parseSelection(ranking, upperText, lowerText, initialSelection) {
    const upper = parseThreshold(ranking, upperText);
    const lower = parseThreshold(ranking, lowerText);
    if (!upper && !lower) return null;
    const index = upper?.index ?? initialSelection.upper;
    return {
      upper: index,
      lower: Math.max(lower?.index ?? index, index),
      requested: { upper: upper ? upper.requested : initialSelection.requested.upper, lower: lower?.requested },
    };
  }

  /** The state described by a URL fragment; missing or invalid parameters keep their initial values. */
  function fromFragment(fragment, initialState, rankings) {
    const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
    const state = structuredClone(initialState);
    const modelNamed = (name) => rankings.findIndex((ranking) => ranking.name === name);
    if (modelNamed(parameters.get("model")) >= 0) state.active = modelNamed(parameters.get("model"));
    const uppers = byModel(parameters.getAll("at"), rankings);
    const lowers = byModel(parameters.getAll("below"), rankings);
    if (parameters.has("threshold")) uppers.set(state.active, parameters.get("threshold"));
    if (parameters.has("lower")) lowers.set(state.active, parameters.get("lower"));
    state.selections = state.selections.map((selection, model) =>
      parseSelection(rankings[model], uppers.get(model) ?? null, lowers.get(model) ?? null, selection) ?? selection);
    state.band = parseThreshold(rankings[state.active], parameters.get("lower")) !== null;
    readPin(parameters, state, rankings, modelNamed);
    readGoal(parameters, state);
    for (const [name, isValid] of Object.entries(NUMBERS)) {
      const value = parseNumber(parameters.get(name));
      if (value !== null && isValid(value)) state[name] = value;
      else if (parameters.get(name) === "own") state[name] = null;
    }
    for (const name of COSTS) state.costs[name] = parseNumber(parameters.get(name)) ?? state.costs[name];
    for (const name of WORDS) if (parameters.get(name)) state[name] = parameters.get(name).slice(0, MAX_WORD_LENGTH);
    if (LAYOUTS.includes(parameters.get("layout"))) state.layout = parameters.get("layout");
    if (SCALES.includes(parameters.get("scale"))) state.scale = parameters.get("scale");
    if (parameters.has("zoom")) state.zoom = parameters.get("zoom") === "in";
    return state;
  }

  function readPin(parameters, state, rankings, modelNamed) {
    if (!parameters.has("pin")) return;
    const named = modelNamed(parameters.get("pin-model"));
    const model = named >= 0 ? named : state.active;
    const ranking = rankings[model];
    const selection = parseSelection(ranking, parameters.get("pin"), parameters.get("pin-lower"), state.selections[model]);
    if (parameters.get("pin") === "off") state.pin = null;
    else if (selection) state.pin = { model, ...selection };
  }

  function readGoal(parameters, state) {
    const name = parameters.get("goal");
    const isKnown = Object.hasOwn(Goals.FIELDS, name) || ["cost", "youden"].includes(name);
    if (!parameters.has("goal") || !isKnown) return;
    const goal = { name, value: parseNumber(parameters.get("target")) };
    if (name === "number" || !Goals.problem(goal, state.costs) || name === "cost") state.goal = goal;
  }

  return { COSTS, fromFragment, initial, isProbability, opensAsAnnounced, parseNumber, parseThreshold, selectionAt, toFragment };
})();
