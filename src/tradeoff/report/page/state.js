/* What the reader has chosen, and the address that says so: a colleague opens the same line. */
const State = (() => {
  "use strict";

  const NUMBERS = ["prevalence", "population", "capacity"];
  const COSTS = ["fp", "fn", "tp", "tn", "rp", "rn"];

  /** A threshold that was asked for, if it decides like the stop at this place. */
  function same(ranking, value) {
    const exact = !ranking.model.thinned || ranking.model.asked.includes(value);
    return value !== null && exact ? value : undefined;
  }

  /** The choices with which the page opens. */
  function initial(document, rankings) {
    return {
      active: 0,
      lines: rankings.map((ranking) => {
        const threshold = ranking.model.opening ?? document.threshold;
        const place = ranking.placeOf(threshold);
        return { upper: place, lower: place, asked: { upper: same(ranking, threshold) } };
      }),
      band: false,
      prevalence: document.prevalence, // null: that of each model's own rows
      population: null, // null: as many as there are rows
      capacity: null,
      unit: document.unit,
      layout: "actual",
      costs: { ...document.costs },
    };
  }

  const written = (threshold) => (Number.isFinite(threshold) ? String(threshold) : "none");

  /** Everything that differs from how the page opened. */
  function fragment(state, first, rankings) {
    const said = new URLSearchParams();
    if (state.active !== first.active) said.set("model", rankings[state.active].name);
    const line = state.lines[state.active];
    const ranking = rankings[state.active];
    if (line.upper !== first.lines[state.active].upper || state.band) said.set("threshold", written(line.asked?.upper ?? ranking.thresholds[line.upper]));
    if (state.band) said.set("lower", written(line.asked?.lower ?? ranking.thresholds[line.lower]));
    for (const name of NUMBERS) if (state[name] !== first[name]) said.set(name, state[name] === null ? "own" : String(state[name]));
    for (const name of COSTS) if (state.costs[name] !== first.costs[name]) said.set(name, String(state.costs[name]));
    for (const name of ["unit", "layout"]) if (state[name] !== first[name]) said.set(name, state[name]);
    return said.toString();
  }

  function read(text) {
    const value = Number(text);
    return text !== null && text.trim() !== "" && Number.isFinite(value) ? value : null;
  }

  function place(ranking, text) {
    if (text === "none") return 0;
    const value = read(text);
    return value === null ? null : ranking.placeOf(value);
  }

  /** The choices that an address says; what it cannot say stays as it was. */
  function opened(hash, first, rankings) {
    const said = new URLSearchParams(hash.replace(/^#/, ""));
    const state = structuredClone(first);
    const named = rankings.findIndex((ranking) => ranking.name === said.get("model"));
    if (named >= 0) state.active = named;
    const ranking = rankings[state.active];
    const line = state.lines[state.active];
    const asked = (name, instead) => (said.has(name) ? same(ranking, read(said.get(name))) : instead);
    line.asked = { upper: asked("threshold", line.asked.upper), lower: asked("lower") };
    line.upper = place(ranking, said.get("threshold")) ?? line.upper;
    const lower = place(ranking, said.get("lower"));
    state.band = lower !== null;
    line.lower = Math.max(lower ?? line.upper, line.upper);
    if (said.get("prevalence") === "own") state.prevalence = null;
    const prevalence = read(said.get("prevalence"));
    if (prevalence > 0 && prevalence < 1) state.prevalence = prevalence;
    const population = read(said.get("population"));
    if (population > 0) state.population = population;
    const capacity = read(said.get("capacity"));
    if (capacity >= 0) state.capacity = capacity;
    for (const name of COSTS) state.costs[name] = read(said.get(name)) ?? state.costs[name];
    if (said.get("unit")) state.unit = said.get("unit").slice(0, 40);
    if (said.get("layout") === "predicted") state.layout = "predicted";
    return state;
  }

  return { same, initial, fragment, opened, read, COSTS };
})();
