/* Sharing: menus, the link, the clipboard, downloads of charts and tables, and printing. */
const Share = (() => {
  "use strict";

  const { html } = Svg;
  const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "opacity", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline", "paint-order", "clip-path"];
  const PIXELS = 3; // of a PNG, per unit of the chart
  const MARGIN = 16;
  const TITLE_HEIGHT = 28;
  const CAPTION_HEIGHT = 20;

  /** Whether the page has an address that opens elsewhere: not in a frame of a notebook. */
  const hasAddress = () => !location.href.startsWith("about:") && !location.href.startsWith("blob:") && !location.href.startsWith("data:");

  const isFile = () => location.protocol === "file:";

  /** A button that opens a menu; Escape, a click elsewhere or leaving it closes the menu. */
  class Menu {
    constructor(button, panel, onOpen = () => {}) {
      this.button = button;
      this.panel = panel;
      button.addEventListener("click", () => {
        const opens = panel.hidden;
        if (opens) onOpen();
        this.toggle(opens);
      });
      panel.parentElement.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || panel.hidden) return;
        event.stopPropagation();
        this.toggle(false);
        button.focus();
      });
      panel.parentElement.addEventListener("focusout", (event) => {
        if (event.relatedTarget && !panel.parentElement.contains(event.relatedTarget)) this.toggle(false);
      });
      document.addEventListener("pointerdown", (event) => {
        if (!panel.parentElement.contains(event.target)) this.toggle(false);
      });
    }

    toggle(isOpen) {
      this.panel.hidden = !isOpen;
      this.button.setAttribute("aria-expanded", String(isOpen));
    }
  }

  /** Copy a text; where that is not allowed, show it so that it can be copied by hand. */
  async function copy(text, setStatus, message = "Copied.") {
    try {
      await navigator.clipboard.writeText(text);
      setStatus(message);
    } catch {
      offer(text, "Copy this text:");
    }
  }

  /** Show text in a dialog. */
  function offer(text, heading) {
    const dialog = document.getElementById("copied");
    document.getElementById("copied-heading").textContent = heading;
    const area = document.getElementById("copied-text");
    area.value = text;
    dialog.showModal();
    area.select();
  }

  /** Save a file; in a frame that may not save, show text files so that they can be copied. */
  function save(name, content, type) {
    if (!hasAddress()) {
      offer(content, "This frame may not save files. Copy this text:");
      return;
    }
    const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    const link = html("a", { href: url, download: name, hidden: true });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  /** A name as part of a file name. */
  const fileName = (text) => Words.plain(text).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "report";

  /* ---- charts as pictures ---- */

  /** A chart on its own: an SVG document with its title, its legend, its caption and all styles. */
  function standalone(figure) {
    const picture = figure.querySelector("svg");
    const { width, height } = picture.viewBox.baseVal;
    const copy = picture.cloneNode(true);
    const originals = [picture, ...picture.querySelectorAll("*")];
    const copies = [copy, ...copy.querySelectorAll("*")];
    const isUnseen = originals.map((original) => getComputedStyle(original).visibility === "hidden" || original.matches(".target"));
    originals.forEach((original, index) => inline(original, copies[index]));
    isUnseen.forEach((unseen, index) => unseen && copies[index].remove());
    const [ink, soft, paper] = ["--ink", "--soft", "--card"].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim());
    const font = getComputedStyle(document.body).fontFamily;
    const text = (value, attributes) => Svg.svg("text", { "font-family": font, x: MARGIN, ...attributes }, value);
    const title = figure.querySelector("h2, h3, figcaption")?.textContent ?? "";
    const legend = legendLines(figure, width);
    const captions = wrap(figure.querySelector("p.about")?.textContent ?? "", width);
    const lineY = (line) => MARGIN + TITLE_HEIGHT + height + CAPTION_HEIGHT * (line + 1) - 4;
    const total = [width + 2 * MARGIN, height + 2 * MARGIN + TITLE_HEIGHT + CAPTION_HEIGHT * (legend.length + captions.length)];
    for (const [name, value] of Object.entries({ x: MARGIN, y: MARGIN + TITLE_HEIGHT, width, height })) copy.setAttribute(name, value);
    for (const name of ["class", "style", "role", "tabindex", "aria-label"]) copy.removeAttribute(name);
    const root = Svg.svg("svg", { xmlns: "http://www.w3.org/2000/svg", width: total[0], height: total[1], viewBox: `0 0 ${total.join(" ")}` },
      Svg.svg("rect", { width: total[0], height: total[1], fill: paper || "#fff" }),
      text(title, { y: MARGIN + 14, "font-size": 15, "font-weight": 600, fill: ink }),
      copy,
      ...legend.flatMap((items, line) => items.map(({ words, x, colour, opacity, fill }) => Svg.svg("g", {},
        Svg.svg("rect", { x: MARGIN + x, y: lineY(line) - 9, width: 10, height: 10, fill: colour, opacity }),
        text(words, { x: MARGIN + x + 16, y: lineY(line), "font-size": 12, fill })))),
      ...captions.map((line, index) => text(line, { y: lineY(legend.length + index), "font-size": 12, fill: soft })));
    return { text: new XMLSerializer().serializeToString(root), width: total[0], height: total[1] };
  }

  /** Items of a legend in lines that fit a width: [{words, x, colour, opacity, fill}, …]. */
  function legendLines(figure, width) {
    const lines = [];
    let x = Infinity;
    for (const item of figure.querySelectorAll(".legend li:not([hidden])")) {
      const words = item.textContent.trim().replace(/\s+/g, " ");
      const [swatch, line] = [item.querySelector("i.swatch"), item.querySelector("svg.swatch path")];
      const fill = getComputedStyle(item).color;
      const opacity = swatch ? getComputedStyle(swatch).opacity : 1;
      const colour = swatch ? getComputedStyle(swatch).backgroundColor : line ? getComputedStyle(line).stroke : fill;
      const needed = Svg.textWidth(words) + 32;
      if (x + needed > width) {
        lines.push([]);
        x = 0;
      }
      lines.at(-1).push({ words, x, colour, opacity, fill });
      x += needed;
    }
    return lines;
  }

  /** Write the computed style of an element into a copy of it, as attributes. */
  function inline(original, copy) {
    const style = getComputedStyle(original);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value) copy.setAttribute(name, value);
    }
    for (const name of ["class", "style", "tabindex", "role"]) copy.removeAttribute(name);
    for (const name of copy.getAttributeNames()) if (name.startsWith("aria-") || name.startsWith("data-")) copy.removeAttribute(name);
  }

  /** Lines of a caption that fit a width. */
  function wrap(text, width) {
    const length = Math.max(20, Math.floor(width / 6));
    const lines = [];
    for (const word of text.split(/\s+/).filter(Boolean)) {
      if (lines.length && lines.at(-1).length + word.length < length) lines.push(`${lines.pop()} ${word}`);
      else lines.push(word);
    }
    return lines;
  }

  async function saveChart(figure, name, format) {
    const { text, width, height } = standalone(figure);
    if (format === "svg") {
      save(`${name}.svg`, text, "image/svg+xml");
      return;
    }
    const image = new Image();
    await new Promise((resolve, reject) => {
      Object.assign(image, { onload: resolve, onerror: reject, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}` });
    });
    const canvas = html("canvas", { width: Math.round(PIXELS * width), height: Math.round(PIXELS * height) });
    const context = canvas.getContext("2d");
    context.scale(PIXELS, PIXELS);
    context.drawImage(image, 0, 0, width, height);
    // At once: toBlob waits until the page is idle, which may take longer than the click counts as the reader's.
    const bytes = Uint8Array.from(atob(canvas.toDataURL("image/png").split(",")[1]), (character) => character.charCodeAt(0));
    save(`${name}.png`, new Blob([bytes], { type: "image/png" }), "image/png");
  }

  /* ---- the download menu ---- */

  /** Fill the menu with the charts and tables that the page shows now. */
  function fillDownloads(panel, view, { figures, tables, onStatus }) {
    const base = fileName(view.document.title);
    const button = (label, text, onclick) => html("button", { type: "button", "aria-label": label, onclick }, text);
    const row = (name, ...buttons) => html("li", {}, html("span", {}, name), html("span", { class: "formats" }, ...buttons));
    const chartRows = figures.map((figure) => {
      const title = figure.querySelector("h2, h3, figcaption")?.textContent ?? figure.id;
      const name = `${base}-${fileName(title)}`;
      return row(title, ...(hasAddress() ? ["svg", "png"] : ["svg"]).map((format) => button(`${title} as ${format.toUpperCase()}`, format.toUpperCase(), () =>
        saveChart(figure, name, format).catch(() => onStatus("This browser cannot draw the picture: download the SVG.")))));
    });
    const csv = (title, content) => row(title, button(`${title} as CSV`, "CSV", () => save(`${base}-${fileName(title)}.csv`, content(), "text/csv")));
    panel.replaceChildren(
      html("h2", {}, "Charts"), html("ul", {}, ...chartRows),
      html("h2", {}, "Tables"),
      html("ul", {},
        csv("All metrics at this threshold", () => Clipboard.csv(view)),
        csv("Counts at every threshold", () => Clipboard.curveCsv(view)),
        ...tables.map(({ title, csv: content }) => csv(title, content))),
      html("h2", {}, "Summary"),
      html("ul", {}, row("Two pages on paper or as PDF", button("Print the summary", "Print", () => globalThis.print()))),
    );
  }

  return { Menu, copy, fillDownloads, hasAddress, isFile };
})();
