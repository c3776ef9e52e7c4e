/* Panels: charts drawn as SVG to their width in pixels, and the threshold that can be dragged on each of them. */
const Panels = (() => {
  "use strict";

  const { html, svg, set, ticks, tickText, scale, simplified, path, outline, textWidth, fitted, spans, clamp } = Svg;
  const PRINTED_WIDTH = 420;
  const LARGE = new Set(["scores"]);
  const MIN_TICK_GAP = 18;
  const LINE_HEIGHT = 17;
  const GRIP = 7; // radius of a handle, in pixels
  const TARGET = 22; // radius of the part that a finger hits
  const RANGE_DIGITS = 3; // of thresholds that are as good as the recommended one
  const panels = new Set();

  addEventListener("beforeprint", () => {
    for (const panel of panels) if (panel.view && !panel.width) panel.resize(PRINTED_WIDTH);
  });

  /** Height of a chart for its width. */
  function heightOf(name, width) {
    if (LARGE.has(name)) return clamp(Math.round(0.56 * width), 250, 460);
    return clamp(Math.round(0.68 * width), 220, 300);
  }

  /** Ticks that fit an axis of some pixels, with their texts. */
  function fittingTicks({ low, high, kind }, pixels, size) {
    for (let target = Math.max(2, Math.floor(pixels / 48)); target >= 2; target -= 1) {
      const texts = ticks(low, high, kind?.startsWith("log") ? "log" : kind, target).map((value) => ({ value, text: tickText(value, kind) }));
      const needed = texts.reduce((sum, { text }) => sum + size(text), 0);
      if (needed <= pixels || target === 2) return texts;
    }
    return [];
  }

  const nameOf = ({ role, colour, active }) => [role, colour, active && "active"].filter(Boolean).join(" ");

  /** A chart on the page. */
  class Panel {
    /** `onMove(key, index)` moves a threshold, `onHover(info)` says what is pointed at. */
    constructor(name, { onMove, onHover = () => {} }) {
      Object.assign(this, { name, onMove, onHover, view: null, width: 0, drag: null });
      this.title = html("h3");
      this.picture = svg("svg", { role: "group" });
      this.bubble = html("div", { class: "bubble", "aria-hidden": "true", hidden: true });
      this.stage = html("div", { class: "stage" }, this.picture, this.bubble);
      this.legend = html("ul", { class: "legend" });
      this.caption = html("p", { class: "about" });
      this.element = html(
        "figure", { class: `chart${LARGE.has(name) ? " large" : ""}`, id: `chart-${name}` },
        this.title, this.stage, this.legend, this.caption,
      );
      this.background = svg("g");
      this.plot = svg("g", { "clip-path": `url(#plot-${name})` });
      this.moving = svg("g", { class: "moving", "clip-path": `url(#plot-${name})` });
      this.texts = svg("g", { class: "texts", "aria-hidden": "true" });
      this.marks = Object.fromEntries(["recommended", "pinned"].map((key) => [key, this.mark(key)]));
      this.pointed = svg("g", { class: "pointed", "aria-hidden": "true", visibility: "hidden" }, svg("path"), svg("circle", { r: 4 }));
      this.handles = { lower: this.handle("lower"), upper: this.handle("upper") };
      this.clip = svg("rect");
      this.picture.append(
        svg("defs", {}, svg("clipPath", { id: `plot-${name}` }, this.clip)),
        this.background, this.plot, this.moving, this.texts, this.marks.recommended.group, this.marks.pinned.group, this.pointed,
        this.handles.lower.group, this.handles.upper.group,
      );
      this.picture.addEventListener("pointerdown", (event) => this.startDrag(event));
      // A touch that begins on a handle never scrolls; browsers heed touch-action on the whole picture only.
      this.picture.addEventListener("touchstart", (event) => event.target.closest(".handle") && event.preventDefault(), { passive: false });
      this.picture.addEventListener("pointermove", (event) => this.point(event));
      this.picture.addEventListener("pointerleave", () => this.leave());
      new ResizeObserver(([{ contentRect }]) => this.resize(contentRect.width)).observe(this.stage);
      panels.add(this);
    }

    /** A line or point that does not move with the threshold: of the recommended or of a pinned threshold. */
    mark(key) {
      const [rule, dot, text] = [svg("path"), svg("circle", { r: 5 }), svg("text", { class: "note" })];
      return { group: svg("g", { class: `mark ${key}`, "aria-hidden": "true", visibility: "hidden" }, rule, dot, text), rule, dot, text };
    }

    handle(key) {
      const rule = svg("path", { class: "rule" });
      const grip = svg("circle", { class: "grip", r: GRIP });
      const target = svg("circle", { class: "target", r: TARGET });
      const text = svg("text", { class: "flag" });
      const group = svg("g", { class: `handle ${key}`, role: "slider", tabindex: 0, "aria-orientation": "horizontal", "aria-valuemin": 0 }, rule, text, target, grip);
      group.addEventListener("keydown", (event) => this.onKeyDown(event, key));
      return { group, rule, grip, target, text };
    }

    /** Forget a panel that is no longer on the page. */
    remove() {
      panels.delete(this);
      this.element.remove();
    }

    /* ---- drawing ---- */

    resize(width) {
      const pixels = Math.floor(width);
      if (!pixels || pixels === this.width) return;
      this.width = pixels;
      if (this.view) this.redraw(this.view);
    }

    /** Draw everything; a panel that is not shown waits until it has a width. */
    redraw(view) {
      this.view = view;
      this.leave();
      const chart = Charts.chart(this.name, view);
      this.chart = chart;
      Words.write(this.title, chart.title);
      Words.write(this.caption, chart.caption);
      this.element.classList.toggle("fixed", Boolean(chart.isFixed));
      if (!this.width) return;
      this.layOut();
      this.drawLayers();
      this.move(view);
    }

    /** Sizes and scales; the left margin depends on the texts beside the axis. */
    layOut() {
      const { chart, width } = this;
      const height = heightOf(chart.isFixed ? "scores" : this.name, width);
      const top = chart.bars ? 2 * LINE_HEIGHT + 10 : chart.y.label ? 28 : 14;
      const bottom = height - (chart.x.label ? 42 : 24);
      const yTicks = fittingTicks(chart.y, bottom - top, () => 36);
      const left = Math.ceil(Math.max(12, ...yTicks.map(({ text }) => textWidth(text)))) + 10;
      const xTicks = fittingTicks(chart.x, width - left - 16, (text) => textWidth(text) + MIN_TICK_GAP);
      const last = xTicks.at(-1);
      const right = width - Math.ceil(Math.max(10, last ? textWidth(last.text) / 2 + 2 : 0));
      this.frame = { left, top, right, bottom, height, xTicks, yTicks };
      this.xScale = scale(chart.x.low, chart.x.high, left, right, chart.x.kind);
      this.yScale = scale(chart.y.low, chart.y.high, bottom, top, chart.y.kind);
      set(this.picture, { viewBox: `0 0 ${width} ${height}`, width, height, "aria-label": Words.plain(`${chart.title}: ${[chart.y.label, chart.x.label].filter(Boolean).join(" over ")}`) });
      set(this.clip, { x: left - 1, y: top - 1, width: Math.max(right - left + 2, 0), height: Math.max(bottom - top + 2, 0) });
      this.pixels = this.pixelsOf(chart.points);
    }

    /** Pixels of all thresholds of the active model, by which a pointer finds the nearest one. */
    pixelsOf({ xs, ys }) {
      if (this.chart.seek !== "nearest") return null;
      return { xs: Float32Array.from(xs, this.xScale.pixel), ys: Float32Array.from(ys, this.yScale.pixel) };
    }

    drawLayers() {
      const { chart, frame } = this;
      const board = new Labels.Board(frame);
      this.shifted = {};
      const layers = chart.layers.map((layer) => this.drawLayer(layer, board));
      const bars = chart.bars ? this.drawBars(chart.bars) : [];
      this.background.replaceChildren(this.drawAxes());
      this.range = svg("rect", { class: "range", visibility: "hidden" });
      this.undecided = svg("rect", { class: "undecided", visibility: "hidden" });
      this.plot.replaceChildren(this.range, this.undecided, ...bars, ...layers);
      if (chart.guide === "line") this.avoidThresholds(board);
      this.drawLabels(board);
      this.drawDots();
    }

    /** Keep labels away from the lines of thresholds where they are now. */
    avoidThresholds(board) {
      const { view, frame } = this;
      const thresholds = [[view.selection, "upper"], [view.recommended, "upper"], [view.pinned, "upper"], view.band && [view.selection, "lower"]];
      for (const [selection, key] of thresholds.filter((entry) => entry && entry[0])) {
        const x = this.xOf(selection, key);
        board.addBox({ x: x - 2, y: frame.top, width: 4, height: frame.bottom - frame.top });
      }
    }

    drawAxes() {
      const { chart, frame, xScale, yScale } = this;
      const { left, top, right, bottom, height, xTicks, yTicks } = frame;
      const grid = svg("g", { class: "grid", "aria-hidden": "true" });
      let end = -Infinity;
      for (const { value, text } of xTicks) {
        const x = xScale.pixel(value);
        const half = textWidth(text) / 2;
        if (x - half < end) continue;
        end = x + half + 6;
        grid.append(svg("path", { class: "tick", d: `M${x.toFixed(1)} ${bottom}v4` }), svg("text", { x: x.toFixed(1), y: bottom + 18, "text-anchor": "middle" }, text));
      }
      for (const { value, text } of yTicks) {
        const y = yScale.pixel(value);
        grid.append(
          svg("path", { d: `M${left} ${y.toFixed(1)}H${right}` }),
          svg("text", { x: left - 6, y: (y + 4).toFixed(1), "text-anchor": "end" }, chart.y.absolute ? text.replace("−", "") : text),
        );
      }
      if (chart.x.label) grid.append(svg("text", { class: "label x", x: (left + right) / 2, y: height - 6, "text-anchor": "middle" }, ...spans(fitted(chart.x.label, right - left))));
      if (chart.y.label) grid.append(svg("text", { class: "label y", x: 0, y: 12 }, ...spans(fitted(chart.y.label, this.width - 4))));
      return grid;
    }

    /** A layer as a path, whose cells on the board no label will cover. */
    drawLayer(layer, board) {
      const { xScale, yScale } = this;
      const toPixels = (values, { pixel }) => Float64Array.from(values, pixel);
      if (layer.kind === "band") {
        return svg("path", { class: `band ${nameOf(layer)}`, d: outline(toPixels(layer.xs, xScale), toPixels(layer.low, yScale), toPixels(layer.high, yScale)) });
      }
      const xs = toPixels(layer.xs, xScale);
      const ys = toPixels(layer.ys, yScale);
      layer.vertices = simplified(xs, ys);
      layer.number = 1 + (this.chart.layers.indexOf(layer) % 250);
      if (board && !layer.key) board.addLine(layer.vertices, layer.number);
      const line = svg("path", { class: `line ${nameOf(layer)}`, d: path(layer.vertices) });
      if (layer.key) this.shifted[layer.key] = line;
      return line;
    }

    /** Bars of both classes, each twice: in the colour of its consequence on either side of the threshold. */
    drawBars({ edges, positive, negative }) {
      const baseline = this.yScale.pixel(0);
      const shape = (heights, sign) => Array.from(heights, (height, index) => {
        if (!height) return "";
        const [start, end] = [this.xScale.pixel(edges[index]), this.xScale.pixel(edges[index + 1])];
        const gap = end - start > 4 ? 1 : 0;
        const length = Math.max(Math.abs(this.yScale.pixel(sign * height) - baseline), 0.75);
        return `M${start.toFixed(1)} ${baseline.toFixed(1)}v${(-sign * length).toFixed(1)}H${Math.max(end - gap, start + 1).toFixed(1)}V${baseline.toFixed(1)}Z`;
      }).join("");
      const [up, down] = [shape(positive, 1), shape(negative, -1)];
      this.sides = {};
      return [["flagged", "tp", "fp"], ["left", "fn", "tn"], ["between", "rp", "rn"]].map(([side, above, below]) => {
        const rect = svg("rect", { y: 0, height: this.frame.height });
        this.sides[side] = rect;
        return svg(
          "g", {}, svg("clipPath", { id: `${side}-${this.name}` }, rect),
          svg("g", { "clip-path": `url(#${side}-${this.name})` }, svg("path", { class: `bars ${above}`, d: up }), svg("path", { class: `bars ${below}`, d: down })),
        );
      });
    }

    /** Labels beside their lines, marked points, and a legend for lines whose labels have no room. */
    drawLabels(board) {
      const { chart, frame } = this;
      const widest = 0.5 * (frame.right - frame.left);
      const texts = [];
      const unplaced = [];
      this.note = "";
      const label = (text, box, className) => texts.push(svg("text", { class: `direct ${className}`, x: box.x.toFixed(1), y: (box.y + 11).toFixed(1) }, ...spans(text)));
      for (const { x, y, label: text, colour, limits, className = "note" } of chart.marks ?? []) {
        const point = [this.xScale.pixel(x), this.yScale.pixel(y)];
        if (limits) texts.push(this.drawCross(point, limits, colour, board));
        texts.push(svg("circle", { class: `best ${colour ?? ""}`, cx: point[0].toFixed(1), cy: point[1].toFixed(1), r: 4 }));
        board.addBox({ x: point[0] - 5, y: point[1] - 5, width: 10, height: 10 });
        const box = Labels.placeAt(board, point, textWidth(text));
        if (box) label(text, box, className);
        else this.note = text;
      }
      const lines = chart.layers.filter((layer) => layer.label && layer.vertices && !layer.key).reverse();
      lines.forEach((line, order) => {
        const weight = line.active ? 600 : 400;
        const suffix = line.suffix ?? "";
        const text = `${fitted(line.label, widest - textWidth(suffix, Svg.TEXT_SIZE, weight), Svg.TEXT_SIZE, weight)}${suffix}`;
        const box = Labels.place(board, line.vertices, line.number, textWidth(text, Svg.TEXT_SIZE, weight) + 2, 0.55 + 0.12 * ((order % 3) - 1));
        if (box && text) label(text, box, nameOf(line));
        else unplaced.push({ text: `${line.label}${suffix}`, className: nameOf(line), model: line.model ?? 0 });
      });
      unplaced.sort((a, b) => a.model - b.model);
      for (const layer of chart.layers.filter(({ key }) => key)) unplaced.push({ text: layer.label, className: nameOf(layer) });
      if (chart.bars) texts.push(...this.classNames());
      const key = this.drawKey(board, unplaced, widest);
      this.texts.replaceChildren(...texts, ...key);
      this.fillLegend(key.length ? [] : unplaced);
    }

    /** The intervals of a point in both directions. */
    drawCross([x, y], limits, colour, board) {
      const [left, right] = limits.x.map(this.xScale.pixel);
      const [bottom, top] = limits.y.map(this.yScale.pixel);
      board.addLine({ xs: [left, right], ys: [y, y] }, 251);
      board.addLine({ xs: [x, x], ys: [bottom, top] }, 251);
      return svg("path", { class: `cross ${colour}`, d: `M${left.toFixed(1)} ${y.toFixed(1)}H${right.toFixed(1)}M${x.toFixed(1)} ${bottom.toFixed(1)}V${top.toFixed(1)}` });
    }

    /** The labels that have no room beside their lines, with samples of these, where the plot is empty. */
    drawKey(board, entries, widest) {
      if (!entries.length) return [];
      const texts = entries.map(({ text }) => fitted(text, widest));
      const width = 32 + Math.max(...texts.map((text) => textWidth(text)));
      const box = Labels.area(board, width, entries.length * LINE_HEIGHT);
      return box ? entries.flatMap(({ className }, order) => {
        const y = box.y + (order + 0.5) * LINE_HEIGHT;
        return [
          svg("path", { class: `line ${className}`, d: `M${box.x} ${y.toFixed(1)}h24` }),
          svg("text", { class: `direct ${className}`, x: box.x + 30, y: (y + 4).toFixed(1) }, ...spans(texts[order])),
        ];
      }) : [];
    }

    /** Names of the classes, in the corners with the most room. */
    classNames() {
      const { bars } = this.chart;
      const { left, right, top, bottom } = this.frame;
      const middle = bars.positive.length / 2;
      const isLeftEmptier = (heights) => {
        const sum = (from, to) => Math.max(0, ...Array.from(heights).slice(from, to));
        return sum(0, middle) < sum(Math.ceil(middle), heights.length);
      };
      return this.view.names.map((name, order) => {
        const isLeft = isLeftEmptier(order ? bars.negative : bars.positive);
        return svg(
          "text", { class: "class", x: isLeft ? left + 6 : right - 4, y: order ? bottom - 8 : top + 14, "text-anchor": isLeft ? "start" : "end" },
          ...spans(fitted(Words.isolated(name), (right - left) / 3, 13, 600)),
        );
      });
    }

    fillLegend(unplaced) {
      this.counts = null;
      if (this.chart.bars) {
        const item = (cell, text) => {
          const count = html("b");
          return { count, node: html("li", { class: cell }, html("i", { class: `swatch ${cell}` }), html("span", {}, html("bdi", {}, Svg.truncate(this.view.names["fn tp rp".includes(cell) ? 0 : 1], 24)), `, ${text} `, count)) };
        };
        this.counts = { tp: item("tp", "flagged"), fn: item("fn", "missed"), fp: item("fp", "flagged"), tn: item("tn", "left alone"), rp: item("rp", "to a person"), rn: item("rn", "to a person") };
        const range = html("li", { class: "note", hidden: true }, html("i", { class: "swatch range" }), html("span"));
        this.rangeItem = range;
        this.legend.replaceChildren(...Object.values(this.counts).map(({ node }) => node), range);
        return;
      }
      const item = ({ text, className }) => {
        const name = html("span");
        Words.write(name, text);
        const sample = className && svg("svg", { class: "swatch", viewBox: "0 0 26 10", "aria-hidden": "true" }, svg("path", { class: `line ${className}`, d: "M0 5H26" }));
        return html("li", {}, sample, name);
      };
      this.legend.replaceChildren(...[this.note && { text: this.note }, ...unplaced].filter(Boolean).map(item));
    }

    drawDots() {
      const count = this.chart.dots ? this.chart.dots(this.view.selection).length : 0;
      this.dots = Array.from({ length: count }, () => svg("circle", { r: 4 }));
      this.segment = svg("path", { class: "segment", visibility: "hidden" });
      this.flow = svg("g");
      this.moving.replaceChildren(this.segment, this.flow, ...this.dots);
    }

    /* ---- what moves ---- */

    /** Redraw the parts that move with the threshold. */
    move(view) {
      this.view = view;
      if (!this.width || !this.frame) return;
      const { chart } = this;
      if (chart.bars) this.moveBars();
      if (chart.moving) this.flow.replaceChildren(...chart.moving(view).map((layer) => this.drawLayer(layer)));
      if (chart.shift) this.shiftLines(chart.shift(view));
      if (chart.dots) {
        chart.dots(view.selection).forEach(({ colour, index, y }, order) => {
          const key = index === view.selection.lower && index !== view.selection.upper ? "lower" : "upper";
          set(this.dots[order], { class: `dot ${colour}`, cx: this.xOf(view.selection, key).toFixed(1), cy: this.yPixel(y).toFixed(1) });
        });
      }
      this.moveMarks();
      this.moveRegions();
      this.moveHandle("upper");
      if (view.band) this.moveHandle("lower");
      set(this.handles.lower.group, { visibility: view.band ? "visible" : "hidden", tabindex: view.band ? 0 : -1 });
    }

    shiftLines(shifts) {
      for (const [key, value] of Object.entries(shifts)) {
        const pixels = this.yScale.pixel(value) - this.yScale.pixel(0);
        set(this.shifted[key], { transform: `translate(0 ${pixels.toFixed(2)})` });
      }
    }

    /** Pixels of a selected threshold along the x axis. */
    xOf(selection, key = "upper") {
      const { left, right } = this.frame;
      const x = this.xScale.pixel(this.xValue(selection, key));
      return Number.isFinite(x) ? clamp(x, left, right) : left;
    }

    xValue(selection, key) {
      const { chart, view } = this;
      const { ranking } = view;
      const index = selection[key];
      if (chart.seek !== "score") return valueAt(chart.points.xs, index);
      if (chart.discreteEdges) return barEdge(ranking, index, chart.discreteEdges);
      const score = selection.requested?.[key] ?? ranking.thresholds[index];
      if (Number.isFinite(score)) return score;
      return score > 0 ? chart.x.high : chart.x.low;
    }

    yPixel(value) {
      const { top, bottom } = this.frame;
      return Number.isFinite(value) ? clamp(this.yScale.pixel(value), top, bottom) : bottom;
    }

    /** Pixels of a selected threshold along the y axis. */
    yOf(selection, key = "upper") {
      const height = selection === this.view.selection ? this.chart.heights?.(this.view) : null;
      return this.yPixel(height ?? valueAt(this.chart.points.ys, selection[key]));
    }

    /** Whether handles are at the top of the chart, not on a line. */
    get isGripOnTop() {
      return Boolean(this.chart.bars || this.chart.dots);
    }

    moveHandle(key) {
      if (this.chart.isFixed) {
        set(this.handles[key].group, { visibility: "hidden", tabindex: -1 });
        return;
      }
      const { view, chart, frame } = this;
      const { group, rule, grip, target, text } = this.handles[key];
      const x = this.xOf(view.selection, key);
      const y = chart.bars ? GRIP + 3 : this.isGripOnTop ? frame.top : this.yOf(view.selection, key);
      rule.setAttribute("d", chart.guide === "line" ? `M${x.toFixed(1)} ${chart.bars ? y : frame.top}V${frame.bottom}` : "");
      for (const circle of [grip, target]) set(circle, { cx: x.toFixed(1), cy: y.toFixed(1) });
      const index = view.selection[key];
      set(group, {
        "aria-label": `${key === "lower" ? "Lower threshold" : view.band ? "Upper threshold" : "Threshold"} on ${Words.plain(chart.title)}`,
        "aria-valuemax": view.ranking.last,
        "aria-valuenow": this.isAscending ? index : view.ranking.last - index,
        "aria-valuetext": view.valueTexts?.[key] ?? String(index),
      });
      if (chart.bars) this.moveFlag(text, key, x);
    }

    /** The text beside a handle of the large chart: what lies on its side. */
    moveFlag(text, key, x) {
      const { matrix, ranking } = this.view;
      const [count, name] = key === "upper" ? [matrix.tp + matrix.fp, "flagged"] : [matrix.fn + matrix.tn, "left alone"];
      const pointsRight = (key === "upper") === (ranking.sign > 0);
      const words = `${name}: ${Words.size(count, this.view.isCounted)}`;
      const label = pointsRight ? `${words} →` : `← ${words}`;
      const width = textWidth(label, 13, 600) + GRIP + 8;
      const fits = pointsRight ? x + width <= this.width : x >= width;
      const isRight = pointsRight === fits;
      set(text, { x: (x + (isRight ? GRIP + 6 : -GRIP - 6)).toFixed(1), y: GRIP + 8, "text-anchor": isRight ? "start" : "end" });
      // On the other side of its handle, a text would cover that of the other handle of a band.
      Words.write(text, fits || !this.view.band ? label : "");
    }

    moveBars() {
      const { view } = this;
      const upper = this.xOf(view.selection, "upper");
      const lower = view.band ? this.xOf(view.selection, "lower") : upper;
      const isRight = view.ranking.sign > 0;
      const place = (side, from, to) => set(this.sides[side], { x: from.toFixed(1), width: Math.max(to - from, 0).toFixed(1) });
      place("flagged", isRight ? upper : 0, isRight ? this.width : upper);
      place("left", isRight ? 0 : lower, isRight ? lower : this.width);
      place("between", Math.min(lower, upper), Math.max(lower, upper));
      for (const [cell, { count, node }] of Object.entries(this.counts)) {
        Words.write(count, Words.size(view.matrix[cell], view.isCounted));
        node.hidden = cell.startsWith("r") && !(view.band || view.matrix[cell] > 0);
      }
    }

    /** The recommended and the pinned threshold. */
    moveMarks() {
      const { view, chart, frame } = this;
      // The lines of the handles pass through the row of these labels.
      const ends = ["upper", ...(view.band ? ["lower"] : [])].map((key) => [this.xOf(view.selection, key) - 2, this.xOf(view.selection, key) + 2]);
      for (const key of ["recommended", "pinned"]) {
        const { group, rule, dot, text } = this.marks[key];
        const selection = view[key];
        const isShown = Boolean(selection) && chart.seek !== "vertex" && !(key === "recommended" && selection.upper === view.selection.upper && !view.band);
        set(group, { visibility: isShown ? "visible" : "hidden" });
        if (!isShown) continue;
        const x = this.xOf(selection);
        const value = this.xValue(selection, "upper");
        const beyond = value > chart.x.high ? 1 : value < chart.x.low ? -1 : 0;
        set(rule, { d: chart.guide === "line" && !beyond ? `M${x.toFixed(1)} ${frame.top}V${frame.bottom}` : "" });
        set(dot, { visibility: chart.guide === "point" && !beyond ? "inherit" : "hidden", cx: x.toFixed(1), cy: this.yOf(selection).toFixed(1) });
        if (!chart.bars) continue;
        const label = `${beyond < 0 ? "← " : ""}${key}: ${Words.thresholdText(view.ranking, selection)}${beyond > 0 ? " →" : ""}`;
        const width = textWidth(label);
        const isFree = (start) => start >= 0 && start + width <= this.width && ends.every(([from, to]) => start > to + 4 || start + width < from - 4);
        const start = [x - width / 2, x + 6, x - width - 6, x - 20, x - width + 20].find(isFree);
        Words.write(text, start === undefined ? "" : label);
        if (start === undefined) continue;
        ends.push([start, start + width]);
        set(text, { x: start.toFixed(1), y: frame.top - 6 });
      }
    }

    /** The thresholds that are as good as the recommended one, and the reject band. */
    moveRegions() {
      const { view, chart } = this;
      const isVertical = chart.seek !== "vertex" && chart.seek !== "nearest";
      const asGood = view.band ? null : asGoodRange(view);
      const shade = (rect, limits) => {
        set(rect, { visibility: limits ? "visible" : "hidden" });
        if (!limits) return;
        const [from, to] = [Math.min(...limits), Math.max(...limits)];
        set(rect, { x: from.toFixed(1), width: Math.max(to - from, 1).toFixed(1), y: this.frame.top, height: this.frame.bottom - this.frame.top });
      };
      const band = view.band ? [this.xOf(view.selection, "upper"), this.xOf(view.selection, "lower")] : null;
      const indices = asGood?.map((threshold) => view.ranking.indexOf(threshold));
      const rangeLimits = asGood && (chart.seek === "score" && !chart.discreteEdges
        ? asGood.map((threshold) => clamp(this.xScale.pixel(threshold), this.frame.left, this.frame.right))
        : indices.map((index) => this.xOf({ upper: index })));
      shade(this.range, isVertical ? rangeLimits : null);
      shade(this.undecided, chart.seek === "vertex" ? null : band);
      if (this.pixels) this.moveSegment(indices ?? (band ? [view.selection.upper, view.selection.lower] : null));
      if (this.rangeItem && chart.bars) {
        this.rangeItem.hidden = !asGood;
        if (asGood) Words.write(this.rangeItem.lastChild, `as good: ${rangeText(asGood)}`);
      }
    }

    /** A thick part of the active curve, between two thresholds. */
    moveSegment(indices) {
      set(this.segment, { visibility: indices ? "visible" : "hidden", class: `segment ${this.view.band ? "undecided" : "range"}` });
      if (!indices) return;
      const [first, last] = [Math.min(...indices), Math.max(...indices)];
      const part = (values) => values.subarray(first, last + 1);
      set(this.segment, { d: path(simplified(part(this.pixels.xs), part(this.pixels.ys))) });
    }

    /* ---- the pointer ---- */

    /** Whether indices increase from left to right; on an axis of scores they decrease. */
    get isAscending() {
      return this.chart.seek !== "score" || this.view.ranking.sign < 0;
    }

    positionOf(event) {
      const box = this.picture.getBoundingClientRect();
      return { x: ((event.clientX - box.left) / box.width) * this.width, y: ((event.clientY - box.top) / box.height) * this.frame.height };
    }

    /** Index of the threshold at a position in pixels. */
    indexAt({ x, y }) {
      const { chart } = this;
      const { ranking } = this.view;
      const value = this.xScale.value(x);
      if (chart.seek === "score") return ranking.indexOf(value);
      if (chart.seek === "vertex") return Rankings.bestVertex(ranking, clamp(value, 0, 1));
      if (chart.seek === "x") return nearestInOrder(chart.points.xs, value);
      const { xs, ys } = this.pixels;
      let [best, least] = [0, Infinity];
      for (let index = 0; index < xs.length; index += 1) {
        const distance = (xs[index] - x) ** 2 + (ys[index] - y) ** 2;
        if (distance < least) [best, least] = [index, distance];
      }
      return best;
    }

    /** A mouse drags from anywhere; a finger only by a handle, so that a swipe scrolls the page. */
    startDrag(event) {
      if (event.button || !this.frame || this.chart.isFixed) return;
      const held = event.target.closest(".handle");
      if (event.pointerType === "touch" && !held) return;
      const position = this.positionOf(event);
      const { band, selection } = this.view;
      const distance = (key) => Math.hypot(this.xOf(selection, key) - position.x, this.isGripOnTop ? 0 : this.yOf(selection, key) - position.y);
      const key = held?.classList.contains("lower") || (!held && band && distance("lower") < distance("upper")) ? "lower" : "upper";
      const grip = this.handles[key].grip;
      const offset = { x: Number(grip.getAttribute("cx")) - position.x, y: Number(grip.getAttribute("cy")) - position.y };
      // Held by its edge, a handle does not jump to the pointer.
      const isHeld = Math.hypot(offset.x, offset.y) <= (event.pointerType === "touch" ? TARGET + 4 : GRIP + 2);
      const shift = isHeld ? offset : { x: 0, y: 0 };
      event.preventDefault();
      this.handles[key].group.focus({ preventScroll: true });
      this.picture.setPointerCapture(event.pointerId);
      this.leave();
      const moveTo = ({ x, y }) => this.onMove(key, this.indexAt({ x: x + shift.x, y: y + shift.y }));
      if (!isHeld) moveTo(position);
      this.drag = event.pointerId;
      const follow = (next) => {
        if (next.pointerId === this.drag) moveTo(this.positionOf(next));
      };
      const stop = () => {
        this.drag = null;
        for (const [name, listener] of [["pointermove", follow], ["pointerup", stop], ["pointercancel", stop]]) this.picture.removeEventListener(name, listener);
        if (this.chart.shift) this.redraw(this.view);
      };
      for (const [name, listener] of [["pointermove", follow], ["pointerup", stop], ["pointercancel", stop]]) this.picture.addEventListener(name, listener);
    }

    /** Say what is at the pointer: the threshold, both values, and the cost. */
    point(event) {
      if (this.drag !== null || event.pointerType === "touch" || !this.frame || this.chart.isFixed) return;
      const position = this.positionOf(event);
      const { left, top, right, bottom } = this.frame;
      if (position.x < left - 4 || position.x > right + 4 || position.y < top - 20 || position.y > bottom + 4) {
        this.leave();
        return;
      }
      this.pointer = position;
      if (this.isPointing) return;
      this.isPointing = true;
      requestAnimationFrame(() => {
        this.isPointing = false;
        if (this.pointer && this.drag === null) this.showBubble(this.pointer);
      });
    }

    showBubble(position) {
      const { view, chart, frame } = this;
      const index = this.indexAt(position);
      const selection = { upper: index };
      const [x, y] = [this.xOf(selection), this.isGripOnTop ? position.y : this.yOf(selection)];
      const values = chart.readout?.(index) ?? [];
      const threshold = Words.thresholdText(view.ranking, selection);
      const rule = index ? `${view.ranking.sign > 0 ? "≥" : "≤"} ${threshold}` : "nothing flagged";
      this.bubble.replaceChildren(
        html("b", {}, view.rankings.length > 1 ? html("bdi", {}, `${Svg.truncate(view.ranking.name, 24)} `) : null, rule),
        ...values.map(([label, text]) => html("div", {}, html("span", {}, label), html("span", {}, text))),
      );
      this.bubble.hidden = false;
      const [across, down] = [x > this.width / 2 ? "calc(-100% - 14px)" : "14px", position.y > frame.height / 2 ? "calc(-100% - 10px)" : "10px"];
      this.bubble.style.transform = `translate(${x.toFixed(0)}px, ${y.toFixed(0)}px) translate(${across}, ${down})`;
      const [line, dot] = this.pointed.children;
      set(this.pointed, { visibility: "visible" });
      set(line, { d: chart.guide === "line" ? `M${x.toFixed(1)} ${frame.top}V${frame.bottom}` : "" });
      set(dot, { visibility: this.isGripOnTop ? "hidden" : "inherit", cx: x.toFixed(1), cy: y.toFixed(1) });
      this.onHover({ chart: this.name, index, threshold: view.ranking.thresholds[index], values });
    }

    leave() {
      this.pointer = null;
      if (this.bubble.hidden) return;
      this.bubble.hidden = true;
      set(this.pointed, { visibility: "hidden" });
      this.onHover(null);
    }

    onKeyDown(event, key) {
      const { last } = this.view.ranking;
      const page = Math.max(1, Math.round(last / 20));
      const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: page, PageDown: -page };
      const ends = this.isAscending ? { Home: 0, End: last } : { Home: last, End: 0 };
      const step = (this.isAscending ? 1 : -1) * (steps[event.key] ?? NaN);
      if (!(event.key in ends) && Number.isNaN(step)) return;
      event.preventDefault();
      // Relative to the current threshold, not the one last drawn: key presses can outpace frames.
      this.onMove(key, (current) => ends[event.key] ?? current + step);
    }
  }

  /** A coordinate at a threshold; some charts compute it when it is needed. */
  const valueAt = (values, index) => (values.get ? values.get(index) : values[index]);

  /** Index of the value nearest to a number, in ascending values. */
  function nearestInOrder(values, value) {
    let [first, last] = [0, values.length - 1];
    while (first < last) {
      const middle = (first + last) >> 1;
      if (values[middle] < value) first = middle + 1;
      else last = middle;
    }
    return first > 0 && value - values[first - 1] <= values[first] - value ? first - 1 : first;
  }

  /** The edge below the bar of a threshold, where each score has a bar of its own. */
  function barEdge(ranking, index, edges) {
    const distinct = edges.length - 1;
    const edge = ranking.sign > 0 ? distinct - index : index;
    return edges[clamp(edge, 0, distinct)];
  }

  /** Thresholds as good as the recommended one; known for the goal and the costs of the document. */
  const asGoodRange = ({ recommendation }) => recommendation?.document?.as_good?.map(Rankings.thresholdNumber) ?? null;

  /** A range of thresholds, which may have no end. */
  function rangeText(range) {
    const [low, high] = range.map((threshold) => Numbers.significant(threshold, RANGE_DIGITS).replace("-", "−"));
    if (range[1] === Infinity) return `${low} or more`;
    return range[0] === -Infinity ? `${high} or less` : `${low} to ${high}`;
  }

  return { Panel };
})();
