/* Main program of the page: reads the document, keeps the state and redraws. */
Documents.decode(JSON.parse(document.getElementById("document").textContent)).then((data) => {
  "use strict";

  const { html } = Svg;
  const get = (id) => document.getElementById(id);
  const rankings = data.models.map((model) => new Rankings.Ranking(model, data.lower_is_positive));
  for (const ranking of rankings) {
    for (const segment of ranking.model.segments ?? []) {
      segment.ranking = new Rankings.Ranking({ ...segment, thresholds: ranking.model.thresholds }, data.lower_is_positive);
    }
  }
  const catalogue = Catalogues.of(data.metrics);
  Tables.setLabels(data.labels);
  const initialState = State.initial(data, rankings);
  let state = State.fromFragment(location.hash, initialState, rankings);
  let view = null;
  let urlTimer = 0;

  /* ---- the view, from which all parts of the page are drawn ---- */

  function currentView() {
    const ranking = rankings[state.active];
    const selection = state.selections[state.active];
    const lower = state.band ? selection.lower : selection.upper;
    const prior = priorOf(ranking);
    const nextView = {
      document: data, catalogue, rankings, ranking, prior, priorOf, selection,
      selections: state.selections, active: state.active, band: state.band, costs: state.costs,
      unit: unitOf(prior.population), layout: state.layout, positive: Svg.quoted(data.positive), negative: Svg.quoted(data.negative),
      names: [data.positive, data.negative],
      undecided: state.band || ranking.undecidedPositives + ranking.undecidedNegatives > 0,
      matrix: Rankings.matrix(ranking, selection.upper, lower, prior),
    };
    nextView.context = {
      positive: data.positive, negative: data.negative, level: data.level, z: data.z,
      fixed: data.by_class || state.prevalence !== null,
      ...Rankings.sampleMatrices(ranking, selection.upper, lower),
      parameters: { expected_cost: costParameters() },
    };
    const rate = (value) => (Number.isNaN(value) ? "undefined" : Numbers.percent(value));
    const valueText = (key) => `${Tables.selectedText(nextView, key)}: recall ${rate(ranking.tpr(selection[key]))}, false positive rate ${rate(ranking.fpr(selection[key]))}`;
    nextView.valueTexts = { upper: valueText("upper"), lower: valueText("lower") };
    return nextView;
  }

  /** Population in which a model is used: by default, the prevalence and number of its rows. */
  const priorOf = (ranking) => ({
    prevalence: state.prevalence ?? ranking.prevalence,
    population: state.population ?? ranking.rows,
    isSample: state.prevalence === null,
  });

  const unitOf = (size) => (size === 1 && state.unit === data.unit ? data.singular : state.unit);

  const costParameters = () => Object.fromEntries(State.COSTS.map((name) => [`cost_${name}`, state.costs[name]]));

  /* ---- parts of the page ---- */

  const panels = new Map();
  const matrixTable = new Tables.MatrixTable(get("matrix"));
  const modelTable = new Tables.ModelTable(get("models"), (active) => change({ active }));
  const metricTables = new Tables.MetricTables(get("metrics"), catalogue);
  metricTables.fillMain(get("main-metrics"));

  /** Move a threshold to an index, or to a function of the current one. */
  function moveThreshold(key, target, requested = undefined) {
    const current = state.selections[state.active];
    const index = Svg.clamp(typeof target === "function" ? target(current[key]) : target, 0, rankings[state.active].last);
    const selection = { ...current, [key]: index, requested: { ...current.requested, [key]: requested } };
    if (!state.band) selection.lower = selection.upper = index;
    else if (key === "upper") push(selection, "lower", Math.max(selection.lower, index));
    else push(selection, "upper", Math.min(selection.upper, index));
    select(selection);
  }

  /** Move the other threshold of a band along; it is then no longer a requested threshold. */
  function push(selection, key, index) {
    if (index !== selection[key]) selection.requested[key] = undefined;
    selection[key] = index;
  }

  function select(selection) {
    state.selections[state.active] = selection;
    schedule(false);
  }

  /** Change anything but the threshold: all charts are updated. */
  function change(patch) {
    Object.assign(state, patch);
    schedule(true);
  }

  let pending = null;
  function schedule(isFull) {
    if (pending === null) {
      pending = isFull;
      requestAnimationFrame(() => {
        const scheduled = pending;
        pending = null;
        show(scheduled);
      });
    } else pending ||= isFull;
  }

  function show(isFull) {
    const start = performance.now();
    view = currentView();
    if (isFull) arrangeCharts();
    for (const panel of panels.values()) {
      if (isFull) panel.redraw(view);
      else panel.move(view);
    }
    updateFields(isFull);
    Tables.setText(get("headline"), Tables.headline(view));
    matrixTable.update(view);
    get("costs").replaceChildren(...Tables.costSentences(view).map((text) => html("p", {}, text)));
    if (isFull) {
      Tables.setText(get("charts-about"), Charts.missingSentence(view));
      modelTable.update(view);
      get("legend").replaceChildren(...modelTable.legend(view));
    } else modelTable.move(view);
    if (view.ranking.model.segments) Tables.segments(get("segments"), view);
    metricTables.update(view);
    if (isFull) for (const panel of panels.values()) panel.fit();
    clearTimeout(urlTimer);
    urlTimer = setTimeout(updateUrl, 90);
    document.documentElement.dataset.took = (performance.now() - start).toFixed(2);
  }

  /** Write the state to the URL once the threshold stops moving. */
  function updateUrl() {
    const fragment = State.toFragment(state, initialState, rankings);
    try {
      history.replaceState(null, "", fragment ? `#${fragment}` : location.href.split("#")[0]);
    } catch {
      // A sandboxed frame may not have a URL.
    }
    document.documentElement.dataset.ready = "yes";
  }

  /** Show the charts of the active model, in order. */
  function arrangeCharts() {
    const names = Charts.available(view);
    for (const [name, panel] of panels) {
      if (!names.includes(name)) {
        panel.element.remove();
        panels.delete(name);
      }
    }
    for (const name of names) {
      if (!panels.has(name)) panels.set(name, new Panels.Panel(name, moveThreshold));
      get("charts").append(panels.get(name).element);
    }
  }

  /* ---- inputs ---- */

  function setField(id, value) {
    const input = get(id);
    if (document.activeElement !== input || input.type === "range") input.value = value;
    markValid(input, true);
  }

  /** Mark a field as valid or not, also for screen readers. */
  function markValid(input, isValid) {
    input.classList.toggle("wrong", !isValid);
    if (isValid) input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
  }

  const rounded = (value) => Number(value.toPrecision(12));

  /** A number short enough for its field. */
  const fiveDigits = (value) => Number(value.toPrecision(5));

  function updateFields(isFull) {
    const { ranking, selection } = view;
    for (const key of ["upper", "lower"]) {
      const slider = get(`${key}-slider`);
      slider.max = ranking.last;
      const position = ranking.sign > 0 ? ranking.last - selection[key] : selection[key];
      setField(`${key}-slider`, position);
      slider.setAttribute("aria-valuetext", view.valueTexts[key]);
      setField(`${key}-typed`, Tables.selectedText(view, key));
    }
    Tables.setText(get("upper-label"), state.band ? "Upper threshold" : "Threshold");
    if (!isFull) return;
    get("lower-bar").hidden = !state.band;
    for (const node of document.querySelectorAll(".when-undecided")) node.hidden = !view.undecided;
    get("band").checked = state.band;
    setField("model", state.active);
    setField("prevalence", fiveDigits(100 * view.prior.prevalence));
    setField("population", rounded(view.prior.population));
    setField("unit", state.unit);
    setField("layout", state.layout);
    setField("capacity", state.capacity ?? "");
    for (const name of State.COSTS) setField(name, state.costs[name]);
  }

  function setStatus(text) {
    Tables.setText(get("status"), text);
  }

  /** Select the threshold that was typed. */
  function enterThreshold(key, text) {
    const ranking = rankings[state.active];
    const value = State.parseNumber(text.replace(",", "."));
    if (value === null && text.trim().toLowerCase() !== "none") {
      markValid(get(`${key}-typed`), false);
      setStatus("A threshold is a number, or the word none.");
      return;
    }
    const index = value === null ? 0 : ranking.indexOf(value);
    setStatus(ranking.model.thinned && index && ranking.thresholds[index] !== value
      ? `The slider stops at ${Numbers.count(ranking.last)} of ${Numbers.count(ranking.model.distinct)} thresholds; the next stop is ${Numbers.threshold(ranking.thresholds[index])}. A report created with this threshold stops at it.` : "");
    moveThreshold(key, index, State.exactThreshold(ranking, value));
  }

  /** Handle a numeric field: `update` receives a valid number; otherwise `problem` is shown. */
  function handleNumber(id, update, isValid, problem) {
    get(id).addEventListener("input", () => {
      const value = State.parseNumber(get(id).value);
      const valid = value !== null && isValid(value);
      markValid(get(id), valid);
      setStatus(valid ? "" : problem);
      if (valid) update(value);
    });
  }

  /** Handle a button; `find` returns an index, [upper, lower] of a band, or null. */
  function handleChoice(id, find) {
    get(id).addEventListener("click", () => {
      setStatus("");
      const choice = find(rankings[state.active]);
      if (choice === null) return;
      // A single threshold moves the upper limit of a band; the lower one stays if possible.
      const [upper, lower] = Array.isArray(choice) ? choice : [choice, state.selections[state.active].lower];
      select({ upper, lower: state.band ? Math.max(lower, upper) : upper });
    });
  }

  function percentField(id) {
    const value = State.parseNumber(get(id).value);
    if (value >= 0 && value <= 100 && value !== null) return value / 100;
    setStatus("Enter a percentage from 0 to 100.");
    return null;
  }

  function addListeners() {
    for (const key of ["upper", "lower"]) {
      get(`${key}-slider`).addEventListener("input", (event) => {
        const { last, sign } = rankings[state.active];
        moveThreshold(key, sign > 0 ? last - Number(event.target.value) : Number(event.target.value));
      });
      get(`${key}-typed`).addEventListener("change", (event) => {
        event.target.blur();
        enterThreshold(key, event.target.value);
      });
    }
    get("model").addEventListener("change", (event) => change({ active: Number(event.target.value) }));
    get("band").addEventListener("change", (event) => {
      const selection = state.selections[state.active];
      const lower = event.target.checked ? Rankings.indexForCapacity(view.ranking, openingCapacity(selection), view.prior) : selection.upper;
      state.selections[state.active] = { ...selection, lower };
      change({ band: event.target.checked });
    });
    get("layout").addEventListener("change", (event) => change({ layout: event.target.value }));
    get("unit").addEventListener("input", (event) => change({ unit: event.target.value.trim() || data.unit }));
    handleNumber("prevalence", (value) => change({ prevalence: value === fiveDigits(100 * view.ranking.prevalence) ? null : value / 100 }), (value) => value > 0 && value < 100, "The share must be between 0 and 100%.");
    handleNumber("population", (value) => change({ population: value }), (value) => value > 0, "The size of the population must be above 0.");
    for (const name of State.COSTS) handleNumber(name, (value) => change({ costs: { ...state.costs, [name]: value } }), () => true, "A cost is a number; a benefit is negative.");
    addButtons();
    get("copied-close").addEventListener("click", () => get("copied").close());
    addEventListener("hashchange", (event) => {
      // The URL may have been rewritten since; the event has the URL that was opened.
      state = State.fromFragment(new URL(event.newURL).hash, initialState, rankings);
      schedule(true);
    });
  }

  /** Rows above the lower threshold of a new band, which contains a tenth of all rows. */
  const openingCapacity = (selection) => (Rankings.depth(view.ranking, selection.upper, view.prior) + 0.1) * view.prior.population;

  function addButtons() {
    const prior = () => priorOf(rankings[state.active]);
    handleChoice("lowest-cost", (ranking) => {
      const problem = Rankings.costProblem(state.costs);
      if (problem) {
        setStatus(problem);
        return null;
      }
      if (!state.band) return lowestCostIndex(ranking, prior());
      if (state.costs.rp <= 0 && state.costs.rn <= 0 && state.capacity === null) {
        setStatus("Enter the cost of an undecided case, or the number of cases that can be handled: if undecided cases cost nothing, nearly all would be undecided.");
        return null;
      }
      return Rankings.lowestCostBand(ranking, state.costs, prior(), state.capacity ?? Infinity);
    });
    handleChoice("youden", (ranking) => {
      if (ranking.positives && ranking.negatives) return Rankings.youdenIndex(ranking);
      setStatus("Youden's index is undefined: all rows are of one class.");
      return null;
    });
    get("half").addEventListener("click", () => enterThreshold("upper", "0.5"));
    handleChoice("by-tpr", (ranking) => ifValid(percentField("tpr"), (rate) => {
      const index = Rankings.indexForTpr(ranking, rate);
      if (index === null) setStatus(`No threshold reaches a recall of ${Numbers.percent(rate)}: the maximum is ${Numbers.percent(ranking.tpr(ranking.last))}.`);
      return index;
    }));
    handleChoice("by-fpr", (ranking) => ifValid(percentField("fpr"), (rate) => Rankings.indexForFpr(ranking, rate)));
    handleChoice("by-capacity", (ranking) => {
      const rows = State.parseNumber(get("capacity").value);
      if (rows !== null && rows >= 0) return Rankings.indexForCapacity(ranking, rows, prior());
      setStatus("Enter the number of cases that can be handled.");
      return null;
    });
    get("capacity").addEventListener("input", () => change({ capacity: State.parseNumber(get("capacity").value) }));
    get("reset").addEventListener("click", () => {
      state = structuredClone(initialState);
      setStatus("");
      schedule(true);
    });
    get("copy-text").addEventListener("click", () => copy(Clipboard.text(view)));
    get("copy-csv").addEventListener("click", () => copy(Clipboard.csv(view)));
    get("copy-link").addEventListener("click", () => copy(`${location.href.split("#")[0]}#${State.toFragment(state, initialState, rankings)}`));
  }

  /** Threshold of lowest cost; if several tie, the one with the fewest false positives. */
  function lowestCostIndex(ranking, prior) {
    const [first, ...ties] = Rankings.lowestCostIndices(ranking, state.costs, prior);
    const thresholds = ties.slice(0, 3).map((index) => Numbers.threshold(ranking.thresholds[index])).join(", ");
    if (ties.length) setStatus(`Same cost: ${thresholds}${ties.length > 3 ? " and others" : ""}, with more false positives and fewer false negatives.`);
    return first;
  }

  const ifValid = (value, find) => (value === null ? null : find(value));

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      setStatus("Copied.");
    } catch {
      // Some frames cannot write to the clipboard: offer the text to be copied.
      get("copied-text").value = text;
      get("copied").showModal();
      get("copied-text").select();
    }
  }

  /* ---- start ---- */

  function fillPage() {
    Tables.setText(get("title"), data.title);
    Tables.setText(get("lead"), data.lead);
    Tables.setText(get("threshold-about"), data.threshold_about);
    get("warnings").replaceChildren(...data.warnings.map((text) => html("li", {}, text)));
    get("how").replaceChildren(...data.how.map((text) => html("li", {}, text)));
    for (const node of document.querySelectorAll("[data-name]")) node.textContent = Svg.quoted(data[node.dataset.name]);
    get("model").replaceChildren(...rankings.map((ranking, index) => html("option", { value: index }, Svg.truncate(ranking.name, 60))));
    get("model-field").hidden = rankings.length < 2;
    get("charts").classList.toggle("many", rankings.length > 12);
    Tables.setText(get("models-about"), data.models_about);
    Tables.setText(get("metrics-about"), data.metrics_about);
    get("segments-part").hidden = !data.models.some((model) => model.segments);
    Tables.setText(get("segments-about"), data.segments_about);
    if (data.decisions) {
      get("decisions").hidden = false;
      Tables.setText(get("decisions-title"), data.decisions.title);
      Tables.setText(get("decisions-about"), data.decisions.about);
      Tables.decisions(get("decisions-table"), data.decisions);
    }
    if (data.comparison) {
      get("comparison").hidden = false;
      Tables.setText(get("comparison-title"), data.comparison.title);
      Tables.setText(get("comparison-about"), data.comparison.about);
      Tables.differences(get("differences"), data.comparison);
    }
    for (const id of ["controls", "actions", "results"]) get(id).hidden = false;
  }

  fillPage();
  addListeners();
  show(true);
  globalThis.tradeoff = { rankings, catalogue, state: () => state, view: () => view, show, moveThreshold };
});
