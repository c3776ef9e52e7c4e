"""Trees compared with an installed Weka (Debian package `weka`)."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from weka_data import read_table

from tradeoff.crossval.folds import weka_splits
from tradeoff.crossval.weka_j48 import WekaJ48

JAR = Path("/usr/share/java/weka.jar")
JAVA = shutil.which("java")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (JAVA and JAR.exists()), reason="there is no java or no weka.jar"),
]


def write_random_arff(path, seed):
    """ARFF file of random rows whose columns are informative about the class or not."""
    random = np.random.default_rng(seed)
    size, classes = int(random.integers(20, 300)), int(random.integers(2, 5))
    codes = np.concatenate([np.arange(classes), random.integers(0, classes, size - classes)])
    header, columns = ["@relation made-up"], []
    for number in range(int(random.integers(1, 7))):
        signal = random.choice([0.0, 0.5, 1.5])
        if random.random() < 0.5:
            header.append(f"@attribute a{number} numeric")
            digits = int(random.integers(0, 4))
            cells = [f"{value:.{digits}f}" for value in random.normal(signal * codes, 1)]
        else:
            values = int(random.integers(2, 40 if random.random() < 0.3 else 5))
            header.append(f"@attribute a{number} {{{','.join(f'v{v}' for v in range(values))}}}")
            is_informative = random.random(size) < signal / 2
            feature = np.where(is_informative, codes % values, random.integers(0, values, size))
            cells = [f"v{value}" for value in feature]
        missing = random.random(size) < random.choice([0.0, 0.1, 0.4])
        columns.append(
            ["?" if is_missing else cell for cell, is_missing in zip(cells, missing, strict=True)]
        )
    header.append(f"@attribute class {{{','.join(f'c{c}' for c in range(classes))}}}")
    columns.append([f"c{code}" for code in codes])
    rows = [",".join(row) for row in zip(*columns, strict=True)]
    path.write_text("\n".join([*header, "@data", *rows]) + "\n")
    return path


def weka_probabilities(path, *options):
    """The probabilities that Weka prints, to three digits."""
    command = [JAVA, "-cp", JAR, "weka.classifiers.trees.J48", "-t", path, "-p", "0"]
    output = subprocess.run(
        [*command, "-distribution", *options], check=True, capture_output=True, text=True
    ).stdout
    lines = re.findall(r"^ +\d+ +\d+:.*? ([*\d.,]+) *$", output, flags=re.MULTILINE)
    return np.array([line.replace("*", "").split(",") for line in lines], dtype=float)


@pytest.mark.parametrize("seed", range(12))
def test_an_installed_weka_gives_the_same_probabilities(tmp_path, seed):
    path = write_random_arff(tmp_path / "rows.arff", seed)
    rows, values, actual, _, _ = sheet = read_table(path)
    folds = []
    for train, test in weka_splits(sheet.codes):
        model = WekaJ48(values=values).fit(rows[train], actual[train])
        probabilities = np.zeros((len(test), len(sheet.classes)))
        probabilities[:, [sheet.classes.index(c) for c in model.classes_]] = model.predict_proba(
            rows[test]
        )
        folds.append(probabilities)
    model = WekaJ48(values=values).fit(rows, actual)
    trained = sheet.in_order_of_header(model.predict_proba(rows), model)

    to_three_digits = {"rtol": 0, "atol": 0.0005 + 1e-9}
    np.testing.assert_allclose(np.concatenate(folds), weka_probabilities(path), **to_three_digits)
    np.testing.assert_allclose(trained, weka_probabilities(path, "-no-cv"), **to_three_digits)
