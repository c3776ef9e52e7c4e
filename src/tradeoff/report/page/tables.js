/* Tables that can be sorted and copied; tables of metrics and of differences. */
const Tables = (() => {
  "use strict";

  const { html } = Svg;
  const MAIN_METRICS = "main metrics";
  const labels = new Map();

  /** Use the labels of a document: a metric's name as requested, else in the chosen vocabulary. */
  function setLabels(labelsByName) {
    for (const [name, text] of Object.entries(labelsByName)) labels.set(name, text);
  }

  const label = (name) => labels.get(name) ?? name.replaceAll("_", " ");

  /** Label without a synonym in parentheses, for column headings and lines. */
  const shortLabel = (name) => label(name).replace(/ \(.*/, "");

  /** A table head; the first `left` columns are left-aligned. */
  function head(names, left = 1) {
    return html("thead", {}, html("tr", {}, ...names.map((name, index) => html("th", { scope: "col", class: index < left ? "text" : null }, name))));
  }

  /* ---- tables that can be sorted and copied ---- */

  /**
   * A cell: {text, small, value}, with `value` to sort by, or {node} for anything but text. A column: {name, label, isText},
   * where `csv` lists the names and values that it has in a file: [[name, (row) => value], …].
   */
  class Grid {
    constructor(element, { label: name, onCopy = null, onRow = null, sort = null }) {
      Object.assign(this, { name, onRow, sort, columns: [], rows: [] });
      this.head = html("thead");
      this.body = html("tbody");
      this.table = html("table", { class: "grid-table" }, html("caption", { class: "hidden" }, name), this.head, this.body);
      const scroll = html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name }, this.table);
      const button = (format, text) => html("button", { type: "button", onclick: () => onCopy(text(), format) }, `Copy as ${format}`);
      const buttons = onCopy && html("p", { class: "copy" }, button("CSV", () => this.csv()), " ", button("Markdown", () => this.markdown()));
      element.replaceChildren(...[scroll, buttons].filter(Boolean));
    }

    /** Show rows: {cells by column, className, isLast, key}; rows that are last stay below the others however they are sorted. */
    show(columns, rows) {
      const keyOf = (list) => list.map(({ name, label: text }) => `${name} ${text}`).join();
      const isNew = keyOf(columns) !== keyOf(this.columns);
      Object.assign(this, { columns, rows });
      if (isNew) this.drawHead();
      columns.forEach(({ heading, isUnsorted }, index) => {
        if (!heading) return;
        const label = isUnsorted ? html("span", { class: "hidden" }, columns[index].label) : this.headings[index].firstChild;
        this.headings[index].replaceChildren(label, heading);
      });
      this.drawBody();
    }

    drawHead() {
      this.headings = this.columns.map(({ name, label: text, isText, title, isUnsorted, className }) => {
        const content = isUnsorted ? html("span", { class: "unsorted" }, text) : html("button", { type: "button", class: "sort", title, onclick: () => this.sortBy(name) }, text);
        return html("th", { scope: "col", class: className ?? (isText ? "text" : null) }, content);
      });
      this.head.replaceChildren(html("tr", {}, ...this.headings));
    }

    /** Sort by a column: first downwards for numbers and upwards for texts, then the other way round. */
    sortBy(name) {
      const column = this.columns.find((each) => each.name === name);
      const first = column.isText || column.isAscending ? "ascending" : "descending";
      const other = first === "ascending" ? "descending" : "ascending";
      this.sort = { name, direction: this.sort?.name === name && this.sort.direction === first ? other : first };
      this.drawBody();
    }

    sorted() {
      if (!this.sort || !this.columns.some(({ name }) => name === this.sort.name)) return this.rows;
      const { name, direction } = this.sort;
      const sign = direction === "ascending" ? 1 : -1;
      const value = ({ cells }) => cells[name]?.value ?? cells[name]?.text;
      const isMissing = (each) => each === undefined || each === null || each === "" || Number.isNaN(each);
      const compare = (a, b) => {
        const [x, y] = [value(a), value(b)];
        if (isMissing(x) || isMissing(y)) return isMissing(x) - isMissing(y);
        return sign * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), undefined, { numeric: true }));
      };
      return [...this.rows].sort((a, b) => (a.isLast ?? false) - (b.isLast ?? false) || (a.isLast ? 0 : compare(a, b)));
    }

    drawBody() {
      this.columns.forEach(({ name }, index) => {
        if (this.sort?.name === name) this.headings[index].setAttribute("aria-sort", this.sort.direction);
        else this.headings[index].removeAttribute("aria-sort");
      });
      const rows = this.sorted();
      const focused = [...this.body.rows].findIndex((row) => row.contains(document.activeElement));
      const key = this.drawnRows?.[focused]?.key;
      // A row that is the same as before keeps its element, and its place if it can.
      const elements = rows.map((row) => row.element ?? this.drawRow(row));
      const shown = new Set(elements);
      for (const element of [...this.body.rows]) if (!shown.has(element)) element.remove();
      elements.forEach((element, index) => {
        if (this.body.rows[index] !== element) this.body.insertBefore(element, this.body.rows[index] ?? null);
      });
      this.drawnRows = rows;
      if (key !== undefined) this.body.rows[rows.findIndex((row) => row.key === key)]?.querySelector("button")?.focus({ preventScroll: true });
    }

    drawRow(row) {
      const cells = this.columns.map(({ name, isText, className = isText ? "text" : "number" }, index) => {
        const { text = "", small, node } = row.cells[name] ?? {};
        const attributes = { class: className };
        const content = node ? [node] : [text, ...(small ? [" ", html("small", {}, small)] : [])];
        return index ? html("td", attributes, ...content) : html("th", { scope: "row", ...attributes }, ...content);
      });
      const attributes = { class: row.className, onclick: this.onRow && row.key !== undefined ? (event) => this.choose(event, row.key) : null };
      row.element = html("tr", attributes, ...cells);
      return row.element;
    }

    /** Put the rows in order again, after their values changed. */
    reorder() {
      const rows = this.sorted();
      if (rows.every((row, index) => row === this.drawnRows[index])) return;
      this.drawnRows = rows;
      this.body.append(...rows.map(({ element }) => element));
    }

    /** A click anywhere on a row chooses it; for the keyboard, its name is a button. */
    choose(event, key) {
      if (!event.target.closest("button") && !getSelection()?.toString()) this.onRow(key);
    }

    /** The rows as they are sorted, with all digits, for other programs. */
    csv() {
      const fields = this.columns.flatMap(({ name, label: text, csv }) => csv ?? [[text, ({ cells }) => cells[name]?.value ?? cells[name]?.text]]);
      const rows = this.sorted().map((row) => fields.map(([, value]) => value(row) ?? ""));
      return [fields.map(([name]) => name), ...rows].map((row) => row.map(csvField).join(",")).join("\n");
    }

    /** The table as it is shown, as Markdown. */
    markdown() {
      const text = ({ cells }, { name }) => markdownText([cells[name]?.text ?? "", cells[name]?.small ?? ""].filter(Boolean).join(" "));
      const line = (texts) => `| ${texts.join(" | ")} |`;
      return [
        line(this.columns.map(({ label: name }) => markdownText(name))),
        line(this.columns.map(({ isText }) => (isText ? ":--" : "--:"))),
        ...this.sorted().map((row) => line(this.columns.map((column) => text(row, column)))),
      ].join("\n");
    }
  }

  /** CSV field; in a spreadsheet, text must not become a formula. */
  function csvField(value) {
    if (typeof value === "number") return Number.isNaN(value) ? "" : String(value).replace("Infinity", "inf");
    const safe = Words.plain(String(value)).replace(/^(?=[-=+@\t\r])/, "'");
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  /** Text in which nothing is Markdown or HTML markup. */
  function markdownText(text) {
    return Words.plain(text).replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>#|~]/g, "\\$&");
  }

  /* ---- metrics ---- */

  class MetricTables {
    constructor(element, catalogue) {
      this.catalogue = catalogue;
      this.rows = new Map();
      const groups = new Map([[MAIN_METRICS, catalogue.headlines("page")]]);
      for (const name of catalogue.names) {
        const { family } = catalogue.get(name);
        groups.set(family, [...(groups.get(family) ?? []), name]);
      }
      for (const [family, names] of groups) element.append(this.group(family, names));
    }

    /** Metrics of one family in a collapsible section; its rows are created when it is first opened. */
    group(family, names) {
      const body = html("tbody");
      const columns = ["metric", "value", "CI", "in words", "formula with the counts"];
      const table = html("table", { class: "metrics" }, html("caption", { class: "hidden" }, `Metrics: ${family}`), head(columns, columns.length), body);
      const region = html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Metrics: ${family}` }, table);
      const details = html("details", {}, html("summary", {}, `${family[0].toUpperCase()}${family.slice(1)} (${names.length})`), region);
      const fill = () => {
        if (!body.rows.length) body.append(...names.map((name) => this.row(name, details)));
      };
      if (family === MAIN_METRICS) {
        details.open = true;
        fill();
      }
      // Ctrl+F opens sections without a click. The first event of an initially open section is not the reader's.
      let isInitial = details.open;
      details.addEventListener("toggle", () => {
        if (details.open && !isInitial) {
          fill();
          this.update(this.view);
        }
        isInitial = false;
      });
      return details;
    }

    /** The main metrics beside the confusion matrix. */
    fillMain(element) {
      const rows = this.catalogue.headlines("matrix").map((name) => {
        const cells = { value: html("td", { class: "number" }), interval: html("td", { class: "number" }), details: { open: true } };
        this.rows.set(name, [...(this.rows.get(name) ?? []), cells]);
        return html("tr", {}, html("th", { scope: "row" }, label(name)), cells.value, cells.interval);
      });
      element.append(html("caption", {}, "Main metrics with confidence intervals"), html("tbody", {}, ...rows));
    }

    row(name, details) {
      const { aliases } = this.catalogue.get(name);
      const cells = { details, value: html("td", { class: "number" }), interval: html("td", { class: "number" }), sentence: html("td"), formula: html("td", { class: "formula" }) };
      const otherNames = aliases.length ? html("small", {}, aliases.map(label).join(", ")) : null;
      this.rows.set(name, [...(this.rows.get(name) ?? []), cells]);
      return html("tr", {}, html("th", { scope: "row" }, label(name), otherNames), cells.value, cells.interval, cells.sentence, cells.formula);
    }

    /** Update the metrics of open sections. */
    update(view) {
      this.view = view;
      const open = [...this.rows]
        .map(([name, copies]) => [name, copies.filter(({ details }) => details.open)])
        .filter(([, copies]) => copies.length);
      const estimates = this.catalogue.estimates(view.matrix, view.context, open.map(([name]) => name));
      for (const [name, copies] of open) this.write(name, copies, view, estimates[name]);
    }

    write(name, copies, { matrix, context }, estimate) {
      for (const cells of copies) {
        Words.write(cells.value, Numbers.number(estimate.value));
        Words.write(cells.interval, intervalText(estimate));
        cells.interval.title = [estimate.method, estimate.note].filter(Boolean).join("; ");
        if (!cells.sentence) continue;
        Words.write(cells.sentence, this.catalogue.sentence(name, matrix, context));
        Words.write(cells.formula, this.catalogue.substitutedFormula(name, matrix, context.parameters[name]));
      }
    }
  }

  function intervalText({ low, high, note }) {
    if (Number.isFinite(low) || Number.isFinite(high)) return Numbers.interval(low, high);
    return note ? "–" : "";
  }

  /** Differences between models on their shared rows, from the document. */
  function differences(element, comparison) {
    const columns = ["first", "second", "difference (CI)", "p", "adjusted p", "first better"];
    const name = (text) => html("bdi", {}, Svg.truncate(text));
    const rows = comparison.differences.map((d) => html("tr", {},
      html("th", { scope: "row", class: "text" }, name(d.first)), html("td", { class: "text" }, name(d.second)),
      ...[Numbers.difference({ value: d.value ?? NaN, low: d.low ?? NaN, high: d.high ?? NaN }), d.p, d.adjusted, d.better].map((text) => html("td", { class: "number" }, text ?? "–"))));
    element.replaceChildren(
      html("caption", { class: "hidden" }, "Differences in AUC"),
      head(columns, 2),
      html("tbody", {}, ...rows),
    );
  }

  return { Grid, MetricTables, differences, csvField, label, markdownText, setLabels, shortLabel };
})();
