/* HTML and SVG elements, scales and axes. Names from data become text nodes only. */
const Svg = (() => {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";

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

  /** Ticks at round numbers, about `target` of them. */
  function ticks(low, high, kind = "plain", target = 5) {
    if (kind === "log") return decades(low, high);
    const span = high - low;
    if (!(span > 0) || !Number.isFinite(span)) return [low];
    const minStep = span / target;
    const power = 10 ** Math.floor(Math.log10(minStep));
    const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= minStep * 0.999) * power;
    const first = Math.ceil(low / step - 1e-9);
    const last = Math.floor(high / step + 1e-9);
    return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => (first + index) * step);
  }

  /** Ticks 1, 2, 5, 10 … on a logarithmic axis; only powers of ten if there are many. */
  function decades(low, high) {
    const powers = Array.from({ length: Math.ceil(Math.log10(high / low)) + 2 }, (_, index) => Math.floor(Math.log10(low)) + index);
    const steps = powers.length > 4 ? [1] : powers.length > 2 ? [1, 3] : [1, 2, 5];
    return powers.flatMap((power) => steps.map((step) => step * 10 ** power)).filter((value) => value >= low && value <= high);
  }

  /** A number on an axis, as short as possible. */
  function tickText(value, kind) {
    if (kind === "share") return `${Number((100 * value).toPrecision(6))}%`;
    const size = Math.abs(value);
    if (size >= 1e9 || (size > 0 && size < 1e-4)) return value.toExponential(1).replace("e+", "e");
    if (size >= 1e6) return `${Number((value / 1e6).toPrecision(4))}M`;
    if (size >= 1e4) return `${Number((value / 1e3).toPrecision(4))}k`;
    return String(Number(value.toPrecision(6))).replace("-", "−");
  }

  /** Scale from values to pixels and back. */
  function scale(low, high, from, to, kind = "plain") {
    if (kind === "log") {
      const linear = scale(Math.log10(low), Math.log10(high), from, to);
      return { low, high, pixel: (value) => linear.pixel(Math.log10(Math.max(value, low))), value: (pixel) => 10 ** linear.value(pixel) };
    }
    const span = high - low || 1;
    return {
      low,
      high,
      pixel: (value) => from + ((value - low) / span) * (to - from),
      value: (pixel) => low + ((pixel - from) / (to - from || 1)) * span,
    };
  }

  /** Path through points, broken by points that are not finite. */
  function path(points) {
    let text = "";
    let pen = "M";
    for (const [x, y] of points) {
      if (Number.isFinite(x) && Number.isFinite(y)) {
        text += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
        pen = "L";
      } else pen = "M";
    }
    return text;
  }

  /** Outline of a band: along its upper limits, and back along the lower ones. */
  function outline(x, low, high) {
    const upper = x.map((value, index) => [value, high[index]]);
    const lower = x.map((value, index) => [value, low[index]]).reverse();
    return `${path([...upper, ...lower])}Z`;
  }

  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

  /** A name truncated to a length. */
  const truncate = (name, maxLength = 40) => (name.length > maxLength ? `${[...name].slice(0, maxLength - 1).join("")}…` : name);

  /** A name in quotes; its writing direction is isolated from that of the sentence. */
  const quoted = (name) => `“\u2068${truncate(name, 30)}\u2069”`;

  return { quoted, html, svg, ticks, tickText, scale, path, outline, clamp, truncate };
})();
