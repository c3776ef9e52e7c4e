/* Elements, scales and axes. Names from data only ever become text nodes. */
const Drawing = (() => {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";

  function filled(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  /** An HTML element; strings among the children become text. */
  const html = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

  /** An SVG element. */
  const svg = (tag, attributes = {}, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

  /** Round places for about `wanted` ticks between two numbers. */
  function ticks(low, high, kind = "plain", wanted = 5) {
    if (kind === "log") return decades(low, high);
    const span = high - low;
    if (!(span > 0) || !Number.isFinite(span)) return [low];
    const rough = span / wanted;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].find((times) => times * power >= rough * 0.999) * power;
    const first = Math.ceil(low / step - 1e-9);
    const last = Math.floor(high / step + 1e-9);
    return Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => (first + at) * step);
  }

  /** 1, 2, 5, 10 … as far as they are few; else powers of ten. */
  function decades(low, high) {
    const powers = Array.from({ length: Math.ceil(Math.log10(high / low)) + 2 }, (_, at) => Math.floor(Math.log10(low)) + at);
    const steps = powers.length > 4 ? [1] : powers.length > 2 ? [1, 3] : [1, 2, 5];
    return powers.flatMap((power) => steps.map((step) => step * 10 ** power)).filter((value) => value >= low && value <= high);
  }

  /** A number on an axis: as short as it can be. */
  function tickText(value, kind) {
    if (kind === "share") return `${Number((100 * value).toPrecision(6))} %`;
    const size = Math.abs(value);
    if (size >= 1e9 || (size > 0 && size < 1e-4)) return value.toExponential(1).replace("e+", "e");
    if (size >= 1e6) return `${Number((value / 1e6).toPrecision(4))}M`;
    if (size >= 1e4) return `${Number((value / 1e3).toPrecision(4))}k`;
    return String(Number(value.toPrecision(6))).replace("-", "−");
  }

  /** From values to pixels and back. */
  function scale(low, high, from, to, kind = "plain") {
    if (kind === "log") {
      const even = scale(Math.log10(low), Math.log10(high), from, to);
      return { low, high, pixel: (value) => even.pixel(Math.log10(Math.max(value, low))), value: (pixel) => 10 ** even.value(pixel) };
    }
    const span = high - low || 1;
    return {
      low,
      high,
      pixel: (value) => from + ((value - low) / span) * (to - from),
      value: (pixel) => low + ((pixel - from) / (to - from || 1)) * span,
    };
  }

  /** A path through points; a point that is not finite breaks it. */
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

  /** The outline of a band: along the upper ends, and back along the lower ones. */
  function outline(x, low, high) {
    const there = x.map((at, i) => [at, high[i]]);
    const back = x.map((at, i) => [at, low[i]]).reverse();
    return `${path([...there, ...back])}Z`;
  }

  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

  /** A name that does not burst a legend. */
  const short = (name, longest = 40) => (name.length > longest ? `${[...name].slice(0, longest - 1).join("")}…` : name);

  /** A name inside a sentence: its own direction of writing must not turn the sentence round. */
  const quoted = (name) => `“\u2068${short(name, 30)}\u2069”`;

  return { quoted, html, svg, ticks, tickText, scale, path, outline, clamp, short };
})();
