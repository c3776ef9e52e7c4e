/* The line: the threshold on a scale of scores, recall or the number flagged, with ticks, the
   recommended threshold, the pinned one, and a field to type a threshold.

   Only a handle is dragged by touch, so that a swipe that begins on the scale scrolls the page; a
   tap, or a mouse anywhere on the scale, moves the nearest handle. */
const Line = (() => {
  "use strict";

  const { html, clamp } = Svg;
  const KEYS = ["upper", "lower"];
  const TICKS = 8;
  const MARGIN = 0.02; // of the scale on each side, for "none" and "all"
  const LABEL_GAP = 12; // pixels between two labels above the scale

  /* ---- scales: positions from 0 (left) to 1 (right) of thresholds ---- */

  /** Scale of scores, as on the chart of scores. */
  function scoreScale({ ranking }) {
    const { edges, kind } = ranking.model.scores;
    const [first, last] = [edges[0], edges[edges.length - 1]];
    const isLog = kind === "log";
    const margin = MARGIN * (last - first || Math.abs(first) || 1);
    const [low, high] = isLog ? [first / (last / first) ** MARGIN, last * (last / first) ** MARGIN] : [first - margin, last + margin];
    const line = Svg.scale(low, high, 0, 1, kind);
    return {
      position: (index) => clamp(line.pixel(ranking.drawnThreshold(index)), 0, 1),
      place: (threshold) => clamp(line.pixel(threshold), 0, 1),
      index: (position) => ranking.indexOf(line.value(position)),
      ticks: Svg.ticks(first, last, kind, TICKS).map((value) => [line.pixel(value), Svg.tickText(value, "plain")]),
      rises: ranking.sign < 0, // whether indices rise from left to right
    };
  }

  /** Scale of a quantity that rises with the index, from 0 to `total`. */
  function risingScale({ ranking }, quantity, total, kind) {
    const index = (position) => nearest(ranking.last, quantity, position);
    return {
      position: quantity,
      place: (threshold) => quantity(ranking.indexOf(threshold)),
      index,
      ticks: Svg.ticks(0, total, kind, TICKS).map((value) => [value / total, Svg.tickText(value, kind)]),
      rises: true,
    };
  }

  /** Index whose quantity is nearest to a position, the first of several. */
  function nearest(last, quantity, position) {
    let [first, end] = [0, last];
    while (first < end) {
      const middle = (first + end) >> 1;
      if (quantity(middle) >= position) end = middle;
      else first = middle + 1;
    }
    const isBelow = first > 0 && position - quantity(first - 1) < quantity(first) - position;
    if (!isBelow) return first;
    const value = quantity(first - 1);
    let index = first - 1;
    while (index > 0 && quantity(index - 1) === value) index -= 1;
    return index;
  }

  function scaleOf(view) {
    const { ranking, prior } = view;
    const orZero = (value) => (Number.isNaN(value) ? 0 : value);
    if (view.scale === "recall" && ranking.positives) return risingScale(view, (index) => orZero(ranking.tpr(index)), 1, "share");
    if (view.scale === "flagged") return risingScale(view, (index) => Rankings.depth(ranking, index, prior), prior.population, "plain");
    return scoreScale(view);
  }

  /* ---- the control ---- */

  class Control {
    #callbacks;
    #scale = null;
    #view = null;

    constructor(element, callbacks) {
      this.#callbacks = callbacks;
      this.element = element;
      const part = (name) => element.querySelector(`.${name}`);
      this.rail = part("rail");
      this.parts = Object.fromEntries(["track", "flagged", "undecided", "good", "ticks", "ghost", "pinned", "pointed"].map((name) => [name, part(name)]));
      this.labels = { ghost: part("ghost-label"), pinned: part("pinned-label") };
      this.handles = Object.fromEntries(KEYS.map((key) => [key, element.querySelector(`#${key}-slider`)]));
      this.fields = Object.fromEntries(KEYS.map((key) => [key, document.getElementById(`${key}-typed`)]));
      for (const key of KEYS) {
        this.handles[key].addEventListener("pointerdown", (event) => this.#drag(event, key));
        this.handles[key].addEventListener("keydown", (event) => this.#press(event, key));
        this.fields[key].addEventListener("change", (event) => {
          event.target.blur();
          callbacks.onType(key, event.target.value);
        });
      }
      // A mouse drags from anywhere; a finger only taps, as a swipe is no click.
      this.rail.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "mouse" && !event.target.closest(".handle")) this.#drag(event, this.#nearestKey(event));
      });
      this.rail.addEventListener("click", (event) => {
        if (event.pointerType !== "mouse" && !event.target.closest(".handle") && event.detail > 0) this.#moveTo(this.#nearestKey(event), event);
      });
      this.pinButton = element.querySelector("#pin");
      this.pinButton.addEventListener("click", callbacks.onPin);
      for (const input of element.querySelectorAll("[name=scale]")) {
        input.addEventListener("change", () => callbacks.onScale(input.value));
      }
    }

    update(view) {
      this.#view = view;
      this.#scale = scaleOf(view);
      const { ticks } = this.parts;
      ticks.replaceChildren(...this.#scale.ticks.map(([position, text]) => {
        const tick = html("span", {}, text);
        tick.style.left = percent(position);
        return tick;
      }));
      for (const input of this.element.querySelectorAll("[name=scale]")) input.checked = input.value === view.scale;
      this.handles.lower.hidden = !view.band;
      this.#mark("ghost", view.recommended, view.goal.name === "youden" ? "Youden’s J" : "recommended");
      this.#mark("pinned", view.pinned, "pinned");
      this.#showGood(view);
      this.pinButton.setAttribute("aria-pressed", String(view.pin !== null));
      Words.write(this.pinButton, view.pin ? "Unpin" : "Pin");
      this.move(view);
      this.#separateLabels();
    }

    /** A mark at a selection, with a label above it. */
    #mark(name, selection, word) {
      const [mark, label] = [this.parts[name], this.labels[name]];
      mark.hidden = label.hidden = selection === null;
      if (selection === null) return;
      const place = this.#scale.position(selection.upper);
      mark.style.left = label.style.left = percent(place);
      label.style.transform = `translateX(${-100 * clamp((place - 0.04) / 0.92, 0, 1)}%)`;
      Words.write(label, `${word} ${Words.thresholdText(this.#view.ranking, selection)}`);
    }

    /** Labels that would overlap: that of the pinned threshold gives way. */
    #separateLabels() {
      const { ghost, pinned } = this.labels;
      pinned.classList.remove("concealed");
      if (ghost.hidden || pinned.hidden) return;
      const [a, b] = [ghost.getBoundingClientRect(), pinned.getBoundingClientRect()];
      pinned.classList.toggle("concealed", a.left < b.right + LABEL_GAP && b.left < a.right + LABEL_GAP);
    }

    /** Thresholds that are as good as the recommended one. */
    #showGood(view) {
      const limits = view.recommendation?.document?.as_good;
      const { good } = this.parts;
      good.hidden = !limits;
      if (limits) place(good, ...limits.map(Rankings.thresholdNumber).map((limit) => this.#scale.place(limit)));
    }

    move(view) {
      this.#view = view;
      const { selection, ranking, band } = view;
      const places = Object.fromEntries(KEYS.map((key) => [key, this.#scale.position(selection[key])]));
      const end = this.#scale.rises ? 0 : 1;
      place(this.parts.flagged, places.upper, end);
      this.parts.undecided.hidden = !band;
      if (band) place(this.parts.undecided, places.upper, places.lower);
      for (const key of KEYS) {
        const handle = this.handles[key];
        handle.style.left = percent(places[key]);
        handle.setAttribute("aria-valuemax", ranking.last);
        handle.setAttribute("aria-valuenow", this.#scale.rises ? selection[key] : ranking.last - selection[key]);
        handle.setAttribute("aria-valuetext", view.valueTexts[key]);
        const field = this.fields[key];
        if (document.activeElement !== field) field.value = Words.thresholdText(ranking, selection, key).replace("−", "-");
      }
      this.handles.upper.setAttribute("aria-label", band ? "Upper threshold" : "Threshold");
    }

    /** Mark the threshold at which a pointer is on a chart. */
    point(index) {
      const { pointed } = this.parts;
      pointed.hidden = index === null;
      if (index !== null) pointed.style.left = percent(this.#scale.position(index));
    }

    #positionOf(event) {
      const box = this.parts.track.getBoundingClientRect();
      return clamp((event.clientX - box.left) / (box.width || 1), 0, 1);
    }

    #moveTo(key, event) {
      const position = this.#positionOf(event);
      this.#callbacks.onMove(key, this.#scale.index(position));
    }

    #nearestKey(event) {
      const position = this.#positionOf(event);
      const distance = (key) => Math.abs(this.#scale.position(this.#view.selection[key]) - position);
      return this.#view.band && distance("lower") < distance("upper") ? "lower" : "upper";
    }

    #drag(event, key) {
      if (event.button) return;
      event.preventDefault();
      const handle = this.handles[key];
      handle.focus({ preventScroll: true });
      handle.setPointerCapture(event.pointerId);
      this.#moveTo(key, event);
      const follow = (move) => this.#moveTo(key, move);
      const stop = () => {
        handle.removeEventListener("pointermove", follow);
        for (const name of ["pointerup", "pointercancel"]) handle.removeEventListener(name, stop);
      };
      handle.addEventListener("pointermove", follow);
      for (const name of ["pointerup", "pointercancel"]) handle.addEventListener(name, stop);
    }

    #press(event, key) {
      const { last } = this.#view.ranking;
      const page = Math.max(1, Math.round(last / 20));
      const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: page, PageDown: -page };
      const { rises } = this.#scale;
      const ends = rises ? { Home: 0, End: last } : { Home: last, End: 0 };
      if (!(event.key in ends) && !(event.key in steps)) return;
      event.preventDefault();
      // Relative to the current threshold, not the one last drawn: key presses can outpace frames.
      this.#callbacks.onMove(key, (current) => ends[event.key] ?? current + (rises ? 1 : -1) * steps[event.key]);
    }
  }

  const percent = (position) => `${(100 * position).toFixed(3)}%`;

  /** Place an element between two positions. */
  function place(element, from, to) {
    element.style.left = percent(Math.min(from, to));
    element.style.width = percent(Math.abs(to - from));
  }

  return { Control };
})();
