"""Registry of the example data sets: what each shows, where it comes from, and its columns."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list
from tradeoff.files.atomic_write import write_atomically
from tradeoff.results import Result
from tradeoff.sources.read_columns import read_file_columns

FOLDER = Path(__file__).parent
GENERATED_SOURCE = "simulated for this package (tradeoff/data/generate.py)"
OWN_LICENCE = "BSD-3-Clause, as this package"
FACTS = "a few published numbers, free to use with their source"


@dataclass(frozen=True, eq=False, repr=False)
class DataSet(Result, views="tradeoff.data.views"):
    """An example data set: a small file with its source, its licence and its columns.

    It can be used wherever the path of a file can: `evaluate(datasets.load("asah"), …)`.
    """

    name: str
    file: str
    description: str
    source: str
    licence: str
    meanings: Mapping[str, str] = field(repr=False)
    example: str = ""

    @property
    def path(self) -> Path:
        """Path of the data set's file."""
        return FOLDER / self.file

    def columns(self) -> dict[str, Any]:
        """The columns of the data set, by name."""
        return {name: values.copy() for name, values in self._file_columns.items()}

    @cached_property
    def _file_columns(self) -> dict[str, NDArray[Any]]:
        """The columns as read from the file; callers get copies, which they may change."""
        return read_file_columns(self.path, None)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the data set to a file: a copy, or a CSV file of a data set in another format."""
        suffix = Path(path).suffix.lower()
        if suffix not in {self.path.suffix, ".csv"}:
            formats = " or ".join(dict.fromkeys([self.path.suffix, ".csv"]))
            raise InputError(f"{self.name} is written as {formats}: name the file accordingly.")
        is_copy = suffix == self.path.suffix
        content = self.path.read_bytes() if is_copy else self.to_csv().encode()
        write_atomically(path, lambda file: file.write(content))

    def __getitem__(self, column: str) -> Any:
        """One column of the data set, as an array."""
        columns = self._file_columns
        if column not in columns:
            raise UnknownName(
                f"{self.name} has no column {column!r}.{did_you_mean(column, columns)} "
                f"Its columns: {format_list(list(columns), len(columns))}."
            )
        return columns[column].copy()

    def __fspath__(self) -> str:
        """The path of the file, so that a data set can stand for it."""
        return str(self.path)

    def __repr__(self) -> str:
        """Name and description of the data set."""
        return f"DataSet({self.name}: {self.description})"


@dataclass(frozen=True, eq=False, repr=False)
class DataSets(Result, views="tradeoff.data.views"):
    """Registry of all example data sets: `datasets.load("asah")`, `print(datasets)`."""

    by_name: Mapping[str, DataSet]

    def load(self, name: str) -> DataSet:
        """An example data set from the registry, by name.

        Example:
            >>> datasets.load("five")["score"]
            array([0.44, 0.29, 0.98, 0.69, 0.07])
            >>> from tradeoff import evaluate
            >>> evaluate(datasets.load("five"), actual="actual", score="score").auc.value
            0.5
        """
        if name not in self.by_name:
            purposes = {data.name: data.description for data in self.by_name.values()}
            raise UnknownName(
                f"No data set is called {name!r}.{did_you_mean(name, self.by_name, purposes)} "
                f"The data sets: {format_list(list(self.by_name), len(self.by_name))}."
            )
        return self.by_name[name]

    def columns(self) -> dict[str, list[Any]]:
        """One row per data set: its name, file, description, source, licence and columns."""
        keys = ("name", "file", "description", "source", "licence")
        table = {key: [getattr(data, key) for data in self.by_name.values()] for key in keys}
        return {**table, "columns": [", ".join(d.meanings) for d in self.by_name.values()]}

    def __getitem__(self, name: str) -> DataSet:
        """The same as `load`."""
        return self.load(name)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the data sets."""
        return iter(self.by_name)

    def __contains__(self, name: object) -> bool:
        """Whether a data set has this name."""
        return name in self.by_name

    def __len__(self) -> int:
        """Number of data sets."""
        return len(self.by_name)

    def __repr__(self) -> str:
        """The names of the data sets on one line."""
        return f"DataSets({', '.join(self.by_name)})"


