/* The document of the report from rows, as report/document.py and report/models.py make it. */
const RowsDocument = (() => {
  "use strict";

  const { CONVENTIONAL_THRESHOLD } = OperatingThreshold;
  const DRAWN_DIGITS = 6;
  const MAX_SEGMENTS = 60;
  const TREATMENTS = { drop: "left out", reject: "counted as rejected" };
  const OPENING_REASONS = { convention: "probability", youden: "youden" };

  /** A problem in the rows, in a sentence for the reader; it is of the kind "missing" if a choice resolves it. */
  class RowsProblem extends Error {
    constructor(message, kind = "") {
      super(message);
      this.kind = kind;
    }
  }

  const { printable } = Sentences;

  const named = (name, length = 40) => printable(name, length);

  /**
   * The document of rows.
   *
   * `template` is the document without data. `table` has `positiveRows` (1, 0, or -1 without a class),
   * `positive` and `negative`, `scores` ({name, values}, NaN if missing), `weights` and `segments`
   * ({codes, names}) or null, `missing` ("drop", "reject" or "" to ask) and `lowerIsPositive`.
   */
  function build(template, table) {
    const settings = { level: template.level, z: template.z, kolmogorov: template.kolmogorov, positive: table.positive };
    const checked = checkedRows(table);
    const options = { sign: table.lowerIsPositive ? -1 : 1, missing: table.missing || "drop", isImportance: checked.isImportance };
    const models = table.scores.map(({ name }, index) => rankedModel(name, checked, index, options));
    for (const { ranking, name } of models) requireBothClasses(ranking, name, table);
    const thresholds = models.map(({ ranking }) => OperatingThreshold.of(ranking));
    const notes = notesOf(models, checked, table);
    const context = { template, table, settings, checked, models, thresholds, options };
    const isCounted = models.every(({ ranking }) => ranking.isCounted);
    const comparison = comparisonOf(context);
    const { summaries, version, kolmogorov, empty, ...catalogue } = template;
    return {
      ...catalogue,
      title: titleOf(models, table),
      lead: leadOf(models[0].ranking, table),
      opening: { reason: OPENING_REASONS[thresholds[0].reason], sentence: OperatingThreshold.sentences([models[0].name], [thresholds[0]]), goal: null },
      best: 0,
      labels_only: false,
      threshold_about: OperatingThreshold.sentences(models.map(({ name }) => name), thresholds),
      positive: table.positive,
      negative: table.negative,
      lower_is_positive: Boolean(table.lowerIsPositive),
      threshold: CONVENTIONAL_THRESHOLD,
      prevalence: null,
      costs: { fp: 1, fn: 1, tp: 0, tn: 0, rp: 0, rn: 0, fixed: 0 },
      charts: chartTexts(template.charts, models[0].ranking, table),
      models: models.map((model, index) => modelDocument(model, thresholds[index], context)),
      decisions: null,
      checklist: null,
      comparison,
      warnings: [...RowWarnings.warnings(models, table), ...notes.map((note) => `${isAboutModel(note, models) ? note : Sentences.capitalized(note)}.`)],
      unit: isCounted ? "rows" : "units of weight",
      singular: isCounted ? "row" : "unit of weight",
      currency: "",
      models_about: modelsNote(context, comparison),
      metrics_about: `Intervals: ${levelText(settings)} CI. Point to an interval to see its method.`,
      segments_about: segmentsNote(models),
      how: methodSentences(context),
    };
  }

  /* ---- rows ---- */

  /** Rows that count: with a class and a weight above 0. */
  function checkedRows(table) {
    const { positiveRows, weights } = table;
    const isImportance = weights !== null && weights.some((weight) => !Number.isInteger(weight));
    if (weights) requireValidWeights(weights);
    const counted = [];
    let unlabelled = 0;
    positiveRows.forEach((side, row) => {
      if (side < 0) unlabelled += 1;
      else if (!weights || weights[row] > 0) counted.push(row);
    });
    if (!counted.length) throw new RowsProblem(unlabelled ? "No row has a class." : "There are no rows.");
    const pick = (values) => RowRankings.values(values, counted);
    const scores = table.scores.map(({ values }) => pick(values));
    const result = {
      scores,
      positiveRows: pick(positiveRows),
      weights: weights && pick(weights),
      segments: table.segments && { ...table.segments, codes: pick(table.segments.codes) },
      isImportance,
      unlabelled,
      missing: scores.map((values) => values.reduce((count, score) => count + (Number.isNaN(score) ? 1 : 0), 0)),
    };
    if (!table.missing) requireScores(table, result, counted);
    return result;
  }

  function requireValidWeights(weights) {
    const faults = [
      [(weight) => !Number.isFinite(weight), "missing or infinite"],
      [(weight) => weight < 0, "negative"],
      [(weight) => weight > 1e100, "above 1e+100"],
      [(weight) => weight > 0 && weight < 1e-100, "below 1e-100"],
    ];
    for (const [isFault, fault] of faults) {
      const faulty = Array.from(weights.keys()).filter((row) => isFault(weights[row]));
      if (!faulty.length) continue;
      throw new RowsProblem(`${Numbers.count(faulty.length)} of ${Numbers.count(weights.length)} weights ${faulty.length === 1 ? "is" : "are"} ${fault}${firstRows(faulty)}. A weight says how often a row counts: it must be a finite number of 0 or more.`);
    }
  }

  /** The first row numbers in parentheses. */
  function firstRows(rows) {
    const numbers = rows.slice(0, 3).map((row) => Numbers.count(row + 1));
    return ` (first: row${numbers.length > 1 ? "s" : ""} ${Sentences.join(numbers)})`;
  }

  function requireScores(table, { scores, missing }, counted) {
    const model = missing.findIndex((count) => count > 0);
    if (model < 0) return;
    const rows = counted.filter((_, index) => Number.isNaN(scores[model][index]));
    throw new RowsProblem(`${Numbers.count(missing[model])} of ${Numbers.count(counted.length)} scores in “${named(table.scores[model].name)}” ${missing[model] === 1 ? "is" : "are"} missing${firstRows(rows)}.`, "missing");
  }

  function requireBothClasses(ranking, name, table) {
    if (ranking.positives && ranking.negatives) return;
    const absent = ranking.positives ? table.negative : table.positive;
    const rows = ranking.positives + ranking.negatives ? `all rows with a score in “${named(name)}” are “${named(ranking.positives ? table.positive : table.negative)}”` : `no row has a score in “${named(name)}”`;
    throw new RowsProblem(`There is nothing to tell apart: ${rows}. Add rows of class “${named(absent)}” with scores.`);
  }

  /** The ranking of a model, with its segments. */
  function rankedModel(name, checked, index, options) {
    const rows = { scores: checked.scores[index], positiveRows: checked.positiveRows, weights: checked.weights };
    const ranking = RowRankings.rank(name, rows, options);
    return { name, rows, ranking, segments: checked.segments && rankedSegments(rows, checked.segments, options) };
  }

  function rankedSegments(rows, { codes, names }, options) {
    const members = names.map(() => []);
    codes.forEach((code, row) => members[code].push(row));
    return names.map((name, code) => ({ name, ranking: RowRankings.rank(name, RowRankings.pick(rows, members[code]), options) }))
      .filter((_, code) => members[code].length);
  }

  /** Notes on the treatment of rows, each once. */
  function notesOf(models, { missing, unlabelled, isImportance, weights }, table) {
    const hasWeights = weights !== null && weights.some((weight) => weight !== 1);
    const weightNote = isImportance ? "weights are treated as importances, as they are not whole numbers" : "weights are treated as frequencies, as they are whole numbers";
    const notes = models.flatMap((_, index) => [
      unlabelled ? `${Sentences.rows(unlabelled)} without a class: left out` : "",
      table.scores[index].note ?? "",
      hasWeights ? weightNote : "",
      missing[index] ? `${Sentences.rows(missing[index])} without a score: ${TREATMENTS[table.missing]}` : "",
    ]);
    if (new Set(models.map(({ ranking }) => ranking.rows)).size > 1) notes.push("the models were evaluated on different rows, so do not compare their metrics");
    return [...new Set(notes.filter(Boolean))];
  }

  /* ---- models ---- */

  function modelDocument(model, threshold, { template, settings }) {
    const { ranking } = model;
    const hull = RowRankings.hullIndices(ranking);
    const opening = OperatingThreshold.opening(ranking, threshold);
    const cutoffs = DefaultCutoffs.of(ranking);
    const { indices, drawn } = SliderStops.stops(ranking, hull, [CONVENTIONAL_THRESHOLD, opening, ...cutoffs]);
    const positions = new Map(indices.map((index, position) => [index, position]));
    const { kind, isDiscrete, edges, positive, negative } = ScoreAxis.histogram(ranking);
    return {
      opening: opening === CONVENTIONAL_THRESHOLD ? null : jsonThreshold(opening),
      name: ranking.name,
      distinct: ranking.distinct,
      thinned: indices.length <= ranking.last,
      asked: [CONVENTIONAL_THRESHOLD],
      counted: ranking.isCounted,
      rejected: ranking.rejected,
      digits: null,
      thresholds: indices.map((index) => jsonThreshold(ranking.thresholds[index])),
      ...countsAt(ranking, indices),
      drawn,
      hull: hull.map((index) => positions.get(index)),
      cutoffs: cutoffs.map(jsonThreshold),
      summaries: template.summaries.map((entry) => ({ ...entry, ...Estimates.summary(entry.name, ranking, settings) })),
      scores: { kind, discrete: isDiscrete, ...rounded({ edges, positive, negative }) },
      calibration: calibrationDocument(ranking, hull),
      bands: { roc: bandDocument(ranking, settings) },
      ...(ranking.squares ? { squares: squaresAt(ranking.squares, indices) } : {}),
      ...(model.segments ? { segments: segmentDocuments(ranking, indices, model.segments, settings) } : {}),
      recommendation: null,
    };
  }

  /** Infinities, which JSON lacks, as words. */
  const jsonThreshold = (value) => (Number.isFinite(value) ? value : value > 0 ? "inf" : "-inf");

  /** Counts at the stops: first differences, or sums of weights. */
  function countsAt(ranking, indices) {
    const column = (values) => indices.map((index, stop) => values[index] - (ranking.isCounted && stop ? values[indices[stop - 1]] : 0));
    return { found: column(ranking.truePositives), alarms: column(ranking.falsePositives) };
  }

  const squaresAt = (squares, indices) => ({
    found: indices.map((index) => squares.truePositives[index]),
    alarms: indices.map((index) => squares.falsePositives[index]),
    rejected: squares.rejected,
  });

  /** Columns of numbers rounded for drawing. */
  function rounded(columns, digits = DRAWN_DIGITS) {
    const round = (value) => (Number.isFinite(value) ? Number(Numbers.significant(value, digits)) : null);
    return Object.fromEntries(Object.entries(columns).map(([key, values]) => [key, values.map(round)]));
  }

  /** The reliability curve, or the reason why there is none. */
  function calibrationDocument(ranking, hull) {
    const problem = Estimates.probabilityProblem(ranking);
    return problem ? { reason: problem } : rounded(Reliability.curve(ranking, hull));
  }

  function bandDocument(ranking, settings) {
    const { x, low, high, ...about } = RocBands.band(ranking, settings);
    const isDefined = (_, index) => Number.isFinite(low[index]) && Number.isFinite(high[index]);
    return { ...rounded({ x: x.filter(isDefined), low: low.filter(isDefined), high: high.filter(isDefined) }, 4), ...about };
  }

  /** The largest segments, with counts at the stops of the whole model. */
  function segmentDocuments(ranking, indices, segments, settings) {
    const thresholds = indices.map((index) => ranking.thresholds[index]);
    const largest = [...segments].sort((a, b) => b.ranking.rows - a.ranking.rows).slice(0, MAX_SEGMENTS);
    return largest.map(({ name, ranking: segment }) => {
      const places = RowRankings.places(segment, thresholds);
      return {
        name,
        rows: segment.rows,
        counted: segment.isCounted,
        rejected: segment.rejected,
        ...countsAt(segment, places),
        auc: { label: "AUC", ...Estimates.summary("auc", segment, settings) },
        ...(segment.squares ? { squares: squaresAt(segment.squares, places) } : {}),
      };
    });
  }

  /* ---- sentences ---- */

  const isAboutModel = (note, models) => models.some(({ name }) => note.startsWith(`${name}:`) || note.startsWith(`${name} `));

  function titleOf(models, table) {
    const names = models.slice(0, 3).map(({ name }) => named(name)).join(", ");
    const more = models.length > 3 ? ` and ${models.length - 3} more` : "";
    return `Who is “${named(table.positive)}”? ${names}${more}`;
  }

  function leadOf(ranking, table) {
    const weight = ranking.isCounted ? "" : ` of weight ${Numbers.count(ranking.total)}`;
    const [positives, negatives] = [ranking.positives + ranking.rejected[0], ranking.negatives + ranking.rejected[1]];
    return `${Sentences.rows(ranking.rows)}${weight}: ${Numbers.count(positives)} “${printable(table.positive)}” and ${Numbers.count(negatives)} “${printable(table.negative)}”.`;
  }

  /** Texts of the charts that this ranking has, with the names of its classes. */
  function chartTexts({ named: withNames, generic, probabilities, generic_names: genericNames }, ranking, table) {
    const texts = genericNames.includes(table.positive) ? generic : withNames;
    const { kind } = ScoreAxis.scale(ranking);
    const substitutes = { positive: printable(table.positive, 24), negative: printable(table.negative, 24), model: printable(ranking.name, 32) };
    const fill = (text) => text.replace(/⟦(\w+)⟧/g, (_, word) => substitutes[word]);
    const axis = ({ label, kind: axisKind }) => ({ label: fill(label), kind: axisKind === "score" ? kind : axisKind });
    const shown = Object.entries(texts).filter(([name]) => ranking.hasProbabilities || !probabilities.includes(name));
    const filled = Object.fromEntries(shown.map(([name, { title, caption, x, y }]) => [name, { title: fill(title), caption: fill(caption), x: axis(x), y: axis(y) }]));
    filled.scores.caption += scoreSentences(ranking);
    return filled;
  }

  /** Sentences on rows that the chart of scores cannot show where they lie. */
  function scoreSentences(ranking) {
    const { outside } = ScoreAxis.histogram(ranking);
    const unscored = ranking.rejected[0] + ranking.rejected[1];
    return [
      outside ? ` ${Numbers.count(outside)} lie outside the scale and are counted in the outermost bars.` : "",
      unscored ? ` ${Numbers.count(unscored)} have no score.` : "",
    ].join("");
  }

  function comparisonOf({ models, checked, options, settings, table }) {
    const hasRejected = table.missing === "reject" && checked.missing.some((count) => count > 0);
    if (models.length < 2 || hasRejected) return null;
    return AucComparison.comparison(models.map(({ name, rows }) => ({ name, scores: rows.scores })), checked, options, settings);
  }

  function modelsNote({ models, thresholds }, comparison) {
    const sentences = ["Each model has its own threshold; select the model to move it."];
    const moved = models.filter(({ ranking }, index) => OperatingThreshold.opening(ranking, thresholds[index]) !== thresholds[index].value).map(({ name }) => printable(name));
    if (moved.length) {
      sentences.push(`${Sentences.join(moved.map(Sentences.quote))} open${moved.length > 1 ? "" : "s"} at the threshold of Youden's J: the requested one would predict the same class for every row.`);
    }
    sentences.push("Summaries at another prevalence have no intervals.");
    if (models.length > 1 && !comparison) sentences.push("Differences between models need rows that all of them scored.");
    return sentences.join(" ");
  }

  function segmentsNote(models) {
    const sentences = ["Segments are shown at their own prevalence and at the same threshold."];
    const count = Math.max(...models.map(({ segments }) => segments?.length ?? 0));
    if (count > MAX_SEGMENTS) sentences.push(`The ${MAX_SEGMENTS} largest of ${Numbers.count(count)} are shown.`);
    return sentences.join(" ");
  }

  const levelText = ({ level }) => `${Numbers.significant(100 * level, 10)}%`;

  function methodSentences({ template, table, models, settings }) {
    return [
      template.version,
      "The rows were read by this page in your browser; nothing was sent anywhere.",
      `A row is predicted “${printable(table.positive)}” if its score is at or ${table.lowerIsPositive ? "below" : "above"} the threshold.`,
      "All values are exact.",
      stopsSentence(models),
      "Undefined values are shown as undefined, never as 0.",
      `Intervals: ${levelText(settings)} CI, without resampling.`,
      "What needs resampling is left out: `tradeoff threshold` gives out-of-sample estimates of a chosen threshold, and `tradeoff report` the consistency band of the reliability diagram.",
    ];
  }

  function stopsSentence(models) {
    const { MAX_UNTHINNED, PIXELS } = SliderStops;
    if (models.every(({ ranking }) => ranking.distinct <= MAX_UNTHINNED)) return "The slider stops at every distinct score.";
    return `Of more than ${Numbers.count(MAX_UNTHINNED)} thresholds, the slider stops at those that keep every chart accurate to half a pixel at a width of ${PIXELS} pixels, at all that can have the lowest cost, and at those that usual goals choose (such as a recall of 90% or the 500 highest scores). Another goal leads to the nearest stop that reaches it.`;
  }

  return { RowsProblem, build };
})();
