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
    const classes = [1, 0].map((side) => membersOf(positiveRows, weights, side));
    const [{ members, rowWeights, total }] = classes;
    const areas = placements.map((values) => Math.min(Math.max(members.reduce((sum, row, index) => sum + rowWeights[index] * values[row], 0) / total, 0), 1));
    const parts = classes.map((members) => classCovariance(placements, areas, members, isImportance && weights !== null));
    return { areas, covariance: areas.map((_, i) => areas.map((__, j) => parts[0](i, j) + parts[1](i, j))) };
  }

  /** Rows of a class with their weights, and the sums of these and of their squares. */
  function membersOf(positiveRows, weights, side) {
    const members = Int32Array.from(positiveRows.keys()).filter((row) => positiveRows[row] === side);
    const rowWeights = weights ? RowRankings.values(weights, members) : new Float64Array(members.length).fill(1);
    const total = rowWeights.reduce((sum, weight) => sum + weight, 0);
    return { members, rowWeights, total, squares: rowWeights.reduce((sum, weight) => sum + weight ** 2, 0) };
  }

  /** Contribution of a class to the covariance of the AUCs of two models. */
  function classCovariance(placements, areas, { members, rowWeights, total, squares }, isImportance) {
    const sampleSize = isImportance ? total ** 2 / squares : total;
    const denominator = isImportance ? (total / sampleSize) ** 2 * sampleSize * (sampleSize - 1) : total * (total - 1);
    const powers = isImportance ? rowWeights.map((weight) => weight ** 2) : rowWeights;
    return (i, j) => {
      let products = 0;
      for (let index = 0; index < members.length; index += 1) {
        const row = members[index];
        products += powers[index] * (placements[i][row] - areas[i]) * (placements[j][row] - areas[j]);
      }
      return sampleSize > 1 ? products / denominator : NaN;
    };
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
