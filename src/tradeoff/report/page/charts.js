/* What each chart shows: one function a chart. Coordinates are values; panels.js draws them.

   A chart is {title, about, x, y, layers, at, seek, guide, moving}: `at(ranking, place)` is where a
   threshold lies, `seek` how a pointer finds one ("nearest" point, or by "x" alone), `guide` whether
   the line is a "line" or a "point", `moving` what follows the line. */
const Charts = (() => {
  "use strict";

  const { clamp } = Drawing;
  const SHARE = { low: 0, high: 1, kind: "share" };
  const DIAGONAL = { kind: "line", role: "chance", points: [[0, 0], [1, 1]] };
  const FINE = 40;

  /** A curve through a ranking's places; between two of them rows are mixed. */
  function through(ranking, f, straight = false) {
    const points = [];
    for (let at = 0; at <= ranking.last; at += 1) {
      if (at && !straight) {
        const [x0, y0, x1, y1] = [ranking.fpr(at - 1), ranking.tpr(at - 1), ranking.fpr(at), ranking.tpr(at)];
        const parts = Math.min(FINE, Math.ceil(FINE * (Math.abs(x1 - x0) + Math.abs(y1 - y0))));
        for (let part = at === 1 ? 0.01 : 1; part < parts; part = Math.floor(part + 1)) {
          const share = part / parts;
          points.push(f(y0 + share * (y1 - y0), x0 + share * (x1 - x0)));
        }
      }
      points.push(f(ranking.tpr(at), ranking.fpr(at)));
    }
    return points;
  }

  /** One line a model, the chosen one last so that it lies on top. */
  function modelLines(view, f, straight = false) {
    const order = view.rankings.map((_, at) => at).filter((at) => at !== view.active).concat(view.active);
    return order
      .filter((at) => view.rankings[at].positives && view.rankings[at].negatives)
      .map((at) => ({
        kind: "line", role: "model", order: at, active: at === view.active,
        points: through(view.rankings[at], f, straight),
      }));
  }

  const called = (view) => `share of all called ${view.positive}`;
  const foundAxis = (view) => ({ ...SHARE, label: `share of ${view.positive} found (true positive rate)` });

  const alarmsAxis = (view) => ({ ...SHARE, label: `share of ${view.negative} called ${view.positive} (false positive rate)` });

  /** The slope of lines of equal cost in the ROC plane. */
  function isoSlope(view) {
    const { costs, prior } = view;
    const miss = (costs.fn - costs.tp) * prior.prevalence;
    return miss > 0 ? ((costs.fp - costs.tn) * (1 - prior.prevalence)) / miss : Infinity;
  }

  /** The part of a line through a point that lies inside the unit square. */
  function inSquare([x, y], slope) {
    if (!Number.isFinite(slope)) return [[x, 0], [x, 1]];
    const low = slope > 0 ? clamp(x - y / slope, 0, 1) : 0;
    const high = slope > 0 ? clamp(x + (1 - y) / slope, 0, 1) : 1;
    return [low, high].map((at) => [at, y + slope * (at - x)]);
  }

  function roc(view) {
    const at = (ranking, place) => [ranking.fpr(place), ranking.tpr(place)];
    const hull = view.ranking.model.hull.map((place) => at(view.ranking, place));
    return {
      title: "ROC curve",
      about: "Dashed: the hull. Dots and dashes: points that cost the same as the chosen one.",
      x: alarmsAxis(view),
      y: foundAxis(view),
      layers: [DIAGONAL, { kind: "line", role: "hull", points: hull }, ...modelLines(view, (tpr, fpr) => [fpr, tpr], true)],
      at,
      seek: "nearest",
      guide: "point",
      moving: (place) => [{ kind: "line", role: "iso", points: inSquare(at(view.ranking, place), isoSlope(view)) }],
    };
  }

  function precisionRecall(view) {
    const { prevalence } = view.prior;
    const f = (tpr, fpr) => [tpr, (prevalence * tpr) / (prevalence * tpr + (1 - prevalence) * fpr)];
    return {
      title: "Precision and recall",
      about: `Guessing has a precision of ${Numbers.share(prevalence)} at every recall.`,
      x: { ...SHARE, label: `share of ${view.positive} found (recall)` },
      y: { ...SHARE, label: `share of ${view.positive} among called (precision)` },
      layers: [{ kind: "line", role: "chance", points: [[0, prevalence], [1, prevalence]] }, ...modelLines(view, f)],
      at: (ranking, place) => f(ranking.tpr(place), ranking.fpr(place)),
      seek: "nearest",
      guide: "point",
    };
  }

  function gains(view) {
    const { prevalence } = view.prior;
    const f = (tpr, fpr) => [prevalence * tpr + (1 - prevalence) * fpr, tpr];
    return {
      title: "Cumulative gains",
      about: "Dotted: guessing. Dashed: a perfect ranking.",
      x: { ...SHARE, label: called(view) },
      y: foundAxis(view),
      layers: [
        DIAGONAL,
        { kind: "line", role: "ideal", points: [[0, 0], [prevalence, 1], [1, 1]] },
        ...modelLines(view, f, true),
      ],
      at: (ranking, place) => f(ranking.tpr(place), ranking.fpr(place)),
      seek: "x",
      guide: "line",
    };
  }

  function lift(view) {
    const { prevalence } = view.prior;
    const f = (tpr, fpr) => {
      const depth = prevalence * tpr + (1 - prevalence) * fpr;
      return [depth, tpr / depth];
    };
    const lines = modelLines(view, f);
    const highest = Math.max(1.2, ...lines.flatMap((line) => line.points.map(([, y]) => (y > 0 ? y : 0))));
    return {
      title: "Lift",
      about: `How many times as many ${view.positive} as in as many random rows.`,
      x: { ...SHARE, label: called(view) },
      y: { low: 0, high: highest * 1.05, label: "lift" },
      layers: [{ kind: "line", role: "chance", points: [[0, 1], [1, 1]] }, ...lines],
      at: (ranking, place) => f(ranking.tpr(place), ranking.fpr(place)),
      seek: "x",
      guide: "line",
    };
  }

  function cost(view) {
    const { prior, costs } = view;
    const gain = Math.min(costs.tp, costs.tn, costs.fp, costs.fn) < 0;
    const sign = gain ? -1 : 1;
    const each = view.rankings.map((ranking) => Rankings.totals(ranking, costs, prior));
    const at = (ranking, place) => [
      Rankings.depth(ranking, place, prior),
      sign * Rankings.total(Rankings.matrix(ranking, place, place, prior), costs),
    ];
    const layers = modelLines(view, () => [0, 0], true).map((line) => ({
      ...line, points: Array.from(each[line.order], (_, place) => at(view.rankings[line.order], place)),
    }));
    const heights = layers.flatMap((line) => line.points.map(([, y]) => y)).concat(0);
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    const room = 0.04 * (high - low || 1);
    return {
      title: gain ? "Profit" : "Cost",
      about: `${gain ? "What is earned" : "What is paid"} in all for ${Numbers.count(prior.population)} ${view.unit}; left end: none is called ${view.positive}, right end: all are.`,
      x: { ...SHARE, label: called(view) },
      y: { low: low < 0 ? low - room : 0, high: high + room, label: gain ? "profit" : "cost" },
      layers: [{ kind: "line", role: "chance", points: [[0, 0], [1, 0]] }, ...layers],
      at,
      seek: "x",
      guide: "line",
    };
  }

  /** The range of an axis of scores: a little more than the histogram has. */
  function scoreAxis(view, label) {
    const { edges, kind } = view.ranking.model.scores;
    const [low, high] = [edges[0], edges[edges.length - 1]];
    if (kind === "log") return { low: low / 1.2, high: high * 1.2, kind, label };
    const room = 0.03 * (high - low || 1);
    return { low: low - room, high: high + room, label };
  }

  function scores(view) {
    const { edges, positive, negative } = view.ranking.model.scores;
    const highest = Math.max(...positive, ...negative, 1e-9) * 1.08;
    const bars = (heights, sign, role) => ({
      kind: "bars", role, edges, heights: heights.map((height) => sign * height),
    });
    return {
      title: "Scores of each class",
      about: `Upwards: ${view.positive}. Downwards: ${view.negative}. Each class is 100 %.`,
      x: scoreAxis(view, view.ranking.name === "score" ? "score" : `score (${view.ranking.name})`),
      y: { low: -highest, high: highest, kind: "share", label: "share of the class", absolute: true },
      layers: [bars(positive, 1, "positive"), bars(negative, -1, "negative"), { kind: "line", role: "axis", points: [[edges[0], 0], [edges[edges.length - 1], 0]] }],
      at: (ranking, place) => [view.ranking.model.scores.discrete ? besideBar(ranking, place, edges) : ranking.readable(place), 0],
      seek: "x",
      guide: "line",
      ofScores: (score) => score,
    };
  }

  /** Where a bar is of one score, the line stands beside it, never in it. */
  function besideBar(ranking, place, edges) {
    const bars = edges.length - 1;
    return edges[Drawing.clamp(ranking.sign > 0 ? bars - place : place, 0, bars)];
  }

  /** Observed shares where positives are another share of all rows: odds are multiplied. */
  function shifted(view, shares) {
    const odds = (p) => p / (1 - p);
    const times = odds(view.prior.prevalence) / odds(view.ranking.prevalence);
    return shares.map((p) => (p === null ? NaN : (p * times) / (p * times + 1 - p)));
  }

  function calibration(view) {
    const own = view.ranking.model.calibration;
    const probability = (score) => (view.ranking.sign > 0 ? score : 1 - score);
    const band = own.low
      ? [{ kind: "band", role: "model", order: view.active, x: own.x, low: shifted(view, own.low), high: shifted(view, own.high) }]
      : [];
    const fitted = shifted(view, own.y);
    return {
      title: "Calibration",
      about: own.low ? `Shaded: where the line would lie in ${own.level} of cases if the scores were right.` : "On the diagonal scores are what happens.",
      x: { low: 0, high: 1, label: `probability (${view.ranking.name})` },
      y: { ...SHARE, label: `share that is ${view.positive}` },
      layers: [DIAGONAL, ...band, { kind: "line", role: "model", order: view.active, active: true, points: own.x.map((x, at) => [x, fitted[at]]) }],
      at: (ranking, place) => {
        const x = probability(ranking.readable(place));
        const next = own.x.findIndex((score) => score >= x);
        return [x, fitted.at(next < 0 ? -1 : next)];
      },
      seek: "x",
      guide: "line",
      ofScores: probability,
    };
  }

  function decisionMap(view) {
    const vertices = (ranking) => ranking.model.hull;
    const envelope = (ranking) => Array.from({ length: 101 }, (_, at) => {
      const share = at / 100;
      const costOf = (place) => (1 - ranking.tpr(place)) * share + ranking.fpr(place) * (1 - share);
      return [share, Math.min(...vertices(ranking).map(costOf))];
    });
    const order = view.rankings.map((_, at) => at).filter((at) => at !== view.active).concat(view.active);
    const layers = order.map((at) => ({
      kind: "line", role: "model", order: at, active: at === view.active, points: envelope(view.rankings[at]),
    }));
    const now = Rankings.probabilityCost(view.costs, view.prior.prevalence);
    return {
      title: "Decision map",
      about: "The least cost each model can reach. Dots and dashes: what the chosen threshold costs if conditions change. Dotted: calling none, or all.",
      x: { ...SHARE, label: "share of misses in the cost of deciding all wrongly, PC(+)" },
      y: { low: 0, high: 0.5, kind: "share", label: "cost, as a share of the worst" },
      layers: [{ kind: "line", role: "chance", points: [[0, 0], [0.5, 0.5], [1, 0]] }, ...layers],
      at: (ranking, place) => [now, (1 - ranking.tpr(place)) * now + ranking.fpr(place) * (1 - now)],
      seek: "best",
      guide: "line",
      moving: (place) => [{ kind: "line", role: "iso", points: [[0, view.ranking.fpr(place)], [1, 1 - view.ranking.tpr(place)]] }],
    };
  }

  function folds(view) {
    const own = view.ranking.model.folds;
    const lines = own.curves.map((curve) => ({ kind: "line", role: "fold", points: curve.x.map((x, at) => [x, curve.y[at]]) }));
    const { average, band } = own;
    const spread = band ? [{ kind: "band", role: "model", order: view.active, x: band.x, low: band.low, high: band.high }] : [];
    const mean = average ? [{ kind: "line", role: "model", order: view.active, active: true, points: average.x.map((x, at) => [x, average.y[at]]) }] : [];
    return {
      title: `ROC by fold (${own.curves.length} folds)`,
      about: own.about,
      x: alarmsAxis(view),
      y: foundAxis(view),
      layers: [DIAGONAL, ...spread, ...lines, ...mean],
      at: (ranking, place) => [ranking.fpr(place), ranking.tpr(place)],
      seek: "nearest",
      guide: "point",
    };
  }

  /** A curve of which Python gave the points at the stops, at the rows' own prevalence. */
  function given(name) {
    return (view) => {
      const { title, about, x, y } = view.ranking.model.curves[name];
      const at = (ranking, place) => ranking.model.curves[name].points.map((values) => values[place] ?? NaN);
      const layers = modelLines(view, () => [0, 0], true)
        .filter((line) => view.rankings[line.order].model.curves?.[name])
        .map((line) => {
          const ranking = view.rankings[line.order];
          return { ...line, points: Array.from(ranking.thresholds, (_, place) => at(ranking, place)) };
        });
      return { title, about, x, y, layers, at, seek: "nearest", guide: "point" };
    };
  }

  const ALL = { roc, precisionRecall, scores, gains, lift, cost, calibration, decisionMap, folds };

  /** The charts that this view can have, by name. */
  function all(view) {
    const both = view.ranking.positives > 0 && view.ranking.negatives > 0;
    const needless = (name) => (name === "folds" ? !view.ranking.model.folds : !both && name !== "scores");
    const empty = (name) => name === "calibration" && view.ranking.model.calibration.reason;
    const more = view.prior.own ? Object.keys(view.ranking.model.curves ?? {}) : [];
    return [...Object.keys(ALL).filter((name) => !needless(name) && !empty(name)), ...more];
  }

  /** What is not drawn, and why. */
  function missing(view) {
    const { reason } = view.ranking.model.calibration;
    return reason ? `Calibration is not drawn: ${reason}.` : "";
  }

  /** The chart of a name, for a view. */
  function chart(name, view) {
    return (ALL[name] ?? given(name))(view);
  }

  return { ALL, all, chart, missing };
})();
