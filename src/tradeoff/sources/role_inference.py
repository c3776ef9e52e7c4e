"""Roles of columns that the caller did not name: which holds the classes, which the scores.

All rules are in this file. A role is inferred only if a single choice is possible; the positive
class only from 0 and 1, -1 and 1, or booleans. It is never guessed for words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tradeoff.errors import format_list
from tradeoff.sources.classes import spelling
from tradeoff.sources.column_summaries import ColumnSummary
from tradeoff.sources.text_values import has_decimal_comma, is_number

SCORE_NAME = re.compile(r"(p|p[_ .-].*|prob.*|score.*|pred.*)", re.IGNORECASE)
"""Names of columns of scores."""
PREDICTION_NAME = re.compile(
    r"(pred.*|y_?pred.*|y_?hat.*|.*[_ .-]pred(icted|iction)?)", re.IGNORECASE
)
"""Names of columns of predicted classes."""
CLASS_NAMES = {
    *("actual", "class", "ground_truth", "label", "outcome", "target", "true_class"),
    *("true_label", "truth", "y", "y_true"),
}
"""Names that decide which of several columns with two values holds the actual classes."""
GROUP_NAMES = {"fold", "split", "set", "part", "partition", "run", "repeat", "cv_fold"}
"""Names of columns that divide the rows and are not classes."""
ID_NAME = re.compile(
    r"(.*[_ .-])?(id|ids|uuid|guid|key|index|row|rownames|rowid|nr|no)", re.IGNORECASE
)
ID_SUFFIX = re.compile(r".*[a-z](ID|Id)")
AFFIRMATIVE_WORDS = {"1", "ja", "oui", "pos", "positive", "si", "sí", "sim", "true", "y", "yes"}
"""Class names that examples treat as positive."""
MIN_ROWS_OF_ID = 20
"""Minimum number of rows from which text that never repeats is taken for IDs."""
MAX_CLASSES = 30
CLASS_PREFIXES = ("", "p_", "prob_", "proba_", "score_", "pred_", "p.", "p ")


@dataclass(frozen=True)
class Roles:
    """Roles of columns: those of the actual class and of the scores, as far as they are known.

    Args:
        actual: Column of the actual class; None if it is unclear.
        scores: Columns of scores; empty if they are unclear.
        positive: The positive class; None if it must be named.
        classes: The classes, if there are two.
        problem: Why a role is unclear; empty if all are known.
    """

    actual: str | None
    scores: tuple[str, ...]
    positive: str | None = None
    classes: tuple[str, ...] = ()
    problem: str = ""

    @property
    def sentence(self) -> str:
        """The inferred roles in a few words.

        Example:
            >>> Roles("churned", ("logistic", "boosting"), "1", ("0", "1")).sentence
            'class churned (1 is positive), scores logistic and boosting'
        """
        scores = " and ".join([", ".join(self.scores[:-1]), self.scores[-1]][-len(self.scores) :])
        return (
            f"class {self.actual} ({self.positive} is positive), "
            f"score{'s' * (len(self.scores) > 1)} {scores}"
        )


def infer_roles(
    summaries: Sequence[ColumnSummary],
    *,
    actual: str | None = None,
    scores: Sequence[str] = (),
    positive: str | None = None,
) -> Roles:
    """Roles of columns: those that are named, and the others where only one choice is possible."""
    class_column, class_problem = _class_column(summaries, actual, scores, positive)
    classes = class_column.values if class_column and class_column.distinct == 2 else ()
    if class_column is not None and positive is None:
        positive, positive_problem = _positive_class(class_column)
    else:
        positive_problem = ""
    excluded = {actual, class_column.name if class_column else None}
    score_columns, score_problem = (
        (tuple(scores), "")
        if scores
        else _score_columns([c for c in summaries if c.name not in excluded], classes, positive)
    )
    inferred = [class_column.name] if class_column and actual is None else []
    inferred += [] if scores else score_columns
    header_problem = _header_problem(inferred)
    return Roles(
        class_column.name if class_column else actual,
        () if header_problem and not scores else score_columns,
        positive,
        classes,
        header_problem or class_problem or score_problem or positive_problem,
    )


def _header_problem(names: Sequence[str]) -> str:
    """Message that a file has no header, if its column names are numbers; empty otherwise.

    Example:
        >>> _header_problem(["0", "0.73"])
        "The first line holds '0' and '0.73', not names of columns: add a line with names."
    """
    if not any(is_number(name) for name in names):
        return ""
    return (
        f"The first line holds {format_list(names)}, not names of columns: add a line with names."
    )


def _class_column(
    summaries: Sequence[ColumnSummary],
    actual: str | None,
    scores: Sequence[str],
    positive: str | None,
) -> tuple[ColumnSummary | None, str]:
    """Column of the actual class; or None, and why it is unclear."""
    if actual is not None:
        named = [column for column in summaries if column.name == actual]
        return (named[0], "") if named else (None, "")
    candidates = [
        column for column in summaries if column.name not in scores and is_class_column(column)
    ]
    if len(candidates) > 1 and positive is not None:
        candidates = [c for c in candidates if positive in c.values] or candidates
    if len(candidates) > 1:
        of_usual_name = [column for column in candidates if _normalized(column.name) in CLASS_NAMES]
        candidates = of_usual_name if len(of_usual_name) == 1 else candidates
    if len(candidates) == 1:
        return candidates[0], ""
    if candidates:
        names = format_list([column.name for column in candidates])
        return None, f"Several columns have two values and may be the class: {names}."
    for column in filter(_is_multiclass_column, summaries):
        if len({spelling(value) for value in column.values}) == 2:
            return None, (
                f"{column.name!r} holds {format_list(column.values)}, which differ only in case or "
                "spaces: write each of the two classes in one way."
            )
    several = [c.name for c in summaries if _is_multiclass_column(c)]
    if several:
        return None, (
            f"No column has two values; {format_list(several)} "
            f"{'has' if len(several) == 1 else 'have'} more: name the class and which of its "
            "values is positive, or evaluate all of them with `tradeoff classes`."
        )
    return None, "No column has two values, as a class would."


def is_class_column(column: ColumnSummary) -> bool:
    """Whether a column may hold the actual classes: two values, and no other role by its name."""
    return (
        column.distinct == 2
        and not column.is_index
        and _normalized(column.name) not in GROUP_NAMES
        and not PREDICTION_NAME.fullmatch(column.name)
    )


def _is_multiclass_column(column: ColumnSummary) -> bool:
    return column.kind == "text" and 2 < column.distinct <= MAX_CLASSES and not column.is_index


def _positive_class(column: ColumnSummary) -> tuple[str | None, str]:
    """The positive class of a column, if its classes say so; or why it must be named."""
    values = set(column.values)
    if column.kind == "boolean":
        return "True", ""
    if column.kind == "number" and values in ({"0", "1"}, {"-1", "1"}):
        return "1", ""
    names = column.values
    if not names:
        return None, f"{column.name!r} holds no class."
    example = likely_positive(column)
    if column.distinct != 2:
        return None, (
            f"{column.name!r} holds {column.distinct:,} classes, {format_list(names, 6)}: say "
            f"which one is positive, for example positive={example!r}."
        )
    other = next(name for name in names if name != example)
    return None, (
        f"{column.name!r} holds {format_list(names)}. Which one is positive? Add "
        f"positive={example!r} or positive={other!r}."
    )


def _score_columns(
    candidates: Sequence[ColumnSummary], classes: Sequence[str], positive: str | None
) -> tuple[tuple[str, ...], str]:
    """Columns of scores by their names, else those within 0 to 1; or why they are unclear."""
    numeric = [column for column in candidates if is_score_column(column)]
    named = [column for column in numeric if SCORE_NAME.fullmatch(column.name)]
    proportions = [column for column in numeric if is_within_unit(column)]
    columns = [column.name for column in named or proportions]
    if columns:
        return _scores_of_positive(columns, classes, positive)
    if not numeric:
        return (), _decimal_comma_problem(candidates) or "No column of numbers could be a score."
    return (), (
        "No column is named like a score (p_…, prob…, score…, pred…), and none is within 0 to 1."
    )


def _decimal_comma_problem(candidates: Sequence[ColumnSummary]) -> str:
    """Message that numbers have decimal commas in a comma-separated file; empty otherwise."""
    for column in candidates:
        cells = column.values
        if column.kind == "text" and cells and all(map(has_decimal_comma, cells)):
            return (
                f"Numbers in {column.name!r} look like {cells[0]!r} (decimal comma): read the file "
                "with decimal=','."
            )
    return ""


def is_score_column(column: ColumnSummary) -> bool:
    """Whether a column may hold scores: numbers with more than two values that are not an index."""
    return (
        column.kind == "number"
        and column.distinct > 2
        and not column.is_index
        and not is_id_column(column)
    )


def is_within_unit(column: ColumnSummary) -> bool:
    """Whether all numbers of a column are between 0 and 1, as is typical of the role of scores."""
    return (
        column.low is not None and column.high is not None and 0 <= column.low <= column.high <= 1
    )


def _scores_of_positive(
    columns: Sequence[str], classes: Sequence[str], positive: str | None
) -> tuple[tuple[str, ...], str]:
    """Columns of scores without those of the negative class, if each class has one of its own."""
    of_class = {value: [c for c in columns if _is_score_of(c, value)] for value in classes}
    if len(of_class) < 2 or not all(of_class.values()):
        return tuple(columns), ""
    if positive is None:
        return tuple(columns), ""
    others = {column for value, names in of_class.items() if value != positive for column in names}
    return tuple(column for column in columns if column not in others), ""


def _is_score_of(column: str, value: str) -> bool:
    """Whether a column of scores is named after a class.

    Example:
        >>> _is_score_of("p_yes", "yes"), _is_score_of("Prob_No", "no"), _is_score_of("p_yes", "no")
        (True, True, False)
        >>> _is_score_of("p (yes)", "yes")
        True
    """
    return _without_brackets(column) in {f"{prefix}{value}".casefold() for prefix in CLASS_PREFIXES}


def is_id_column(column: ColumnSummary) -> bool:
    """Whether a column has the role of an ID: by its name, row numbers, or unique text.

    Example:
        >>> ids = ColumnSummary("customer_id", "number", 3, 0, 3, (), low=17.0, high=99.0)
        >>> is_id_column(ids)
        True
    """
    if column.is_index or column.numbers_rows:
        return True
    if not column.is_all_distinct:
        return False
    is_whole = column.kind == "text" or (
        column.low is not None and column.low.is_integer() and not is_within_unit(column)
    )
    if is_whole and (ID_NAME.fullmatch(column.name) or ID_SUFFIX.fullmatch(column.name)):
        return True
    return column.kind == "text" and column.rows >= MIN_ROWS_OF_ID


def class_scores(summaries: Sequence[ColumnSummary]) -> tuple[str, dict[str, str]] | None:
    """Roles with three or more classes: the class column and each class's scores; None without."""
    numeric = [column.name for column in summaries if column.kind == "number"]
    names = {key(name): name for key in (_without_brackets, str.casefold) for name in numeric}
    for column in summaries:
        if not 2 < column.distinct <= MAX_CLASSES or len(column.values) < column.distinct:
            continue
        scores = {
            value: next(
                (names[key] for p in CLASS_PREFIXES if (key := f"{p}{value}".casefold()) in names),
                None,
            )
            for value in column.values
        }
        if all(score is not None and score != column.name for score in scores.values()):
            return column.name, {value: str(score) for value, score in scores.items()}
    return None


