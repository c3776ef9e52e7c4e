/* Charts of the report, one function each. Coordinates are data values; panels.js draws them.

   A chart is {title, caption, x, y, layers, position, seek, guide, moving}: `position(ranking, index)` is
   the point of a threshold, `seek` how a pointer selects one (the "nearest" point, or by "x" alone),
   `guide` whether a threshold is drawn as a "line" or a "point", `moving` returns the layers that
   move with the threshold. */
const Charts = (() => {
  "use strict";

  const { clamp } = Svg;
  const SHARE = { low: 0, high: 1, kind: "share" };
  const DIAGONAL = { kind: "line", role: "chance", points: [[0, 0], [1, 1]] };
  const MAX_PARTS = 40;

  /** Points of a curve over all thresholds, interpolated in the ROC plane unless `straight`. */
  function curvePoints(ranking, project, straight = false) {
    const points = [];
    for (let index = 0; index <= ranking.last; index += 1) {
      if (index && !straight) {
        const [x0, y0, x1, y1] = [ranking.fpr(index - 1), ranking.tpr(index - 1), ranking.fpr(index), ranking.tpr(index)];
        const parts = Math.min(MAX_PARTS, Math.ceil(MAX_PARTS * (Math.abs(x1 - x0) + Math.abs(y1 - y0))));
        for (let part = index === 1 ? 0.01 : 1; part < parts; part = Math.floor(part + 1)) {
          const share = part / parts;
          points.push(project(y0 + share * (y1 - y0), x0 + share * (x1 - x0)));
        }
      }
      points.push(project(ranking.tpr(index), ranking.fpr(index)));
    }
    return points;
  }

  /** Indices of all models, the active one last so that it is drawn on top. */
  function drawingOrder(view) {
    return [...view.rankings.keys()].filter((model) => model !== view.active).concat(view.active);
  }

  /** Lines of all models. */
  function modelLines(view, project, straight = false) {
    return drawingOrder(view)
      .filter((model) => view.rankings[model].positives && view.rankings[model].negatives)
      .map((model) => ({
        kind: "line", role: "model", order: model, active: model === view.active,
        points: curvePoints(view.rankings[model], project, straight),
      }));
  }

  const depthLabel = (view) => `Share predicted ${view.positive}`;
  const recallAxis = (view) => ({ ...SHARE, label: `True positive rate (recall of ${view.positive})` });

  const fprAxis = (view) => ({ ...SHARE, label: `False positive rate (${view.negative} predicted ${view.positive})` });

  /** Slope of iso-cost lines in the ROC plane. */
  function isoSlope(view) {
    const { costs, prior } = view;
    const falseNegative = (costs.fn - costs.tp) * prior.prevalence;
    return falseNegative > 0 ? ((costs.fp - costs.tn) * (1 - prior.prevalence)) / falseNegative : Infinity;
  }

  /** The part of a line through a point that is inside the unit square. */
  function clipToSquare([x, y], slope) {
    if (!Number.isFinite(slope)) return [[x, 0], [x, 1]];
    const low = slope > 0 ? clamp(x - y / slope, 0, 1) : 0;
    const high = slope > 0 ? clamp(x + (1 - y) / slope, 0, 1) : 1;
    return [low, high].map((end) => [end, y + slope * (end - x)]);
  }

  function roc(view) {
    const position = (ranking, index) => [ranking.fpr(index), ranking.tpr(index)];
    const hull = view.ranking.model.hull.map((index) => position(view.ranking, index));
    return {
      title: "ROC curve",
      caption: "Dashed: convex hull. Dash-dotted: iso-cost line through the threshold.",
      x: fprAxis(view),
      y: recallAxis(view),
      layers: [DIAGONAL, { kind: "line", role: "hull", points: hull }, ...modelLines(view, (tpr, fpr) => [fpr, tpr], true)],
      position,
      seek: "nearest",
      guide: "point",
      moving: (index) => [{ kind: "line", role: "iso", points: clipToSquare(position(view.ranking, index), isoSlope(view)) }],
    };
  }

  function precisionRecall(view) {
    const { prevalence } = view.prior;
    const project = (tpr, fpr) => [tpr, (prevalence * tpr) / (prevalence * tpr + (1 - prevalence) * fpr)];
    return {
      title: "Precision–recall curve",
      caption: `Dotted: chance, a precision of ${Numbers.percent(prevalence)} at every recall.`,
      x: { ...SHARE, label: `Recall (sensitivity) of ${view.positive}` },
      y: { ...SHARE, label: `Precision (PPV) of ${view.positive}` },
      layers: [{ kind: "line", role: "chance", points: [[0, prevalence], [1, prevalence]] }, ...modelLines(view, project)],
      position: (ranking, index) => project(ranking.tpr(index), ranking.fpr(index)),
      seek: "nearest",
      guide: "point",
    };
  }

  function gains(view) {
    const { prevalence } = view.prior;
    const project = (tpr, fpr) => [prevalence * tpr + (1 - prevalence) * fpr, tpr];
    return {
      title: "Cumulative gains",
      caption: "Dotted: chance. Dashed: perfect ranking.",
      x: { ...SHARE, label: depthLabel(view) },
      y: recallAxis(view),
      layers: [
        DIAGONAL,
        { kind: "line", role: "ideal", points: [[0, 0], [prevalence, 1], [1, 1]] },
        ...modelLines(view, project, true),
      ],
      position: (ranking, index) => project(ranking.tpr(index), ranking.fpr(index)),
      seek: "x",
      guide: "line",
    };
  }

  function lift(view) {
    const { prevalence } = view.prior;
    const project = (tpr, fpr) => {
      const depth = prevalence * tpr + (1 - prevalence) * fpr;
      return [depth, tpr / depth];
    };
    const lines = modelLines(view, project);
    const highest = Math.max(1.2, ...lines.flatMap((line) => line.points.map(([, y]) => (y > 0 ? y : 0))));
    return {
      title: "Lift curve",
      caption: `Precision divided by the prevalence of ${view.positive}. Dotted: chance.`,
      x: { ...SHARE, label: depthLabel(view) },
      y: { low: 0, high: highest * 1.05, label: "Lift" },
      layers: [{ kind: "line", role: "chance", points: [[0, 1], [1, 1]] }, ...lines],
      position: (ranking, index) => project(ranking.tpr(index), ranking.fpr(index)),
      seek: "x",
      guide: "line",
    };
  }

  function cost(view) {
    const { prior, costs } = view;
    const isProfit = Math.min(costs.tp, costs.tn, costs.fp, costs.fn) < 0;
    const sign = isProfit ? -1 : 1;
    const position = (ranking, index) => [
      Rankings.depth(ranking, index, prior),
      sign * Rankings.totalCost(Rankings.matrix(ranking, index, index, prior), costs),
    ];
    const layers = modelLines(view, () => [0, 0], true).map((line) => ({
      ...line, points: Array.from(view.rankings[line.order].thresholds, (_, index) => position(view.rankings[line.order], index)),
    }));
    const heights = layers.flatMap((line) => line.points.map(([, y]) => y)).concat(0);
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    const margin = 0.04 * (high - low || 1);
    return {
      title: isProfit ? "Profit curve" : "Cost by share predicted positive",
      caption: `Total ${isProfit ? "profit" : "cost"} for ${Numbers.count(prior.population)} ${view.unit}; left: nothing predicted ${view.positive}, right: everything.`,
      x: { ...SHARE, label: depthLabel(view) },
      y: { low: low < 0 ? low - margin : 0, high: high + margin, label: isProfit ? "Profit" : "Cost" },
      layers: [{ kind: "line", role: "chance", points: [[0, 0], [1, 0]] }, ...layers],
      position,
      seek: "x",
      guide: "line",
    };
  }

  /** Score axis, slightly wider than the histogram. */
  function scoreAxis(view, label) {
    const { edges, kind } = view.ranking.model.scores;
    const [low, high] = [edges[0], edges[edges.length - 1]];
    if (kind === "log") return { low: low / 1.2, high: high * 1.2, kind, label };
    const margin = 0.03 * (high - low || 1);
    return { low: low - margin, high: high + margin, label };
  }

  function scores(view) {
    const { edges, positive, negative } = view.ranking.model.scores;
    const highest = Math.max(...positive, ...negative, 1e-9) * 1.08;
    const bars = (heights, sign, role) => ({
      kind: "bars", role, edges, heights: heights.map((height) => sign * height),
    });
    return {
      title: "Scores by class",
      caption: `Upwards: ${view.positive}. Downwards: ${view.negative}. The bars of each class sum to 100%.`,
      x: scoreAxis(view, view.ranking.name === "score" ? "Score" : `Score (${view.ranking.name})`),
      y: { low: -highest, high: highest, kind: "share", label: "Share of the class", absolute: true },
      layers: [bars(positive, 1, "positive"), bars(negative, -1, "negative"), { kind: "line", role: "axis", points: [[edges[0], 0], [edges[edges.length - 1], 0]] }],
      position: (ranking, index) => [view.ranking.model.scores.discrete ? barEdge(ranking, index, edges) : ranking.drawnThreshold(index), 0],
      seek: "x",
      guide: "line",
      scoreOf: (score) => score,
    };
  }

  /** Position of a threshold at the edge of the bar of a discrete score, never inside it. */
  function barEdge(ranking, index, edges) {
    const bars = edges.length - 1;
    return edges[clamp(ranking.sign > 0 ? bars - index : index, 0, bars)];
  }

  /** Observed frequencies at another prevalence, by the ratio of the prior odds. */
  function atPrevalence(view, frequencies) {
    const odds = (p) => p / (1 - p);
    const oddsRatio = odds(view.prior.prevalence) / odds(view.ranking.prevalence);
    return frequencies.map((p) => (p === null ? NaN : (p * oddsRatio) / (p * oddsRatio + 1 - p)));
  }

  function calibration(view) {
    const diagram = view.ranking.model.calibration;
    const probability = (score) => (view.ranking.sign > 0 ? score : 1 - score);
    const band = diagram.low
      ? [{ kind: "band", role: "model", order: view.active, x: diagram.x, low: atPrevalence(view, diagram.low), high: atPrevalence(view, diagram.high) }]
      : [];
    const fitted = atPrevalence(view, diagram.y);
    return {
      title: "Reliability diagram",
      caption: diagram.low ? `Shaded: ${diagram.level} consistency band: where the curve would lie if the model were calibrated.` : "Diagonal: perfect calibration.",
      x: { low: 0, high: 1, label: `Predicted probability (${view.ranking.name})` },
      y: { ...SHARE, label: `Observed frequency of ${view.positive}` },
      layers: [DIAGONAL, ...band, { kind: "line", role: "model", order: view.active, active: true, points: diagram.x.map((x, index) => [x, fitted[index]]) }],
      position: (ranking, index) => {
        const x = probability(ranking.drawnThreshold(index));
        const next = diagram.x.findIndex((score) => score >= x);
        return [x, fitted.at(next < 0 ? -1 : next)];
      },
      seek: "x",
      guide: "line",
      scoreOf: probability,
    };
  }

  function decisionMap(view) {
    const expectedCost = (ranking, index, probability) => (1 - ranking.tpr(index)) * probability + ranking.fpr(index) * (1 - probability);
    const envelope = (ranking) => Array.from({ length: 101 }, (_, step) => {
      const probability = step / 100;
      return [probability, Math.min(...ranking.model.hull.map((index) => expectedCost(ranking, index, probability)))];
    });
    const layers = drawingOrder(view).map((model) => ({
      kind: "line", role: "model", order: model, active: model === view.active, points: envelope(view.rankings[model]),
    }));
    const probabilityCost = Rankings.probabilityCost(view.costs, view.prior.prevalence);
    return {
      title: "Decision map",
      caption: "Lower envelope of each model's cost curve. Dash-dotted: the threshold. Dotted: all or none predicted positive.",
      x: { ...SHARE, label: "Probability cost PC(+)" },
      y: { low: 0, high: 0.5, kind: "share", label: "Normalized expected cost" },
      layers: [{ kind: "line", role: "chance", points: [[0, 0], [0.5, 0.5], [1, 0]] }, ...layers],
      position: (ranking, index) => [probabilityCost, expectedCost(ranking, index, probabilityCost)],
      seek: "best",
      guide: "line",
      moving: (index) => [{ kind: "line", role: "iso", points: [[0, view.ranking.fpr(index)], [1, 1 - view.ranking.tpr(index)]] }],
    };
  }

  function folds(view) {
    const foldCurves = view.ranking.model.folds;
    const lines = foldCurves.curves.map((curve) => ({ kind: "line", role: "fold", points: curve.x.map((x, index) => [x, curve.y[index]]) }));
    const { average, band } = foldCurves;
    const bandLayers = band ? [{ kind: "band", role: "model", order: view.active, x: band.x, low: band.low, high: band.high }] : [];
    const mean = average ? [{ kind: "line", role: "model", order: view.active, active: true, points: average.x.map((x, index) => [x, average.y[index]]) }] : [];
    return {
      title: `ROC curves of ${foldCurves.curves.length} folds`,
      caption: foldCurves.about,
      x: fprAxis(view),
      y: recallAxis(view),
      layers: [DIAGONAL, ...bandLayers, ...lines, ...mean],
      position: (ranking, index) => [ranking.fpr(index), ranking.tpr(index)],
      seek: "nearest",
      guide: "point",
    };
  }

  /** A curve whose points at the stops are in the document, at the prevalence of the rows. */
  function documentCurve(name) {
    return (view) => {
      const { title, about: caption, x, y } = view.ranking.model.curves[name];
      const position = (ranking, index) => ranking.model.curves[name].points.map((values) => values[index] ?? NaN);
      const layers = modelLines(view, () => [0, 0], true)
        .filter((line) => view.rankings[line.order].model.curves?.[name])
        .map((line) => {
          const ranking = view.rankings[line.order];
          return { ...line, points: Array.from(ranking.thresholds, (_, index) => position(ranking, index)) };
        });
      return { title, caption, x, y, layers, position, seek: "nearest", guide: "point" };
    };
  }

  const ALL = { roc, precisionRecall, scores, gains, lift, cost, calibration, decisionMap, folds };

  /** Names of the charts that a view can show. */
  function available(view) {
    const hasBothClasses = view.ranking.positives > 0 && view.ranking.negatives > 0;
    const lacksData = (name) => (name === "folds" ? !view.ranking.model.folds : !hasBothClasses && name !== "scores");
    const isUncalibrated = (name) => name === "calibration" && view.ranking.model.calibration.reason;
    const documentCurves = view.prior.isSample ? Object.keys(view.ranking.model.curves ?? {}) : [];
    return [...Object.keys(ALL).filter((name) => !lacksData(name) && !isUncalibrated(name)), ...documentCurves];
  }

  /** Why the reliability diagram is missing; empty if it is shown. */
  function missingSentence(view) {
    const { reason } = view.ranking.model.calibration;
    return reason ? `There is no reliability diagram: ${reason}.` : "";
  }

  /** The chart with a name. */
  function chart(name, view) {
    return (ALL[name] ?? documentCurve(name))(view);
  }

  return { ALL, available, chart, missingSentence };
})();
