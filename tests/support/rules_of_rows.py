"""Rules about rows: for each rule, rows that break it and the message that every source gives."""

import re

INF = float("inf")
VALID_COLUMNS = {"y": [1, 0, 1, 0, 1, 0], "p": [0.5, 0.25, 0.75, 0.5, 0.125, 0.25]}
MISSING_SCORE_ADVICE = (
    ' in, or use missing="drop", missing="reject" (undecided) or missing="negative" (ranked last); '
    "the output reports how many rows are affected."
)
MISSING_CLASS_ADVICE = (
    " A row without an actual class cannot be evaluated: fill in the class, or leave such rows out "
    'with missing="drop".'
)
WEIGHT_ADVICE = " A weight says how often a row counts: it must be a finite number of 0 or more."
FOLD_ADVICE = ": each row belongs to the fold in which it was tested, so fill in the fold."
POSITIVE_CLASS_ADVICE = (
    ": say which one is positive (the others are then negative), for example positive='a'."
)
SPELLING_ADVICE = (
    ": write them alike or, if they are different classes, write 1 for the positive class and 0 "
    "for all others."
)
LARGE_INTEGER_MESSAGE = (
    "`p` holds integers above 2**53 that floating point cannot distinguish (first: row 4). Divide "
    "them or replace them by ranks first."
)
RULES = {
    "a score is missing": (
        {"p": [0.5, None, 0.75, 0.5, 0.125, 0.25]},
        {},
        "1 of 6 scores in `p` is missing (first: row 2). Fill it" + MISSING_SCORE_ADVICE,
    ),
    "many scores are missing": (
        {"p": [None, None, 0.75, None, 0.125, None]},
        {},
        "4 of 6 scores in `p` are missing (first: rows 1, 2 and 4). Fill them"
        + MISSING_SCORE_ADVICE,
    ),
    "a score is missing after a row of weight 0": (
        {"p": [0.5, None, 0.75, 0.5, None, 0.25], "w": [1, 0, 2, 1, 1, 1]},
        {"weight": "w"},
        "1 of 5 scores in `p` is missing (first: row 5). Fill it" + MISSING_SCORE_ADVICE,
    ),
    "a class is missing": (
        {"y": [1, 0, None, 0, 1, None]},
        {},
        "2 of 6 rows have no class in 'y' (first: rows 3 and 6)." + MISSING_CLASS_ADVICE,
    ),
    "a class is missing among strings": (
        {"y": ["a", "b", None, "b", "a", "b"]},
        {"positive": "a"},
        "1 of 6 rows has no class in 'y' (first: row 3)." + MISSING_CLASS_ADVICE,
    ),
    "a weight is missing": (
        {"w": [1.0, None, 2.0, 1.0, None, 1.0]},
        {"weight": "w"},
        "2 of 6 weights are missing or infinite (first: rows 2 and 5)." + WEIGHT_ADVICE,
    ),
    "a weight is infinite": (
        {"w": [1.0, INF, 2.0, 1.0, 0.5, 1.0]},
        {"weight": "w"},
        "1 of 6 weights is missing or infinite (first: row 2)." + WEIGHT_ADVICE,
    ),
    "a weight is negative": (
        {"w": [1, 1, 2, 1, 1, -1]},
        {"weight": "w"},
        "1 of 6 weights is negative (first: row 6)." + WEIGHT_ADVICE,
    ),
    "a weight is too large": (
        {"w": [1.0, 1e101, 2.0, 1.0, 0.5, 1.0]},
        {"weight": "w"},
        "1 of 6 weights is above 1e+100 (first: row 2)." + WEIGHT_ADVICE,
    ),
    "a weight is too small": (
        {"w": [1.0, 1e-101, 2.0, 1.0, 0.5, 1.0]},
        {"weight": "w"},
        "1 of 6 weights is below 1e-100 (first: row 2)." + WEIGHT_ADVICE,
    ),
    "a fold is missing": (
        {"k": ["1", "2", None, "1", "2", "1"]},
        {"fold": "k"},
        "1 row without a fold in 'k' (first: row 3)" + FOLD_ADVICE,
    ),
    "an integer would be rounded": ({"p": [1, 2, 3, 2**53 + 1, 4, 5]}, {}, LARGE_INTEGER_MESSAGE),
    "an integer would be rounded, after a row of weight 0": (
        {"p": [1, 2, 3, 2**53 + 1, 4, 5], "w": [0, 1, 1, 1, 1, 1]},
        {"weight": "w"},
        LARGE_INTEGER_MESSAGE,
    ),
    "two classes without a positive one": (
        {"y": ["a", "b", "a", "b", "a", "b"]},
        {},
        "'y' holds 'a' and 'b': say which one is positive, for example positive='b'.",
    ),
    "two numbers without a positive one": (
        {"y": [1, 2, 1, 2, 1, 2]},
        {},
        "'y' holds '1' and '2': say which one is positive, for example positive='2'.",
    ),
    "three classes without a positive one": (
        {"y": ["a", "b", "c", "b", "a", "b"]},
        {},
        ("'y' holds 3 classes, 'a', 'b' and 'c'" + POSITIVE_CLASS_ADVICE),
    ),
    "no row is positive": (
        {"y": ["no", "nope", "no", "nope", "no", "nope"]},
        {"positive": "nop"},
        "'nop' does not occur in 'y'. Did you mean 'nope'? Its classes are 'no' and 'nope'.",
    ),
    "the positive class is written in several ways": (
        {"y": ["YES", "no", "yes", "no", " Yes", "No"]},
        {"positive": "YES"},
        "'y' holds 'YES', ' Yes' and 'yes', which differ only in case or spaces" + SPELLING_ADVICE,
    ),
    "two classes differ only in case": (
        {"y": ["A", "a", "A", "a", "A", "a"]},
        {"positive": "A"},
        "'y' holds 'A' and 'a', which differ only in case or spaces" + SPELLING_ADVICE,
    ),
    "no row is positive as it is written": (
        {"y": ["Yes"] * 6},
        {"positive": "yes"},
        "'yes' does not occur in 'y'. Did you mean 'Yes'? Its only class is 'Yes'.",
    ),
    "an unknown policy for missing scores": (
        {},
        {"missing": "ignore"},
        "`missing` must be one of 'error', 'drop', 'reject' and 'negative', not 'ignore'.",
    ),
    "a meaning without weights": (
        {},
        {"weight_means": "frequency"},
        "`weight_means` says what the weights mean: pass `weight` as well.",
    ),
    "an unknown meaning of weights": (
        {"w": [1, 1, 2, 1, 1, 1]},
        {"weight": "w", "weight_means": "often"},
        "`weight_means` must be one of 'frequency' and 'importance', not 'often'.",
    ),
    "a missing column": (
        {},
        {"score": "pp"},
        "There is no column 'pp'. Did you mean 'p'? The columns are 'y' and 'p'.",
    ),
}
MISSING_SCORES = {"p": [0.5, None, 0.75, 0.5, None, 0.25]}
NOTES = {
    "left out": (MISSING_SCORES, {"missing": "drop"}, ["2 rows without a score: left out"]),
    "rejected": (
        MISSING_SCORES,
        {"missing": "reject"},
        ["2 rows without a score: counted as rejected"],
    ),
    "ranked last": (
        MISSING_SCORES,
        {"missing": "negative"},
        ["2 rows without a score: ranked last"],
    ),
    "without a class": (
        {"y": [1, 0, None, 0, 1, 0]},
        {"missing": "drop"},
        ["1 row without a class: left out"],
    ),
    "frequencies": (
        {"w": [1, 2, 1, 1, 1, 1]},
        {"weight": "w"},
        ["weights are treated as frequencies, as they are whole numbers"],
    ),
    "frequencies stored as floats": (
        {"w": [1.0, 2.0, 1.0, 1.0, 1.0, 1.0]},
        {"weight": "w"},
        ["weights are treated as frequencies, as they are whole numbers"],
    ),
    "importances": (
        {"w": [1.0, 0.5, 1.0, 1.0, 1.0, 1.0]},
        {"weight": "w"},
        ["weights are treated as importances, as they are not whole numbers"],
    ),
    "a weight of 0 among those of 1 is left out": ({"w": [1, 0, 1, 1, 1, 1]}, {"weight": "w"}, []),
    "all at once": (
        MISSING_SCORES | {"y": [1, 0, None, 0, 1, 0], "w": [1, 2, 3, 1, 1, 1]},
        {"missing": "drop", "weight": "w"},
        [
            "1 row without a class: left out",
            "weights are treated as frequencies, as they are whole numbers",
            "2 rows without a score: left out",
        ],
    ),
}


def without_row_numbers(message):
    """Message from a source whose rows have no numbers, such as a database."""
    return re.sub(r" \(first: rows? [0-9, and]+\)", "", message)
