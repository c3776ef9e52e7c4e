/* Differences between the AUCs of models on the rows that all of them scored: DeLong's test with
   Holm's adjustment, as in comparison/comparison.py. */
const AucComparison = (() => {
  "use strict";

  const MIN_VARIANCE = 1e-20;
  const MAX_SHOWN = 60;

  /** The comparison of models; `rows` have `positiveRows` and `weights`, `models` names and scores. */
  function comparison(models, rows, options, settings) {
    const sharedRows = rows.positiveRows.reduce((indices, _, row) => {
      if (models.every(({ scores }) => !Number.isNaN(scores[row]))) indices.push(row);
      return indices;
    }, []);
    const shared = models.map(({ name, scores }) => ({ name, rows: RowRankings.pick({ ...rows, scores }, sharedRows) }));
    const [{ rows: { positiveRows, weights } }] = shared;
    if (positiveRows.every((isPositive) => isPositive) || !positiveRows.some((isPositive) => isPositive)) return null;
    const { areas, covariance } = covarianceOf(shared, positiveRows, weights, options);
    const differences = [];
    for (let first = 0; first < models.length; first += 1) {
      for (let second = first + 1; second < models.length; second += 1) {
        const variance = covariance[first][first] + covariance[second][second] - 2 * covariance[first][second];
        differences.push({ pair: [first, second], ...difference(areas[first] - areas[second], variance, settings) });
      }
    }
    const adjusted = holm(differences.map(({ p }) => p));
    const best = areas.indexOf(Math.max(...areas));
    const isShortened = differences.length > MAX_SHOWN;
    const entries = differences.map((entry, index) => ({
      first: models[entry.pair[0]].name,
      second: models[entry.pair[1]].name,
      value: entry.value,
      low: entry.low,
      high: entry.high,
      p: Sentences.pValue(entry.p),
      adjusted: Sentences.pValue(adjusted[index]),
      better: entry.firstBetter === null ? null : Numbers.percent(entry.firstBetter),
    }));
    const sentences = ["Method: DeLong."];
    if (isShortened) sentences.push(`Of ${Numbers.count(differences.length)} pairs, those with the model of largest AUC are shown.`);
    return {
      title: `Differences in AUC on ${Sentences.rows(sharedRows.length)} scored by all models`,
      about: `Intervals: ${Numbers.significant(100 * settings.level, 10)}% CI. ${sentences.join(" ")} p-values are adjusted by Holm's method.`,
      differences: isShortened ? entries.filter((_, index) => differences[index].pair.includes(best)) : entries,
    };
  }

  /** AUCs of the models and their covariance matrix. */
  function covarianceOf(shared, positiveRows, weights, { sign, isImportance }) {
    const placements = shared.map(({ name, rows }) => placementsOf(RowRankings.rank(name, rows, { sign, isImportance }), rows));
    const size = shared.length;
    const covariance = shared.map(() => new Float64Array(size));
    let areas = [];
    for (const side of [1, 0]) {
      const members = Array.from(positiveRows.keys()).filter((row) => positiveRows[row] === side);
      const weightOf = (row) => (weights ? weights[row] : 1);
      const total = members.reduce((sum, row) => sum + weightOf(row), 0);
      const meanOf = (model) => members.reduce((sum, row) => sum + weightOf(row) * placements[model][row], 0) / total;
      if (side) areas = shared.map((_, model) => Math.min(Math.max(meanOf(model), 0), 1));
      const squares = members.reduce((sum, row) => sum + weightOf(row) ** 2, 0);
      const sampleSize = isImportance && weights ? total ** 2 / squares : total;
      const denominator = isImportance && weights ? (total / sampleSize) ** 2 * sampleSize * (sampleSize - 1) : total * (total - 1);
      for (let i = 0; i < size; i += 1) {
        for (let j = 0; j <= i; j += 1) {
          const products = members.reduce((sum, row) => {
            const weight = isImportance && weights ? weightOf(row) ** 2 : weightOf(row);
            return sum + weight * (placements[i][row] - areas[i]) * (placements[j][row] - areas[j]);
          }, 0);
          covariance[i][j] += sampleSize > 1 ? products / denominator : NaN;
          covariance[j][i] = covariance[i][j];
        }
      }
    }
    return { areas, covariance };
  }

  /** Proportion of the other class that each row is ranked rightly against; ties count half. */
  function placementsOf(ranking, { scores, positiveRows }) {
    const { truePositives: tp, falsePositives: fp, positives, negatives } = ranking;
    return Float64Array.from(scores, (score, row) => {
      const index = ranking.indexOf(score);
      if (positiveRows[row]) return 1 - (fp[index] + fp[index - 1]) / (2 * negatives);
      return (tp[index] + tp[index - 1]) / (2 * positives);
    });
  }

  /** A difference with its normal interval and p-value; without a variance, with what is known. */
  function difference(value, variance, { z }) {
    const unknown = { value, low: null, high: null, p: NaN, firstBetter: null };
    if (Number.isNaN(variance)) return unknown;
    if (variance <= MIN_VARIANCE) return { ...unknown, p: value === 0 ? 1 : NaN };
    const standardError = Math.sqrt(variance);
    return {
      value,
      low: value - z * standardError,
      high: value + z * standardError,
      p: 2 * Special.normalCdf(-Math.abs(value / standardError)),
      firstBetter: Special.normalCdf(value / standardError),
    };
  }

  /** p-values adjusted by Holm's method; undefined ones are left as they are. */
  function holm(pValues) {
    const order = Array.from(pValues.keys()).filter((index) => !Number.isNaN(pValues[index])).sort((a, b) => pValues[a] - pValues[b]);
    const adjusted = pValues.map(() => NaN);
    let highest = 0;
    order.forEach((index, position) => {
      highest = Math.max(highest, pValues[index] * (order.length - position));
      adjusted[index] = Math.min(highest, 1);
    });
    return adjusted;
  }

  return { comparison };
})();