_WEATHER = {
    "outlook": "sunny, overcast or rainy",
    "temperature": "hot, mild or cool",
    "humidity": "high or normal",
    "windy": "TRUE or FALSE",
    "play": "whether a game was played: yes or no",
}
_BREAST_CANCER = {
    "age": "age in years, in tens",
    "menopause": "before 40, from 40 on, or premenopausal",
    "tumor-size": "diameter in mm, in fives",
    "inv-nodes": "number of lymph nodes with cancer, in threes",
    "node-caps": "whether the cancer broke through the capsule of a lymph node",
    "deg-malig": "degree of malignancy, 1 to 3",
    "breast": "left or right",
    "breast-quad": "quadrant of the breast",
    "irradiat": "whether radiation was used",
    "Class": "recurrence-events or no-recurrence-events",
}
_ALL = (
    DataSet(
        "asah",
        "asah.csv",
        "113 patients after a subarachnoid haemorrhage: two blood markers, a grade, the outcome",
        "Turck et al. 2010, Intensive Care Medicine 36:107–115, doi:10.1007/s00134-009-1641-y; as "
        "distributed with the R package pROC",
        "GPL-3.0-or-later, the licence of pROC (this file only)",
        {
            "gos6": "Glasgow outcome scale after six months, 1 (dead) to 5; it defines the outcome",
            "outcome": "Good or Poor",
            "poor": "1 if the outcome is poor, else 0",
            "gender": "Female or Male",
            "age": "age in years",
            "wfns": "clinical grade of the World Federation of Neurological Societies, 1 to 5",
            "s100b": "blood marker S100B, in µg/l",
            "ndka": "blood marker NDKA, in µg/l",
        },
        "evaluate asah.csv --actual poor --score s100b --score ndka",
    ),
    DataSet(
        "breast_cancer",
        "breast_cancer.arff",
        "286 patients with breast cancer: did it recur? Nine columns to learn from",
        "M. Zwitter and M. Soklic, Institute of Oncology, Ljubljana (1988), doi:10.24432/C51P4M",
        "CC BY 4.0",
        _BREAST_CANCER,
        "crossval breast_cancer.arff --actual Class --positive recurrence-events "
        "--model weka-naive-bayes --way weka",
    ),
    DataSet(
        "churn",
        "churn.csv",
        "2,000 customers of a telephone company and two models of who leaves",
        GENERATED_SOURCE,
        OWN_LICENCE,
        {
            "customer": "number of the customer",
            "region": "east, north, south or west",
            "contract": "monthly or yearly",
            "months": "months since the contract began",
            "calls": "calls to the service line in the last three months",
            "churned": "whether the customer left: yes or no",
            "logistic": "probability of leaving, by a logistic regression",
            "boosting": "probability of leaving, by an overconfident boosting model",
        },
        "evaluate churn.csv --actual churned --positive yes --score logistic --score boosting",
    ),
    DataSet(
        "delong1988",
        "delong1988.csv",
        "43 patients with ovarian cancer: three scores of who will do badly after surgery",
        "DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837–845, doi:10.2307/2531595",
        FACTS,
        {
            "alb": "albumin",
            "tp": "total protein",
            "totscore": "the Krebs–Goplerud score; low is bad",
            "popind": "1 if surgery could not relieve the obstruction of the bowel, else 0",
        },
        "compare delong1988.csv --actual popind --score alb --score tp",
    ),
    DataSet(
        "fawcett2006",
        "fawcett2006.csv",
        "twenty rows with which an introduction to ROC analysis begins",
        "Fawcett 2006, Pattern Recognition Letters 27:861–874, doi:10.1016/j.patrec.2005.10.010",
        FACTS,
        {"score": "score", "class": "p or n"},
        "plot fawcett2006.csv --actual class --positive p --score score",
    ),
    DataSet(
        "five",
        "five.csv",
        "five rows, whose ROC curve can be drawn by hand",
        "made up for the tutorial",
        OWN_LICENCE,
        {"score": "score", "actual": "1 or 0"},
        "curve five.csv --actual actual --score score --format text",
    ),
    DataSet(
        "hanley_mcneil1982",
        "hanley_mcneil1982.csv",
        "109 CT images rated from 1 (definitely normal) to 5, as counts of each rating",
        "Hanley & McNeil 1982, Radiology 143:29–36, doi:10.1148/radiology.143.1.7063747",
        FACTS,
        {
            "rating": "rating, 1 to 5",
            "normal": "number of normal images with this rating",
            "abnormal": "number of abnormal images with this rating",
        },
    ),
    DataSet(
        "letters",
        "letters.csv",
        "5,000 customers in ten groups of equal score: how many answered a letter?",
        "made up for the tutorial",
        OWN_LICENCE,
        {
            "score": "decile of the score, 10 is the highest",
            "responded": "1 if the customers of this line responded, else 0",
            "customers": "number of customers of this line",
        },
        "curve letters.csv --actual responded --score score --weight customers --curve lift "
        "--format text",
    ),
    DataSet(
        "mailing",
        "mailing.csv",
        "3,000 customers who got a test mailing, and a model of who orders",
        GENERATED_SOURCE,
        OWN_LICENCE,
        {
            "customer": "number of the customer",
            "age": "age in years",
            "orders": "number of orders so far",
            "months_since_order": "months since the last order",
            "responded": "1 if the customer ordered, else 0",
            "score": "probability of an order, by the model",
        },
        "gains mailing.csv --actual responded --score score --cost-contact 2 --value 30",
    ),
    DataSet(
        "nineteen",
        "nineteen.csv",
        "nineteen ranked predictions with tied scores, the running example of the tutorial",
        "made up for the tutorial",
        OWN_LICENCE,
        {"score": "score", "actual": "+ or -"},
        "threshold nineteen.csv --actual actual --score score --positive + --reject --capacity 5",
    ),
    DataSet(
        "triage",
        "triage.csv",
        "400 patients of an emergency department and a model of three classes",
        GENERATED_SOURCE,
        OWN_LICENCE,
        {
            "patient": "number of the patient",
            "actual": "where the patient was sent: home, ward or icu",
            "predicted": "the most probable class",
            "p_home": "probability of home",
            "p_ward": "probability of ward",
            "p_icu": "probability of icu",
        },
        "classes triage.csv --actual actual --score home=p_home --score ward=p_ward "
        "--score icu=p_icu",
    ),
    DataSet(
        "weather",
        "weather.arff",
        "fourteen days: was a game played? The example of many courses on machine learning",
        "Quinlan 1986, Machine Learning 1:81–106, doi:10.1007/BF00116251, temperature and humidity "
        "in words",
        FACTS,
        _WEATHER,
        "crossval weather.arff --actual play --positive yes --model weka-naive-bayes "
        "--model weka-j48 --way weka",
    ),
    DataSet(
        "weather_predictions",
        "weather_predictions.csv",
        "the fourteen days as Weka's naive Bayes predicts them in a cross-validation",
        "Weka 3.6.14, naive Bayes, ten folds with seed 1",
        OWN_LICENCE,
        {
            "row": "number of the row in Weka's output",
            "actual": "whether a game was played: yes or no",
            "predicted": "what Weka predicted",
            "score_pos": "probability of yes",
            "weight": "weight of the row",
        },
        "evaluate weather_predictions.csv --actual actual --positive yes --score score_pos",
    ),
)
datasets = DataSets({data.name: data for data in _ALL})
"""The example data sets, which are part of the package."""
