/* The page without data: a table is dropped, chosen or pasted, its columns are chosen, and the report
   of its rows is shown. */
const Chooser = (() => {
  "use strict";

  const { html } = Svg;
  const { FileProblem } = TextSource;
  const get = (id) => document.getElementById(id);
  const MAX_LISTED_SCORES = 60;
  const MAX_NAME_LENGTH = 60;
  const NONE = "";

  const shown = (name, length = MAX_NAME_LENGTH) => Sentences.printable(name, length);

  /** Show where a table can be opened; `start` receives the document of its rows. */
  function open(template, start) {
    new Page(template, start);
    document.documentElement.dataset.ready = "choose";
  }

  class Page {
    constructor(template, start) {
      this.template = template;
      this.start = start;
      this.table = null;
      this.columns = [];
      this.task = 0; // the number of the last table or report asked for
      this.form = new ColumnForm((choice) => this.#show(choice));
      this.element = this.#build();
      get("title").textContent = template.title;
      get("lead").textContent = template.lead;
      get("results").before(this.element);
      this.skip = document.querySelector(".skip");
      this.skip?.setAttribute("href", "#chooser");
      this.#acceptDrops();
    }

    #build() {
      const file = html("input", { type: "file", id: "file", hidden: true, accept: ".csv,.tsv,.txt,text/csv,text/plain", onchange: () => this.#openFiles([...file.files]) });
      const paste = html("textarea", { id: "paste", rows: 8, spellcheck: "false", "aria-label": "Table to read", placeholder: "Cells copied from a spreadsheet, or lines of a CSV file" });
      return html("main", { id: "chooser" },
        html("section", { class: "card", id: "drop", "aria-labelledby": "drop-title" },
          html("h2", { id: "drop-title" }, "Drop a CSV file here"),
          html("p", { class: "needs" }, "It needs a line with names, then a line for each row with its actual class and the scores of one or more models or tests:"),
          html("pre", {}, "patient,class,marker\n1,sick,2.31\n2,well,0.87\n…"),
          html("p", {}, html("button", { type: "button", class: "main", id: "choose-file", onclick: () => file.click() }, "Choose a file"), file),
          html("details", {},
            html("summary", {}, "Paste a table instead"),
            paste,
            html("button", { type: "button", id: "read-paste", onclick: () => this.#openText(paste.value) }, "Read this table")),
          html("p", { class: "about" }, "Nothing is uploaded: this page works without a network, and the table stays in this browser.")),
        this.form.element,
        html("p", { id: "problem", role: "alert" }),
        html("div", { id: "reading", class: "card", hidden: true }, html("p", { id: "reading-text", role: "status" }), html("progress", { max: 1, "aria-labelledby": "reading-text" })));
    }

    /** Files may be dropped anywhere, lest the browser opens them in place of the page. */
    #acceptDrops() {
      const holdsTable = ({ dataTransfer }) => ["Files", "text/plain"].some((type) => dataTransfer?.types.includes(type));
      const mark = (isOver) => get("drop").classList.toggle("over", isOver);
      document.addEventListener("dragover", (event) => {
        if (!holdsTable(event)) return;
        event.preventDefault();
        if (this.element.hidden) event.dataTransfer.dropEffect = "none"; // the report has a button for another table
        else mark(true);
      });
      document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) mark(false); });
      document.addEventListener("drop", (event) => {
        if (!holdsTable(event) || event.target === get("paste")) return;
        event.preventDefault();
        mark(false);
        const { files } = event.dataTransfer;
        if (this.element.hidden) return;
        if (files.length) this.#openFiles([...files]);
        else this.#openText(event.dataTransfer.getData("text/plain"));
      });
    }

    #openFiles(files) {
      if (!files.length) return;
      if (files.length > 1) this.#tell("This page reads one file: drop a single one.");
      else this.#open(files[0], shown(files[0].name) || "The file");
      get("file").value = ""; // so that the same file is a change
    }

    #openText(text) {
      if (text.trim() === "") this.#tell("Paste a table first: a line of names, then a line for each row.");
      else this.#open(new Blob([text]), "The pasted table");
    }

    /** Read the first rows of a table, and let the reader choose its columns. */
    async #open(blob, title) {
      await this.#attempt(`Reading ${title}`, async (onProgress) => {
        this.form.hide();
        const table = await CsvTable.open(blob, title, onProgress);
        const columns = table.names.map((name, position) => ColumnRoles.summary(name, position, table.head[position], table.layout.forms[position]));
        const problem = ColumnRoles.problem(columns);
        if (problem) throw new FileProblem(problem);
        return () => {
          Object.assign(this, { table, columns });
          get("drop").classList.add("compact");
          this.form.show(table, columns);
        };
      });
    }

    /** Read all rows of the chosen columns, and show their report. */
    async #show(choice) {
      const { table, columns } = this;
      await this.#attempt(`Evaluating ${table.title}`, async (onProgress) => {
        if (choice.problem) throw new FileProblem(choice.problem);
        const rows = await TableRows.rows(table, columns, choice, onProgress);
        await pause();
        const report = RowsDocument.build(this.template, { ...rows, missing: choice.missing, lowerIsPositive: choice.lowerIsPositive });
        return () => this.#leave(report);
      });
    }

    #leave(report) {
      this.element.hidden = true;
      this.skip?.setAttribute("href", "#results");
      get("actions").append(html("button", { type: "button", id: "another", onclick: () => location.reload() }, "Open another table"));
      this.start(report);
      get("link-about").textContent = "The link restores this view once the same table has been opened.";
    }

    /** Do something that takes time, with a bar; a problem is stated in a sentence. */
    async #attempt(text, work) {
      this.task += 1;
      const { task } = this;
      this.#tell("");
      const bar = get("reading").querySelector("progress");
      bar.removeAttribute("value");
      get("reading-text").textContent = `${text} …`;
      get("reading").hidden = false;
      await pause();
      let finish = () => {};
      try {
        finish = await work((share) => { if (task === this.task) bar.value = share; });
      } catch (error) {
        if (error.kind === "missing") finish = () => this.form.askForMissing();
        if (task === this.task) this.#tell(sentenceOf(error));
      }
      if (task !== this.task) return; // another table was opened meanwhile
      get("reading").hidden = true;
      finish();
    }

    #tell(sentence) {
      get("problem").textContent = sentence;
    }
  }

  /** Let the page be drawn. */
  const pause = () => new Promise((resolve) => { setTimeout(resolve); });

  function sentenceOf(error) {
    if (error instanceof FileProblem || error instanceof RowsDocument.RowsProblem) return error.message;
    if (error instanceof RangeError) return "This table is too large for this browser.";
    return `This table cannot be read (${error.message}).`;
  }

  /** The form in which the columns of a table are chosen. */
  class ColumnForm {
    constructor(onChoice) {
      this.onChoice = onChoice;
      this.columns = [];
      this.checked = new Set();
      this.isTouched = false;
      this.heading = html("h2", {});
      this.actual = html("select", { id: "actual", onchange: () => this.#updateClasses() });
      this.positive = html("select", { id: "positive-class", onchange: () => this.#suggestScores() });
      this.filter = html("input", { id: "score-filter", type: "search", "aria-label": "Search for columns of scores", placeholder: "Search for columns", autocomplete: "off", oninput: () => this.#listScores() });
      this.scores = html("div", { class: "score-list" });
      this.scoresAbout = html("p", { class: "about" });
      this.lower = html("input", { type: "checkbox", id: "lower" });
      this.weight = html("select", { id: "weight" });
      this.segment = html("select", { id: "segment" });
      this.missing = html("select", { id: "missing" },
        html("option", { value: NONE }, "Choose"),
        html("option", { value: "drop" }, "Leave them out"),
        html("option", { value: "reject" }, "Count them as rejected (undecided)"));
      this.missingParts = [html("label", { for: "missing" }, "Rows without a score"), html("div", {}, this.missing)];
      this.element = html("form", { id: "columns", class: "card", hidden: true, onsubmit: (event) => this.#submit(event) },
        this.heading,
        html("div", { class: "choices" },
          html("label", { for: "actual" }, "Actual class"), html("div", {}, this.actual),
          html("label", { for: "positive-class" }, "Positive class"), html("div", {}, this.positive),
          html("span", { class: "name", id: "scores-name" }, "Scores"),
          html("div", { role: "group", "aria-labelledby": "scores-name" }, this.filter, this.scores, this.scoresAbout,
            html("label", { class: "check" }, this.lower, html("span", {}, "Low scores mean positive"))),
          html("label", { for: "weight" }, "Weight"), html("div", {}, this.weight),
          html("label", { for: "segment" }, "Segment"), html("div", {}, this.segment),
          ...this.missingParts),
        html("div", {}, html("button", { type: "submit", class: "main", id: "show" }, "Show the report")));
    }

    hide() {
      this.element.hidden = true;
    }

    /** Offer the columns of a table, with those chosen that the table itself shows. */
    show(table, columns) {
      this.columns = columns;
      this.isTouched = false;
      const rows = table.isComplete ? Sentences.rows(table.rows) : `more than ${Sentences.rows(table.rows)}`;
      this.heading.textContent = `${table.title}: ${rows}, ${Numbers.count(columns.length)} column${columns.length === 1 ? "" : "s"}`;
      const roles = ColumnRoles.infer(columns);
      fillWith(this.actual, columns.filter(ColumnRoles.canBeClass), { empty: roles.actual ? null : "Choose" });
      this.actual.value = roles.actual ? roles.actual.position : NONE;
      fillWith(this.weight, columns.filter(({ kind, low, distinct }) => kind === "number" && distinct > 0 && low >= 0), { empty: "None" });
      fillWith(this.segment, columns.filter(({ distinct, isIndex }) => distinct > 1 && distinct <= 1000 && !isIndex), { empty: "None" });
      this.filter.value = "";
      this.lower.checked = false;
      this.missing.value = NONE;
      for (const part of this.missingParts) part.hidden = true;
      this.#updateClasses();
      this.element.hidden = false;
      (this.positive.value === NONE ? this.positive : get("show")).focus();
    }

    /** Ask how to treat rows without a score. */
    askForMissing() {
      for (const part of this.missingParts) part.hidden = false;
      this.missing.focus();
    }

    get #actualColumn() {
      return this.actual.value === NONE ? null : this.columns[Number(this.actual.value)];
    }

    /** Offer the classes of the chosen column by their positions; words are never guessed to be positive. */
    #updateClasses() {
      const column = this.#actualColumn;
      const options = (column?.counts ?? []).map(([value, rows], position) => html("option", { value: position }, `${shown(value)} (${Sentences.rows(rows)})`));
      this.positive.replaceChildren(html("option", { value: NONE }, column ? "Choose: which class is positive?" : "Choose the column first"), ...options);
      const positive = column && ColumnRoles.positiveClass(column);
      const index = positive === null ? -1 : ColumnRoles.valuesOf(column).indexOf(positive);
      this.positive.value = index < 0 ? NONE : String(index);
      this.#suggestScores();
    }

    get #positiveClass() {
      return this.positive.value === NONE ? null : ColumnRoles.valuesOf(this.#actualColumn)[Number(this.positive.value)];
    }

    #suggestScores() {
      const actual = this.#actualColumn;
      if (!this.isTouched) this.checked = new Set(ColumnRoles.scoreColumns(this.columns, actual, this.#positiveClass).map(({ position }) => position));
      if (actual) this.checked.delete(actual.position);
      this.#listScores();
    }

    /** List columns of numbers: the chosen ones first, then those that the search finds. */
    #listScores() {
      const actual = this.#actualColumn;
      const candidates = this.columns.filter((column) => column !== actual && column.kind === "number" && column.distinct > 0);
      const text = this.filter.value.trim().toLowerCase();
      this.filter.hidden = candidates.length <= MAX_LISTED_SCORES;
      const matches = candidates.filter(({ position, name }) => !this.checked.has(position) && name.toLowerCase().includes(text));
      const chosen = candidates.filter(({ position }) => this.checked.has(position));
      const listed = this.filter.hidden ? candidates : [...chosen, ...matches].slice(0, Math.max(MAX_LISTED_SCORES, chosen.length));
      this.scores.replaceChildren(...listed.map((column) => this.#scoreField(column)));
      const hiddenCount = candidates.length - listed.length;
      this.scoresAbout.textContent = hiddenCount ? `${Numbers.count(hiddenCount)} more columns of numbers: search for them.` : "";
    }

    #scoreField({ name, position, low, high }) {
      const input = html("input", { type: "checkbox", value: position, checked: this.checked.has(position), onchange: () => this.#choose(position, input.checked) });
      const range = `${Numbers.threshold(low)} to ${Numbers.threshold(high)}`;
      return html("label", { class: "check" }, input, html("span", {}, html("bdi", {}, shown(name)), html("small", {}, ` ${range}`)));
    }

    #choose(position, isChosen) {
      this.isTouched = true;
      if (isChosen) this.checked.add(position);
      else this.checked.delete(position);
    }

    #submit(event) {
      event.preventDefault();
      const optional = (select) => (select.value === NONE ? null : Number(select.value));
      this.onChoice({
        problem: this.#problem(),
        actual: optional(this.actual),
        positive: this.#positiveClass,
        scores: [...this.checked].sort((a, b) => a - b),
        lowerIsPositive: this.lower.checked,
        weight: optional(this.weight),
        segment: optional(this.segment),
        missing: this.missing.value,
      });
    }

    /** What is still to be chosen, in a sentence. */
    #problem() {
      if (!this.#actualColumn) return "Choose the column of the actual class.";
      if (this.#positiveClass === null) return `Which class of “${shown(this.#actualColumn.name)}” is positive? Choose it.`;
      if (!this.checked.size) return "Choose at least one column of scores.";
      return "";
    }
  }

  /** Fill a select with columns. */
  function fillWith(select, columns, { empty }) {
    const options = columns.map(({ name, position }) => html("option", { value: position }, shown(name)));
    select.replaceChildren(...(empty === null ? [] : [html("option", { value: NONE }, empty)]), ...options);
  }

  return { open };
})();
