/* Colours of models: each of eight once; of more than eight models, the others are grey. */
const Palette = (() => {
  "use strict";

  const COLOURS = 8;

  /** The AUC of a model: that of the document, else the area under its points. */
  function auc(ranking) {
    const summary = ranking.model.summaries?.find(({ name }) => name === "auc");
    if (summary) return summary.value ?? NaN;
    let area = 0;
    for (let index = 1; index <= ranking.last; index += 1) {
      area += (ranking.fpr(index) - ranking.fpr(index - 1)) * (ranking.tpr(index) + ranking.tpr(index - 1)) / 2;
    }
    return area;
  }

  /** Indices of the models in colour: all, or those that were searched for, the active one and the best ones. */
  function coloured(view) {
    const all = [...view.rankings.keys()];
    if (all.length <= COLOURS) return all;
    const areas = view.rankings.map(auc);
    const best = [...all].sort((a, b) => (areas[b] || 0) - (areas[a] || 0) || a - b);
    return [...new Set([...(view.highlighted ?? []), view.active, ...best])].slice(0, COLOURS).sort((a, b) => a - b);
  }

  /** Class names of the colours of all models. */
  function classes(view) {
    const order = coloured(view);
    return view.rankings.map((_, index) => (order.includes(index) ? `m${order.indexOf(index)}` : "other"));
  }

  return { auc, classes, COLOURS };
})();