def example_roles(
    roles: Roles, summaries: Sequence[ColumnSummary]
) -> tuple[str, str | None, tuple[str, ...]]:
    """Roles with likely columns where they are unclear, for a command that the user will edit."""
    candidates = [column for column in summaries if is_class_column(column)] or [
        column for column in summaries if _is_multiclass_column(column)
    ]
    affirmative = [
        column
        for column in candidates
        if any(str(value).casefold() in AFFIRMATIVE_WORDS for value in column.values)
    ]
    likely_classes = affirmative or candidates
    actual = roles.actual or (likely_classes[0].name if likely_classes else "COLUMN")
    class_column = next((column for column in summaries if column.name == actual), None)
    positive = roles.positive
    if class_column is not None and positive is None and class_column.values:
        positive = _positive_class(class_column)[0] or likely_positive(class_column)
    numeric = [c for c in summaries if is_score_column(c) and c.name != actual]
    named = [c for c in numeric if SCORE_NAME.fullmatch(c.name)]
    finest = sorted(numeric, key=lambda column: -column.distinct)[:1]
    likely = named or [c for c in numeric if is_within_unit(c)] or finest
    scores = tuple(column.name for column in likely) or ("COLUMN",)
    if not roles.scores and class_column is not None:
        scores = _scores_of_positive(scores, class_column.values, positive)[0] or scores
    return actual, positive, roles.scores or scores


