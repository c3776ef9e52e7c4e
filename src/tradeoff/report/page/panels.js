/* Panels: charts drawn as SVG, and the threshold that can be dragged on each of them. */
const Panels = (() => {
  "use strict";

  const { html, svg, ticks, tickText, scale, path, outline, clamp } = Svg;
  const SIZE = { width: 400, height: 300, left: 58, right: 20, top: 10, bottom: 42 };

  function drawLayer(layer, xScale, yScale) {
    const toPixels = ([x, y]) => [xScale.pixel(x), yScale.pixel(y)];
    const order = layer.order === undefined ? "" : ` m${layer.order % 8}`;
    const name = `${layer.role}${order}${layer.active ? " active" : ""}`;
    if (layer.kind === "line") return svg("path", { class: `line ${name}`, d: path(layer.points.map(toPixels)) });
    if (layer.kind === "band") {
      const pixels = layer.x.map(xScale.pixel);
      return svg("path", { class: `band ${name}`, d: outline(pixels, layer.low.map(yScale.pixel), layer.high.map(yScale.pixel)) });
    }
    return svg("path", { class: `bars ${name}`, d: barsPath(layer, xScale, yScale) });
  }

  function barsPath({ edges, heights }, xScale, yScale) {
    const baseline = yScale.pixel(0);
    return heights.map((height, index) => {
      const [left, right] = [xScale.pixel(edges[index]), xScale.pixel(edges[index + 1])];
      const width = Math.max(right - left, 1.5);
      return `M${left.toFixed(1)} ${baseline.toFixed(1)}V${yScale.pixel(height).toFixed(1)}h${width.toFixed(1)}V${baseline.toFixed(1)}Z`;
    }).join("");
  }

  function drawAxes(chart, xScale, yScale) {
    const { width, height, left, right, top, bottom } = SIZE;
    const baseline = height - bottom;
    const grid = svg("g", { class: "grid", "aria-hidden": "true" });
    for (const value of ticks(chart.x.low, chart.x.high, chart.x.kind)) {
      const x = xScale.pixel(value);
      grid.append(
        svg("path", { d: `M${x} ${top}V${baseline}` }),
        svg("text", { x, y: baseline + 17, "text-anchor": "middle" }, tickText(value, chart.x.kind)),
      );
    }
    for (const value of ticks(chart.y.low, chart.y.high)) {
      const y = yScale.pixel(value);
      const label = chart.y.absolute ? Math.abs(value) : value;
      grid.append(
        svg("path", { d: `M${left} ${y}H${width - right}` }),
        svg("text", { x: left - 6, y: y + 3.5, "text-anchor": "end" }, tickText(label, chart.y.kind)),
      );
    }
    const centre = (top + baseline) / 2;
    grid.append(
      svg("text", { class: "label x", x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, chart.x.label),
      svg("text", { class: "label y", transform: `rotate(-90 12 ${centre})`, x: 12, y: centre, "text-anchor": "middle" }, chart.y.label),
    );
    return grid;
  }

  /** Truncate a label to a width, which only the browser can measure. */
  function fit(text, available) {
    for (let width = text.getComputedTextLength(); width > available; width = text.getComputedTextLength()) {
      const letters = [...text.textContent];
      const length = Math.min(letters.length - 2, Math.floor((letters.length * available) / width) - 1);
      if (length < 4) return;
      text.textContent = `${letters.slice(0, length).join("")}…`;
    }
  }

  /** A chart on the page; dragging a threshold calls `onMove(key, index)`. */
  class Panel {
    constructor(name, onMove) {
      this.name = name;
      this.onMove = onMove;
      this.title = html("h3");
      this.caption = html("p", { class: "about" });
      this.picture = svg("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "group" });
      this.element = html("figure", { class: "chart", id: `chart-${name}` }, this.title, this.picture, this.caption);
      this.background = svg("g");
      this.moving = svg("g", { class: "moving" });
      this.handles = { upper: this.handle("upper"), lower: this.handle("lower") };
      this.picture.append(this.background, this.moving, this.handles.lower.group, this.handles.upper.group);
      this.picture.addEventListener("pointerdown", (event) => this.startDrag(event));
    }

    handle(key) {
      const rule = svg("path", { class: "rule" });
      const grip = svg("circle", { class: "grip", r: 7 });
      const group = svg("g", { class: `handle ${key}`, role: "slider", tabindex: 0, "aria-orientation": "horizontal" }, rule, grip);
      group.addEventListener("keydown", (event) => this.onKeyDown(event, key));
      return { group, rule, grip };
    }

    redraw(view) {
      this.view = view;
      this.chart = Charts.chart(this.name, view);
      const { chart } = this;
      this.title.textContent = chart.title;
      this.caption.textContent = chart.caption;
      const { width, height, left, right, top, bottom } = SIZE;
      this.xScale = scale(chart.x.low, chart.x.high, left, width - right, chart.x.kind);
      this.yScale = scale(chart.y.low, chart.y.high, height - bottom, top);
      this.picture.setAttribute("aria-label", `${chart.title}: ${chart.y.label} over ${chart.x.label}`);
      this.background.replaceChildren(drawAxes(chart, this.xScale, this.yScale), ...chart.layers.map((layer) => drawLayer(layer, this.xScale, this.yScale)));
      this.move(view);
    }

    /** Truncate long labels, once all charts are drawn, as measuring them lays out the page. */
    fit() {
      const { width, height, left, right, top, bottom } = SIZE;
      fit(this.background.querySelector(".label.x"), width - left + right - 6);
      fit(this.background.querySelector(".label.y"), height - bottom + top - 6);
    }

    /** Whether indices increase from left to right; on an axis of scores they decrease. */
    get isAscending() {
      return !this.chart.scoreOf || this.view.ranking.sign < 0;
    }

    /** Redraw the parts that move with the threshold. */
    move(view) {
      this.view = view;
      const layers = this.chart.moving ? this.chart.moving(view.selection.upper) : [];
      this.moving.replaceChildren(...layers.map((layer) => drawLayer(layer, this.xScale, this.yScale)));
      this.positionHandle("upper");
      this.handles.lower.group.toggleAttribute("hidden", !view.band);
      if (view.band) this.positionHandle("lower");
    }

    positionHandle(key) {
      const { view, chart } = this;
      const { group, rule, grip } = this.handles[key];
      const index = view.selection[key];
      const [x, y] = chart.position(view.ranking, index);
      const left = clamp(this.xScale.pixel(Number.isFinite(x) ? x : chart.x.low), SIZE.left, SIZE.width - SIZE.right);
      const top = clamp(this.yScale.pixel(Number.isFinite(y) ? y : chart.y.low), SIZE.top, SIZE.height - SIZE.bottom);
      const baseline = SIZE.height - SIZE.bottom;
      rule.setAttribute("d", chart.guide === "line"
        ? `M${left} ${SIZE.top}V${baseline}` : `M${left} ${baseline}V${top}H${SIZE.left}`);
      grip.setAttribute("cx", left);
      grip.setAttribute("cy", top);
      group.setAttribute("aria-label", `${key === "lower" ? "Lower threshold" : "Threshold"} on ${chart.title}`);
      group.setAttribute("aria-valuemin", 0);
      group.setAttribute("aria-valuemax", view.ranking.last);
      group.setAttribute("aria-valuenow", this.isAscending ? index : view.ranking.last - index);
      group.setAttribute("aria-valuetext", view.valueTexts[key]);
    }

    /** Index of the threshold at a pointer. */
    indexAt(event) {
      const box = this.picture.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * SIZE.width;
      const y = ((event.clientY - box.top) / box.height) * SIZE.height;
      const { ranking } = this.view;
      const value = this.xScale.value(x);
      if (this.chart.scoreOf) return ranking.indexOf(this.chart.scoreOf(value));
      if (this.chart.seek === "best") return Rankings.bestVertex(ranking, clamp(value, 0, 1));
      return Rankings.indexOfMinimum(Float64Array.from(ranking.thresholds, (_, index) => {
        const [pointX, pointY] = this.chart.position(ranking, index);
        const horizontal = Math.abs(this.xScale.pixel(pointX) - x);
        const distance = this.chart.seek === "x" ? horizontal : Math.hypot(horizontal, this.yScale.pixel(pointY) - y);
        return Number.isFinite(distance) ? distance : 1e9;
      }));
    }

    startDrag(event) {
      if (event.button) return;
      event.preventDefault();
      const index = this.indexAt(event);
      const { band, selection } = this.view;
      const key = band && Math.abs(index - selection.lower) < Math.abs(index - selection.upper) ? "lower" : "upper";
      this.picture.setPointerCapture(event.pointerId);
      this.onMove(key, index);
      const follow = (move) => this.onMove(key, this.indexAt(move));
      const stop = () => {
        this.picture.removeEventListener("pointermove", follow);
        this.picture.removeEventListener("pointerup", stop);
        this.picture.removeEventListener("pointercancel", stop);
      };
      this.picture.addEventListener("pointermove", follow);
      this.picture.addEventListener("pointerup", stop);
      this.picture.addEventListener("pointercancel", stop);
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

  return { Panel };
})();
