/* The axis of scores and the histogram on it, as in views/scales.py and views/score_chart.py. */
const ScoreAxis = (() => {
  "use strict";

  const MAX_DRAWN_SCORE = 1e300;
  const TAIL_PROPORTION = 0.01;
  const MIN_LOG_SCALE_RATIO = 20;
  const MIN_OUTLIER_RATIO = 3;
  const MARGIN = 0.05;
  const [MIN_BINS, MAX_BINS] = [12, 40];
  const MAX_DISCRETE_SCORES = 20;
  const MAX_GAPS_PER_SCALE = 60;

  /** Limits and kind of the axis: 0 to 1 for probabilities, else the range of nearly all rows. */
  function scale(ranking) {
    const { values, cumulative } = sortedScores(ranking);
    if (!values.length) return { low: 0, high: 1, kind: "plain" };
    const [first, last] = [values[0], values.at(-1)];
    if (first >= 0 && last <= 1 && !(last < 0.2 && first > 0)) return { low: 0, high: 1, kind: "plain" };
    if (first === last) {
      const margin = Math.abs(first) / 2 || 0.5;
      return { low: first - margin, high: first + margin, kind: "plain" };
    }
    const quantile = (share) => values[cumulative.findIndex((count) => count / cumulative.at(-1) >= share)];
    const [low, median, high] = [TAIL_PROPORTION, 0.5, 1 - TAIL_PROPORTION - 1e-12].map(quantile);
    if (first > 0 && last > MIN_LOG_SCALE_RATIO * median) return { low: first, high: last, kind: "log" };
    const hasOutliers = high > low && last - first > MIN_OUTLIER_RATIO * (high - low);
    const [from, to] = hasOutliers ? [low, high] : [first, last];
    const margin = (to - from) * MARGIN || Math.abs(to) * MARGIN || MARGIN;
    return { low: from >= 0 && from - margin < 0 ? 0 : from - margin, high: to + margin, kind: "plain" };
  }

  /** Finite scores in ascending order, clipped to what can be drawn, with cumulative counts of rows. */
  function sortedScores(ranking) {
    const [values, cumulative] = [[], []];
    let total = 0;
    for (let position = 0; position < ranking.last; position += 1) {
      const index = ranking.sign > 0 ? ranking.last - position : position + 1;
      const rows = rowsAt(ranking, index);
      if (!Number.isFinite(ranking.thresholds[index]) || !(rows > 0)) continue;
      values.push(Math.min(Math.max(ranking.thresholds[index], -MAX_DRAWN_SCORE), MAX_DRAWN_SCORE));
      cumulative.push((total += rows));
    }
    return { values, cumulative };
  }

  const rowsAt = ({ truePositives: tp, falsePositives: fp }, index) => tp[index] - tp[index - 1] + fp[index] - fp[index - 1];

  /** Proportions of each class by bin, and the rows outside the axis, which are in the outermost bins. */
  function histogram(ranking) {
    const axis = scale(ranking);
    const { edges, isDiscrete } = edgesOf(ranking, axis);
    const positive = new Float64Array(edges.length - 1);
    const negative = new Float64Array(edges.length - 1);
    let [bin, outside] = [0, 0];
    for (let position = 0; position < ranking.last; position += 1) {
      const index = ranking.sign > 0 ? ranking.last - position : position + 1;
      while (bin < edges.length - 2 && ranking.thresholds[index] >= edges[bin + 1]) bin += 1;
      positive[bin] += ranking.truePositives[index] - ranking.truePositives[index - 1];
      negative[bin] += ranking.falsePositives[index] - ranking.falsePositives[index - 1];
      if (ranking.thresholds[index] < edges[0] || ranking.thresholds[index] > edges.at(-1)) outside += rowsAt(ranking, index);
    }
    const shares = (counts, total) => Array.from(counts, (count) => (total ? count / total : 0));
    return { kind: axis.kind, isDiscrete, edges, positive: shares(positive, ranking.positives), negative: shares(negative, ranking.negatives), outside };
  }

  /** Edges of the bins, and whether each bin holds a single score. */
  function edgesOf(ranking, { low, high, kind }) {
    const isUnit = low === 0 && high === 1;
    if (kind === "plain" && !isUnit) {
      const scores = Array.from(ranking.thresholds.subarray(1)).filter((score) => score >= low && score <= high).sort((a, b) => a - b);
      const gaps = scores.slice(1).map((score, index) => score - scores[index]);
      const isDiscrete = scores.length > 1 && scores.length <= MAX_DISCRETE_SCORES && Math.min(...gaps) * MAX_GAPS_PER_SCALE > high - low;
      if (isDiscrete) return { edges: midpoints(scores), isDiscrete };
    }
    const count = Math.trunc(Math.min(Math.max(3 * Math.cbrt(ranking.rows), MIN_BINS), MAX_BINS));
    return { edges: evenly(low, high, count, kind), isDiscrete: false };
  }

  /** Edges midway between scores, and as far beyond the outermost ones. */
  function midpoints(scores) {
    const inner = scores.slice(1).map((score, index) => (score + scores[index]) / 2);
    const [first, last] = [scores[0], scores.at(-1)];
    return [first - (inner[0] - first), ...inner, last + (last - inner.at(-1))];
  }

  function evenly(low, high, count, kind) {
    const [from, to] = kind === "log" ? [Math.log10(low), Math.log10(high)] : [low, high];
    const position = (index) => from + index * ((to - from) / count);
    return Array.from({ length: count + 1 }, (_, index) => {
      if (index === 0) return low;
      if (index === count) return high;
      return kind === "log" ? 10 ** position(index) : position(index);
    });
  }

  return { histogram, scale };
})();
