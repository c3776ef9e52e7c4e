/* Segments as an interval plot: a metric in each of them at the same threshold, and that of all rows as a line. */
const Segments = (() => {
  "use strict";

  const { html, svg, scale, ticks, tickText, textWidth, clamp } = Svg;
  const METRICS = ["true_positive_rate", "precision", "false_positive_rate", "auc"];
  const HEIGHT = 30; // of a row, in pixels
  const MARGIN = 14; // beside the plot, for half a tick's text
  const OTHER_COLUMNS = 430; // pixels
  const [NARROWEST, WIDEST] = [150, 520]; // of the plot

  class Plot {
    constructor(element) {
      Object.assign(this, { metric: METRICS[0], view: null, axis: null, width: WIDEST });
      this.select = html("select", { "aria-label": "Metric of the segments" });
      this.select.addEventListener("change", () => {
        this.metric = this.select.value;
        this.update(this.view);
      });
      const place = html("div", { class: "segments" });
      this.about = html("p", { class: "about" });
      element.replaceChildren(html("p", { class: "controls" }, html("label", {}, "Metric ", this.select)), place, this.about);
      this.grid = new Tables.Grid(place, { label: "Segments", sort: { name: "value", direction: "ascending" } });
      new ResizeObserver(([{ contentRect }]) => this.resize(contentRect.width)).observe(place);
    }

    resize(width) {
      const plot = Math.round(clamp(width - OTHER_COLUMNS, NARROWEST, WIDEST));
      if (!width || plot === this.width) return;
      this.width = plot;
      if (this.view) this.update(this.view);
    }

    update(view) {
      this.view = view;
      this.axis = null;
      if (!this.select.options.length) {
        this.select.append(...METRICS.map((name) => html("option", { value: name }, name === "auc" ? "AUC" : Words.capitalized(Tables.shortLabel(name)))));
      }
      this.move(view);
    }

    move(view) {
      this.view = view;
      const { segments } = view.ranking.model;
      if (!segments) {
        this.grid.show([], []);
        Words.write(this.about, `There are no segments of ${Words.isolated(view.ranking.name)}.`);
        return;
      }
      const overall = this.overall();
      const rows = segments.map((segment) => ({ segment, estimate: this.estimate(segment.ranking, segment.auc) }));
      // While the threshold moves, the axis grows but does not shrink, so that it does not jump.
      this.axis = axisOf([overall, ...rows.map(({ estimate }) => estimate)], this.axis);
      const line = scale(this.axis.low, this.axis.high, MARGIN, this.width - MARGIN);
      this.grid.show(this.columns(view, line), rows.map((row) => this.row(row, line, overall)));
      Words.write(this.about, `Line: all ${view.words.units}, ${this.text(overall)}. Each segment at its own prevalence and at the same threshold; bars: ${view.level} CI.`);
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

    text = (estimate) => (Number.isNaN(estimate.value) ? "undefined" : Numbers.estimate(estimate));

    columns({ words, positive }, line) {
      const name = this.metric === "auc" ? "AUC" : Tables.shortLabel(this.metric);
      return [
        { name: "segment", label: "segment", isText: true },
        { name: "rows", label: words.units },
        { name: "prevalence", label: `share ${positive}` },
        { name: "plot", label: `${name}, plotted`, heading: this.axisNode(line), isUnsorted: true, csv: [] },
        { name: "value", label: `${name} (CI)`, isAscending: this.metric !== "false_positive_rate" },
      ].map((column) => ({ ...column, label: Words.plain(column.label) }));
    }

    row({ segment, estimate }, line, overall) {
      const { ranking } = segment;
      const prevalence = ranking.positives / ranking.rows;
      return {
        cells: {
          segment: { value: segment.name, text: segment.name, node: html("bdi", {}, Svg.truncate(segment.name)) },
          rows: { value: segment.rows, text: Numbers.count(segment.rows) },
          prevalence: { value: prevalence, text: Words.rate(prevalence) },
          plot: { node: this.drawn(estimate, line, overall.value) },
          value: { value: estimate.value, text: this.text(estimate) },
        },
      };
    }

    /** The axis above the plot. */
    axisNode(line) {
      const texts = ticks(line.low, line.high, "plain", Math.max(2, Math.floor(this.width / 70)))
        .map((value) => [line.pixel(value), tickText(value)])
        .filter(([x, text]) => x - textWidth(text) / 2 >= 0 && x + textWidth(text) / 2 <= this.width);
      return svg("svg", { class: "axis", width: this.width, height: 20, "aria-hidden": "true" }, ...texts.flatMap(([x, text]) => [
        svg("text", { x: x.toFixed(1), y: 12, "text-anchor": "middle" }, text), svg("path", { d: `M${x.toFixed(1)} 16v4` }),
      ]));
    }

    /** A value as a point, its interval as a bar, and the value of all rows as a line. */
    drawn({ value, low, high }, line, overall) {
      const middle = HEIGHT / 2;
      const pixel = (number) => clamp(line.pixel(number), 0, this.width).toFixed(1);
      const has = Number.isFinite;
      return svg(
        "svg", { class: "interval", width: this.width, height: HEIGHT, "aria-hidden": "true" },
        has(overall) ? svg("path", { class: "overall", d: `M${pixel(overall)} 0V${HEIGHT}` }) : null,
        has(low) && has(high) ? svg("path", { class: "whisker", d: `M${pixel(low)} ${middle}H${pixel(high)}` }) : null,
        has(value) ? svg("circle", { class: high < overall || low > overall ? "apart" : null, cx: pixel(value), cy: middle, r: 4.5 }) : null,
      );
    }
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
