/* The page: reads the document, keeps the reader's choices, and lets everything follow them. */
(() => {
  "use strict";

  const { html } = Drawing;
  const get = (id) => document.getElementById(id);
  const data = JSON.parse(get("document").textContent);
  const rankings = data.models.map((model) => new Rankings.Ranking(model, data.lower_is_positive));
  for (const ranking of rankings) {
    for (const segment of ranking.model.segments ?? []) {
      segment.ranking = new Rankings.Ranking({ ...segment, thresholds: ranking.model.thresholds }, data.lower_is_positive);
    }
  }
  const catalogue = Catalogues.of(data.metrics);
  const first = State.initial(data, rankings);
  let state = State.opened(location.hash, first, rankings);
  let view = null;
  let resting = 0;

  /* ---- what everything else reads ---- */

  function viewed() {
    const ranking = rankings[state.active];
    const line = state.lines[state.active];
    const prior = priorOf(ranking);
    const seen = {
      document: data, catalogue, rankings, ranking, prior, priorOf, line,
      lines: state.lines, active: state.active, band: state.band, costs: state.costs,
      unit: unitOf(prior.population), layout: state.layout, positive: Drawing.quoted(data.positive), negative: Drawing.quoted(data.negative),
      names: [data.positive, data.negative],
      undecided: state.band || ranking.undecidedPositives + ranking.undecidedNegatives > 0,
      matrix: Rankings.matrix(ranking, line.upper, state.band ? line.lower : line.upper, prior),
    };
    seen.about = {
      positive: data.positive, negative: data.negative, level: data.level, z: data.z,
      fixed: data.by_class || state.prevalence !== null,
      ...Rankings.sampled(ranking, line.upper, state.band ? line.lower : line.upper),
      parameters: { expected_cost: costParameters() },
    };
    const share = (part, all) => (all > 0 ? Numbers.share(part / all) : "none");
    const text = (key) => `${Tables.lineText(seen, key)}: ${share(ranking.found[line[key]], ranking.positives)} of ${seen.positive} found, ${share(ranking.alarms[line[key]], ranking.negatives)} of ${seen.negative} called so`;
    seen.said = { upper: text("upper"), lower: text("lower") };
    return seen;
  }

  /** Where the model will be used: as in its own rows, if the reader did not say otherwise. */
  const priorOf = (ranking) => ({
    prevalence: state.prevalence ?? ranking.prevalence,
    population: state.population ?? ranking.rows,
    own: state.prevalence === null,
  });

  const unitOf = (size) => (size === 1 && state.unit === "rows" ? "row" : state.unit);

  const costParameters = () => Object.fromEntries(State.COSTS.map((name) => [`cost_${name}`, state.costs[name]]));

  /* ---- parts of the page ---- */

  const panels = new Map();
  const matrix = new Tables.Matrix(get("matrix"));
  const models = new Tables.Models(get("models"), (at) => change({ active: at }));
  const metrics = new Tables.Metrics(get("metrics"), catalogue);
  metrics.keys(get("keys"));

  function moved(key, wanted, asked = undefined) {
    const { last } = rankings[state.active];
    const now = state.lines[state.active][key];
    const place = Drawing.clamp(typeof wanted === "function" ? wanted(now) : wanted, 0, last);
    const line = { ...state.lines[state.active], [key]: place, asked: { ...state.lines[state.active].asked, [key]: asked } };
    if (!state.band) line.lower = line.upper = place;
    else if (key === "upper") push(line, "lower", Math.max(line.lower, place));
    else push(line, "upper", Math.min(line.upper, place));
    setLine(line);
  }

  /** An end of the band that the other one pushes along is no longer where it was asked for. */
  function push(line, key, place) {
    if (place !== line[key]) line.asked[key] = undefined;
    line[key] = place;
  }

  function setLine(line) {
    state.lines[state.active] = line;
    schedule(false);
  }

  /** Anything but the line itself: all charts are drawn anew. */
  function change(patch) {
    Object.assign(state, patch);
    schedule(true);
  }

  let waiting = null;
  function schedule(whole) {
    if (waiting === null) {
      waiting = whole;
      requestAnimationFrame(() => {
        const all = waiting;
        waiting = null;
        show(all);
      });
    } else waiting ||= whole;
  }

  function show(whole) {
    const start = performance.now();
    view = viewed();
    if (whole) arrange();
    for (const panel of panels.values()) {
      if (whole) panel.redraw(view);
      else panel.move(view);
    }
    fields(whole);
    Tables.say(get("headline"), Tables.headline(view));
    matrix.update(view);
    get("money").replaceChildren(...Tables.money(view).map((text) => html("p", {}, text)));
    if (whole) {
      Tables.say(get("charts-about"), Charts.missing(view));
      models.update(view);
      get("legend").replaceChildren(...models.legend(view));
    } else models.move(view);
    if (view.ranking.model.segments) Tables.segments(get("segments"), view);
    metrics.update(view);
    if (whole) for (const panel of panels.values()) panel.fit();
    clearTimeout(resting);
    resting = setTimeout(rest, 90);
    document.documentElement.dataset.took = (performance.now() - start).toFixed(2);
  }

  /** The line rests: the address follows. */
  function rest() {
    const said = State.fragment(state, first, rankings);
    try {
      history.replaceState(null, "", said ? `#${said}` : location.href.split("#")[0]);
    } catch {
      // A sandboxed frame may not have an address of its own.
    }
    document.documentElement.dataset.ready = "yes";
  }

  /** The charts that this model has, in order. */
  function arrange() {
    const wanted = Charts.all(view);
    for (const [name, panel] of panels) {
      if (!wanted.includes(name)) {
        panel.element.remove();
        panels.delete(name);
      }
    }
    for (const name of wanted) {
      if (!panels.has(name)) panels.set(name, new Panels.Panel(name, moved));
      get("charts").append(panels.get(name).element);
    }
  }

  /* ---- inputs ---- */

  function put(id, value) {
    const input = get(id);
    if (document.activeElement !== input || input.type === "range") input.value = value;
    mark(input, true);
  }

  /** Tell what a field holds to be wrong, to eyes and to screen readers. */
  function mark(input, good) {
    input.classList.toggle("wrong", !good);
    if (good) input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
  }

  const rounded = (value) => Number(value.toPrecision(12));

  /** A number as it fits into a field; what is typed is taken as it is. */
  const brief = (value) => Number(value.toPrecision(5));

  function fields(whole) {
    const { ranking, line } = view;
    for (const key of ["upper", "lower"]) {
      const slider = get(`${key}-slider`);
      slider.max = ranking.last;
      const place = ranking.sign > 0 ? ranking.last - line[key] : line[key];
      put(`${key}-slider`, place);
      slider.setAttribute("aria-valuetext", view.said[key]);
      put(`${key}-typed`, Tables.lineText(view, key));
    }
    Tables.say(get("upper-label"), state.band ? "Upper threshold" : "Threshold");
    if (!whole) return;
    get("lower-bar").hidden = !state.band;
    for (const node of document.querySelectorAll(".when-undecided")) node.hidden = !view.undecided;
    get("band").checked = state.band;
    put("model", state.active);
    put("prevalence", brief(100 * view.prior.prevalence));
    put("population", rounded(view.prior.population));
    put("unit", state.unit);
    put("layout", state.layout);
    put("capacity", state.capacity ?? "");
    for (const name of State.COSTS) put(name, state.costs[name]);
  }

  function tell(text) {
    Tables.say(get("said"), text);
  }

  function typed(key, text) {
    const ranking = rankings[state.active];
    const value = State.read(text.replace(",", "."));
    const input = get(`${key}-typed`);
    if (value === null && text.trim().toLowerCase() !== "none") {
      mark(input, false);
      tell("A threshold is a number, or the word none.");
      return;
    }
    const place = value === null ? 0 : ranking.placeOf(value);
    tell(ranking.model.thinned && place && ranking.thresholds[place] !== value
      ? `This page stops at ${Numbers.count(ranking.last)} of ${Numbers.count(ranking.model.distinct)} thresholds; the next one is ${Numbers.threshold(ranking.thresholds[place])}. A report made with this threshold stops there.` : "");
    moved(key, place, State.same(ranking, value));
  }

  /** A number that a field must hold to be taken. */
  function numeric(id, take, fits, wrong) {
    get(id).addEventListener("input", () => {
      const value = State.read(get(id).value);
      const good = value !== null && fits(value);
      mark(get(id), good);
      tell(good ? "" : wrong);
      if (good) take(value);
    });
  }

  function choose(id, find) {
    get(id).addEventListener("click", () => {
      tell("");
      const found = find(rankings[state.active]);
      if (found === null) return;
      // A single threshold moves the upper end of a band; the lower one stays if it can.
      const [upper, lower] = Array.isArray(found) ? found : [found, state.lines[state.active].lower];
      setLine({ upper, lower: state.band ? Math.max(lower, upper) : upper });
    });
  }

  function percentOf(id) {
    const value = State.read(get(id).value);
    if (value >= 0 && value <= 100 && value !== null) return value / 100;
    tell("Give a number of percent from 0 to 100.");
    return null;
  }

  function wire() {
    for (const key of ["upper", "lower"]) {
      get(`${key}-slider`).addEventListener("input", (event) => {
        const { last, sign } = rankings[state.active];
        moved(key, sign > 0 ? last - Number(event.target.value) : Number(event.target.value));
      });
      get(`${key}-typed`).addEventListener("change", (event) => {
        event.target.blur();
        typed(key, event.target.value);
      });
    }
    get("model").addEventListener("change", (event) => change({ active: Number(event.target.value) }));
    get("band").addEventListener("change", (event) => {
      const line = state.lines[state.active];
      state.lines[state.active] = { ...line, lower: event.target.checked ? Rankings.withinCapacity(view.ranking, opening(line), view.prior) : line.upper };
      change({ band: event.target.checked });
    });
    get("layout").addEventListener("change", (event) => change({ layout: event.target.value }));
    get("unit").addEventListener("input", (event) => change({ unit: event.target.value.trim() || data.unit }));
    numeric("prevalence", (value) => change({ prevalence: value === brief(100 * view.ranking.prevalence) ? null : value / 100 }), (value) => value > 0 && value < 100, "A share lies between 0 and 100 %.");
    numeric("population", (value) => change({ population: value }), (value) => value > 0, "How many there are is a number above 0.");
    for (const name of State.COSTS) numeric(name, (value) => change({ costs: { ...state.costs, [name]: value } }), () => true, "A cost is a number; a benefit is negative.");
    buttons();
    get("copied-close").addEventListener("click", () => get("copied").close());
    addEventListener("hashchange", (event) => {
      // The address may have been rewritten meanwhile; the event knows what was asked for.
      state = State.opened(new URL(event.newURL).hash, first, rankings);
      schedule(true);
    });
  }

  /** A new band begins with a tenth of all rows. */
  const opening = (line) => (Rankings.depth(view.ranking, line.upper, view.prior) + 0.1) * view.prior.population;

  function buttons() {
    const prior = () => priorOf(rankings[state.active]);
    choose("cheapest", (ranking) => {
      const wrong = Rankings.unreasonable(state.costs);
      if (wrong) tell(wrong);
      if (wrong) return null;
      if (!state.band) return cheapest(ranking, prior());
      if (state.costs.rp <= 0 && state.costs.rn <= 0 && state.capacity === null) {
        tell("Say what leaving one undecided costs, or how many can be looked at: for nothing, nearly all would be left.");
        return null;
      }
      return Rankings.cheapestBand(ranking, state.costs, prior(), state.capacity ?? Infinity);
    });
    choose("youden", (ranking) => {
      if (ranking.positives && ranking.negatives) return Rankings.youden(ranking);
      tell("Youden's index is undefined: all rows are of one class.");
      return null;
    });
    get("half").addEventListener("click", () => typed("upper", "0.5"));
    choose("by-tpr", (ranking) => ifGiven(percentOf("tpr"), (share) => {
      const place = Rankings.reachingTpr(ranking, share);
      if (place === null) tell(`No threshold finds ${Numbers.share(share)}: the most is ${Numbers.share(ranking.tpr(ranking.last))}.`);
      return place;
    }));
    choose("by-fpr", (ranking) => ifGiven(percentOf("fpr"), (share) => Rankings.withinFpr(ranking, share)));
    choose("by-capacity", (ranking) => {
      const rows = State.read(get("capacity").value);
      if (rows === null || rows < 0) tell("Say how many can be taken care of.");
      return rows === null || rows < 0 ? null : Rankings.withinCapacity(ranking, rows, prior());
    });
    get("capacity").addEventListener("input", () => change({ capacity: State.read(get("capacity").value) }));
    get("reset").addEventListener("click", () => {
      state = structuredClone(first);
      tell("");
      schedule(true);
    });
    get("copy-text").addEventListener("click", () => copy(Copying.text(view)));
    get("copy-csv").addEventListener("click", () => copy(Copying.csv(view)));
    get("copy-link").addEventListener("click", () => copy(`${location.href.split("#")[0]}#${State.fragment(state, first, rankings)}`));
  }

  /** The cheapest threshold; of several the one with the fewest false alarms, and that is told. */
  function cheapest(ranking, prior) {
    const [first, ...others] = Rankings.cheapestPlaces(ranking, state.costs, prior);
    const named = others.slice(0, 3).map((at) => Numbers.threshold(ranking.thresholds[at])).join(", ");
    if (others.length) tell(`As cheap: ${named}${others.length > 3 ? " and others" : ""}, with more false alarms and fewer misses.`);
    return first;
  }

  const ifGiven = (value, find) => (value === null ? null : find(value));

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      tell("Copied.");
    } catch {
      // Some frames may not write to the clipboard: the reader copies by hand.
      get("copied-text").value = text;
      get("copied").showModal();
      get("copied-text").select();
    }
  }

  /* ---- once ---- */

  function fill() {
    Tables.say(get("title"), data.title);
    Tables.say(get("lead"), data.lead);
    get("warnings").replaceChildren(...data.warnings.map((text) => html("li", {}, text)));
    get("how").replaceChildren(...data.how.map((text) => html("li", {}, text)));
    for (const node of document.querySelectorAll("[data-name]")) node.textContent = Drawing.quoted(data[node.dataset.name]);
    get("model").replaceChildren(...rankings.map((ranking, at) => html("option", { value: at }, Drawing.short(ranking.name, 60))));
    get("model-field").hidden = rankings.length < 2;
    get("charts").classList.toggle("many", rankings.length > 12);
    Tables.say(get("models-about"), data.models_about);
    Tables.say(get("metrics-about"), data.metrics_about);
    get("segments-part").hidden = !data.models.some((model) => model.segments);
    Tables.say(get("segments-about"), data.segments_about);
    if (data.comparison) {
      get("comparison").hidden = false;
      Tables.say(get("comparison-title"), data.comparison.title);
      Tables.say(get("comparison-about"), data.comparison.about);
      Tables.differences(get("differences"), data.comparison);
    }
    for (const id of ["controls", "taking"]) get(id).hidden = false;
    get("now").hidden = false;
  }

  fill();
  wire();
  show(true);
  globalThis.tradeoff = { rankings, catalogue, state: () => state, view: () => view, show, moved };
})();
