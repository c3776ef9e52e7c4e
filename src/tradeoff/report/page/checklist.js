/* The checklist of a reporting guideline: its items, filled in from the data or left to the author. */
const Checklist = (() => {
  "use strict";

  const { html } = Svg;
  const FILLED_IN = "filled in";
  const value = (name) => [name, ({ cells }) => cells[name].value];
  const COLUMNS = [
    { name: "number", label: "item", isText: true, isUnsorted: true },
    { name: "topic", label: "topic", isText: true, isUnsorted: true, csv: [value("topic"), value("status")] },
    { name: "text", label: "text", isText: true, isUnsorted: true },
  ];

  /** An item as a row; each fact of its text is on a line of its own. Names from data are text, never markup. */
  function row({ number, topic, status, text }) {
    const lines = text.split("\n");
    const cells = {
      number: { text: number },
      topic: { text: `${topic} (${status})`, value: topic, node: html("div", {}, html("div", {}, topic), html("small", {}, status)) },
      status: { value: status },
      text: { text: lines.join(" "), node: html("div", {}, ...lines.map((line) => html("div", { dir: "auto" }, line))) },
    };
    return { key: number, className: status === FILLED_IN ? "filled" : null, cells };
  }

  /** The section of a report's checklist, with buttons that copy it if `onCopy` is given; null if the report has none. */
  function section({ checklist }, { onCopy = null } = {}) {
    if (!checklist) return null;
    const { title, source, items } = checklist;
    const filled = items.filter(({ status }) => status === FILLED_IN).length;
    const table = html("div");
    new Tables.Grid(table, { label: title, onCopy }).show(COLUMNS, items.map(row));
    return html(
      "section",
      { class: "checklist", "aria-label": title },
      html("h3", {}, title),
      html("p", { class: "about" }, `${filled} of ${items.length} items are filled in from the data; the others say what you must state.`),
      table,
      html("p", { class: "about" }, source),
    );
  }

  return { section };
})();
