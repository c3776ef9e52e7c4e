/* Charts on the page: frames, layers, and the line that can be dragged on each of them. */
const Panels = (() => {
  "use strict";

  const { html, svg, ticks, tickText, scale, path, outline, clamp } = Drawing;
  const SIZE = { width: 400, height: 300, left: 58, right: 20, top: 10, bottom: 42 };

  function layer(part, across, up) {
    const place = ([x, y]) => [across.pixel(x), up.pixel(y)];
    const order = part.order === undefined ? "" : ` m${part.order % 8}`;
    const name = `${part.role}${order}${part.active ? " active" : ""}`;
    if (part.kind === "line") return svg("path", { class: `line ${name}`, d: path(part.points.map(place)) });
    if (part.kind === "band") {
      const pixels = part.x.map(across.pixel);
      return svg("path", { class: `band ${name}`, d: outline(pixels, part.low.map(up.pixel), part.high.map(up.pixel)) });
    }
    return svg("path", { class: `bars ${name}`, d: barsPath(part, across, up) });
  }

  function barsPath({ edges, heights }, across, up) {
    const floor = up.pixel(0);
    return heights.map((height, at) => {
      const [left, right] = [across.pixel(edges[at]), across.pixel(edges[at + 1])];
      const wide = Math.max(right - left, 1.5);
      return `M${left.toFixed(1)} ${floor.toFixed(1)}V${up.pixel(height).toFixed(1)}h${wide.toFixed(1)}V${floor.toFixed(1)}Z`;
    }).join("");
  }

  function frame(chart, across, up) {
    const { width, height, left, right, top, bottom } = SIZE;
    const floor = height - bottom;
    const grid = svg("g", { class: "grid", "aria-hidden": "true" });
    for (const value of ticks(chart.x.low, chart.x.high, chart.x.kind)) {
      const x = across.pixel(value);
      grid.append(
        svg("path", { d: `M${x} ${top}V${floor}` }),
        svg("text", { x, y: floor + 17, "text-anchor": "middle" }, tickText(value, chart.x.kind)),
      );
    }
    for (const value of ticks(chart.y.low, chart.y.high)) {
      const y = up.pixel(value);
      const shown = chart.y.absolute ? Math.abs(value) : value;
      grid.append(
        svg("path", { d: `M${left} ${y}H${width - right}` }),
        svg("text", { x: left - 6, y: y + 3.5, "text-anchor": "end" }, tickText(shown, chart.y.kind)),
      );
    }
    const middle = (top + floor) / 2;
    grid.append(
      svg("text", { class: "label across", x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, chart.x.label),
      svg("text", { class: "label up", transform: `rotate(-90 12 ${middle})`, x: 12, y: middle, "text-anchor": "middle" }, chart.y.label),
    );
    return grid;
  }

  /** A label that is too long for its side is cut; only the page itself knows how wide it is. */
  function fit(text, room) {
    for (let width = text.getComputedTextLength(); width > room; width = text.getComputedTextLength()) {
      const letters = [...text.textContent];
      const kept = Math.min(letters.length - 2, Math.floor((letters.length * room) / width) - 1);
      if (kept < 4) return;
      text.textContent = `${letters.slice(0, kept).join("")}…`;
    }
  }

  /** A chart on the page. `moved(key, place)` is told when somebody drags the line. */
  class Panel {
    constructor(name, moved) {
      this.name = name;
      this.moved = moved;
      this.title = html("h3");
      this.about = html("p", { class: "about" });
      this.picture = svg("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "group" });
      this.element = html("figure", { class: "chart", id: `chart-${name}` }, this.title, this.picture, this.about);
      this.still = svg("g");
      this.moving = svg("g", { class: "moving" });
      this.handles = { upper: this.handle("upper"), lower: this.handle("lower") };
      this.picture.append(this.still, this.moving, this.handles.lower.group, this.handles.upper.group);
      this.picture.addEventListener("pointerdown", (event) => this.grab(event));
    }

    handle(key) {
      const rule = svg("path", { class: "rule" });
      const grip = svg("circle", { class: "grip", r: 7 });
      const group = svg("g", { class: `handle ${key}`, role: "slider", tabindex: 0, "aria-orientation": "horizontal" }, rule, grip);
      group.addEventListener("keydown", (event) => this.key(event, key));
      return { group, rule, grip };
    }

    redraw(view) {
      this.view = view;
      this.chart = Charts.chart(this.name, view);
      const { chart } = this;
      this.title.textContent = chart.title;
      this.about.textContent = chart.about;
      const { width, height, left, right, top, bottom } = SIZE;
      this.across = scale(chart.x.low, chart.x.high, left, width - right, chart.x.kind);
      this.up = scale(chart.y.low, chart.y.high, height - bottom, top);
      this.picture.setAttribute("aria-label", `${chart.title}: ${chart.y.label} over ${chart.x.label}`);
      this.still.replaceChildren(frame(chart, this.across, this.up), ...chart.layers.map((part) => layer(part, this.across, this.up)));
      this.move(view);
    }

    /** Cut labels that are too long: measured once all charts are drawn, as measuring lays out the page. */
    fit() {
      const { width, height, left, right, top, bottom } = SIZE;
      fit(this.still.querySelector(".across"), width - left + right - 6);
      fit(this.still.querySelector(".up"), height - bottom + top - 6);
    }

    /** Whether places run from left to right: on an axis of scores the highest come first. */
    get rises() {
      return !this.chart.ofScores || this.view.ranking.sign < 0;
    }

    /** Only the line has moved. */
    move(view) {
      this.view = view;
      const extra = this.chart.moving ? this.chart.moving(view.line.upper) : [];
      this.moving.replaceChildren(...extra.map((part) => layer(part, this.across, this.up)));
      this.put("upper");
      this.handles.lower.group.toggleAttribute("hidden", !view.band);
      if (view.band) this.put("lower");
    }

    put(key) {
      const { view, chart } = this;
      const { group, rule, grip } = this.handles[key];
      const [x, y] = chart.at(view.ranking, view.line[key]);
      const across = clamp(this.across.pixel(Number.isFinite(x) ? x : chart.x.low), SIZE.left, SIZE.width - SIZE.right);
      const height = clamp(this.up.pixel(Number.isFinite(y) ? y : chart.y.low), SIZE.top, SIZE.height - SIZE.bottom);
      const floor = SIZE.height - SIZE.bottom;
      rule.setAttribute("d", chart.guide === "line"
        ? `M${across} ${SIZE.top}V${floor}` : `M${across} ${floor}V${height}H${SIZE.left}`);
      grip.setAttribute("cx", across);
      grip.setAttribute("cy", height);
      group.setAttribute("aria-label", `${key === "lower" ? "Lower threshold" : "Threshold"} on ${chart.title}`);
      group.setAttribute("aria-valuemin", 0);
      group.setAttribute("aria-valuemax", view.ranking.last);
      group.setAttribute("aria-valuenow", this.rises ? view.line[key] : view.ranking.last - view.line[key]);
      group.setAttribute("aria-valuetext", view.said[key]);
    }

    /** The place that a pointer means. */
    seek(event) {
      const box = this.picture.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * SIZE.width;
      const y = ((event.clientY - box.top) / box.height) * SIZE.height;
      const { ranking } = this.view;
      const value = this.across.value(x);
      if (this.chart.ofScores) return ranking.placeOf(this.chart.ofScores(value));
      if (this.chart.seek === "best") return Rankings.bestVertex(ranking, clamp(value, 0, 1));
      return Rankings.least(Float64Array.from(ranking.thresholds, (_, place) => {
        const [px, py] = this.chart.at(ranking, place);
        const far = Math.abs(this.across.pixel(px) - x);
        if (this.chart.seek === "x") return Number.isFinite(far) ? far : 1e9;
        const apart = Math.hypot(far, this.up.pixel(py) - y);
        return Number.isFinite(apart) ? apart : 1e9;
      }));
    }

    grab(event) {
      if (event.button) return;
      event.preventDefault();
      const place = this.seek(event);
      const { band, line } = this.view;
      const key = band && Math.abs(place - line.lower) < Math.abs(place - line.upper) ? "lower" : "upper";
      this.picture.setPointerCapture(event.pointerId);
      this.moved(key, place);
      const follow = (next) => this.moved(key, this.seek(next));
      const stop = () => {
        this.picture.removeEventListener("pointermove", follow);
        this.picture.removeEventListener("pointerup", stop);
        this.picture.removeEventListener("pointercancel", stop);
      };
      this.picture.addEventListener("pointermove", follow);
      this.picture.addEventListener("pointerup", stop);
      this.picture.addEventListener("pointercancel", stop);
    }

    key(event, key) {
      const { last } = this.view.ranking;
      const far = Math.max(1, Math.round(last / 20));
      const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: far, PageDown: -far };
      const ends = this.rises ? { Home: 0, End: last } : { Home: last, End: 0 };
      const step = (this.rises ? 1 : -1) * (steps[event.key] ?? NaN);
      if (!(event.key in ends) && Number.isNaN(step)) return;
      event.preventDefault();
      // From where the line is by now, not from where it was last drawn: keys may come fast.
      this.moved(key, (now) => ends[event.key] ?? now + step);
    }
  }

  return { Panel };
})();
