/* Charts of the report, one function each. Coordinates are data values; panels.js draws them.

   A chart is {title, caption, x, y, layers, points, seek, guide}: `points` are the coordinates of the
   active model at all its thresholds, `seek` is how a pointer selects one of them (by "score", by
   "x" where x increases with the index, the "nearest" point, or the "vertex" of a hull), `guide` is
   whether a threshold is drawn as a "line" or a "point".
   Optional: `bars` (a histogram coloured by consequence), `marks` (labelled points), `dots(index)`
   (points that move along a line guide), `moving(view)` (layers that move with the threshold),
   `shift(view)` (layers of a band, moved up or down as a whole) and `readout(index)` (texts of the bubble). */
const Charts = (() => {
  "use strict";

  const { clamp } = Svg;
  const { percent } = Numbers;
  const SHARE = { low: 0, high: 1, kind: "share" };
  const DIAGONAL = reference("chance", [[0, 0], [1, 1]]);
  const MAX_PARTS = 40;
  const RARE = 0.01; // a prevalence below which axes are zoomed
  const MAX_BINS = 40;
  const LOG_RATIO = 20; // of the scores of a zoomed axis, from which it is logarithmic
  const MIN_FLAGGED = 10; // rows from which on a precision counts for the scale
  const METRICS = { recall: "true_positive_rate", specificity: "true_negative_rate", precision: "precision" };

  /** Texts of a chart, from the Python chart of the same name. */
  const texts = (view, name) => view.document.charts?.[name] ?? {};

  /** The caption of a chart, with sentences that only the page can add. */
  const caption = (view, name, ...sentences) => [texts(view, name).caption, ...sentences].filter(Boolean).join(" ");

  /** A line that is no model's, through a few corners. */
  function reference(role, corners) {
    return { kind: "line", role, xs: corners.map(([x]) => x), ys: corners.map(([, y]) => y) };
  }

  /* ---- coordinates at all thresholds ---- */

  const ratesByRanking = new WeakMap();

  /** True and false positive rates at all thresholds. */
  function rates(ranking) {
    if (!ratesByRanking.has(ranking)) {
      const share = (counts, total) => counts.map((count) => count / total);
      ratesByRanking.set(ranking, {
        tpr: share(ranking.truePositives, ranking.positives),
        fpr: share(ranking.falsePositives, ranking.negatives),
      });
    }
    return ratesByRanking.get(ranking);
  }

  const zeroIfUndefined = (value) => (Number.isNaN(value) ? 0 : value);

  /** Share of the population that is predicted positive, at all thresholds. */
  function depths(ranking, { prevalence }) {
    const { tpr, fpr } = rates(ranking);
    return tpr.map((value, index) => prevalence * zeroIfUndefined(value) + (1 - prevalence) * zeroIfUndefined(fpr[index]));
  }

  function precisions(ranking, { prevalence }) {
    const { tpr, fpr } = rates(ranking);
    return tpr.map((value, index) => (prevalence * value) / (prevalence * value + (1 - prevalence) * fpr[index]));
  }

  /**
   * Costs of all decisions at every threshold, by what they depend on: of single thresholds
   * (`total`), and the parts of a reject band's cost that depend on its upper and its lower threshold.
   */
  function costColumns(ranking, costs, prior) {
    const positive = zeroIfUndefined((prior.prevalence * prior.population) / ranking.positives);
    const negative = zeroIfUndefined(((1 - prior.prevalence) * prior.population) / ranking.negatives);
    const { truePositives, falsePositives, last } = ranking;
    const cumulative = (index, positiveCost, negativeCost) =>
      truePositives[index] * positive * positiveCost + falsePositives[index] * negative * negativeCost;
    const never = cumulative(last, costs.fn, costs.tn);
    const unscored = ranking.undecidedPositives * positive * costs.rp + ranking.undecidedNegatives * negative * costs.rn;
    const column = (value) => Float64Array.from(ranking.thresholds, (_, index) => value(index));
    const fixed = (index) => (index ? costs.fixed ?? 0 : 0);
    return {
      total: column((index) => cumulative(index, costs.tp, costs.fp) - cumulative(index, costs.fn, costs.tn) + never + unscored + fixed(index)),
      upper: column((index) => cumulative(index, costs.tp, costs.fp) - cumulative(index, costs.rp, costs.rn) + fixed(index)),
      lower: column((index) => cumulative(index, costs.rp, costs.rn) - cumulative(index, costs.fn, costs.tn) + never + unscored),
    };
  }

  /**
   * Indices of the thresholds that keep the shape of a model's curves: of very many thresholds a few hundred, unless
   * a chart is zoomed.
   */
  function drawnIndices(view, { last, model }) {
    const isAll = !model.drawn || model.drawn.length > last || zoomedDepth(view) !== null;
    return isAll ? null : model.drawn;
  }

  /** Values at the drawn thresholds. */
  function picked(values, indices) {
    return indices ? Float64Array.from(indices, (index) => values[index]) : values;
  }

  const pickedLine = (view, ranking, xs, ys) => {
    const indices = drawnIndices(view, ranking);
    return { xs: picked(xs, indices), ys: picked(ys, indices) };
  };

  /** Points of a curve, interpolated in the ROC plane where they are far apart. */
  function interpolated(view, ranking, project) {
    const indices = drawnIndices(view, ranking);
    const [tpr, fpr] = [picked(rates(ranking).tpr, indices), picked(rates(ranking).fpr, indices)];
    const [xs, ys] = [[], []];
    const push = (y, x) => {
      const point = project(y, x);
      xs.push(point[0]);
      ys.push(point[1]);
    };
    for (let index = 0; index < tpr.length; index += 1) {
      if (index) {
        const [dx, dy] = [fpr[index] - fpr[index - 1], tpr[index] - tpr[index - 1]];
        const parts = Math.min(MAX_PARTS, Math.ceil(MAX_PARTS * (Math.abs(dx) + Math.abs(dy))));
        for (let part = index === 1 ? 0.01 : 1; part < parts; part = Math.floor(part + 1)) {
          push(tpr[index - 1] + (part / parts) * dy, fpr[index - 1] + (part / parts) * dx);
        }
      }
      push(tpr[index], fpr[index]);
    }
    return { xs, ys };
  }

  /**
   * Steps of values over the threshold, from left to right: a value holds for all thresholds that
   * give the same predictions.
   */
  function stepped(view, ranking, values, { low, high }) {
    const { sign } = ranking;
    const indices = drawnIndices(view, ranking);
    if (indices) return straight(picked(ranking.thresholds, indices), picked(values, indices), sign, low, high);
    const { last, thresholds } = ranking;
    const xs = new Float64Array(2 * (last + 1));
    const ys = new Float64Array(2 * (last + 1));
    const scores = thresholds.filter(Number.isFinite);
    const [first, end] = [Math.min(low, scores[0] ?? low, scores.at(-1) ?? low), Math.max(high, scores[0] ?? high, scores.at(-1) ?? high)];
    const limit = (x) => (Number.isFinite(x) ? x : x > 0 ? end : first);
    for (let place = 0; place <= last; place += 1) {
      const index = sign > 0 ? last - place : place;
      const [start, stop] = sign > 0 ? [index + 1, index] : [index, index + 1];
      xs[2 * place] = place ? limit(thresholds[start]) : first;
      xs[2 * place + 1] = place < last ? limit(thresholds[stop]) : end;
      ys[2 * place] = ys[2 * place + 1] = values[index];
    }
    return { xs, ys };
  }

  /** Values over some of very many thresholds, from left to right. */
  function straight(thresholds, values, sign, low, high) {
    const order = (column) => (sign > 0 ? column.reverse() : column);
    const finite = thresholds.map((score) => (Number.isFinite(score) ? score : score > 0 ? high : low));
    return { xs: order(finite), ys: order(values) };
  }

  /* ---- models ---- */

  /** Indices of the models with both classes, the active one last so that it is drawn on top. */
  function drawnModels(view) {
    return [...view.rankings.keys()]
      .filter((model) => view.rankings[model].positives && view.rankings[model].negatives)
      .sort((a, b) => (a === view.active) - (b === view.active));
  }

  /** Name of a model as a label; the direction in which it is written does not spread. */
  const modelName = (ranking) => Words.isolated(ranking.name, 28);

  /** Lines of models; those in colour have labels: the name, which may be shortened, and a suffix. */
  function modelLines(view, coordinates, { models = drawnModels(view), suffix = () => "" } = {}) {
    const classes = Palette.classes(view);
    return models.map((model) => {
      const ranking = view.rankings[model];
      const isLabelled = view.rankings.length > 1 && classes[model] !== "other";
      return {
        kind: "line", role: "model", model, colour: classes[model], active: model === view.active,
        label: isLabelled ? modelName(ranking) : "", suffix: isLabelled ? suffix(ranking) : "", ...coordinates(ranking),
      };
    });
  }

  /* ---- axes ---- */

  const metricName = (name) => Tables.shortLabel(METRICS[name]);
  const depthLabel = "Share flagged";
  const axis = (view, chart, side, fallback) => ({ label: texts(view, chart)[side]?.label ?? fallback });

  /** Share of the population that zoomed charts show, or null if all of it is shown. */
  function zoomedDepth(view) {
    if (!view.zoom || !isRare(view)) return null;
    const indices = [view.selection.upper, view.selection.lower, view.recommended?.upper ?? 0];
    const depth = Math.max(...indices.map((index) => Rankings.depth(view.ranking, index, view.prior)));
    const limit = Math.max(4 * depth, 5 * view.prior.prevalence);
    return limit < 0.5 ? limit : null;
  }

  /** Whether positives are so rare that axes can be zoomed. */
  const isRare = (view) => view.prior.prevalence > 0 && view.prior.prevalence < RARE;

  /** Index of the last threshold that zoomed charts show. */
  function zoomedIndex(view, depth) {
    const values = depths(view.ranking, view.prior);
    const index = values.findIndex((value) => value >= depth);
    return index < 0 ? view.ranking.last : index;
  }

  /** A scale of shares from 0 to 1, or to the largest one that a zoomed chart shows. */
  function shareScale(view, valueAt) {
    const depth = zoomedDepth(view);
    if (depth === null) return SHARE;
    const high = valueAt(zoomedIndex(view, depth), depth);
    return high > 0 && high < 1 ? { ...SHARE, high } : SHARE;
  }

  /** The recall from 0 to 1, or as far as a zoomed chart shows it. */
  const recallScale = (view) => shareScale(view, (index) => roundUp(rates(view.ranking).tpr[index]));

  /** The end of a scale of shares that contains a value: 1 unless it is small. */
  function roundUp(value) {
    const step = 10 ** Math.floor(Math.log10(value || 1)) / 2;
    return value > 0.7 ? 1 : Math.min(1, Math.ceil((value * 1.05) / step) * step);
  }

  /** The axis of scores: that of the histogram, or zoomed to the scores near the threshold. */
  function scoreScale(view) {
    const { ranking } = view;
    const { edges, kind } = ranking.model.scores;
    const [first, last] = [edges[0], edges[edges.length - 1]];
    const depth = zoomedDepth(view);
    if (depth !== null) {
      const finite = [ranking.thresholds[zoomedIndex(view, depth)], ranking.thresholds[1]].filter(Number.isFinite);
      const [low, high] = [Math.min(...finite), Math.max(...finite)];
      if (high > low) {
        if (low > 0 && high > LOG_RATIO * low) return { low: low / 1.05, high: high * 1.05, kind: "log" };
        return { low, high: high + 0.03 * (high - low), kind: "plain" };
      }
    }
    if (kind === "log") return { low: first / 1.1, high: last * 1.1, kind };
    const margin = 0.015 * (last - first || 1);
    return { low: first - margin, high: last + margin, kind: "plain" };
  }

  /** Models whose scores share the axis of the active one. */
  function modelsOnAxis(view) {
    const limits = ({ model }) => [model.scores.kind, model.scores.edges[0], model.scores.edges.at(-1)].join();
    return drawnModels(view).filter((model) => limits(view.rankings[model]) === limits(view.ranking));
  }

  /* ---- amounts ---- */

  /** Whether some decisions bring a benefit, so that charts show profits. */
  const isProfit = ({ costs }) => Math.min(costs.tp, costs.tn, costs.fp, costs.fn) < 0;

  /** What the costs of decisions add up to: errors, if both kinds cost 1, as they do without costs. */
  function kindOf(view) {
    if (Tiles.areErrorsCounted(view.costs)) return "errors";
    return isProfit(view) ? "profit" : "cost";
  }

  /** Costs are totals where the user named the unit, else per row. */
  const isTotal = (view) => view.words.units !== "rows";
  const costFactor = (view) => (isProfit(view) ? -1 : 1) / (isTotal(view) ? 1 : view.prior.population);

  function costName(view) {
    const kind = kindOf(view);
    if (isTotal(view)) return kind;
    return kind === "errors" ? "error rate" : `${kind} per ${view.words.unit}`;
  }

  /** An amount without its currency. */
  function costNumber(view, value) {
    if (kindOf(view) === "errors") return isTotal(view) ? Words.size(value, view.isCounted) : Words.rate(value);
    return isTotal(view) ? Words.amount(value) : Words.average(value);
  }

  const costText = (view, value) => (kindOf(view) === "errors" ? costNumber(view, value) : Words.money(costNumber(view, value), view));

  function costLabel(view) {
    const { currency } = view.words;
    const size = `${Numbers.count(view.prior.population)} ${view.unit}`;
    if (kindOf(view) === "errors") return isTotal(view) ? `Errors among ${size}` : "Error rate";
    return `${Words.capitalized(costName(view))}${isTotal(view) ? ` for ${size}` : ""}${currency ? `, ${currency}` : ""}`;
  }

  /** What the best amount is called. */
  const bestName = (view) => ({ errors: isTotal(view) ? "fewest" : "lowest", profit: "highest", cost: "lowest" }[kindOf(view)]);

  /** Kind of the axis of amounts. */
  const costKind = (view) => (kindOf(view) === "errors" && !isTotal(view) ? "share" : "plain");

  /** Cost of the decisions at a threshold, as the bubble shows it. */
  function costAt(view, index) {
    const { ranking, prior, costs } = view;
    if (Rankings.costProblem(costs)) return [];
    const total = Rankings.totalCost(Rankings.matrix(ranking, index, index, prior), costs);
    return [[costName(view), costText(view, total * costFactor(view))]];
  }

  /** Values of lines on the visible part of an axis. */
  function visible(lines, { low, high }) {
    const values = [];
    for (const { xs, ys } of lines) for (let index = 0; index < xs.length; index += 1) if (xs[index] >= low && xs[index] <= high) values.push(ys[index]);
    return values;
  }

  /** A scale that shows all values, and 0 unless they are far from it. */
  function valueScale(values) {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (!(high >= low)) return { low: 0, high: 1 };
    const margin = 0.06 * (high - low || Math.abs(high) || 1);
    return { low: low >= 0 ? 0 : low - margin, high: high <= 0 ? 0 : high + margin };
  }

  /* ---- readouts: texts of the bubble ---- */

  const share = Words.rate;

  function rateTexts(view, ...names) {
    const { tpr, fpr } = rates(view.ranking);
    const values = {
      recall: (index) => tpr[index],
      "false positive rate": (index) => fpr[index],
      specificity: (index) => 1 - fpr[index],
      precision: (index) => precisions(view.ranking, view.prior)[index],
      "share flagged": (index) => Rankings.depth(view.ranking, index, view.prior),
    };
    return (index) => [...names.map((name) => [METRICS[name] ? metricName(name) : name, share(values[name](index))]), ...costAt(view, index)];
  }

  /* ---- the charts ---- */

  function scores(view) {
    const { ranking } = view;
    const document = ranking.model.scores;
    const scale = scoreScale(view);
    const bars = zoomedDepth(view) === null ? document : histogram(ranking, scale);
    const highest = (heights) => Math.max(...heights, 0);
    const top = Math.max(highest(bars.positive), highest(bars.negative), 1e-9);
    const hidden = zoomedDepth(view) === null ? "" : `Zoomed to the highest scores: ${outsideText(view, scale)} are not shown.`;
    return {
      title: texts(view, "scores").title ?? "Scores by class",
      caption: caption(view, "scores", hidden),
      x: { ...scale, label: ranking.name === "score" ? "Score" : `Score (${modelName(ranking)})` },
      // Either class has as much room as its highest bar needs, and at least a third.
      y: { low: -Math.max(highest(bars.negative), top / 2) * 1.04, high: Math.max(highest(bars.positive), top / 2) * 1.04, kind: "share", absolute: true, label: "" },
      bars,
      layers: [reference("axis", [[scale.low, 0], [scale.high, 0]])],
      points: { xs: ranking.thresholds, ys: new Float64Array(ranking.last + 1) },
      discreteEdges: document.discrete && bars === document ? document.edges : null,
      seek: "score",
      guide: "line",
      readout: (index) => [flaggedText(view, index), ...rateTexts(view, "recall", "false positive rate")(index)],
    };
  }

  const flaggedText = (view, index) => ["flagged", Words.size(Rankings.depth(view.ranking, index, view.prior) * view.prior.population, view.isCounted)];

  /** Rows that a zoomed axis does not show. */
  function outsideText(view, { low, high }) {
    const { ranking } = view;
    let rows = 0;
    for (let index = 1; index <= ranking.last; index += 1) {
      const score = ranking.thresholds[index];
      if (score >= low && score <= high) continue;
      rows += ranking.truePositives[index] - ranking.truePositives[index - 1] + ranking.falsePositives[index] - ranking.falsePositives[index - 1];
    }
    return `${Words.size(rows, view.isCounted)} ${view.words.units}`;
  }

  /** Histogram of both classes over a scale, each as shares of the whole class. */
  function histogram(ranking, { low, high, kind }) {
    const position = kind === "log" ? Math.log : (value) => value;
    const value = kind === "log" ? Math.exp : (position) => position;
    const [first, last] = [position(low), position(high)];
    const count = clamp(Math.round(3 * Math.cbrt(ranking.rows)), 12, MAX_BINS);
    const [positive, negative] = [new Float64Array(count), new Float64Array(count)];
    const scored = [ranking.truePositives[ranking.last] || 1, ranking.falsePositives[ranking.last] || 1];
    for (let index = 1; index <= ranking.last; index += 1) {
      const share = (position(ranking.thresholds[index]) - first) / (last - first);
      if (!(share >= 0 && share <= 1)) continue;
      const bin = Math.min(Math.floor(share * count), count - 1);
      positive[bin] += (ranking.truePositives[index] - ranking.truePositives[index - 1]) / scored[0];
      negative[bin] += (ranking.falsePositives[index] - ranking.falsePositives[index - 1]) / scored[1];
    }
    return { edges: Array.from({ length: count + 1 }, (_, edge) => value(first + (edge / count) * (last - first))), positive, negative };
  }

  /** Cost over the threshold; the costs of a band as either of its thresholds moves. */
  function cost(view) {
    const { prior, costs, ranking } = view;
    const factor = costFactor(view);
    const scale = scoreScale(view);
    const columns = (each) => costColumns(each, costs, prior);
    const scaled = (values) => values.map((value) => value * factor);
    const active = columns(ranking);
    const lines = view.band ? [] : modelLines(view, (each) => stepped(view, each, scaled(columns(each).total), scale), { models: modelsOnAxis(view) });
    const single = scaled(active.total);
    const bandLines = view.band ? [bandLine(view, "upper", stepped(view, ranking, scaled(active.upper), scale)), bandLine(view, "lower", stepped(view, ranking, scaled(active.lower), scale))] : [];
    const total = () => Rankings.totalCost(view.matrix, costs) * factor;
    const shifts = (next) => ({ upper: active.lower[next.selection.lower] * factor, lower: active.upper[next.selection.upper] * factor });
    const shown = shifts(view);
    const values = view.band
      ? [...bandLines.flatMap((line) => visible([line], scale).map((y) => y + shown[line.key])), total()]
      : visible(lines, scale);
    const problem = Rankings.costProblem(costs);
    const others = view.rankings.length > 1 && lines.length < 2 && !view.band ? " Other models have scores on other scales: see the chart by share flagged." : "";
    const best = Rankings.lowestCostIndex(ranking, costs, prior);
    return {
      title: kindOf(view) === "cost" ? texts(view, "expected_cost").title ?? "Expected cost by threshold" : `${Words.capitalized(kindOf(view))} by threshold`,
      caption: problem || (view.band ? `${Words.capitalized(kindOf(view))} of the band as either of its thresholds moves.` : `${ends(ranking)}${others}`),
      x: { ...scale, label: axis(view, "expected_cost", "x", "Threshold").label },
      y: { ...valueScale(values), kind: costKind(view), label: costLabel(view) },
      layers: [...lines, ...bandLines],
      marks: view.band || problem ? [] : [{ x: ranking.drawnThreshold(best), y: single[best], colour: lines.at(-1)?.colour, label: `${bestName(view)}: ${costText(view, single[best])}` }],
      points: { xs: ranking.thresholds, ys: single },
      heights: (next) => (next.band ? Rankings.totalCost(next.matrix, next.costs) * factor : null),
      shift: view.band ? shifts : null,
      seek: "score",
      guide: "line",
      readout: rateTexts(view, "recall", "false positive rate"),
    };
  }

  /** What is predicted at either end of an axis of thresholds. */
  const ends = ({ sign }) => (sign > 0 ? "Left: everything is flagged; right: nothing." : "Left: nothing is flagged; right: everything.");

  /** Line of a band's cost as its upper or lower threshold moves, without the part that the other one adds. */
  function bandLine(view, key, coordinates) {
    return { kind: "line", role: "limit", key, label: `${key} threshold`, colour: Palette.classes(view)[view.active], active: key === "upper", ...coordinates };
  }

  /** Predicted labels have no curve: a point for each model, with intervals of both rates. */
  function labelPoints(view) {
    const classes = Palette.classes(view);
    const limits = ({ value, low, high }) => [low ?? value, high ?? value];
    const marks = view.rankings.flatMap(({ model, name }, index) => {
      const { fpr, tpr } = model.point ?? {};
      if (!Number.isFinite(fpr?.value) || !Number.isFinite(tpr?.value)) return [];
      return [{ x: fpr.value, y: tpr.value, colour: classes[index], className: `model ${classes[index]}${index === view.active ? " active" : ""}`, limits: { x: limits(fpr), y: limits(tpr) }, label: Words.isolated(name, 28) }];
    });
    return {
      title: texts(view, "roc").title ?? "ROC curve",
      caption: caption(view, "roc"),
      x: { ...SHARE, label: axis(view, "roc", "x", "False positive rate").label },
      y: { ...SHARE, label: axis(view, "roc", "y", "True positive rate (recall)").label },
      layers: [DIAGONAL],
      marks,
      points: { xs: rates(view.ranking).fpr, ys: rates(view.ranking).tpr },
      seek: "nearest",
      guide: "point",
      isFixed: true,
    };
  }

  function roc(view) {
    if (view.document.labels_only) return labelPoints(view);
    const { ranking } = view;
    const { tpr, fpr } = rates(ranking);
    const colour = Palette.classes(view)[view.active];
    const band = ranking.model.bands?.roc;
    const bandLayers = band ? [{ kind: "band", role: "model", colour, xs: band.x, low: band.low, high: band.high }] : [];
    const aucText = (each) => (Number.isFinite(Palette.auc(each)) ? ` ${Palette.auc(each).toFixed(3)}` : "");
    const lines = modelLines(view, (each) => pickedLine(view, each, rates(each).fpr, rates(each).tpr), { suffix: aucText });
    if (view.rankings.length === 1 && lines.length) lines[0].label = `AUC${aucText(ranking)}`;
    return {
      title: texts(view, "roc").title ?? "ROC curve",
      caption: caption(view, "roc", band && `Shaded: ${band.level} confidence band.`, view.rankings.length > 1 && "Numbers: AUC."),
      x: { ...shareScale(view, (index) => fpr[index]), label: axis(view, "roc", "x", "False positive rate").label },
      y: { ...recallScale(view), label: axis(view, "roc", "y", "True positive rate (recall)").label },
      layers: [DIAGONAL, ...bandLayers, ...lines],
      points: { xs: fpr, ys: tpr },
      seek: "nearest",
      guide: "point",
      readout: rateTexts(view, "false positive rate", "recall"),
    };
  }

  /** Recall, specificity and precision over the threshold. */
  function metrics(view) {
    const { ranking, prior } = view;
    const { tpr, fpr } = rates(ranking);
    const scale = scoreScale(view);
    const values = { recall: tpr, specificity: fpr.map((value) => 1 - value), precision: precisions(ranking, prior) };
    const depth = zoomedDepth(view);
    const limits = depth === null ? SHARE : { ...SHARE, high: Math.max(recallScale(view).high, roundUp(highestPrecision(view))) };
    // Where few rows are flagged, specificity is close to 1: it is said, so that the others can be seen.
    const shown = limits.high < 1 ? ["recall", "precision"] : Object.keys(values);
    const lines = shown.map((name) => ({
      kind: "line", role: "metric", colour: name, active: true, label: metricName(name), ...stepped(view, ranking, values[name], scale),
    }));
    return {
      title: "Metrics by threshold",
      caption: shown.length < 3 ? `${Words.capitalized(metricName("specificity"))} is at least ${share(values.specificity[zoomedIndex(view, depth)])} at all of these thresholds.` : "",
      x: { ...scale, label: texts(view, "metrics").x?.label ?? "Threshold" },
      y: { ...limits, label: "" },
      layers: lines,
      points: { xs: ranking.thresholds, ys: tpr },
      // In a band, recall and precision are those of its upper threshold, specificity is that of its lower one.
      dots: ({ upper, lower }) => [["recall", upper], ["precision", upper], ["specificity", lower]].filter(([name]) => shown.includes(name)).map(([colour, index]) => ({ colour, index, y: values[colour][index] })),
      seek: "score",
      guide: "line",
      readout: rateTexts(view, "recall", "specificity", "precision"),
    };
  }

  /** The highest precision of more than a few rows. */
  function highestPrecision({ ranking, prior }) {
    const counts = (index) => ranking.truePositives[index] + ranking.falsePositives[index];
    return precisions(ranking, prior).reduce((highest, value, index) => (counts(index) >= MIN_FLAGGED && value > highest ? value : highest), 0);
  }

  function precisionRecall(view) {
    const { prior, ranking } = view;
    const { prevalence } = prior;
    const project = (tpr, fpr) => [tpr, (prevalence * tpr) / (prevalence * tpr + (1 - prevalence) * fpr)];
    return {
      title: texts(view, "precision_recall").title ?? "Precision–recall curve",
      caption: caption(view, "precision_recall", `Dotted: chance, a precision of ${percent(prevalence)}.`),
      x: { ...recallScale(view), label: axis(view, "precision_recall", "x", "Recall").label },
      y: { ...shareScale(view, () => roundUp(highestPrecision(view))), label: axis(view, "precision_recall", "y", "Precision").label },
      layers: [reference("chance", [[0, prevalence], [1, prevalence]]), ...modelLines(view, (each) => interpolated(view, each, project))],
      points: { xs: rates(ranking).tpr, ys: precisions(ranking, prior) },
      seek: "nearest",
      guide: "point",
      readout: rateTexts(view, "recall", "precision"),
    };
  }

  function gains(view) {
    const { prior, ranking } = view;
    const { prevalence } = prior;
    return {
      title: texts(view, "gains").title ?? "Cumulative gains",
      caption: caption(view, "gains", "Dotted: chance. Dashed: perfect ranking."),
      x: { ...shareScale(view, (_, depth) => depth), label: depthLabel },
      y: { ...recallScale(view), label: axis(view, "gains", "y", "Recall").label },
      layers: [
        DIAGONAL,
        reference("ideal", [[0, 0], [prevalence, 1], [1, 1]]),
        ...modelLines(view, (each) => pickedLine(view, each, depths(each, prior), rates(each).tpr)),
      ],
      points: { xs: depths(ranking, prior), ys: rates(ranking).tpr },
      seek: "x",
      guide: "line",
      dots: ({ upper, lower }) => [upper, lower].map((index) => ({ colour: "own", index, y: rates(ranking).tpr[index] })),
      readout: rateTexts(view, "share flagged", "recall"),
    };
  }

  function lift(view) {
    const { prior, ranking } = view;
    const { prevalence } = prior;
    const project = (tpr, fpr) => {
      const depth = prevalence * tpr + (1 - prevalence) * fpr;
      return [depth, tpr / depth];
    };
    const lines = modelLines(view, (each) => interpolated(view, each, project));
    let highest = 1.2;
    for (const { ys } of lines) for (const y of ys) if (y > highest) highest = y;
    const { tpr } = rates(ranking);
    const shares = depths(ranking, prior);
    const values = tpr.map((value, index) => value / shares[index]);
    return {
      title: texts(view, "lift").title ?? "Lift curve",
      caption: caption(view, "lift", "Dotted: chance."),
      x: { ...shareScale(view, (_, depth) => depth), label: depthLabel },
      y: { low: 0, high: highest * 1.05, label: axis(view, "lift", "y", "Lift").label },
      layers: [reference("chance", [[0, 1], [1, 1]]), ...lines],
      points: { xs: shares, ys: values },
      seek: "x",
      guide: "line",
      dots: ({ upper, lower }) => [upper, lower].map((index) => ({ colour: "own", index, y: values[index] })),
      readout: (index) => [["lift", Number.isNaN(values[index]) ? "undefined" : Numbers.number(values[index], 2)], ...rateTexts(view, "share flagged")(index)],
    };
  }

  /** Profit or cost by the share predicted positive: comparable between models whatever their scores. */
  function profit(view) {
    const { prior, costs, ranking } = view;
    const factor = costFactor(view);
    const totals = (each) => costColumns(each, costs, prior).total.map((value) => value * factor);
    const lines = modelLines(view, (each) => pickedLine(view, each, depths(each, prior), totals(each)));
    const values = totals(ranking);
    const depthScale = shareScale(view, (_, depth) => depth);
    return {
      title: isProfit(view) ? texts(view, "profit").title ?? "Profit curve" : `${Words.capitalized(kindOf(view))} by share flagged`,
      caption: Rankings.costProblem(costs) || "Left: nothing is flagged; right: everything.",
      x: { ...depthScale, label: depthLabel },
      y: { ...valueScale(visible(lines, depthScale).concat(0)), kind: costKind(view), label: costLabel(view) },
      layers: [reference("chance", [[0, 0], [1, 0]]), ...lines],
      points: { xs: depths(ranking, prior), ys: values },
      heights: (next) => (next.band ? Rankings.totalCost(next.matrix, next.costs) * factor : null),
      seek: "x",
      guide: "line",
      readout: rateTexts(view, "share flagged", "recall"),
    };
  }

  function calibration(view) {
    const { ranking, prior } = view;
    const diagram = ranking.model.calibration;
    const odds = (prior.prevalence * (1 - ranking.prevalence)) / ((1 - prior.prevalence) * ranking.prevalence);
    const atPrevalence = (values) => values.map((value) => (prior.isSample || value === 1 ? value : 1 / (1 + (1 - value) / (value * odds))));
    const probability = (score) => clamp(score, 0, 1);
    const colour = Palette.classes(view)[view.active];
    const band = diagram.low ? [{ kind: "band", role: "model", colour, xs: diagram.x, low: atPrevalence(diagram.low), high: atPrevalence(diagram.high) }] : [];
    const fitted = atPrevalence(diagram.y);
    const xs = ranking.thresholds.map(probability);
    const heightAt = (score) => {
      const next = diagram.x.findIndex((x) => x >= score);
      return fitted.at(next < 0 ? -1 : next);
    };
    const limit = shareScale(view, (index) => Math.max(probability(ranking.thresholds[1]), 10 * prior.prevalence));
    return {
      title: texts(view, "calibration").title ?? "Reliability diagram",
      caption: caption(view, "calibration", diagram.low && `Shaded: ${diagram.level} consistency band: where the curve would lie if the model were calibrated.`),
      x: { ...limit, kind: "plain", label: `Predicted probability (${modelName(ranking)})` },
      y: { ...limit, label: axis(view, "calibration", "y", "Observed frequency").label },
      layers: [DIAGONAL, ...band, { kind: "line", role: "model", colour, active: true, xs: diagram.x, ys: fitted }],
      points: { xs, ys: { get: (index) => heightAt(xs[index]) } },
      seek: "score",
      guide: "line",
      dots: ({ upper, lower }) => [upper, lower].map((index) => ({ colour: "own", index, y: heightAt(xs[index]) })),
      readout: (index) => [["observed", share(heightAt(xs[index]))], ...costAt(view, index)],
    };
  }

  function decisionMap(view) {
    const expected = (ranking, index, probability) => (1 - ranking.tpr(index)) * probability + ranking.fpr(index) * (1 - probability);
    const steps = Array.from({ length: 101 }, (_, step) => step / 100);
    const envelope = (ranking) => ({
      xs: steps, ys: steps.map((probability) => Math.min(...ranking.model.hull.map((index) => expected(ranking, index, probability)))),
    });
    const probabilityCost = Rankings.probabilityCost(view.costs, view.prior.prevalence);
    const line = (index) => [[0, view.ranking.fpr(index)], [1, 1 - view.ranking.tpr(index)]];
    return {
      title: texts(view, "decision_map").title ?? "Which model is best for which costs",
      caption: caption(view, "decision_map", "Dash-dotted: the threshold. Dotted: everything or nothing is flagged."),
      x: { ...SHARE, label: "Probability cost PC(+)" },
      y: { low: 0, high: 0.5, kind: "share", label: "Normalized expected cost" },
      layers: [reference("chance", [[0, 0], [0.5, 0.5], [1, 0]]), ...modelLines(view, envelope)],
      points: {
        xs: { get: () => probabilityCost },
        ys: { get: (index) => expected(view.ranking, index, probabilityCost) },
      },
      seek: "vertex",
      guide: "point",
      moving: (next) => [...new Set([next.selection.upper, next.band ? next.selection.lower : next.selection.upper])].map((index) => reference("iso", line(index))),
      readout: rateTexts(view, "recall", "false positive rate"),
    };
  }

  function folds(view) {
    const { curves, average, band, about } = view.ranking.model.folds;
    const colour = Palette.classes(view)[view.active];
    const lines = curves.map(({ x, y }) => ({ kind: "line", role: "fold", xs: x, ys: y }));
    const bandLayers = band ? [{ kind: "band", role: "model", colour, xs: band.x, low: band.low, high: band.high }] : [];
    const mean = average ? [{ kind: "line", role: "model", colour, active: true, xs: average.x, ys: average.y }] : [];
    const { tpr, fpr } = rates(view.ranking);
    return {
      title: `ROC curves of ${curves.length} folds`,
      caption: about,
      x: { ...SHARE, label: axis(view, "roc", "x", "False positive rate").label },
      y: { ...SHARE, label: axis(view, "roc", "y", "True positive rate (recall)").label },
      layers: [DIAGONAL, ...bandLayers, ...lines, ...mean],
      points: { xs: fpr, ys: tpr },
      seek: "nearest",
      guide: "point",
      readout: rateTexts(view, "false positive rate", "recall"),
    };
  }

  /** A curve whose points at the thresholds are in the document, at the prevalence of the rows. */
  function documentCurve(name) {
    return (view) => {
      const { title, about: caption, x, y } = view.ranking.model.curves[name];
      const column = (ranking, side) => Float64Array.from(ranking.model.curves[name].points[side], (value) => value ?? NaN);
      const coordinates = (ranking) => ({ xs: column(ranking, 0), ys: column(ranking, 1) });
      const models = drawnModels(view).filter((model) => view.rankings[model].model.curves?.[name]);
      const points = coordinates(view.ranking);
      return {
        title, caption, x, y, layers: modelLines(view, coordinates, { models }), points, seek: "nearest", guide: "point",
        readout: (index) => [[x.label, valueText(points.xs[index], x.kind)], [y.label, valueText(points.ys[index], y.kind)], ...costAt(view, index)],
      };
    };
  }

  const valueText = (value, kind) => (kind === "share" ? share(value) : Numbers.number(value));

  const ALL = { scores, cost, roc, metrics, precisionRecall, gains, lift, profit, calibration, decisionMap, folds };
  const FOR_ONE_CLASS = new Set(["scores"]);

  /** Names of the charts that a view can show. */
  function available(view) {
    const { ranking, prior } = view;
    const hasBothClasses = ranking.positives > 0 && ranking.negatives > 0;
    const isMissing = {
      folds: !ranking.model.folds,
      calibration: Boolean(ranking.model.calibration?.reason ?? !ranking.model.calibration),
      profit: !isProfit(view) && view.rankings.length < 2,
    };
    if (view.document.labels_only) return hasBothClasses ? ["roc"] : [];
    const documentCurves = prior.isSample && hasBothClasses ? Object.keys(ranking.model.curves ?? {}) : [];
    return [...Object.keys(ALL).filter((name) => !isMissing[name] && (hasBothClasses || FOR_ONE_CLASS.has(name))), ...documentCurves];
  }

  /** Why the reliability diagram is missing; empty if it is shown. */
  function missingSentence(view) {
    const reason = view.ranking.model.calibration?.reason;
    return reason ? `There is no reliability diagram: ${reason}.` : "";
  }

  /** The chart with a name. */
  const chart = (name, view) => ({ name, ...(ALL[name] ?? documentCurve(name))(view) });

  return { ALL, isProfit, kindOf, available, chart, missingSentence, isRare, zoomedDepth, costNumber, costName, costFactor };
})();
