/* Segments as an interval plot: a metric in each of them at the same threshold, and that of all rows as a line. */
const Segments = (() => {
  "use strict";

  const { html, svg, set, scale, ticks, tickText, textWidth, clamp } = Svg;
  const METRICS = ["true_positive_rate", "precision", "false_positive_rate"];
  const HEIGHT = 30; // of a row, in pixels
  const MARGIN = 14; // beside the plot, for half a tick's text
  const PADDING = 24; // of a column
  const NARROW = 600; // width below which sizes stand below names
  const [LEAST, MOST] = [100, 560]; // width of the plot
  const UNKNOWN_WIDTH = 800; // of the table, before it is shown
  const MAX_NAME = 300;
  const RESTING = 250; // milliseconds

  class Plot {
    constructor(element) {
      Object.assign(this, { metric: METRICS[0], view: null, axis: null, rows: [], available: 0 });
      this.select = html("select", { "aria-label": "Metric of the segments" });
      this.select.addEventListener("change", () => {
        this.metric = this.select.value;
        // The worst segment is first.
        if (this.grid.sort.name === "value") this.grid.sort.direction = this.metric === "false_positive_rate" ? "descending" : "ascending";
        this.update(this.view);
      });
      const place = html("div", { class: "segments" });
      this.about = html("p", { class: "about" });
      element.replaceChildren(html("p", { class: "controls" }, html("label", {}, "Metric ", this.select)), place, this.about);
      this.grid = new Tables.Grid(place, { label: "Segments", sort: { name: "value", direction: "ascending" } });
      new ResizeObserver(([{ contentRect }]) => this.resize(Math.round(contentRect.width))).observe(place);
    }

    resize(width) {
      if (!width || width === this.available) return;
      this.available = width;
      if (this.view) this.update(this.view);
    }

    get isNarrow() {
      return this.available > 0 && this.available < NARROW;
    }

    update(view) {
      this.view = view;
      this.axis = null;
      this.isDrawn = false;
      if (!this.select.options.length) {
        const names = new Set([...METRICS, ...view.catalogue.headlines("parts")]);
        const option = (name) => html("option", { value: name }, Words.capitalized(Tables.shortLabel(name)));
        this.select.append(...[...names].map(option), html("option", { value: "auc" }, "AUC"));
      }
      const { segments } = view.ranking.model;
      if (!segments) {
        this.rows = [];
        this.grid.show([], []);
        Words.write(this.about, `There are no segments of ${Words.isolated(view.ranking.name)}.`);
        return;
      }
      const estimates = segments.map((segment) => this.estimate(segment.ranking, segment.auc));
      this.width = this.plotWidth(segments, estimates);
      this.rows = segments.map((segment) => this.row(segment));
      this.heading = svg("svg", { class: "axis", width: this.width, height: 20, "aria-hidden": "true" });
      this.grid.show(this.columns(view), this.rows);
      this.place(estimates);
    }

    move(view) {
      this.view = view;
      if (this.rows.length && this.metric !== "auc") this.place(this.rows.map(({ segment }) => this.estimate(segment.ranking, segment.auc)));
    }

    /** Draw all estimates. While the threshold moves, the axis grows but does not shrink, so that it does not jump. */
    place(estimates) {
      const overall = this.overall();
      const axis = axisOf([overall, ...estimates], this.axis);
      const isSame = this.axis && axis.low === this.axis.low && axis.high === this.axis.high;
      this.axis = axis;
      const line = scale(axis.low, axis.high, MARGIN, this.width - MARGIN);
      if (!isSame) this.drawAxis(line);
      this.rows.forEach((row, index) => drawInterval(row, estimates[index], line, overall.value, this.width));
      // Rows change places when the threshold rests, so that they can be followed while it moves.
      clearTimeout(this.timer);
      if (this.isDrawn) this.timer = setTimeout(() => this.grid.reorder(), RESTING);
      else this.grid.reorder();
      this.isDrawn = true;
      const { words, level } = this.view;
      Words.write(this.about, `Dashed line: all ${words.units}, ${estimateText(overall)}. Each segment at its own prevalence and at the same threshold; bars: ${level} CI; hollow: its interval does not contain the value of all.`);
    }

    /** The metric of all rows of the model. */
    overall() {
      const { ranking } = this.view;
      return this.estimate(ranking, ranking.model.summaries.find(({ name }) => name === "auc") ?? { value: Palette.auc(ranking) });
    }

    estimate(ranking, auc) {
      const { view } = this;
      if (this.metric === "auc") return { value: auc?.value ?? NaN, low: auc?.low ?? NaN, high: auc?.high ?? NaN };
      const { upper } = view.selection;
      const samples = Rankings.sampleMatrices(ranking, upper, view.band ? view.selection.lower : upper);
      return view.catalogue.estimate(this.metric, samples.real, { ...view.context, ...samples, fixed: view.document.by_class });
    }

    /** Width that names and numbers leave to the plot; on narrow screens it stands below the numbers. */
    plotWidth(segments, estimates) {
      const widest = (texts, weight) => Math.max(...texts.map((text) => textWidth(text, 14, weight)));
      const abouts = this.isNarrow ? segments.map((segment) => 0.86 * textWidth(this.sizeText(segment), 14)) : [0];
      const names = Math.min(MAX_NAME, Math.max(widest(segments.map(({ name }) => Svg.truncate(name)), 600), ...abouts));
      const values = this.isNarrow ? 0 : widest(estimates.map(estimateText)) + PADDING + 16;
      const sizes = this.isNarrow ? 0 : 2 * PADDING + 90 + textWidth(`share ${this.view.positive}`);
      return Math.round(clamp((this.available || UNKNOWN_WIDTH) - names - values - sizes - 2 * PADDING, LEAST, MOST));
    }

    columns({ words, positive }) {
      const name = this.metric === "auc" ? "AUC" : Tables.shortLabel(this.metric);
      const value = { name: "value", label: `${name} (CI)`, isAscending: this.metric !== "false_positive_rate" };
      const segment = { name: "segment", label: "segment", isText: true };
      if (this.isNarrow) return [segment, { ...value, heading: this.heading, className: "number below" }];
      return [
        segment,
        { name: "rows", label: words.units },
        { name: "prevalence", label: Words.plain(`share ${positive}`) },
        { name: "plot", label: `${name}, plotted`, heading: this.heading, className: "plotted", isUnsorted: true, csv: [] },
        value,
      ];
    }

    /** Size and prevalence of a segment, below its name. */
    sizeText({ rows, ranking }) {
      return `${Numbers.count(rows)} ${this.view.words.units}, ${Words.rate(ranking.positives / ranking.rows)}`;
    }

    row(segment) {
      const { ranking, name } = segment;
      const prevalence = ranking.positives / ranking.rows;
      const size = Numbers.count(segment.rows);
      const about = this.isNarrow ? html("small", {}, this.sizeText(segment)) : null;
      const nodes = {
        overall: svg("path", { class: "overall" }), whisker: svg("path", { class: "whisker" }), point: svg("circle", { r: 4.5, cy: HEIGHT / 2 }), value: html("span"),
      };
      const plot = svg("svg", { class: "interval", width: this.width, height: HEIGHT, "aria-hidden": "true" }, nodes.overall, nodes.whisker, nodes.point);
      return {
        segment,
        nodes,
        cells: {
          segment: { value: name, text: name, node: html("span", {}, html("bdi", {}, Svg.truncate(name)), about && " ", about) },
          rows: { value: segment.rows, text: size },
          prevalence: { value: prevalence, text: Words.rate(prevalence) },
          plot: { node: plot },
          value: { node: this.isNarrow ? html("span", {}, nodes.value, plot) : nodes.value },
        },
      };
    }

    /** The axis above the plot. */
    drawAxis(line) {
      const texts = ticks(line.low, line.high, "plain", Math.max(2, Math.floor(this.width / 64)))
        .map((value) => [line.pixel(value), tickText(value)])
        .filter(([x, text]) => x - textWidth(text) / 2 >= 0 && x + textWidth(text) / 2 <= this.width);
      this.heading.replaceChildren(...texts.flatMap(([x, text]) => [
        svg("text", { x: x.toFixed(1), y: 12, "text-anchor": "middle" }, text), svg("path", { d: `M${x.toFixed(1)} 16v4` }),
      ]));
    }
  }

  const estimateText = (estimate) => (Number.isNaN(estimate.value) ? "undefined" : Numbers.estimate(estimate));

  /** A value as a point, its interval as a bar, and the value of all rows as a line. */
  function drawInterval({ nodes, cells }, estimate, line, overall, width) {
    const { value, low, high } = estimate;
    const pixel = (number) => clamp(line.pixel(number), 0, width).toFixed(1);
    const has = Number.isFinite;
    set(nodes.overall, { d: has(overall) ? `M${pixel(overall)} 0V${HEIGHT}` : "" });
    set(nodes.whisker, { d: has(low) && has(high) ? `M${pixel(low)} ${HEIGHT / 2}H${pixel(high)}` : "" });
    set(nodes.point, { cx: has(value) ? pixel(value) : -10, class: high < overall || low > overall ? "apart" : "" });
    const text = estimateText(estimate);
    Words.write(nodes.value, text);
    Object.assign(cells.value, { value, text });
  }

  /** The axis that all segments share: a part of 0 to 1, with round ends, that contains another one. */
  function axisOf(estimates, inner) {
    const values = estimates.flatMap(({ value, low, high }) => [value, low, high]).filter(Number.isFinite);
    if (!values.length) return inner ?? { low: 0, high: 1 };
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const step = 10 ** Math.floor(Math.log10(most - least || 1)) / 2;
    const low = Math.max(0, Math.floor(least / step - 0.1) * step);
    const high = Math.min(1, Math.ceil(most / step + 0.1) * step);
    return inner ? { low: Math.min(low, inner.low), high: Math.max(high, inner.high) } : { low, high };
  }

  return { Plot };
})();