def needs_positive(actual: str, summaries: Sequence[ColumnSummary]) -> bool:
    """Whether the positive class of a column must be named."""
    column = next((column for column in summaries if column.name == actual), None)
    return column is not None and _positive_class(column)[0] is None


def likely_role(column: ColumnSummary, roles: Roles) -> str:  # noqa: PLR0911 - one per role
    """Likely role of a column: class, score, index …; a question mark says that it is a guess."""
    if column.name == roles.actual:
        return "class"
    if column.name in roles.scores:
        return "probability" if is_within_unit(column) else "score"
    if column.is_index:
        return "index"
    if column.distinct <= 1:
        return "constant" if column.distinct else "empty"
    if column.distinct == 2 and PREDICTION_NAME.fullmatch(column.name):
        return "predicted class?"
    if is_class_column(column):
        return "class?"
    if is_id_column(column):
        return "id?"
    if is_score_column(column):
        return "probability?" if is_within_unit(column) else "score?"
    return "segment?" if column.kind == "text" and column.distinct <= MAX_CLASSES else ""


def likely_positive(column: ColumnSummary) -> str:
    """Likely positive class for an example: an affirmative word such as yes, else the rarest."""
    affirmative = [value for value in column.values if value.casefold() in AFFIRMATIVE_WORDS]
    rarest = min(reversed(column.counts), key=lambda value_and_rows: value_and_rows[1])[0]
    return affirmative[0] if affirmative else rarest


def _normalized(name: str) -> str:
    return re.sub(r"[ .-]+", "_", name.strip()).casefold()


def _without_brackets(name: str) -> str:
    """A name for comparison, in which P(home) and p (home) name a class as "p home" does."""
    return name.casefold().translate(str.maketrans("", "", "()[]"))
