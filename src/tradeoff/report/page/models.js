/* The table of models, each at its own best threshold. */
const Models = (() => {
  "use strict";

  const { html, svg } = Svg;
  const NEW_DATA = "on new data";

  /** A model's row: its threshold, its matrix there, and what the document knows of it. */
  function entries(view) {
    return view.rankings.map((ranking, index) => {
      const own = view.selections[index];
      const isBand = view.band && own.lower > own.upper;
      const recommended = view.recommendations?.[index] ?? null;
      // In a band, and without a goal, each model stands at its own threshold.
      const selection = isBand || !recommended ? own : recommended;
      const lower = isBand ? own.lower : selection.upper;
      const prior = view.priorOf(ranking);
      const matrix = Rankings.matrix(ranking, selection.upper, lower, prior);
      const document = view.recommendation?.document && recommended ? ranking.model.recommendation : null;
      return { ranking, index, selection, isBand, recommended, prior, matrix, document, cost: Rankings.totalCost(matrix, view.costs) / prior.population };
    });
  }

  /** Whether costs decide, so that they are the first column. */
  const hasCosts = (view) => view.goal?.name === "cost" && !Rankings.costProblem(view.costs);

  class Table {
    /** `onSelect(index)` makes a model the active one; `onHighlight(indices)` colours those that were searched for. */
    constructor(element, { onSelect, onHighlight = () => {} }) {
      Object.assign(this, { onSelect, onHighlight, query: "" });
      this.search = html("input", { type: "search", class: "search", placeholder: "Search models", "aria-label": "Search models", autocomplete: "off", hidden: true });
      this.search.addEventListener("input", () => this.filter());
      const place = html("div");
      this.about = html("p", { class: "about" });
      const summaries = html("div");
      this.summariesAbout = html("p", { class: "about" });
      this.summariesPart = html("div", { class: "screen" });
      element.replaceChildren(this.search, place, this.about, this.summariesPart);
      this.summariesPart.append(html("h3", {}, "Without a threshold"), summaries, this.summariesAbout);
      this.grid = new Tables.Grid(place, { label: "Models", onRow: onSelect });
      this.summaries = new Tables.Grid(summaries, { label: "Measures without a threshold" });
    }

    update(view) {
      this.view = view;
      this.search.hidden = view.rankings.length <= Palette.COLOURS;
      const rows = entries(view);
      const columns = this.columns(view, rows);
      this.sortByBest(columns);
      const best = this.winner(view, rows);
      const texts = differenceTexts(view, rows, best);
      const shown = rows.filter(({ ranking }) => matches(ranking.name, this.query));
      const references = this.query || view.rankings.every(({ last }) => !last) ? [] : this.references(view);
      this.grid.show(columns, [...shown.map((row) => this.row(view, row, texts[row.index])), ...references]);
      Words.write(this.about, aboutText(view, rows, texts));
      this.showSummaries(view, shown);
    }

    /** Measures of whole rankings; those that are undefined for all models have no column. */
    showSummaries(view, rows) {
      const measures = view.ranking.model.summaries.filter((_, place) =>
        view.rankings.some(({ model }) => model.summaries[place].value !== null));
      this.summariesPart.hidden = measures.every(({ name }) => name === "auc"); // which is in the table above
      const cells = ({ ranking }) => Object.fromEntries(measures.map(({ name }) =>
        [name, summaryCell(ranking.model.summaries.find((summary) => summary.name === name), ranking, view)]));
      this.summaries.show(
        [{ name: "model", label: "model", isText: true }, ...measures.map(({ name }) => ({ name, label: Tables.label(name) }))],
        rows.map((row) => ({
          key: row.index,
          className: row.index === view.active ? "active" : null,
          cells: { model: { value: row.ranking.name, text: row.ranking.name, node: html("bdi", {}, Svg.truncate(row.ranking.name)) }, ...cells(row) },
        })),
      );
      Words.write(this.summariesAbout, view.prior.isSample ? `In parentheses: ${view.level} CI.` : "At another prevalence than that of the rows, measures that depend on it have no intervals.");
    }

    /** The best model is first until the reader sorts otherwise. */
    sortByBest(columns) {
      const { sort } = this.grid;
      if (sort && sort !== this.initialSort) return;
      const { name, isAscending } = columns[1];
      this.initialSort = { name, direction: isAscending ? "ascending" : "descending" };
      this.grid.sort = this.initialSort;
    }

    /** The threshold of the active model moved: its row changes unless it stands at its best threshold. */
    move(view) {
      const isStill = view.recommended && !view.band;
      if (isStill) this.view = view;
      else this.update(view);
    }

    filter() {
      this.query = this.search.value.trim().toLowerCase();
      this.update(this.view);
      const found = this.view.rankings.flatMap(({ name }, index) => (this.query && matches(name, this.query) ? [index] : []));
      this.onHighlight(found.slice(0, Palette.COLOURS));
    }

    columns(view, rows) {
      const measure = rows.find(({ document }) => document)?.document.measure;
      const isCost = hasCosts(view);
      const kind = Charts.isProfit(view) ? "profit" : "cost";
      const hasNewData = rows.some(({ document }) => Number.isFinite(document?.new_data));
      const auc = { name: "auc", label: "AUC" };
      const value = isCost
        ? [
          ...(hasNewData ? [{ name: "expected", label: `${kind} per ${view.words.unit} ${NEW_DATA}`, isAscending: kind === "cost" }] : []),
          { name: "cost", label: hasNewData ? "on these data" : `${kind} per ${view.words.unit}`, isAscending: kind === "cost" },
        ]
        : [
          auc,
          ...(measure && hasNewData ? [{ name: "expected", label: `${measure.label.replace(/ \(.*/, "")} ${NEW_DATA}` }] : []),
        ];
      return [
        { name: "model", label: "model", isText: true },
        ...value,
        ...(view.document.labels_only ? [] : [{ name: "threshold", label: view.recommended ? "best threshold" : "threshold" }]),
        { name: "flagged", label: "flagged" },
        { name: "recall", label: Tables.shortLabel("true_positive_rate") },
        { name: "precision", label: Tables.shortLabel("precision") },
        ...(isCost ? [auc] : []),
        ...(view.rankings.length > 1 ? [{ name: "difference", label: `difference in ${isCost ? kind : "AUC"}`, isUnsorted: true }] : []),
      ];
    }

    /** The best model: of lowest cost on new data, if that is known of all; else on these data, or by AUC. */
    winner(view, rows) {
      const value = hasCosts(view)
        ? ({ document, cost }) => document?.new_data ?? cost
        : ({ ranking }) => -Palette.auc(ranking);
      return rows.reduce((best, row) => (value(row) < value(best) ? row : best), rows[0]);
    }

    row(view, entry, difference) {
      const { ranking, index, selection, isBand, document, matrix: m, prior, cost } = entry;
      const flagged = m.tp + m.fp;
      const expected = document?.new_data ?? NaN;
      const isCost = hasCosts(view);
      const text = Words.thresholdText(ranking, selection);
      const sign = Charts.isProfit(view) ? -1 : 1;
      return {
        key: index,
        className: index === view.active ? "active" : null,
        cells: {
          model: { value: ranking.name, text: ranking.name, node: this.button(view, ranking, index) },
          expected: isCost ? moneyCell(view, sign * expected) : { value: expected, text: measureText(view, document?.measure.name, expected) },
          cost: document ? intervalCell(view, sign * document.value, sign * (document.low ?? NaN), sign * (document.high ?? NaN)) : moneyCell(view, sign * cost),
          threshold: { value: ranking.drawnThreshold(selection.upper), text: isBand ? `${Words.thresholdText(ranking, selection, "lower")} to ${text}` : text },
          flagged: { value: flagged / prior.population, text: Words.size(flagged, view.isCounted), small: Words.ratio(flagged, prior.population) },
          recall: shareCell(m.tp, m.tp + m.fn + m.rp),
          precision: shareCell(m.tp, flagged),
          auc: aucCell(ranking),
          difference,
        },
      };
    }

    /** The name of a model, which selects it, with the look of its line in the charts. */
    button(view, ranking, index) {
      const colour = Palette.classes(view)[index];
      const isActive = index === view.active;
      const stroke = svg("path", { class: `line model ${colour}${isActive ? " active" : ""}`, d: "M0 5H26" });
      const swatch = svg("svg", { class: "swatch", viewBox: "0 0 26 10", "aria-hidden": "true" }, stroke);
      return html("button", { type: "button", class: "name", "aria-pressed": String(isActive), title: ranking.name, onclick: () => this.onSelect(index) }, swatch, html("bdi", {}, Svg.truncate(ranking.name)));
    }

    /** What it costs to flag everybody, or nobody. */
    references(view) {
      const { ranking, prior } = view;
      const isCost = hasCosts(view);
      const sign = Charts.isProfit(view) ? -1 : 1;
      return [["flag everybody", ranking.last], ["flag nobody", 0]].map(([name, index]) => {
        const m = Rankings.matrix(ranking, index, index, prior);
        const flagged = m.tp + m.fp;
        return {
          isLast: true,
          className: "reference",
          cells: {
            model: { text: name },
            cost: isCost ? moneyCell(view, sign * Rankings.totalCost(m, view.costs) / prior.population) : undefined,
            threshold: { text: index ? "" : "none" },
            flagged: { text: Words.size(flagged, view.isCounted), small: Words.ratio(flagged, prior.population) },
            recall: shareCell(m.tp, m.tp + m.fn + m.rp),
            precision: flagged ? shareCell(m.tp, flagged) : { text: "–" },
          },
        };
      });
    }
  }

  /** A summary of a ranking at the prevalence of the page. */
  function summaryCell(summary, ranking, view) {
    const { value, low, high } = summary;
    if (value === null) return { text: "undefined" };
    if (view.prior.isSample || summary.follows === "rates") return { value, ...split(Numbers.estimate({ value, low: low ?? NaN, high: high ?? NaN })) };
    const moved = summaryAt(summary, ranking, view.prior.prevalence);
    if (Number.isNaN(moved)) return { text: "–" }; // the page cannot compute it
    return { value: moved, text: `${summary.name === "average_precision" && ranking.model.thinned ? "≈ " : ""}${Numbers.number(moved)}` };
  }

  /** A summary that depends on the prevalence: from the means of both classes, or the average precision. */
  function summaryAt({ name, follows, means }, ranking, prevalence) {
    if (follows !== "classes") return name === "average_precision" ? Rankings.averagePrecision(ranking, prevalence) : NaN;
    const { truePositives, falsePositives, last, positives, negatives } = ranking;
    const [positiveWeight, negativeWeight] = [(prevalence * truePositives[last]) / positives, ((1 - prevalence) * falsePositives[last]) / negatives];
    return (positiveWeight * means[0] + negativeWeight * means[1]) / (positiveWeight + negativeWeight);
  }

  const matches = (name, query) => name.toLowerCase().includes(query);

  const shareCell = (part, total) => ({ value: total > 0 ? part / total : NaN, text: Words.ratio(part, total) });
  const moneyCell = (view, value) => ({ value, text: Number.isNaN(value) ? "" : Words.money(Words.average(value), view) });

  const intervalCell = (view, value, low, high) => {
    const { text, small } = split(Numbers.estimate({ value, low: Math.min(low, high), high: Math.max(low, high) }));
    return { value, text: Words.money(text, view), small };
  };

  function aucCell(ranking) {
    const value = Palette.auc(ranking);
    const { low, high } = ranking.model.summaries?.find(({ name }) => name === "auc") ?? {};
    return { value, ...split(Numbers.estimate({ value, low: low ?? NaN, high: high ?? NaN })) };
  }

  /** A value and its interval as two texts. */
  function split(estimate) {
    const [text, limits] = estimate.split(" (");
    return { text, small: limits ? `(${limits}` : "" };
  }

  function measureText(view, name, value) {
    if (!Number.isFinite(value)) return "";
    return view.catalogue.get(name)?.trials ? Words.rate(value) : Numbers.number(value);
  }

  /** Differences to the best model: with intervals where the document has them, else on these data. */
  function differenceTexts(view, rows, best) {
    if (rows.length < 2) return [];
    if (hasCosts(view)) {
      const known = best.document ? documentDifferences(view) : null;
      const sign = Charts.isProfit(view) ? -1 : 1;
      return rows.map((row) => {
        if (row === best) return { text: "best" };
        const text = known?.[row.ranking.name];
        if (text) return { ...split(sign < 0 ? negated(text) : text), isKnown: true };
        const value = sign * (row.cost - best.cost);
        return { value, text: Words.signed(Words.average(value), value) };
      });
    }
    return rows.map((row) => (row === best ? { text: "best" } : aucDifference(view, row, best)));
  }

  /** Differences in cost on new data by model, as texts of the document's table of decisions. */
  function documentDifferences({ document }) {
    const column = document.decisions?.columns.findIndex((name) => name.includes("difference to")) ?? -1;
    if (column < 0) return null;
    return Object.fromEntries(document.decisions.rows.filter((row) => row[column + 1]).map((row) => [row[0], row[column + 1]]));
  }

  /** The text of a difference with its sign changed: a higher cost is a lower profit. */
  function negated(text) {
    const opposite = (number) => ({ "+": "−", "−": "+" }[number[0]] ?? "") + number.replace(/^[+−]/, "");
    const [value, low, high] = text.match(/[+−]?[\d.,∞]+/g).map(opposite);
    return low === undefined ? value : `${value} (${high} to ${low})`;
  }

  function aucDifference({ document }, { ranking }, best) {
    const isPair = (pair, first, second) => pair.first === first && pair.second === second;
    const names = [ranking.name, best.ranking.name];
    for (const pair of document.comparison?.differences ?? []) {
      if (pair.value === null) continue;
      const [low, high] = [pair.low ?? NaN, pair.high ?? NaN];
      if (isPair(pair, ...names)) return { ...split(Numbers.difference({ value: pair.value, low, high })), isKnown: true };
      if (isPair(pair, ...names.toReversed())) return { ...split(Numbers.difference({ value: -pair.value, low: -high, high: -low })), isKnown: true };
    }
    const value = Palette.auc(ranking) - Palette.auc(best.ranking);
    return { value, text: Numbers.difference({ value, low: NaN, high: NaN }) };
  }

  function thresholdsText({ document, recommended }) {
    if (document.labels_only) return "Predicted labels have no threshold.";
    return recommended ? "Each model at its best threshold for the goal." : "Each model at its own threshold: name a goal or costs to compare the best ones.";
  }

  /** What the columns are, below the table. */
  function aboutText(view, rows, differences) {
    const { document } = rows.find((row) => row.document) ?? {};
    const hasInterval = differences.some((difference) => difference?.isKnown);
    return [
      thresholdsText(view),
      document && Number.isFinite(document.new_data) ? `On new data: ${document.about}.` : "",
      rows.length > 1 && view.rankings.length > 1 ? (hasInterval ? `Differences: ${hasCosts(view) ? "on new data" : "on rows scored by all models"}, with their ${view.level} CI.` : "Differences are on these data, without an interval.") : "",
    ].filter(Boolean).join(" ");
  }

  return { Table };
})();
