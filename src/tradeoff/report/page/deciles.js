/* The table of deciles: groups of equal size, highest scores first, as `tradeoff gains` prints them. */
const Deciles = (() => {
  "use strict";

  const { html } = Svg;
  const GROUPS = 10;
  const NAMES = { 10: "decile" };
  const MAX_LISTED = 6;

  /** Groups of whole rows; where a border cuts through equal scores, their positives are expected counts. */
  function groups(ranking) {
    const { truePositives, falsePositives, last } = ranking;
    const isCounted = ranking.model.counted;
    const rowsAt = truePositives.map((count, index) => count + falsePositives[index]);
    const total = rowsAt[last];
    const positives = truePositives[last];
    const count = isCounted ? Math.min(GROUPS, total) : GROUPS;
    const edge = (group) => (group === count ? total : isCounted ? Math.ceil((total * group) / count - 1e-9) : (total * group) / count);
    const edges = Array.from({ length: count + 1 }, (_, group) => edge(group));
    const found = edges.map((rows) => interpolated(rowsAt, truePositives, rows));
    return Array.from({ length: count }, (_, group) => {
      const [start, end] = [edges[group], edges[group + 1]];
      const hits = found[group + 1] - found[group];
      return {
        group: group + 1,
        rows: end - start,
        positives: hits,
        rate: hits / (end - start),
        lift: hits / (end - start) / (positives / total),
        cumulativeRows: end,
        cumulativePositives: found[group + 1],
        gain: found[group + 1] / positives,
        cumulativeLift: found[group + 1] / positives / (end / total),
        tied: tiedRows(rowsAt, start, end),
      };
    });
  }

  /** First index whose value is at least a number, in ascending values. */
  function lowerBound(values, number) {
    let [first, end] = [0, values.length];
    while (first < end) {
      const middle = (first + end) >> 1;
      if (values[middle] < number) first = middle + 1;
      else end = middle;
    }
    return first;
  }

  /** The value at a number of rows; on a straight line inside a tie. */
  function interpolated(rowsAt, values, rows) {
    const index = Math.min(lowerBound(rowsAt, rows), rowsAt.length - 1);
    if (!index || rowsAt[index] === rows) return values[index];
    const share = (rows - rowsAt[index - 1]) / (rowsAt[index] - rowsAt[index - 1]);
    return values[index - 1] + share * (values[index] - values[index - 1]);
  }

  /** Rows of a group whose tie is cut by one of its borders. */
  function tiedRows(rowsAt, start, end) {
    const tieEnd = rowsAt[lowerBound(rowsAt, start)];
    const head = tieEnd > start ? Math.min(tieEnd, end) - start : 0;
    const next = lowerBound(rowsAt, end);
    const tieStart = rowsAt[next] > end ? rowsAt[next - 1] : end;
    const tail = tieStart < end ? end - Math.max(tieStart, start) : 0;
    return Math.min(head + tail, end - start);
  }

  /** Profit (or cost) of flagging the first rows of a ranking; the expected one inside a tie. */
  function totalsAt(view, rows) {
    const { ranking, costs } = view;
    const prior = { prevalence: ranking.prevalence, population: ranking.rows };
    const sign = Charts.isProfit(view) ? -1 : 1;
    const rowsAt = ranking.truePositives.map((count, index) => count + ranking.falsePositives[index]);
    const fixed = costs.fixed ?? 0;
    const totals = rowsAt.map((_, index) => sign * (Rankings.totalCost(Rankings.matrix(ranking, index, index, prior), costs) - (index ? fixed : 0)));
    return rows.map((count) => interpolated(rowsAt, totals, count) + (count > 0 ? sign * fixed : 0));
  }

  /** A count, with one decimal if it is an expected one. */
  function countText(value) {
    const rounded = Number(value.toFixed(6));
    return Number.isInteger(rounded) ? Numbers.count(rounded) : Numbers.decimal(rounded, 1);
  }

  const liftText = (value) => (Number.isNaN(value) ? "undefined" : Numbers.decimal(value, 2));

  /** Which groups cut through equal scores. */
  function tiesText(rows, { units }, hasAmounts) {
    const cut = rows.filter(({ tied }) => tied).map(({ group }) => group);
    if (!cut.length) return "";
    const name = NAMES[rows.length] ?? "group";
    const subject = cut.length > 1 && cut.length === rows.length
      ? `All ${name}s cut`
      : cut.length > MAX_LISTED
        ? `${cut.length} of ${rows.length} ${name}s cut`
        : `${Words.capitalized(name)}${cut.length > 1 ? "s" : ""} ${Words.list(cut.map(String))} ${cut.length > 1 ? "cut" : "cuts"}`;
    return `${subject} through ${units} with equal scores: their positives${hasAmounts ? " and amounts" : ""} are expected values, as if ties were in random order.`;
  }

  class Table {
    /** `onCopy(text, format)` puts a text on the clipboard. */
    constructor(element, { onCopy = null } = {}) {
      const place = html("div");
      this.about = html("p", { class: "about" });
      element.replaceChildren(place, this.about);
      this.grid = new Tables.Grid(place, { label: "Deciles", onCopy });
    }

    update(view) {
      this.view = view;
      const { ranking } = view;
      if (!ranking.positives || !ranking.last) {
        this.grid.show([], []);
        Words.write(this.about, ranking.last ? `No ${view.words.unit} is ${view.positive}: there is no response to compare.` : "There are no scores.");
        return;
      }
      const rows = groups(ranking);
      const hasAmounts = !Rankings.costProblem(view.costs);
      const totals = hasAmounts ? totalsAt(view, rows.map(({ cumulativeRows }) => cumulativeRows)) : [];
      const highest = Math.max(...rows.map(({ rate }) => rate));
      this.grid.show(columns(view, rows.length, hasAmounts), rows.map((row, index) => ({ key: undefined, cells: cells(row, totals[index], highest, Charts.kindOf(view)) })));
      this.mark(view, rows);
      const sentences = [
        `Highest scores first. Response: the share of ${view.words.units} that are ${view.positive}.`,
        tiesText(rows, view.words, hasAmounts),
        ranking.model.thinned ? "The page has fewer thresholds than the rows: counts are approximate." : "",
        view.prior.isSample ? "" : "The table is of these rows, at their own prevalence.",
      ];
      Words.write(this.about, sentences.filter(Boolean).join(" "));
    }

    move(view) {
      this.view = view;
      if (view.ranking.positives && view.ranking.last) this.mark(view, null);
    }

    /** Shade the groups that are flagged as a whole. */
    mark(view, rows) {
      this.ends = rows?.map(({ cumulativeRows }) => cumulativeRows) ?? this.ends;
      const { ranking, selection } = view;
      const flagged = ranking.truePositives[selection.upper] + ranking.falsePositives[selection.upper];
      [...this.grid.body.rows].forEach((row, index) => row.classList.toggle("flagged", this.ends[index] <= flagged));
    }
  }

  function columns(view, count, hasAmounts) {
    const kind = Charts.kindOf(view);
    const { units } = view.words;
    const currency = kind === "errors" ? "" : view.words.currency;
    return [
      { name: "group", label: NAMES[count] ?? "group", isText: true },
      { name: "rows", label: units },
      { name: "positives", label: "positives" },
      { name: "rate", label: "response rate" },
      { name: "lift", label: "lift" },
      { name: "gain", label: "cum. response" },
      { name: "cumulativeLift", label: "cum. lift" },
      ...(hasAmounts ? [{ name: "total", label: `cum. ${kind}${currency ? `, ${currency}` : ""}` }] : []),
    ].map((column) => ({ ...column, isUnsorted: true }));
  }

  function cells(row, total, highest, kind) {
    const bar = html("i", { class: "meter" });
    bar.style.width = `${((100 * row.rate) / (highest || 1)).toFixed(1)}%`;
    const rate = Numbers.percent(row.rate);
    return {
      group: { value: row.group, text: String(row.group) },
      rows: { value: row.rows, text: countText(row.rows) },
      positives: { value: row.positives, text: countText(row.positives) },
      rate: { value: row.rate, text: rate, node: html("span", { class: "metered" }, bar, html("span", {}, rate)) },
      lift: { value: row.lift, text: liftText(row.lift) },
      gain: { value: row.gain, text: Numbers.percent(row.gain) },
      cumulativeLift: { value: row.cumulativeLift, text: liftText(row.cumulativeLift) },
      total: { value: total, text: total === undefined ? "" : kind === "errors" ? countText(total) : Words.amount(total) },
    };
  }

  return { Table };
})();
