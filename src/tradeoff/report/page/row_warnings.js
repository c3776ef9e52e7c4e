/* Warnings about rankings and segments, as in checks/rankings.py and checks/folds.py: those that are
   worse than notes. */
const RowWarnings = (() => {
  "use strict";

  const MIN_ROWS_PER_CLASS = 10;
  const NEARLY_PERFECT_AUC = 0.999;
  const MIN_SUSPICIOUS_ROWS = 50;
  const TIE_TOLERANCE = 1e-9;
  const NOTABLE_TIE_PROPORTION = 0.01;
  const MIN_VALID_PROPORTION = 0.9;
  const MAX_EXCESS = 0.5;
  const MAX_ROUNDING_ERROR = 1e-6;
  const MIN_PERCENTAGES = 10;
  const PERCENTAGE_NAME = /percent|pct|prob|%/i;
  const SIGNIFICANCE_LEVEL = 1e-3;
  const MIN_ODDS_RATIO = 1.5;
  const LARGE_ODDS_RATIO = 3;
  const MAX_LISTED = 3;

  const warning = (sentence, advice) => ({ level: 1, text: `${sentence} ${advice}` });

  const error = (sentence, advice) => ({ level: 0, text: `${sentence} ${advice}` });

  /** A class in a sentence, quoted unless it is a number. */
  const quoteClass = (name) => (isNumeral(name) ? name : Sentences.printable(Sentences.quote(name)));

  const isNumeral = (name) => name.trim() !== "" && (!Number.isNaN(Number(name)) || /^\s*[+-]?(inf|infinity|nan)\s*$/i.test(name));

  const threshold = Numbers.threshold;

  /* ---- checks of a ranking ---- */

  function fewRowsOfAClass(ranking, { positive, negative }) {
    const [positives, negatives] = ranking.effectiveRows;
    const [name, size] = positives <= negatives ? [positive, positives] : [negative, negatives];
    if (size >= MIN_ROWS_PER_CLASS) return null;
    const text = Number.isInteger(size) ? `${Numbers.count(size)} row${size === 1 ? "" : "s"}` : `${Numbers.significant(size, 3)} rows`;
    const qualifier = ranking.squares ? " (effective sample size)" : "";
    return warning(
      `Only ${text}${qualifier} ${size === 1 ? "belongs" : "belong"} to class ${quoteClass(name)}, so rates and AUCs will be very imprecise.`,
      "Collect more rows of that class before relying on them.",
    );
  }

  function constantScores(ranking) {
    if (ranking.distinct !== 1 || ranking.rows < 2) return null;
    return error(
      `Every row has the same score in ${ranking.name}, ${threshold(ranking.thresholds[1])}, so no row is ranked above another.`,
      "Check that the right column was named and that the model was trained.",
    );
  }

  function hardLabels(ranking) {
    if (ranking.distinct !== 2 || ranking.rows <= 4) return null;
    const [low, high] = ranking.limits;
    const hint = high === 1 && (low === 0 || low === -1) ? " They look like predicted classes." : "";
    return warning(
      `${ranking.name} has only two values, ${threshold(low)} and ${threshold(high)}.${hint} There is only one threshold to choose, and the ROC curve is a single point.`,
      "Pass the probability or score behind the decision; for a test or rule with only two outcomes, this is as expected.",
    );
  }

  function reversedScores(ranking, { positive, negative }) {
    const [positives, negatives] = ranking.effectiveRows;
    const area = Estimates.auc(ranking);
    const standardError = Math.sqrt((positives + negatives + 1) / (12 * positives * negatives));
    if (!(area + 1.96 * standardError < 0.5)) return null;
    const isLow = ranking.sign < 0;
    const [actual, expected] = isLow ? ["high", "low"] : ["low", "high"];
    const remedy = isLow ? "do not declare that lower scores mean positive" : "declare that lower scores mean positive";
    return warning(
      `${ranking.name} ranks worse than chance: its AUC is ${Numbers.number(area)}; rows of class ${quoteClass(positive)} tend to have ${actual} scores, but ${expected} ones were expected.`,
      `Check whether it is the score of class ${quoteClass(negative)}: name the other column or the other positive class, or ${remedy}.`,
    );
  }

  function tooGood(ranking) {
    const area = Estimates.auc(ranking);
    if (Math.min(...ranking.effectiveRows) < MIN_SUSPICIOUS_ROWS || area < NEARLY_PERFECT_AUC) return null;
    return warning(
      `${ranking.name} ranks almost perfectly (AUC ${Numbers.number(area)}).`,
      "Check for leakage: was the model trained on these rows, or does it use anything that becomes known only after the class?",
    );
  }

  function outsideProbabilities(ranking) {
    const counts = { finite: 0, outside: 0 };
    let [low, high] = [Infinity, -Infinity];
    for (let index = 1; index <= ranking.last; index += 1) {
      const score = ranking.thresholds[index];
      if (!Number.isFinite(score)) continue;
      const rows = ranking.truePositives[index] - ranking.truePositives[index - 1] + ranking.falsePositives[index] - ranking.falsePositives[index - 1];
      counts.finite += rows;
      if (score < 0 || score > 1) counts.outside += rows;
      [low, high] = [Math.min(low, score), Math.max(high, score)];
    }
    const { finite, outside } = counts;
    const excess = Math.max(-low, high - 1);
    if (!(outside > 0) || outside >= finite / 2 || arePercentages(ranking)) return null;
    if (excess < MAX_ROUNDING_ERROR || outside > (1 - MIN_VALID_PROPORTION) * finite || excess > MAX_EXCESS) return null;
    return warning(
      `${Numbers.percent(outside / finite)} of the scores in ${ranking.name} are outside 0 to 1 (range ${threshold(low)} to ${threshold(high)}): if they are meant to be probabilities, some are invalid.`,
      "Correct them (for example by calibration), or do not treat them as probabilities.",
    );
  }

  /** Whether scores span 0 to 100, or part of it if their name suggests probabilities. */
  function arePercentages(ranking) {
    if (ranking.distinct < MIN_PERCENTAGES) return false;
    const [low, high] = ranking.limits;
    if (low < 0 || high > 100 || high <= 1 + MAX_EXCESS) return false;
    return (low < 10 && high > 50) || PERCENTAGE_NAME.test(ranking.name);
  }

  function nearTies(ranking) {
    const scaleOf = ranking.hasProbabilities ? (score) => Math.min(score, 1 - score) : Math.abs;
    let [ties, wider] = [0, 0];
    for (let index = 2; index <= ranking.last; index += 1) {
      const [above, below] = [ranking.thresholds[index - 1], ranking.thresholds[index]];
      const gap = Math.abs(above - below);
      const scale = Math.min(scaleOf(above), scaleOf(below));
      if (gap <= 10 * TIE_TOLERANCE * scale) wider += 1;
      if (gap <= TIE_TOLERANCE * scale) ties += 1;
    }
    const isNoise = ties >= 3 && ties > wider - ties;
    if (!isNoise || ties <= NOTABLE_TIE_PROPORTION * ranking.distinct) return null;
    return warning(
      `${Numbers.count(ties)} of ${Numbers.count(ranking.distinct)} distinct scores in ${ranking.name} differ from the next by less than one part in a billion: rounding noise breaks ties.`,
      "Round the scores to about 9 digits.",
    );
  }

  const CHECKS = [fewRowsOfAClass, constantScores, hardLabels, reversedScores, tooGood, outsideProbabilities, nearTies];

  /* ---- segments ---- */

  /** Whether the prevalence of segments differs widely (Pearson's chi-squared test). */
  function differingPrevalence(segments) {
    const parts = segments.map(({ name, ranking }) => ({ name, sizes: effectiveSizes(ranking) })).filter(({ sizes }) => sizes[0] + sizes[1] > 0);
    if (parts.length < 2) return null;
    const whole = [0, 1].map((side) => parts.reduce((sum, { sizes }) => sum + sizes[side], 0));
    const compared = parts.map((part) => comparedWithRest(part, whole));
    const deviating = compared
      .filter(({ oddsRatio, p }) => oddsRatio >= MIN_ODDS_RATIO && p < SIGNIFICANCE_LEVEL / compared.length)
      .sort((a, b) => b.oddsRatio - a.oddsRatio);
    if (!deviating.some(({ oddsRatio }) => oddsRatio >= LARGE_ODDS_RATIO)) return null;
    const phrases = deviating.slice(0, MAX_LISTED).map(({ name, share, otherShare }) => `${Numbers.percent(share)} in ${name}, ${Numbers.percent(otherShare)} elsewhere`);
    const more = deviating.length > MAX_LISTED ? `; and ${deviating.length - MAX_LISTED} more` : "";
    return warning(
      `The prevalence differs between segments: ${phrases.join("; ")}${more}.`,
      "Precision, accuracy and lift differ for that reason alone: compare recall and specificity, and check whether all segments were sampled in the same way.",
    );
  }

  function comparedWithRest({ name, sizes }, whole) {
    const rest = whole.map((size, side) => Math.max(size - sizes[side], 0));
    const [total, restTotal] = [sizes[0] + sizes[1], rest[0] + rest[1]];
    const [share, otherShare, pooled] = [sizes[0] / total, rest[0] / restTotal, whole[0] / (whole[0] + whole[1])];
    const standardError = Math.sqrt(pooled * (1 - pooled) * (1 / total + 1 / restTotal));
    const z = standardError ? (share - otherShare) / standardError : 0;
    // Half a row is added to each cell, as an empty cell would make the odds ratio infinite.
    const logOdds = Math.log(((sizes[0] + 0.5) * (rest[1] + 0.5)) / ((sizes[1] + 0.5) * (rest[0] + 0.5)));
    return { name, share, otherShare, oddsRatio: Math.exp(Math.abs(logOdds)), p: 2 * Special.normalCdf(-Math.abs(z)) };
  }

  /** Effective numbers of positives and negatives, rejected rows included. */
  function effectiveSizes(ranking) {
    const sizes = [ranking.positives + ranking.rejected[0], ranking.negatives + ranking.rejected[1]];
    if (!ranking.squares) return sizes;
    const squares = ranking.squares.total;
    const scale = squares ? (sizes[0] + sizes[1]) / squares : 0;
    return sizes.map((size) => size * scale);
  }

  /** Warnings about models and their segments, errors first; those that several models share, once. */
  function warnings(models, classes) {
    const findings = models.flatMap(({ ranking, segments }) => [
      ...CHECKS.map((check) => check(ranking, classes)),
      segments ? differingPrevalence(segments) : null,
    ]).filter(Boolean);
    findings.sort((a, b) => a.level - b.level);
    return [...new Set(findings.map(({ text }) => text))];
  }

  return { warnings };
})();
