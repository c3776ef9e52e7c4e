"""What our cross-validation costs beyond scikit-learn's cross_val_predict with the same pipeline.

`--write` keeps the table in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
from statistics import median

import numpy as np
import pandas as pd
from measuring import keep_memory, summary_table, timed, write
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from threadpoolctl import threadpool_limits

import tradeoff as to
from tradeoff.crossval.features import make_features
from tradeoff.crossval.models import find_model, new_estimator

ROWS, SEED, ROUNDS = 20_000, 1, 5
MODELS = ("logistic", "boosting")


def data():
    rng = np.random.default_rng(0)
    actual = rng.random(ROWS) < 0.3
    columns = {f"x{i}": rng.normal(size=ROWS) + 0.3 * actual for i in range(8)}
    columns["town"] = rng.choice([f"t{i}" for i in range(12)], ROWS)
    return pd.DataFrame(columns).assign(y=actual)


def overhead(model):
    frame = data()
    columns = {name: frame[name].to_numpy() for name in frame if name != "y"}
    features = make_features(columns)
    pipeline = new_estimator(find_model(model), SEED, features)
    actual = frame["y"].to_numpy().astype(int)

    def theirs():
        folds = StratifiedKFold(10, shuffle=True, random_state=SEED)
        with threadpool_limits(1):
            cross_val_predict(pipeline, features.matrix, actual, cv=folds, method="predict_proba")

    def ours():
        to.cross_validate(frame, actual="y", models=[model], seed=SEED, jobs=1)

    return median(timed(ours) / timed(theirs) for _ in range(ROUNDS))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--write", action="store_true")
    asked = options.parse_args()
    claims = [
        (f"{model}, {ROWS:,} rows, 10 folds, over cross_val_predict", overhead(model), "≤ 1.10")
        for model in MODELS
    ]
    table = summary_table(claims)
    print(table)
    if asked.write:
        write("training", table)


if __name__ == "__main__":
    keep_memory()
    main()
