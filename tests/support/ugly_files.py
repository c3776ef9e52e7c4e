"""The bundled data sets as other programs and other countries would have exported them."""

import csv
import math

import openpyxl

from tradeoff import datasets

YES_NO = {"yes": "Yes", "no": "No", "1": "Yes", "0": "No"}
JA_NEIN = {"yes": "Ja", "no": "Nein"}
CLASS = "Gekündigt im März"
"""The class column of the German export: an umlaut and spaces."""


def german_export(path):
    """Churn as a German spreadsheet saves it: ';', decimal commas, cp1252, Ja and Nein."""
    header = ["", "Kunden-Nr.", "Straße, Region", "Monate", CLASS, "Modell A", "Modell B"]
    rows = [
        [
            *(index, row["customer"], row["region"], row["months"], JA_NEIN[row["churned"]]),
            *(_with_comma(row[model]) for model in ("logistic", "boosting")),
        ]
        for index, row in enumerate(_rows("churn"))
    ]
    return _write(path, header, rows, delimiter=";", encoding="cp1252")


def decimal_commas_between_commas(path):
    """Scores with decimal commas, quoted since commas also separate the columns."""
    header = ["has churned", "logistic"]
    rows = [[YES_NO[row["churned"]], _with_comma(row["logistic"])] for row in _rows("churn")]
    return _write(path, header, rows)


def thousands_or_decimals(path):
    """Scores such as "1,234" in a column that the dot elsewhere makes ambiguous."""
    header = ["poor", "marker", "age"]
    rows = [
        [row["poor"], _with_comma(f"{1 + float(row['s100b']):.3f}"), f"{row['age']}.5"]
        for row in _rows("asah")
    ]
    return _write(path, header, rows, delimiter=";")


def percent_signs(path):
    """A mailing list: an index, spaces in the header, Yes and No, percent signs with commas."""
    header = ["", "customer no", "took offer", "model score", "letters sent"]
    rows = [
        [
            *(index, f"{int(row['customer']):06d}", YES_NO[row["responded"]]),
            *(_with_comma(f"{100 * float(row['score']):.2f}") + " %", 1 + index % 3),
        ]
        for index, row in enumerate(_rows("mailing"))
    ]
    return _write(path, header, rows, delimiter=";", encoding="utf-8-sig")


def unicode_text(path):
    """Churn as "Unicode text": UTF-16 with a byte-order mark, tabs, Windows line ends."""
    header = ["customer", "has churned", "old model", "new model"]
    rows = [
        [row["customer"], YES_NO[row["churned"]], row["logistic"], row["boosting"]]
        for row in _rows("churn")
    ]
    return _write(path, header, rows, delimiter="\t", encoding="utf-16")


def missing_predictions(path, every=50, blank="NA"):
    """Churn with two models, the newer of which has no score for some rows."""
    header = ["", "churned", "old model", "new model"]
    rows = [
        [
            *(index, int(row["churned"] == "yes"), row["logistic"]),
            row["boosting"] if index % every else blank,
        ]
        for index, row in enumerate(_rows("churn"))
    ]
    return _write(path, header, rows)


def logits(path):
    """Churn with the raw output of a network: log odds, of both signs."""
    header = ["", "churned", "network output"]
    rows = [
        [index, YES_NO[row["churned"]], repr(log_odds(float(row["boosting"])))]
        for index, row in enumerate(_rows("churn"))
    ]
    return _write(path, header, rows)


def log_odds(probability):
    """The logit, of probabilities that are kept away from 0 and 1."""
    inside = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(inside / (1 - inside))


def three_classes(path):
    """Triage with ';', decimal commas, an index and headers with spaces."""
    header = ["", "where to", "p (home)", "p (ward)", "p (icu)", "nurse says"]
    rows = [
        [
            *(index, row["actual"]),
            *(_with_comma(row[column]) for column in ("p_home", "p_ward", "p_icu")),
            row["predicted"],
        ]
        for index, row in enumerate(_rows("triage"))
    ]
    return _write(path, header, rows, delimiter=";")


def workbook(path):
    """The aSAH study as a workbook: notes on the first sheet, patients on the second."""
    book = openpyxl.Workbook()
    book.active.title = "Read me"
    book.active.append(["Exported for the ethics committee"])
    sheet = book.create_sheet("Patients 2010")
    sheet.append([None, "patient no", "Poor outcome", "S100 b", "NDKA (ng/ml)"])
    for index, row in enumerate(_rows("asah")):
        sheet.append(
            [
                *(index, f"P{index:03d}", YES_NO[row["poor"]]),
                *(float(row["s100b"]), float(row["ndka"])),
            ]
        )
    book.save(path)
    return path


def _with_comma(number):
    return str(number).replace(".", ",")


def _rows(name):
    with datasets[name].path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _write(path, header, rows, delimiter=",", encoding="utf-8"):
    with path.open("w", newline="", encoding=encoding) as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(header)
        writer.writerows(rows)
    return path
