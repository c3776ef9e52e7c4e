/* Main program of the page: reads the document, keeps the state and redraws. */
(() => {
  "use strict";

  const { html } = Svg;
  const get = (id) => document.getElementById(id);
  const MAIN_CHARTS = ["cost", "roc", "metrics"]; // below the large chart of scores
  const FALLBACK_CHARTS = ["gains", "precisionRecall"]; // in place of those that cannot be drawn
  const URL_DELAY = 90; // milliseconds after the last move
  const PRINTED = { large: 480, small: 300, table: 880 }; // widths of charts on paper, in pixels
  const NEW_BAND = 0.1; // share of the population in a new band

  function start(data) {
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
    let recommendations = [];
    let view = null;
    let urlTimer = 0;

    /* ---- the view, from which all parts of the page are drawn ---- */

    function currentView() {
      const ranking = rankings[state.active];
      const selection = state.selections[state.active];
      const lower = state.band ? selection.lower : selection.upper;
      const prior = priorOf(ranking);
      const words = { unit: wordsOf(1), units: wordsOf(2), positive: data.positive, negative: data.negative, currency: state.currency };
      const selectionShown = { ...selection, lower };
      const recommendation = recommendations[state.active];
      const nextView = {
        document: data, catalogue, rankings, ranking, prior, priorOf, selection, selectionShown,
        selections: state.selections, active: state.active, band: state.band, costs: state.costs, words,
        unit: wordsOf(prior.population), layout: state.layout, positive: Words.quoted(data.positive), negative: Words.quoted(data.negative),
        names: [data.positive, data.negative], goal: state.goal, highlighted: state.highlighted, scale: state.scale, zoom: state.zoom,
        isCounted: ranking.model.counted, level: `${Number((100 * data.level).toPrecision(12))}%`,
        threshold: selection.requested?.upper ?? ranking.thresholds[selection.upper],
        hasMoved: selection.upper !== initialState.selections[state.active].upper,
        recommendation, recommended: recommendation?.selection ?? null,
        recommendations: recommendations.map((entry) => entry?.selection ?? null),
        undecided: state.band || ranking.undecidedPositives + ranking.undecidedNegatives > 0,
        matrix: Rankings.matrix(ranking, selection.upper, lower, prior),
        ...pinOf(),
      };
      nextView.context = {
        positive: data.positive, negative: data.negative, level: data.level, z: data.z,
        fixed: data.by_class || state.prevalence !== null,
        ...Rankings.sampleMatrices(ranking, selection.upper, lower),
        parameters: { expected_cost: costParameters() },
      };
      const recall = Tables.shortLabel("true_positive_rate");
      const valueText = (key) => `${Words.thresholdText(ranking, selection, key)}: ${recall} ${Words.rate(ranking.tpr(selection[key]))}, false positive rate ${Words.rate(ranking.fpr(selection[key]))}`;
      nextView.valueTexts = { upper: valueText("upper"), lower: valueText("lower") };
      nextView.lowestCostIndex = lowestCostIndex(ranking, prior);
      return nextView;
    }

    /** Population in which a model is used: by default, the prevalence and number of its rows. */
    const priorOf = (ranking) => ({
      prevalence: state.prevalence ?? ranking.prevalence,
      population: state.population ?? ranking.rows,
      isSample: state.prevalence === null,
    });

    const wordsOf = (size) => (size === 1 && state.unit === data.unit ? data.singular : state.unit);

    const costParameters = () => Object.fromEntries(State.COSTS.map((name) => [`cost_${name}`, state.costs[name]]));

    /** The pinned threshold: its selection if it belongs to the active model, its matrix and its name. */
    function pinOf() {
      const { pin } = state;
      if (!pin) return { pin: null, pinned: null, pinnedMatrix: null, pinText: "" };
      const ranking = rankings[pin.model];
      const isOther = pin.model !== state.active;
      return {
        pin,
        pinned: isOther ? null : pin,
        pinnedMatrix: Rankings.matrix(ranking, pin.upper, pin.lower, priorOf(ranking)),
        pinText: `${isOther ? `${Words.isolated(ranking.name, 16)} ` : ""}${Words.thresholdText(ranking, pin)}`,
      };
    }

    const lowestCosts = new Map();

    /** Index of lowest cost, which depends on nothing that moves. */
    function lowestCostIndex(ranking, prior) {
      const key = JSON.stringify([state.costs, prior]);
      const cached = lowestCosts.get(ranking);
      if (cached?.key === key) return cached.index;
      const index = Rankings.costProblem(state.costs) ? 0 : Rankings.lowestCostIndex(ranking, state.costs, prior);
      lowestCosts.set(ranking, { key, index });
      return index;
    }

    let recommendationKey = "";

    /** Recommend a threshold of each model, if the goal, the costs or the population changed. */
    function recommend() {
      const { goal, costs, prevalence, population } = state;
      const key = JSON.stringify([goal, costs, prevalence, population]);
      if (key === recommendationKey) return;
      recommendationKey = key;
      recommendations = rankings.map((ranking, model) => Answer.recommendation(state, initialState, model, ranking, priorOf(ranking)));
    }

    /* ---- parts of the page ---- */

    const panels = new Map();
    const chartPlaces = { large: get("where"), main: get("main-charts"), others: get("charts") };
    const answer = new Answer.Card(get("answer"), { onUse: () => { state.band = false; useRecommendation(); }, onQuestion: answerQuestion });
    const tiles = new Tiles.Strip(get("tiles"));
    const line = new Line.Control(get("line"), {
      onMove: moveThreshold,
      onType: enterThreshold,
      onPin: togglePin,
      onScale: (scale) => change({ scale }),
    });
    const matrix = new Meaning.MatrixTable(get("matrix"));
    const goalPicker = new Meaning.GoalPicker(get("meaning"), data, chooseGoal);
    const modelTable = new Models.Table(get("models"), { onSelect: (active) => change({ active }), onHighlight: (highlighted) => change({ highlighted }) });
    const copyTable = (text, format) => Share.copy(text, setStatus, `Copied as ${format}.`);
    const segmentPlot = new Segments.Plot(get("segments"));
    const cutoffTable = new Cutoffs.Table(get("cutoffs"), { onMove: moveThreshold, onCopy: copyTable });
    const decileTable = new Deciles.Table(get("deciles"), { onCopy: copyTable });
    const metricTables = new Tables.MetricTables(get("metrics"), catalogue);
    const grids = [modelTable.grid, modelTable.summaries, segmentPlot.grid, cutoffTable.grid, decileTable.grid];
    const tabs = new Tabs.Bar(get("tabs"), document.querySelectorAll(".part"), showPart);

    /** Parts below the charts, by the name of their tab: how each is updated, and how it moves. */
    const PARTS = {
      models: { update: () => modelTable.update(view), move: () => modelTable.move(view) },
      charts: {
        update: () => Words.write(get("charts-about"), Charts.missingSentence(view)),
        move() {},
      },
      segments: { update: () => segmentPlot.update(view), move: () => segmentPlot.move(view) },
      cutoffs: { update: () => cutoffTable.update(view), move: () => cutoffTable.move(view) },
      deciles: { update: () => decileTable.update(view), move: () => decileTable.move(view) },
      metrics: { update: () => metricTables.update(view), move: () => metricTables.update(view) },
    };
    const outdated = new Set();

    /** Bring a part up to date when its tab is opened. */
    function showPart(name) {
      if (!view) return;
      if (name === "charts") for (const panel of panels.values()) if (isHidden(panel)) redrawPanel(panel);
      if (!outdated.delete(name)) return;
      PARTS[name]?.move();
      if (name === "charts") for (const panel of panels.values()) panel.move(view);
    }

    const isHidden = (panel) => panel.element.closest("#charts") !== null;

    function redrawPanel(panel) {
      panel.redraw(view);
    }

    /* ---- moving the threshold ---- */

    /** Move a threshold to an index, or to a function of the current one. */
    function moveThreshold(key, target, requested = undefined) {
      if (data.labels_only) return;
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

    /** Select the threshold that was typed. */
    function enterThreshold(key, text) {
      const ranking = rankings[state.active];
      const field = get(`${key}-typed`);
      const parsed = State.parseThreshold(ranking, text.trim().toLowerCase().replace("−", "-").replace(",", "."));
      markValid(field, parsed !== null);
      if (!parsed) {
        setStatus("A threshold is a number, or the word none.");
        return;
      }
      const threshold = ranking.thresholds[parsed.index];
      setStatus(!parsed.isExact && parsed.index
        ? `The page has ${Numbers.count(ranking.last)} of ${Numbers.count(ranking.model.distinct)} thresholds; the next is ${Numbers.threshold(threshold)}. A report made with this threshold stops at it.` : "");
      moveThreshold(key, parsed.index, parsed.requested);
    }

    /** Move the threshold of a model to the recommended one; in a band, the upper one. */
    function useRecommendation(model = state.active) {
      const selection = recommendations[model]?.selection;
      if (!selection) return;
      const { lower, requested } = state.selections[model];
      state.selections[model] = state.band
        ? { upper: selection.upper, lower: Math.max(lower, selection.upper), requested: { ...requested, upper: selection.requested.upper } }
        : { ...selection };
      schedule(true);
    }

    /** Whether a model's threshold is where it was put by the goal, so that it follows the goal. */
    function isFollowing(model) {
      const target = recommendations[model]?.selection ?? initialState.selections[model];
      return !state.band && state.selections[model].upper === target.upper;
    }

    /* ---- changing anything else ---- */

    /** Change settings; thresholds that stand where the goal put them follow it, and with `moves` that of the active model does. */
    function change(patch, { moves = false } = {}) {
      recommend();
      const following = rankings.map((_, model) => isFollowing(model));
      const before = recommendationKey;
      Object.assign(state, patch);
      recommend();
      const isChanged = recommendationKey !== before;
      following.forEach((follows, model) => {
        if ((isChanged && follows) || (moves && model === state.active)) useRecommendation(model);
      });
      schedule(true);
    }

    function chooseGoal(goal, field = null) {
      const problem = goal.name === "number" || goal.name === "document" ? "" : Goals.problem(goal, state.costs);
      if (field) markValid(field, !problem && !(goal.name === "number" && goal.value === null));
      if (problem && field) {
        setStatus(problem);
        return;
      }
      if (goal.name === "number") {
        change({ goal: { name: "number", value: null } });
        if (field) enterThreshold("upper", field.value);
        return;
      }
      change({ goal }, { moves: true });
      const entry = recommendations[state.active];
      setStatus(entry?.problem ?? entry?.note ?? "");
    }

    function answerQuestion(worse, text) {
      const ratio = State.parseNumber(text.replace(",", "."));
      markValid(get("ratio"), ratio > 0);
      if (!(ratio > 0)) {
        setStatus("Enter how many times as bad: a number above 0.");
        return;
      }
      setStatus("");
      const costs = { ...state.costs, tp: 0, tn: 0, fp: worse === "fp" ? ratio : 1, fn: worse === "fn" ? ratio : 1 };
      change({ costs, goal: { name: "cost", value: null } }, { moves: true });
    }

    function togglePin() {
      const selection = state.selections[state.active];
      const lower = state.band ? selection.lower : selection.upper;
      change({ pin: state.pin ? null : { ...structuredClone(selection), model: state.active, lower } });
    }

    function toggleBand(isBand) {
      const selection = state.selections[state.active];
      const rows = (Rankings.depth(view.ranking, selection.upper, view.prior) + NEW_BAND) * view.prior.population;
      const lower = isBand ? Math.max(selection.upper, Rankings.indexForCapacity(view.ranking, rows, view.prior)) : selection.upper;
      state.selections[state.active] = { ...selection, lower, requested: { ...selection.requested, lower: undefined } };
      change({ band: isBand });
    }

    /** The band of lowest cost, of no more rows than a person can look at. */
    function findBand() {
      const { costs, review } = state;
      const problem = Rankings.costProblem(costs);
      const isFree = costs.rp <= 0 && costs.rn <= 0 && review === null;
      if (problem || isFree) {
        setStatus(problem || "Enter what an undecided case costs, or how many cases a person can look at: if a person’s look costs nothing, nearly all cases would go there.");
        return;
      }
      setStatus("");
      const ranking = rankings[state.active];
      const [upper, lower] = Rankings.lowestCostBand(ranking, costs, priorOf(ranking), review ?? Infinity);
      select({ upper, lower, requested: {} });
    }

    /* ---- drawing ---- */

    let pending = null;
    function schedule(isFull) {
      if (pending === null) {
        pending = isFull;
        requestAnimationFrame(() => {
          const scheduled = pending;
          pending = null;
          if (scheduled !== null) show(scheduled);
        });
      } else pending ||= isFull;
    }

    function show(isFull) {
      const begin = performance.now();
      recommend();
      view = currentView();
      if (isFull) update();
      else move();
      clearTimeout(urlTimer);
      urlTimer = setTimeout(updateUrl, URL_DELAY);
      document.documentElement.dataset.took = (performance.now() - begin).toFixed(2);
    }

    /** Redraw everything. */
    function update() {
      arrangeCharts();
      for (const panel of panels.values()) panel.redraw(view);
      updateFields();
      for (const part of [answer, tiles, line, matrix, goalPicker]) part.update(view);
      writeSentences();
      for (const { update: updatePart } of Object.values(PARTS)) updatePart();
      outdated.clear();
    }

    /** Redraw what moves with the threshold; what is behind a closed tab waits until it is opened. */
    function move() {
      for (const panel of panels.values()) if (tabs.active === "charts" || !isHidden(panel)) panel.move(view);
      for (const part of [answer, tiles, line, matrix]) part.move(view);
      if (goalPicker.select.value === "number") goalPicker.update(view);
      writeSentences();
      updatePerson();
      get("reset").hidden = isInitial();
      for (const [name, part] of Object.entries(PARTS)) {
        if (name === tabs.active) part.move();
        else outdated.add(name);
      }
    }

    function writeSentences() {
      Words.write(get("headline"), Meaning.headline(view));
      const sentences = Meaning.costSentences(view).slice(-2);
      const list = get("costs");
      while (list.children.length < sentences.length) list.append(html("p"));
      while (list.children.length > sentences.length) list.lastChild.remove();
      sentences.forEach((text, index) => Words.write(list.children[index], text));
    }

    function updatePerson() {
      if (!view.band) return;
      const { matrix: m, prior, isCounted } = view;
      const rejected = m.rp + m.rn;
      Words.write(get("person"), Words.size(rejected, isCounted));
      Words.write(get("person-about"), `${Words.ratio(rejected, prior.population)} of ${view.words.units}; ${Words.size(m.rp, isCounted)} of them ${view.positive}`);
    }

    const isInitial = () => State.toFragment(state, initialState, rankings) === "";

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

    /** Show the charts of the active model: that of the scores, three below it, and the others in their tab. */
    function arrangeCharts() {
      const names = Charts.available(view).filter((name) => !data.labels_only || name === "roc");
      const large = data.labels_only ? "roc" : "scores";
      for (const [name, panel] of panels) {
        if (!names.includes(name)) {
          panel.remove();
          panels.delete(name);
        }
      }
      const others = names.filter((name) => name !== large);
      const shown = [...MAIN_CHARTS, ...FALLBACK_CHARTS].filter((name) => others.includes(name)).slice(0, MAIN_CHARTS.length);
      const main = [...shown].sort((a, b) => orderOf(a) - orderOf(b));
      place(names.filter((name) => name === large), chartPlaces.large);
      place(main, chartPlaces.main);
      place(others.filter((name) => !main.includes(name)), chartPlaces.others);
      chartPlaces.main.hidden = !main.length;
      chartPlaces.large.hidden = !names.includes(large);
    }

    const orderOf = (name) => [...MAIN_CHARTS, ...FALLBACK_CHARTS].indexOf(name);

    function place(names, container) {
      const elements = names.map((name) => {
        if (!panels.has(name)) panels.set(name, new Panels.Panel(name, { onMove: moveThreshold, onHover: (info) => line.point(info?.index ?? null) }));
        return panels.get(name).element;
      });
      if (elements.some((element, index) => container.children[index] !== element) || container.children.length !== elements.length) container.replaceChildren(...elements);
    }

    /* ---- inputs ---- */

    function setField(id, value) {
      const input = get(id);
      if (document.activeElement !== input || input.tagName === "SELECT") input.value = value;
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

    function updateFields() {
      const isLabels = Boolean(data.labels_only);
      get("person-card").hidden = !state.band;
      get("band").checked = state.band;
      get("zoom").checked = state.zoom;
      get("zoom-field").hidden = !(initialState.zoom || state.zoom);
      get("reset").hidden = isInitial();
      for (const id of ["line", "goal-row", "band-card"]) get(id).hidden = isLabels;
      setField("model", state.active);
      setField("prevalence", fiveDigits(100 * view.prior.prevalence));
      setField("population", rounded(view.prior.population));
      setField("unit", state.unit);
      setField("currency", state.currency);
      setField("layout", state.layout);
      setField("review", state.review ?? "");
      for (const name of State.COSTS) setField(name, state.costs[name]);
      for (const key of ["upper", "lower"]) markValid(get(`${key}-typed`), true);
      updatePerson();
    }

    function setStatus(text) {
      Words.write(get("status"), text);
    }

    /** Handle a numeric field: `apply` receives a valid number; otherwise `problem` is shown. */
    function handleNumber(id, apply, isValid, problem, isOptional = false) {
      get(id).addEventListener("input", () => {
        const value = State.parseNumber(get(id).value);
        const valid = value === null ? isOptional : isValid(value);
        markValid(get(id), valid);
        setStatus(valid ? "" : problem);
        if (valid) apply(value);
      });
    }

    function addListeners() {
      get("model").addEventListener("change", (event) => change({ active: Number(event.target.value) }));
      get("band").addEventListener("change", (event) => toggleBand(event.target.checked));
      get("zoom").addEventListener("change", (event) => change({ zoom: event.target.checked }));
      get("layout").addEventListener("change", (event) => change({ layout: event.target.value }));
      get("unit").addEventListener("input", (event) => change({ unit: event.target.value.trim() || data.unit }));
      get("currency").addEventListener("input", (event) => change({ currency: event.target.value.trim() }));
      handleNumber("prevalence", (value) => change({ prevalence: value === fiveDigits(100 * view.ranking.prevalence) ? null : value / 100 }), (value) => value > 0 && value < 100, "The share must be between 0 and 100%.");
      handleNumber("population", (value) => change({ population: value }), (value) => value > 0, "The size of the population must be above 0.");
      handleNumber("review", (value) => change({ review: value }), (value) => value >= 0, "The number of cases must not be negative.", true);
      for (const name of State.COSTS) handleNumber(name, (value) => change({ costs: { ...state.costs, [name]: value } }), () => true, "A cost is a number; a benefit is negative.");
      get("best-band").addEventListener("click", findBand);
      get("reset").addEventListener("click", () => {
        state = structuredClone(initialState);
        setStatus("");
        schedule(true);
      });
      get("copied-close").addEventListener("click", () => get("copied").close());
      addEventListener("hashchange", (event) => {
        // The URL may have been rewritten since; the event has the URL that was opened.
        state = State.fromFragment(new URL(event.newURL).hash, initialState, rankings);
        schedule(true);
      });
      addSharing();
      addPrinting();
    }

    function addSharing() {
      const sharing = new Share.Menu(get("share"), get("share-menu"));
      const downloads = new Share.Menu(get("download"), get("download-menu"), () => {
        Panels.prepare();
        Share.fillDownloads(get("download-menu"), view, { figures: [...panels.values()].map((panel) => panel.element), tables: tablesShown(), onStatus: setStatus });
      });
      const copy = async (text, message) => {
        await Share.copy(text, setStatus, message);
        for (const menu of [sharing, downloads]) menu.toggle(false);
      };
      const hasAddress = Share.hasAddress();
      get("copy-link").disabled = !hasAddress;
      Words.write(get("link-about"), !hasAddress
        ? "This page has no address of its own: it is shown inside another page, such as a notebook. Save the report as a file to share a link to this view."
        : Share.isFile() ? "The link restores this view wherever this file is: send the file along." : "The link restores this view: every model’s threshold, the pin, the goal and the costs.");
      get("copy-link").addEventListener("click", () => copy(`${location.href.split("#")[0]}#${State.toFragment(state, initialState, rankings)}`, "Link copied."));
      get("copy-text").addEventListener("click", () => copy(Clipboard.text(view)));
      get("copy-csv").addEventListener("click", () => copy(Clipboard.csv(view)));
    }

    /** Tables that can be downloaded, with their titles. */
    function tablesShown() {
      return [...document.querySelectorAll(".part table:not(.metrics)")]
        .filter((table) => table.rows.length)
        .map((table) => ({
          title: table.caption?.textContent || table.closest(".part").dataset.title,
          csv: () => grids.find((grid) => grid.table === table)?.csv() ?? Clipboard.tableCsv(table),
        }));
    }

    /** On paper closed parts are open, and everything is up to date. */
    function addPrinting() {
      const media = matchMedia("print");
      let widths = null;
      const prepare = () => {
        if (widths) return;
        for (const name of [...outdated]) PARTS[name]?.move();
        outdated.clear();
        widths = new Map([...panels.values()].map((panel) => [panel, panel.width]));
        widths.set(segmentPlot, segmentPlot.available);
        segmentPlot.resize(PRINTED.table);
        for (const panel of panels.values()) panel.resize(panel.element.closest("#where") ? PRINTED.large : PRINTED.small);
      };
      const restore = () => {
        for (const [panel, width] of widths ?? []) panel.resize(width);
        widths = null;
      };
      media.addEventListener("change", () => (media.matches ? prepare() : restore()));
      addEventListener("beforeprint", prepare);
      addEventListener("afterprint", restore);
    }

    /* ---- start ---- */

    function fillPage() {
      Words.write(get("title"), data.title);
      Words.write(get("lead"), data.lead);
      get("warnings").replaceChildren(...data.warnings.map((text) => html("li", {}, text)));
      get("how").replaceChildren(...data.how.map((text) => html("li", {}, text)));
      for (const node of document.querySelectorAll("[data-name]")) Words.write(node, Words.quoted(data[node.dataset.name]));
      Words.write(get("recall-scale"), Words.capitalized(Tables.shortLabel("true_positive_rate")));
      get("model").replaceChildren(...rankings.map((ranking, index) => html("option", { value: index }, Svg.truncate(ranking.name, 60))));
      get("model-field").hidden = rankings.length < 2;
      document.body.classList.toggle("many", rankings.length > 12);
      Words.write(get("metrics-about"), data.metrics_about);
      if (data.comparison) {
        get("comparison").hidden = false;
        Words.write(get("comparison-title"), data.comparison.title);
        Words.write(get("comparison-about"), data.comparison.about);
        Tables.differences(get("differences"), data.comparison);
      }
      document.body.classList.toggle("labels", Boolean(data.labels_only));
      const checklist = Checklist.section(data, { onCopy: copyTable });
      if (checklist) get("part-checklist").append(checklist);
      const isEmpty = { segments: !data.models.some((model) => model.segments), checklist: !checklist };
      if (data.labels_only) for (const name of ["charts", "cutoffs", "deciles"]) isEmpty[name] = true;
      tabs.fill((name) => !isEmpty[name] && (name in PARTS || name === "method" || name === "checklist"), rankings.length > 1 ? "models" : "charts");
      for (const id of ["actions", "results"]) get(id).hidden = false;
    }

    fillPage();
    addListeners();
    show(true);
    // Charts are drawn to their width in the next frame; then the page is usable.
    requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = "yes"; }));
    globalThis.tradeoff = { rankings, catalogue, state: () => state, view: () => view, show, moveThreshold };
  }

  Documents.decode(JSON.parse(get("document").textContent)).then((data) => (data.empty ? Chooser.open(data, start) : start(data)));
})();
