/* The threshold at which the page opens a model, as in thresholds/operating_threshold.py. */
const OperatingThreshold = (() => {
  "use strict";

  const CONVENTIONAL_THRESHOLD = 0.5;
  const MAX_ROUNDING_ERROR = 1e-6;
  const TOLERANCE = 8 * Number.EPSILON;

  /** 0.5 for probabilities, else the threshold of Youden's J. */
  function of(ranking) {
    const scores = ranking.last > 1 && !Number.isFinite(ranking.thresholds[ranking.last]) ? ranking.thresholds.subarray(1, -1) : ranking.thresholds.subarray(1);
    const [low, high] = [scores[0], scores.at(-1)].sort((a, b) => a - b);
    const areProbabilities = low >= -MAX_ROUNDING_ERROR && high <= 1 + MAX_ROUNDING_ERROR;
    if (areProbabilities) return { value: CONVENTIONAL_THRESHOLD, text: "0.5", reason: "convention" };
    const index = youdenIndex(ranking);
    return { value: ranking.thresholds[index], text: thresholdText(ranking, index), reason: "youden" };
  }

  /** Index of the first threshold at which Youden's J is largest, up to rounding. */
  function youdenIndex({ truePositives: tp, falsePositives: fp, positives, negatives, rejected }) {
    const values = tp.map((count, index) => count / (positives + rejected[0]) - fp[index] / (negatives + rejected[1]));
    const largest = values.reduce((most, value) => Math.max(most, value), -Infinity);
    return values.findIndex((value) => value >= largest - TOLERANCE * Math.max(Math.abs(largest), 1));
  }

  /** A threshold with the fewest digits, at least six, that decide the same. */
  function thresholdText(ranking, index) {
    const value = ranking.thresholds[index];
    if (!Number.isFinite(value)) return "beyond all scores";
    const next = index < ranking.last ? ranking.thresholds[index + 1] : -ranking.sign * Infinity;
    for (let digits = 6; digits <= 16; digits += 1) {
      const nearest = Number(value.toPrecision(digits));
      for (const rounded of [nearest, nextTowards(value, nearest, digits, -ranking.sign)]) {
        if (ranking.sign * rounded <= ranking.sign * value && ranking.sign * rounded > ranking.sign * next) return Numbers.significant(rounded, digits);
      }
    }
    return String(value);
  }

  /** A number of so many digits that lies on one side of a value. */
  function nextTowards(value, nearest, digits, direction) {
    if (direction * (nearest - value) >= 0) return nearest;
    const [, exponent] = nearest.toExponential(digits - 1).split("e");
    return Number((nearest + direction * 10 ** (Number(exponent) - digits + 1)).toPrecision(digits));
  }

  /** The threshold at which a model opens: Youden's if 0.5 would predict the same class for every row. */
  function opening(ranking, { value, reason }) {
    const index = ranking.indexOf(value);
    const predictsBoth = index > 0 && index < ranking.last;
    return reason === "youden" || predictsBoth || ranking.distinct < 2 ? value : ranking.thresholds[youdenIndex(ranking)];
  }

  /** Sentences that say at which thresholds models open, and why. */
  function sentences(names, thresholds) {
    return [...new Set(thresholds.map(({ reason }) => reason))].map((reason) => {
      const group = names.map((name, index) => ({ name, ...thresholds[index] })).filter((entry) => entry.reason === reason);
      const isShared = group.length === names.length && new Set(group.map(({ text }) => text)).size === 1;
      const subject = isShared ? group[0].text : group.map(({ name, text }) => `${Sentences.printable(name, 40)} ${text}`).join(", ");
      const plural = group.length > 1 && !isShared ? "s" : "";
      return reason === "youden"
        ? `Provisional threshold${plural}: ${subject}, where Youden's J is highest on these rows, as the scores are not probabilities; name costs, a goal or a threshold.`
        : `Threshold${plural}: ${subject}, the conventional one for probabilities; name costs or a goal for a better one.`;
    }).join(" ");
  }

  return { CONVENTIONAL_THRESHOLD, of, opening, sentences, youdenIndex };
})();
