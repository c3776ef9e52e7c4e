/* State of the page, and its URL fragment, so that a link opens the same threshold.
   A selection holds the indices of a model's threshold (`upper`, and `lower` of a reject band) and,
   in `requested`, thresholds as they were typed if they give the same predictions as these indices. */
const State = (() => {
  "use strict";

  const NUMBERS = ["prevalence", "population", "capacity"];
  const COSTS = ["fp", "fn", "tp", "tn", "rp", "rn"];

  /** The threshold as requested, or undefined if the slider has only a stop near it. */
  function exactThreshold(ranking, value) {
    const isExact = !ranking.model.thinned || ranking.model.asked.includes(value);
    return Number.isFinite(value) && isExact ? value : undefined;
  }

  /** The initial state of the page. */
  function initial(document, rankings) {
    return {
      active: 0,
      selections: rankings.map((ranking) => {
        const threshold = Rankings.thresholdNumber(ranking.model.opening ?? document.threshold);
        const index = ranking.indexOf(threshold);
        return { upper: index, lower: index, requested: { upper: exactThreshold(ranking, threshold) } };
      }),
      band: false,
      prevalence: document.prevalence, // null: the prevalence of each model's rows
      population: null, // null: the number of rows
      capacity: null,
      unit: document.unit,
      layout: "actual",
      costs: { ...document.costs },
    };
  }

  const thresholdParameter = (threshold) => (Number.isFinite(threshold) ? String(threshold) : "none");

  /** URL fragment with all settings that differ from the initial state. */
  function toFragment(state, initialState, rankings) {
    const parameters = new URLSearchParams();
    if (state.active !== initialState.active) parameters.set("model", rankings[state.active].name);
    const selection = state.selections[state.active];
    const { thresholds } = rankings[state.active];
    const setThreshold = (name, key) => parameters.set(name, thresholdParameter(selection.requested?.[key] ?? thresholds[selection[key]]));
    if (selection.upper !== initialState.selections[state.active].upper || state.band) setThreshold("threshold", "upper");
    if (state.band) setThreshold("lower", "lower");
    for (const name of NUMBERS) if (state[name] !== initialState[name]) parameters.set(name, state[name] === null ? "own" : String(state[name]));
    for (const name of COSTS) if (state.costs[name] !== initialState.costs[name]) parameters.set(name, String(state.costs[name]));
    for (const name of ["unit", "layout"]) if (state[name] !== initialState[name]) parameters.set(name, state[name]);
    return parameters.toString();
  }

  /** A finite number, or null. */
  function parseNumber(text) {
    const value = Number(text);
    return text !== null && text.trim() !== "" && Number.isFinite(value) ? value : null;
  }

  function parseIndex(ranking, text) {
    if (text === "none") return 0;
    const value = parseNumber(text);
    return value === null ? null : ranking.indexOf(value);
  }

  /** The state described by a URL fragment; missing or invalid parameters keep their initial values. */
  function fromFragment(fragment, initialState, rankings) {
    const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
    const state = structuredClone(initialState);
    const modelIndex = rankings.findIndex((ranking) => ranking.name === parameters.get("model"));
    if (modelIndex >= 0) state.active = modelIndex;
    const ranking = rankings[state.active];
    const selection = state.selections[state.active];
    const requested = (name, fallback) =>
      (parameters.has(name) ? exactThreshold(ranking, parseNumber(parameters.get(name))) : fallback);
    selection.requested = { upper: requested("threshold", selection.requested.upper), lower: requested("lower") };
    selection.upper = parseIndex(ranking, parameters.get("threshold")) ?? selection.upper;
    const lower = parseIndex(ranking, parameters.get("lower"));
    state.band = lower !== null;
    selection.lower = Math.max(lower ?? selection.upper, selection.upper);
    if (parameters.get("prevalence") === "own") state.prevalence = null;
    const prevalence = parseNumber(parameters.get("prevalence"));
    if (prevalence > 0 && prevalence < 1) state.prevalence = prevalence;
    const population = parseNumber(parameters.get("population"));
    if (population > 0) state.population = population;
    const capacity = parseNumber(parameters.get("capacity"));
    if (capacity >= 0) state.capacity = capacity;
    for (const name of COSTS) state.costs[name] = parseNumber(parameters.get(name)) ?? state.costs[name];
    if (parameters.get("unit")) state.unit = parameters.get("unit").slice(0, 40);
    if (parameters.get("layout") === "predicted") state.layout = "predicted";
    return state;
  }

  return { exactThreshold, initial, toFragment, fromFragment, parseNumber, COSTS };
})();
