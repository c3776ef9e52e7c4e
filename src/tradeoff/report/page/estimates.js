/* Summaries of a ranking with their confidence intervals, as in measures/summaries and uncertainty. */
const Estimates = (() => {
  "use strict";

  const CLIPPING_MARGIN = 2 ** -52;
  const ROUNDING_TOLERANCE = 1e-12;
  const MIN_ROWS_PER_CLASS = 2;
  const MIN_SKEWNESS = 1e-9;
  const TOO_FEW_ROWS = "no interval: two rows of each class are needed";
  const AUC_METHOD = "Pohar Perme–Manevski on the logit scale";

  const sum = (values) => values.reduce((total, value) => total + value, 0);

  const dot = (a, b) => a.reduce((total, value, index) => total + value * b[index], 0);

  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

  /** An estimate in the document; without limits, a note may say why. */
  function estimate(value, { low = NaN, high = NaN, method = "", note = null } = {}, level = 0.95) {
    const hasInterval = !(Number.isNaN(low) || Number.isNaN(high));
    return { value, ...(hasInterval ? { low, high, level, method } : {}), ...(note ? { note } : {}) };
  }

  const undefinedEstimate = (reason) => ({ value: null, reason });

  const withoutInterval = (note) => ({ low: NaN, high: NaN, method: "", note });

  function inverseLogit(logit) {
    return logit > -700 ? 1 / (1 + Math.exp(-logit)) : 0;
  }

  /** Why the AUC is undefined; empty if it is not. */
  function classProblem({ rows, positives, negatives }, positive) {
    if (!rows) return "there are no rows";
    if (!positives) return `no ranked row belongs to class ${positive}; both classes are needed`;
    return negatives ? "" : `every ranked row belongs to class ${positive}; both classes are needed`;
  }

  /* ---- AUC: concordant pairs, and the interval of Pohar Perme & Manevski ---- */

  /** Twice the number of concordant pairs; ties count half. */
  function twicePairsWon({ truePositives: tp, falsePositives: fp, last }) {
    let won = 0;
    for (let index = 1; index <= last; index += 1) won += (fp[index] - fp[index - 1]) * (tp[index] + tp[index - 1]);
    return won;
  }

  function auc(ranking) {
    return clamp(twicePairsWon(ranking) / (2 * ranking.positives * ranking.negatives), 0, 1);
  }

  /** The AUC, the effective number of rows of each class, and the variances of their placements. */
  function placementVariances(ranking) {
    const { positives, negatives, truePositives: tp, falsePositives: fp, last } = ranking;
    const won = twicePairsWon(ranking);
    const pairs = 2 * positives * negatives;
    let area = won / pairs;
    if (!ranking.isCounted && Math.abs(area - Math.round(area)) < ROUNDING_TOLERANCE) area = Math.round(area);
    const weights = ranking.squares ?? ranking;
    const sums = [0, 0];
    for (let index = 1; index <= last; index += 1) {
      const [tpSum, fpSum] = [tp[index] + tp[index - 1], fp[index] + fp[index - 1]];
      // Whole counts are subtracted before anything is rounded.
      const positiveDeviation = ranking.isCounted ? (positives * (2 * negatives - fpSum) - won) / pairs : 1 - fpSum / (2 * negatives) - area;
      const negativeDeviation = ranking.isCounted ? (negatives * tpSum - won) / pairs : tpSum / (2 * positives) - area;
      sums[0] += (weights.truePositives[index] - weights.truePositives[index - 1]) * positiveDeviation ** 2;
      sums[1] += (weights.falsePositives[index] - weights.falsePositives[index - 1]) * negativeDeviation ** 2;
    }
    const rows = ranking.effectiveRows;
    const totals = [positives, negatives];
    const variances = sums.map((s, side) => (rows[side] > 1 ? ((s * rows[side]) / totals[side] ** 2) * (rows[side] / (rows[side] - 1)) : NaN));
    return { area: clamp(area, 0, 1), rows, variances };
  }

  /** Confidence interval of an AUC: its limits, method and note. */
  function aucInterval(ranking, { z, level }) {
    if (Math.min(...ranking.effectiveRows) < 2) return { ...withoutInterval(TOO_FEW_ROWS), method: AUC_METHOD };
    if (ranking.distinct === 1) return { ...withoutInterval("no interval: every row has the same score"), method: AUC_METHOD };
    const { area, rows, variances } = placementVariances(ranking);
    const note = coverageNote(area, Math.min(...rows));
    if (area === 0 || area === 1) {
      const bound = ((1 - level) / 2) ** (1 / Math.min(...rows));
      const [low, high] = area === 1 ? [bound, 1] : [0, 1 - bound];
      return { low, high, method: "exact-type bound", note };
    }
    const [m, n] = rows;
    const variance = ((n - 1) * variances[0] + (m - 1) * variances[1] + area * (1 - area)) / (m * n);
    return { ...logitInterval(area, z * Math.sqrt(variance)), method: AUC_METHOD, note };
  }

  /** The interval of a proportion with this half-width, on the logit scale. */
  function logitInterval(value, halfWidth) {
    const logit = Math.log(value / (1 - value));
    const width = halfWidth / (value * (1 - value));
    return { low: inverseLogit(logit - width), high: inverseLogit(logit + width) };
  }

  /** Note on the simulated coverage of the interval (docs/explanation/areas-study.md). */
  function coverageNote(area, rows) {
    const discordant = rows * Math.min(area, 1 - area);
    const text = (condition, low, high) => `${condition}, the coverage of 95% intervals is ${low} to ${high}%`;
    if (rows < 10) return text("with fewer than 10 rows in a class", 82, 99);
    if (rows < 30) return text("with fewer than 30 rows in a class", 79, 98);
    if (!(discordant > 0 && discordant < 6)) return null;
    return text(`with so few ${area > 0.5 ? "discordant" : "concordant"} pairs`, 84, 96);
  }

  /* ---- means over rows: Hall's t interval, corrected for skewness ---- */

  /** Variance and skewness of a mean over rows, from the value of each row. */
  function moments(ranking, values) {
    const sides = ["truePositives", "falsePositives"];
    const weights = sides.map((side) => ranking.countsOf(ranking[side]));
    const squares = ranking.squares ? sides.map((side) => ranking.countsOf(ranking.squares[side])) : weights;
    const total = sum(weights.map(sum));
    const mean = sum(values.map((value, side) => dot(value, weights[side]))) / total;
    let [variance, third] = [0, 0];
    values.forEach((column, side) => column.forEach((value, index) => {
      const [weight, square] = [weights[side][index], squares[side][index]];
      variance += square * (value - mean) ** 2;
      // Rows of the same score and class are assumed to have equal weights.
      if (weight > 0) third += (square ** 2 / weight) * (value - mean) ** 3;
    }));
    variance /= total ** 2;
    third /= total ** 3;
    const rows = total ** 2 / sum(squares.map(sum));
    if (!(variance > 0)) return { variance: 0, skewness: 0, rows };
    return { variance: (variance * rows) / Math.max(rows - 1, 1), skewness: third / variance ** 1.5, rows };
  }

  function hallInterval(value, { variance, skewness, rows }, { z, level }) {
    const criticalT = Special.tQuantile(Math.max(rows - 1, 1), (1 + level) / 2, z);
    const limit = (t) => value - Math.sqrt(variance) * inverseHall(t, skewness);
    return { low: limit(criticalT), high: limit(-criticalT) };
  }

  function inverseHall(quantile, skewness) {
    if (Math.abs(skewness) < MIN_SKEWNESS) return quantile;
    return (3 * (Math.cbrt(1 + skewness * (quantile - skewness / 6)) - 1)) / skewness;
  }

  /* ---- the summaries ---- */

  /** Largest difference between the true and the false positive rate. */
  function ks(ranking, { kolmogorov }) {
    let value = 0;
    for (let index = 0; index <= ranking.last; index += 1) {
      value = Math.max(value, ranking.truePositives[index] / ranking.positives - ranking.falsePositives[index] / ranking.negatives);
    }
    const [positives, negatives] = ranking.effectiveRows;
    const halfWidth = kolmogorov * Math.sqrt(1 / positives + 1 / negatives);
    const method = "Kolmogorov–Smirnov bound, conservative";
    return [value, () => ({ low: Math.max(value - halfWidth, 0), high: Math.min(value + halfWidth, 1), method })];
  }

  function averagePrecision(ranking, settings) {
    const { truePositives, falsePositives, positives: total } = ranking;
    const tp = truePositives.subarray(1);
    const fp = falsePositives.subarray(1);
    const predicted = tp.map((count, index) => count + fp[index]);
    const gained = ranking.countsOf(truePositives);
    const precision = tp.map((count, index) => (predicted[index] > 0 ? count / predicted[index] : 0));
    const value = dot(gained, precision) / total;
    return [value, () => influenceInterval({ ranking, value, tp, fp, predicted, gained, precision }, settings)];
  }

  /** From the variance of the influence function, around the value with and without its bias. */
  function influenceInterval({ ranking, value, tp, fp, predicted, gained, precision }, { z }) {
    if (!(value > 0 && value < 1)) return withoutInterval(`no interval: the value is ${Numbers.significant(value, 6)}`);
    const total = ranking.positives;
    const shareOf = (counts, index) => (predicted[index] > 0 ? (gained[index] * counts[index]) / predicted[index] ** 2 : gained[index] * counts[index]);
    const positiveSums = reverseSums(gained.map((_, index) => shareOf(fp, index)));
    const negativeSums = reverseSums(gained.map((_, index) => shareOf(tp, index)));
    const scale = (total + ranking.negatives) / total;
    const values = [
      precision.map((share, index) => (share - value + positiveSums[index]) * scale),
      negativeSums.map((share) => -share * scale),
    ];
    const halfWidth = z * Math.sqrt(moments(ranking, values).variance);
    const unbiased = leaveOneOut({ ranking, tp, predicted, gained });
    const limits = [value, unbiased].map((centre) => logitInterval(clamp(centre, 1e-9, 1 - 1e-9), halfWidth));
    return { low: Math.min(...limits.map(({ low }) => low)), high: Math.max(...limits.map(({ high }) => high)), method: "influence function, logit" };
  }

  /** Cumulative sums from the bottom of the ranking upwards. */
  function reverseSums(values) {
    let total = 0;
    return values.reverse().map((value) => (total += value)).reverse();
  }

  /** Average precision with each positive row left out of its own precision. */
  function leaveOneOut({ ranking, tp, predicted, gained }) {
    const squares = ranking.squares?.countsOf(ranking.squares.truePositives);
    const prevalence = ranking.positives / (ranking.positives + ranking.negatives);
    const precision = tp.map((count, index) => {
      const weight = squares && gained[index] > 0 ? squares[index] / gained[index] : 1;
      const others = predicted[index] - weight;
      return others <= weight * 1e-9 ? prevalence : clamp(Math.max(count - weight, 0) / others, 0, 1);
    });
    return dot(gained, precision) / ranking.positives;
  }

  /** A mean of losses over the rows, from the losses of a positive and of a negative row. */
  function meanLoss(lossesOf) {
    return (ranking, settings) => {
      const p = probabilities(ranking);
      const losses = lossesOf(p);
      const classMeans = losses.map((values, side) => {
        const counts = ranking.countsOf(side ? ranking.falsePositives : ranking.truePositives);
        return dot(values, counts) / (side ? ranking.negatives : ranking.positives);
      });
      const total = ranking.positives + ranking.negatives;
      const value = (ranking.positives * classMeans[0] + ranking.negatives * classMeans[1]) / total;
      const interval = () => ({ ...hallInterval(value, moments(ranking, losses), settings), method: "mean over rows, Hall" });
      return [value, interval, { means: classMeans }];
    };
  }

  /** Scores as probabilities of the positive class. */
  const probabilities = ({ thresholds, sign }) => thresholds.subarray(1).map((score) => (sign > 0 ? score : 1 - score));

  const squaredErrors = (p) => [p.map((value) => (1 - value) ** 2), p.map((value) => value ** 2)];

  function logLosses(p) {
    const clipped = p.map((value) => clamp(value, CLIPPING_MARGIN, 1 - CLIPPING_MARGIN));
    return [clipped.map((value) => -Math.log(value)), clipped.map((value) => -Math.log1p(-value))];
  }

  /** Note on rows whose actual class has probability 0; null if there are none. */
  function clippingNote(ranking) {
    const p = probabilities(ranking);
    const [positives, negatives] = [ranking.countsOf(ranking.truePositives), ranking.countsOf(ranking.falsePositives)];
    let rows = 0;
    p.forEach((value, index) => {
      if (value < CLIPPING_MARGIN) rows += positives[index];
      if (value > 1 - CLIPPING_MARGIN) rows += negatives[index];
    });
    return rows ? `clipped: ${Numbers.count(rows)} ${rows === 1 ? "row has" : "rows have"} probability 0 for the actual class` : null;
  }

  /** Why scores are not probabilities; empty if they are. */
  function probabilityProblem(ranking) {
    if (!ranking.distinct) return ranking.rows ? "every row is rejected" : "there are no rows";
    if (ranking.hasProbabilities) return "";
    const counts = ranking.thresholds.subarray(1).reduce((sums, score, index) => {
      const rows = ranking.truePositives[index + 1] - ranking.truePositives[index] + ranking.falsePositives[index + 1] - ranking.falsePositives[index];
      return [sums[0] + (score < 0 || score > 1 ? rows : 0), sums[1] + rows];
    }, [0, 0]);
    const [outside, all] = counts;
    const [low, high] = ranking.limits.map((limit) => Numbers.threshold(limit));
    const subject = ranking.isCounted
      ? `${Numbers.count(outside)} of ${Numbers.count(all)} rows ${outside === 1 ? "has a score" : "have scores"}`
      : "some rows have scores";
    return `${subject} outside 0 to 1 (from ${low} to ${high}), so the scores are not probabilities`;
  }

  /** Value and interval of each summary, its range, and why it may be undefined. */
  const SUMMARIES = {
    auc: { of: (ranking, settings) => [auc(ranking), () => aucInterval(ranking, settings)], problem: classProblem },
    ks: { of: ks, problem: classProblem },
    average_precision: {
      of: averagePrecision,
      problem: ({ rows, positives }, positive) => (positives ? "" : rows ? `no ranked row belongs to class ${positive}` : "there are no rows"),
    },
    brier: { of: meanLoss(squaredErrors), problem: probabilityProblem },
    log_loss: { of: meanLoss(logLosses), problem: probabilityProblem, high: Infinity, noteOf: clippingNote },
  };

  /** A summary of a ranking as it stands in the document; null if the page cannot compute it. */
  function summary(name, ranking, settings) {
    const entry = SUMMARIES[name];
    if (!entry) return null;
    const problem = entry.problem(ranking, settings.positive);
    if (problem) return undefinedEstimate(problem);
    const [value, intervalOf, extra = {}] = entry.of(ranking, settings);
    const interval = isTooSmall(name, ranking) ? withoutInterval(TOO_FEW_ROWS) : clipped(intervalOf(), entry.high ?? 1);
    const notes = [entry.noteOf?.(ranking), interval.note].filter(Boolean);
    return { ...estimate(value, { ...interval, note: notes.join("; ") || null }, settings.level), ...extra };
  }

  const isTooSmall = (name, ranking) => name !== "auc" && Math.min(...ranking.effectiveRows) < MIN_ROWS_PER_CLASS;

  /** An interval within the range of its summary, from 0 on. */
  function clipped(interval, highest) {
    if (Number.isNaN(interval.low)) return interval;
    const [low, high] = [Math.max(interval.low, 0), Math.min(interval.high, highest)];
    return low >= high ? { ...withoutInterval("no interval: the resamples are too biased"), method: interval.method } : { ...interval, low, high };
  }

  return { auc, probabilityProblem, summary };
})();
