/* HTML and SVG elements, scales, axes and texts that fit. Names from data become text nodes only. */
const Svg = (() => {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";
  const TEXT_SIZE = 12;
  const ISOLATES = /[\u2068\u2069]/g;
  const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  /** An HTML element; strings among the children become text. */
  const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

  /** An SVG element. */
  const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  /** Set attributes of an element, those that changed. */
  function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
      const text = String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }

  /* ---- axes ---- */

  /** Ticks at round numbers, about `target` of them. */
  function ticks(low, high, kind = "plain", target = 5) {
    if (kind === "log") return decades(low, high, target);
    const span = high - low;
    if (!(span > 0) || !Number.isFinite(span)) return [low];
    const minStep = span / target;
    const power = 10 ** Math.floor(Math.log10(minStep));
    const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= minStep * 0.999) * power;
    const first = Math.ceil(low / step - 1e-9);
    const last = Math.floor(high / step + 1e-9);
    return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => (first + index) * step);
  }

  /** Ticks 1, 2, 5, 10 … on a logarithmic axis; fewer in each decade, or not in every one, if there are many. */
  function decades(low, high, target) {
    const first = Math.floor(Math.log10(low));
    const powers = Array.from({ length: Math.ceil(Math.log10(high / low)) + 2 }, (_, index) => first + index);
    const inside = (values) => values.filter((value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
    for (const steps of [[1, 2, 5], [1, 3], [1]]) {
      const values = inside(powers.flatMap((power) => steps.map((step) => Number(`${step}e${power}`))));
      if (values.length <= target + 1) return values;
    }
    const every = Math.ceil(powers.length / target);
    return inside(powers.filter((power) => power % every === 0).map((power) => Number(`1e${power}`)));
  }

  /** A number on an axis, as short as possible; in the same thousands or millions as the `largest` one. */
  function tickText(value, kind, largest = value) {
    if (kind === "share" || kind === "log share") return `${plainText(100 * value, 100 * largest)}%`;
    return plainText(value, largest);
  }

  function plainText(value, largest) {
    const size = Math.abs(value);
    if (size >= 1e12 || (size > 0 && size < 1e-4)) return powerText(value);
    if (!value) return "0";
    for (const [limit, unit, letter] of [[1e9, 1e9, "bn"], [1e6, 1e6, "M"], [1e4, 1e3, "k"]]) {
      if (Math.abs(largest) >= limit) return `${Number((value / unit).toPrecision(4))}${letter}`.replace("-", "−");
    }
    return String(Number(value.toPrecision(6))).replace("-", "−");
  }

  /** A number as a multiple of a power of ten: 2×10⁻⁵. */
  function powerText(value) {
    const [mantissa, power] = Number(value.toPrecision(3)).toExponential().split("e");
    const exponent = `${power.startsWith("-") ? "⁻" : ""}${[...power.replace(/\D/g, "")].map((digit) => SUPERSCRIPTS[digit]).join("")}`;
    return `${mantissa === "1" ? "" : `${mantissa}×`}10${exponent}`.replace("-", "−");
  }

  /** Scale from values to pixels and back. */
  function scale(low, high, from, to, kind = "plain") {
    if (kind.startsWith("log")) {
      const linear = scale(Math.log10(low), Math.log10(high), from, to);
      return { low, high, pixel: (value) => linear.pixel(Math.log10(Math.max(value, low / 10))), value: (pixel) => 10 ** linear.value(pixel) };
    }
    const span = high - low || 1;
    return {
      low,
      high,
      pixel: (value) => from + ((value - low) / span) * (to - from),
      value: (pixel) => low + ((pixel - from) / (to - from || 1)) * span,
    };
  }

  /* ---- lines ---- */

  /**
   * Vertices that keep a line within a tolerance, in pixels, however many points it has: from each
   * vertex a cone of directions is narrowed until a point leaves it. Breaks are NaN.
   */
  function simplified(xs, ys, tolerance = 0.35) {
    const line = { xs: [], ys: [] };
    const size = xs.length;
    let anchor = -1;
    let previous = -1;
    let base = 0;
    let [low, high, farthest] = [-Infinity, Infinity, 0];
    const push = (index) => {
      line.xs.push(xs[index]);
      line.ys.push(ys[index]);
    };
    const restart = (index) => {
      anchor = index;
      [low, high, farthest] = [-Infinity, Infinity, 0];
    };
    for (let index = 0; index < size; index += 1) {
      if (!(Number.isFinite(xs[index]) && Number.isFinite(ys[index]))) {
        if (anchor >= 0) {
          if (previous !== anchor) push(previous);
          line.xs.push(NaN);
          line.ys.push(NaN);
        }
        anchor = -1;
        continue;
      }
      if (anchor < 0) {
        push(index);
        restart(index);
        previous = index;
        continue;
      }
      for (;;) {
        const dx = xs[index] - xs[anchor];
        const dy = ys[index] - ys[anchor];
        const distance = Math.hypot(dx, dy);
        if (distance <= tolerance && farthest <= tolerance) break;
        const direction = Math.atan2(dy, dx);
        if (low === -Infinity) base = direction;
        let angle = direction - base;
        if (angle > Math.PI) angle -= 2 * Math.PI;
        else if (angle < -Math.PI) angle += 2 * Math.PI;
        if (angle >= low && angle <= high && distance >= farthest - tolerance) {
          const width = Math.asin(Math.min(1, tolerance / distance));
          low = Math.max(low, angle - width);
          high = Math.min(high, angle + width);
          farthest = Math.max(farthest, distance);
          break;
        }
        push(previous);
        restart(previous);
      }
      previous = index;
    }
    if (anchor >= 0 && previous !== anchor) push(previous);
    return line;
  }

  /** Path through vertices, broken by those that are not finite. */
  function path({ xs, ys }) {
    let text = "";
    let pen = "M";
    for (let index = 0; index < xs.length; index += 1) {
      if (Number.isFinite(xs[index]) && Number.isFinite(ys[index])) {
        text += `${pen}${xs[index].toFixed(1)} ${ys[index].toFixed(1)}`;
        pen = "L";
      } else pen = "M";
    }
    return text;
  }

  /** Outline of a band: along its upper limits, and back along the lower ones. */
  function outline(xs, low, high) {
    const count = xs.length;
    const at = (values) => Float64Array.from({ length: 2 * count }, (_, index) => values(index < count ? index : 2 * count - 1 - index, index < count));
    return `${path({ xs: at((index) => xs[index]), ys: at((index, isUpper) => (isUpper ? high[index] : low[index])) })}Z`;
  }

  /* ---- texts ---- */

  const widths = new Map();
  const MAX_KNOWN_WIDTHS = 5000;
  let canvas = null;
  let fontFamily = "";

  /** Width of a text in pixels; measured on a canvas, so that the page need not be laid out. All digits are as wide as a zero. */
  function textWidth(text, size = TEXT_SIZE, weight = 400) {
    const letters = text.replace(/\d/g, "0");
    const key = `${weight} ${size} ${letters}`;
    let width = widths.get(key);
    if (width === undefined) {
      canvas ??= html("canvas").getContext("2d");
      fontFamily ||= getComputedStyle(document.body).fontFamily;
      canvas.font = `${weight} ${size}px ${fontFamily}`;
      if (widths.size > MAX_KNOWN_WIDTHS) widths.clear();
      width = canvas.measureText(letters.replace(ISOLATES, "")).width;
      widths.set(key, width);
    }
    return width;
  }

  const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;

  /** Letters as a reader sees them: an emoji of several characters is one. */
  const letters = (text) => (segmenter ? Array.from(segmenter.segment(text), ({ segment }) => segment) : [...text]);

  /** A text shortened to a width in pixels, with an ellipsis. */
  function fitted(text, width, size = TEXT_SIZE, weight = 400) {
    if (textWidth(text, size, weight) <= width) return text;
    const all = letters(text.slice(0, 400));
    let [fits, count] = [0, all.length];
    while (fits < count) {
      const middle = (fits + count + 1) >> 1;
      if (textWidth(`${all.slice(0, middle).join("")}…`, size, weight) <= width) fits = middle;
      else count = middle - 1;
    }
    const start = all.slice(0, fits).join("").trimEnd();
    const isOpen = start.includes("\u2068") && !start.includes("\u2069");
    return start ? `${start}…${isOpen ? "\u2069" : ""}` : "";
  }

  /** Content of an SVG text, in which the direction of a name does not affect the words around it. */
  function spans(text) {
    return text.split(/\u2068([^\u2069]*)\u2069/).map((part, index) => (index % 2 ? svg("tspan", { class: "name" }, part) : part)).filter((part) => part !== "");
  }

  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

  /** A name truncated to a number of letters. */
  function truncate(name, maxLength = 40) {
    if (name.length <= maxLength) return name;
    const all = letters(name.slice(0, 20 * maxLength));
    return all.length > maxLength ? `${all.slice(0, maxLength - 1).join("")}…` : name;
  }

  return {
    html, svg, set, ticks, tickText, scale, simplified, path, outline, textWidth, fitted, spans, clamp, truncate, TEXT_SIZE,
  };
})();
