/* Reliability curves, without a band, as in calibration/reliability.py: isotonic regression. */
const Reliability = (() => {
  "use strict";

  const MAX_POINTS = 200;

  /** Probabilities and their isotonic recalibration, which the convex hull of the ROC points gives. */
  function curve(ranking, hull) {
    const { truePositives: tp, falsePositives: fp, thresholds, last, sign } = ranking;
    const shares = new Float64Array(last); // of positives at each distinct score, highest first
    for (let edge = 1; edge < hull.length; edge += 1) {
      const [start, end] = [hull[edge - 1], edge === hull.length - 1 ? last : hull[edge]];
      const positives = tp[hull[edge]] - tp[start];
      shares.fill(positives / (positives + fp[hull[edge]] - fp[start]), start, end);
    }
    const count = Math.min(last, MAX_POINTS);
    const points = Array.from({ length: count }, (_, point) => (count < 2 ? 0 : roundHalfEven(point * ((last - 1) / (count - 1)))));
    const score = (threshold) => (sign > 0 ? threshold : 1 - threshold);
    return { x: points.map((point) => score(thresholds[last - point])), y: points.map((point) => shares[last - 1 - point]) };
  }

  /** Rounded as NumPy rounds: halves to even. */
  function roundHalfEven(value) {
    const floor = Math.floor(value);
    if (value - floor !== 0.5) return Math.round(value);
    return floor + (floor % 2);
  }

  return { curve };
})();
