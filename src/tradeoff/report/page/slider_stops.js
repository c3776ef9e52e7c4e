/* Stops of the slider, as in report/stops.py: all thresholds, or those that charts and goals need. */
const SliderStops = (() => {
  "use strict";

  const MAX_UNTHINNED = 20_000;
  const MAX_FULLY_DRAWN = 500;
  const EVENLY_SPACED = 2000;
  const PIXELS = 400;
  const MIN_STEP = 0.125 / PIXELS;
  const TOLERANCE = 0.375 / PIXELS;
  const SLACK = 8 * Number.EPSILON;

  const range = (length) => Array.from({ length }, (_, index) => index);

  const unique = (indices) => [...new Set(indices)].sort((a, b) => a - b);

  const USUAL_RATES = [...new Set([
    ...range(200).map((index) => (index + 1) / 200),
    ...range(99).map((index) => (index + 1) / 1000),
    ...range(99).map((index) => 1 - (index + 1) / 1000),
    ...range(99).map((index) => (index + 1) / 10_000),
  ].map((rate) => Number(rate.toFixed(6))))].sort((a, b) => a - b);

  /** Indices of the thresholds at which the slider stops, and positions among these to draw. */
  function stops(ranking, hull, thresholds) {
    const all = range(ranking.last + 1);
    if (all.length <= MAX_FULLY_DRAWN) return { indices: all, drawn: all };
    const drawn = drawnIndices(ranking, hull);
    if (ranking.last <= MAX_UNTHINNED) return { indices: all, drawn };
    const indices = unique([...thresholds.map((threshold) => ranking.indexOf(threshold)), ...drawn, ...evenlySpaced(ranking), ...usualTargets(ranking)]);
    return { indices, drawn: positionsOf(drawn, indices) };
  }

  /** Positions of sorted indices among others that contain them. */
  function positionsOf(selected, indices) {
    const positions = new Map(indices.map((index, position) => [index, position]));
    return selected.map((index) => positions.get(index));
  }

  const rowsOf = ({ truePositives, falsePositives }) => truePositives.map((count, index) => count + falsePositives[index]);

  /* ---- thresholds that are usual targets ---- */

  /** Indices about equally many rows apart. */
  function evenlySpaced(ranking) {
    const rows = rowsOf(ranking);
    const total = rows[ranking.last];
    return range(EVENLY_SPACED + 1).map((step) => Math.min(lowerBound(rows, step === EVENLY_SPACED ? total : step * (total / EVENLY_SPACED)), ranking.last));
  }

  /** Indices of the thresholds that usual rates and numbers of rows lead to, as goals choose them. */
  function usualTargets(ranking) {
    const { truePositives: tp, falsePositives: fp, last, positives, negatives, rejected } = ranking;
    const rows = rowsOf(ranking);
    const tpr = tp.map((count) => count / (positives + rejected[0]));
    const fpr = fp.map((count) => count / (negatives + rejected[1]));
    const bestLaterPrecision = tp.map((count, index) => count / rows[index] || 0).reverse();
    for (let index = 1; index <= last; index += 1) bestLaterPrecision[index] = Math.max(bestLaterPrecision[index], bestLaterPrecision[index - 1]);
    const firstWithSame = (counts, index) => lowerBound(counts, counts[index]);
    const reached = USUAL_RATES.map((rate) => upperBound(fp, fp[Math.min(lowerBound(tpr, rate - SLACK), last)]) - 1);
    const allowed = USUAL_RATES.map((rate) => upperBound(fpr, rate + SLACK) - 1);
    const precise = USUAL_RATES.map((rate) => Math.max(last - lowerBound(bestLaterPrecision, rate - SLACK), 0));
    const within = roundNumbers(rows[last]).map((size) => upperBound(rows, size * (1 + SLACK)) - 1);
    return [...[...reached, ...allowed, ...precise].map((index) => firstWithSame(tp, index)), ...within];
  }

  /** Numbers of two significant digits up to a limit, and their halves. */
  function roundNumbers(limit) {
    const sizes = range(11).flatMap((power) => range(199).map((index) => ((index + 1) / 2) * 10 ** (power + 1)));
    return [...range(99).map((index) => index + 1), ...sizes].filter((size) => size <= limit);
  }

  /** Index of the first value that is at least x. */
  const lowerBound = (values, x) => search(values.length, (index) => values[index] >= x);

  /** Index of the first value above x. */
  const upperBound = (values, x) => search(values.length, (index) => values[index] > x);

  function search(length, isReached) {
    let [first, end] = [0, length];
    while (first < end) {
      const middle = (first + end) >> 1;
      if (isReached(middle)) end = middle;
      else first = middle + 1;
    }
    return first;
  }

  /* ---- thresholds that charts need ---- */

  /** Indices between which every chart is straight, to within half a pixel. */
  function drawnIndices(ranking, hull) {
    const shapes = chartShapes(ranking);
    const [[fpr, tpr], , [, lift], [score]] = shapes;
    const required = [...hull, 0, 1, ranking.last];
    const candidates = unique([...movingIndices([fpr, tpr, lift, score]), ...required]);
    const points = shapes.map((axes) => axes.map((axis) => Float64Array.from(candidates, (index) => axis[index])));
    return simplified(points, positionsOf(unique(required), candidates)).map((position) => candidates[position]);
  }

  /** Curves whose shapes are kept: ROC, PR, lift, and both rates over the score. */
  function chartShapes(ranking) {
    const { truePositives: tp, falsePositives: fp, positives, negatives, last } = ranking;
    const rows = rowsOf(ranking);
    const tpr = tp.map((count) => count / positives || 0);
    const fpr = fp.map((count) => count / negatives || 0);
    const precision = tp.map((count, index) => count / rows[Math.max(index, 1)] || 0);
    precision[0] = precision[1]; // nothing is predicted positive: use the next precision
    const highest = precision.reduce((most, value) => Math.max(most, value), 0) || 1;
    const lift = precision.map((value) => value / highest);
    const depth = rows.map((count) => count / rows[last]);
    const score = scorePositions(ranking);
    return [[fpr, tpr], [tpr, precision], [depth, lift], [score, tpr], [score, fpr]];
  }

  /** Positions of thresholds on the axis of scores, from 0 to 1. */
  function scorePositions(ranking) {
    const axis = ScoreAxis.scale(ranking);
    const transform = axis.kind === "log" ? Math.log10 : (value) => value;
    const [low, high] = [transform(axis.low), transform(axis.high)];
    return ranking.thresholds.map((score) => (transform(Math.min(Math.max(score, axis.low), axis.high)) - low) / (high - low || 1));
  }

  /** Indices at which the path along a coordinate has crossed another multiple of the step. */
  function movingIndices(columns) {
    const isNew = new Uint8Array(columns[0].length);
    isNew[0] = isNew[isNew.length - 1] = 1;
    for (const column of columns) {
      let path = 0;
      let cell = 0;
      for (let index = 1; index < column.length; index += 1) {
        path += Math.abs(column[index] - column[index - 1]);
        const next = Math.trunc(path / MIN_STEP);
        if (next !== cell) isNew[index] = 1;
        cell = next;
      }
    }
    return range(isNew.length).filter((index) => isNew[index]);
  }

  /** Positions, with the required ones, between which all charts are straight (Ramer 1972). */
  function simplified(charts, required) {
    const kept = [...required];
    const stretches = required.slice(1).map((end, index) => [required[index], end]);
    while (stretches.length) {
      const [first, last] = stretches.pop();
      if (last - first < 2) continue;
      const { farthest, distance } = farthestPoint(charts, first, last);
      if (distance > TOLERANCE * TOLERANCE) {
        kept.push(farthest);
        stretches.push([first, farthest], [farthest, last]);
      }
    }
    return kept.sort((a, b) => a - b);
  }

  function farthestPoint(charts, first, last) {
    const distances = new Float64Array(last - first + 1); // squared
    for (const [xs, ys] of charts) {
      const [x0, y0] = [xs[first], ys[first]];
      const [run, rise] = [xs[last] - x0, ys[last] - y0];
      const length = run * run + rise * rise;
      for (let index = first; index <= last; index += 1) {
        let [x, y] = [xs[index] - x0, ys[index] - y0];
        if (length) {
          const share = Math.min(Math.max((x * run + y * rise) / length, 0), 1);
          x -= share * run;
          y -= share * rise;
        }
        distances[index - first] = Math.max(distances[index - first], x * x + y * y);
      }
    }
    let farthest = 0;
    for (let index = 1; index < distances.length; index += 1) if (distances[index] > distances[farthest]) farthest = index;
    return { farthest: first + farthest, distance: distances[farthest] };
  }

  return { MAX_UNTHINNED, PIXELS, stops };
})();
