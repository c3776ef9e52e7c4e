/* Tables in text with delimiters, as in sources/csv_layout.py: layout, columns, and rows in a stream. */
const CsvTable = (() => {
  "use strict";

  const { FileProblem } = TextSource;
  const DELIMITERS = [",", ";", "\t", "|"];
  const SAMPLE_LINES = 100;
  const SAMPLE_LENGTH = 1 << 16;
  const MAX_RECORD_LENGTH = 1 << 21;
  const MAX_HEAD_ROWS = 100_000;
  const MAX_HEAD_CELLS = 4_000_000;
  const MAX_COLUMNS = 20_000;
  const MAX_EXCERPT = 80;
  const PAUSE = 80; // milliseconds of reading, after which the page may be drawn
  const [QUOTE, LINE_FEED, RETURN, BLANK] = [34, 10, 13, 32];

  /* ---- records ---- */

  /**
   * Cells of records in text that arrives in chunks. A cell may be quoted; quotes in it are doubled.
   *
   * `onRecord(cells, line, size)` receives the cells of the wanted columns (null: all), the number of the
   * first line and the number of columns. The cells are valid until it returns.
   */
  class Records {
    constructor(delimiter, onRecord, wanted = null) {
      this.delimiter = delimiter.charCodeAt(0);
      this.onRecord = onRecord;
      this.slots = null;
      if (wanted) this.slots = wanted.reduce((slots, column, slot) => Object.assign(slots, { [column]: slot }), []);
      this.cells = [];
      this.rest = "";
      this.line = 1;
    }

    /** Read what is complete; the rest waits for the next chunk. */
    push(chunk, isLast = false) {
      const text = this.rest + chunk;
      let position = 0;
      while (position < text.length) {
        const end = this.#record(text, position, isLast);
        if (end < 0) break;
        position = end;
      }
      this.rest = text.slice(position);
      if (this.rest.length > MAX_RECORD_LENGTH) throw new FileProblem(`Line ${Numbers.count(this.line)} does not end within ${Numbers.count(MAX_RECORD_LENGTH)} characters: is there a quote that is not closed?`);
    }

    end() {
      this.push("", true);
      if (this.rest) throw new FileProblem(`A quote in line ${Numbers.count(this.line)} is not closed (in ${excerpt(this.rest)}).`);
    }

    /** Read one record; its end, or -1 if the text ends before it. */
    #record(text, start, isLast) {
      const { delimiter, slots } = this;
      let position = start;
      let column = 0;
      let lines = 1;
      if (!slots) this.cells.length = 0;
      for (;;) {
        let cellStart = position;
        while (text.charCodeAt(cellStart) === BLANK) cellStart += 1;
        let cell = null;
        if (text.charCodeAt(cellStart) === QUOTE) {
          const close = closingQuote(text, cellStart + 1, isLast);
          if (close < 0) return -1;
          cell = text.slice(cellStart + 1, close).replaceAll('""', '"');
          for (let index = cell.indexOf("\n"); index >= 0; index = cell.indexOf("\n", index + 1)) lines += 1;
          position = close + 1;
          cellStart = position;
        } else cellStart = position;
        let code = text.charCodeAt(position);
        while (code !== delimiter && code !== LINE_FEED && code !== RETURN && position < text.length) {
          position += 1;
          code = text.charCodeAt(position);
        }
        const isEnd = position >= text.length;
        if ((isEnd || (code === RETURN && position + 1 >= text.length)) && !isLast) return -1;
        const slot = slots ? slots[column] : column;
        if (slot !== undefined) this.cells[slot] = cell === null ? text.slice(cellStart, position) : cell + text.slice(cellStart, position);
        column += 1;
        if (isEnd || code !== delimiter) {
          const isEmpty = column === 1 && position === start;
          if (!isEmpty) this.onRecord(this.cells, this.line, column, () => text.slice(start, position));
          this.line += isEnd ? 0 : lines;
          return position + (code === RETURN && text.charCodeAt(position + 1) === LINE_FEED ? 2 : 1);
        }
        position += 1;
      }
    }
  }

  /** Position of the quote that ends a quoted cell; -1 if it may lie beyond the text. */
  function closingQuote(text, start, isLast) {
    let position = text.indexOf('"', start);
    while (position >= 0) {
      if (position + 1 >= text.length) return isLast ? position : -1;
      if (text.charCodeAt(position + 1) !== QUOTE) return position;
      position = text.indexOf('"', position + 2);
    }
    return -1;
  }

  const excerpt = (text) => {
    const shown = text.trim();
    return Sentences.quote(Sentences.printable(shown.length > MAX_EXCERPT ? `${shown.slice(0, MAX_EXCERPT)}…` : shown, MAX_EXCERPT + 1));
  };

  /* ---- layout ---- */

  /** Delimiter, names of columns and how numbers are written, from the first lines. */
  function layoutOf(sample, isCut, title) {
    const lines = sample.split(/(?<=\n|\r(?!\n))/).slice(0, SAMPLE_LINES + 1);
    if (isCut && lines.length > 1 && lines.length <= SAMPLE_LINES) lines.pop(); // it may be incomplete
    const text = lines.slice(0, SAMPLE_LINES).join("").replace(/^[\r\n]+/, "");
    const candidates = DELIMITERS.map((delimiter) => ({ delimiter, records: sampleRecords(text, delimiter) })).filter(({ records }) => records.length);
    if (!candidates.length) throw new FileProblem(`${title} is empty.`);
    const { delimiter, records } = candidates.reduce((best, candidate) => (compare(scoreOf(candidate.records), scoreOf(best.records)) > 0 ? candidate : best));
    const header = records[0].map((name) => name.trim());
    if (header.length > MAX_COLUMNS) throw new FileProblem(`${title} has ${Numbers.count(header.length)} columns; this page reads up to ${Numbers.count(MAX_COLUMNS)}.`);
    const names = uniqueNames(header);
    const whole = records.slice(1).filter((record) => record.length === names.length);
    const forms = names.map((_, column) => CellValues.writtenForm(whole.map((record) => record[column]), { canHaveCommas: delimiter !== "," }));
    return { delimiter, names, header, forms };
  }

  /** Records of the first lines, without spaces before cells; the last one may be incomplete. */
  function sampleRecords(text, delimiter) {
    const records = [];
    const reader = new Records(delimiter, (cells) => records.push(cells.map((cell) => cell.trimStart())));
    reader.push(text, true);
    return records;
  }

  /** Whether there are several columns, how many records have as many as the header, and how many columns. */
  function scoreOf(records) {
    const columns = records[0].length;
    return [columns > 1 ? 1 : 0, records.filter((record) => record.length === columns).length, columns];
  }

  function compare(first, second) {
    const index = first.findIndex((value, position) => value !== second[position]);
    return index < 0 ? 0 : first[index] - second[index];
  }

  /** Unique column names: a second s becomes s_1, an unnamed fourth column column3. */
  function uniqueNames(header) {
    const used = new Set();
    return header.map((title, index) => {
      const name = title || `column${index}`;
      let uniqueName = name;
      for (let suffix = 1; used.has(uniqueName.toLowerCase()); suffix += 1) uniqueName = `${name}_${suffix}`;
      used.add(uniqueName.toLowerCase());
      return uniqueName;
    });
  }

  /* ---- tables ---- */

  /** A table with its layout and the cells of its first rows, by column. */
  async function open(blob, title, onProgress) {
    const source = await TextSource.open(blob, title);
    const sample = await firstText(source);
    const layout = layoutOf(sample.text, sample.isCut, title);
    if (layout.names.length === 1 && !sample.text.trim().includes("\n")) {
      throw new FileProblem(`${title} has a single line and no columns: a table has a line of names, and a line for each row.`);
    }
    const table = { source, layout, title, names: layout.names, head: layout.names.map(() => []), rows: 0, isComplete: true };
    const limit = Math.max(Math.min(MAX_HEAD_ROWS, Math.floor(MAX_HEAD_CELLS / layout.names.length)), 1);
    await eachRow(table, null, onProgress, (cells) => {
      if (table.rows === limit) {
        table.isComplete = false;
        return false;
      }
      cells.forEach((cell, column) => table.head[column].push(cell));
      table.rows += 1;
      return true;
    });
    if (!table.rows) throw new FileProblem(`${title} has a line of names but no rows.`);
    return table;
  }

  /** The first characters of a text, and whether there are more. */
  async function firstText(source) {
    let text = "";
    for await (const chunk of TextSource.chunks(source)) {
      text += chunk;
      const isEnough = /[\r\n]/.test(text) ? text.length > SAMPLE_LENGTH : text.length > MAX_RECORD_LENGTH;
      if (isEnough) return { text: text.slice(0, Math.max(SAMPLE_LENGTH, text.search(/[\r\n]/) + 1)), isCut: true };
    }
    return { text, isCut: false };
  }

  /** Cells of columns of all rows, row by row. */
  async function read(table, columns, onRow, onProgress) {
    if (!table.isComplete) {
      await eachRow(table, columns, onProgress, onRow);
      return;
    }
    const heads = columns.map((column) => table.head[column]);
    for (let row = 0; row < table.rows; row += 1) onRow(heads.map((cells) => cells[row]));
  }

  /** Call a function with the cells of each row, until it returns false. */
  async function eachRow({ source, layout, title }, columns, onProgress, onRow) {
    let isHeader = true;
    let isStopped = false;
    const records = new Records(layout.delimiter, (cells, line, size, lineText) => {
      if (isHeader || isStopped) {
        isHeader = false;
        return;
      }
      if (size !== layout.names.length) {
        const found = size > layout.names.length ? "more columns" : `${Numbers.count(size)} column${size === 1 ? "" : "s"}`;
        throw new FileProblem(`${title}, line ${Numbers.count(line)}: it has ${found} and should have ${Numbers.count(layout.names.length)} (in ${excerpt(lineText())}).`);
      }
      isStopped = onRow(cells) === false;
    }, columns);
    let lastPause = performance.now();
    for await (const chunk of TextSource.chunks(source, onProgress)) {
      records.push(chunk);
      if (isStopped) return;
      if (performance.now() - lastPause < PAUSE) continue;
      await new Promise((resolve) => { setTimeout(resolve); });
      lastPause = performance.now();
    }
    records.end();
  }

  return { Records, open, read };
})();
