"""Roles of columns that the caller did not name: which holds the classes, which the scores.

A role is inferred only if a single choice is possible; the positive class only from 0 and 1, -1 and
1, or booleans. It is never guessed for words. The rules for predicted classes, for scores of
several classes and for gates are in `predicted_roles`, `class_roles` and `gate_roles`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tradeoff.errors import format_list
from tradeoff.sources.class_score_names import named_scores, normalized
from tradeoff.sources.classes import spelling
from tradeoff.sources.column_summaries import ColumnSummary
from tradeoff.sources.text_values import has_decimal_comma, is_number

SCORE_NAME = re.compile(r"\.?(p|p[_ .-].*|prob.*|score.*|pred.*)", re.IGNORECASE)
"""Names of columns of scores."""
PREDICTION_NAME = re.compile(
    r"(\.?pred.*|y[_ .-]?pred.*|y[_ .-]?hat.*|.*[_ .-]pred(icted|iction)?)", re.IGNORECASE
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


@dataclass(frozen=True)
class Roles:
    """Roles of columns: those of the actual class and of the scores, as far as they are known.

    Args:
        actual: Column of the actual class; None if it is unclear.
        scores: Columns of scores; empty if they are unclear.
        positive: The positive class; None if it must be named.
        classes: The classes, if there are two.
        problem: Why a role is unclear; empty if all are known.
        predicted: Columns of predicted classes, which are used if there are no scores.
    """

    actual: str | None
    scores: tuple[str, ...]
    positive: str | None = None
    classes: tuple[str, ...] = ()
    problem: str = ""
    predicted: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The inferred roles in a few words.

        Example:
            >>> Roles("churned", ("logistic", "boosting"), "1", ("0", "1")).sentence
            'class churned (1 is positive), scores logistic and boosting'
            >>> Roles("kind", (), predicted=("guess",)).sentence
            'class kind, predicted class guess'
        """
        if self.scores:
            plural = "s" * (len(self.scores) > 1)
            return f"{self.class_text}, score{plural} {join_names(self.scores)}"
        plural = "es" * (len(self.predicted) > 1)
        return f"{self.class_text}, predicted class{plural} {join_names(self.predicted)}"

    @property
    def class_text(self) -> str:
        """The column of the actual class and the positive class in a few words."""
        positive = "" if self.positive is None else f" ({self.positive} is positive)"
        return f"class {self.actual}{positive}"


def join_names(names: Sequence[str]) -> str:
    """Names in a sentence, without quotes.

    Example:
        >>> join_names(["a"]), join_names(["a", "b", "c"])
        ('a', 'a, b and c')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]][-len(names) :])


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
        positive, positive_problem = positive_class(class_column)
    else:
        positive_problem = ""
    predicted = () if class_column is None else predicted_columns(summaries, class_column)
    excluded = {actual, class_column.name if class_column else None, *predicted}
    score_columns, score_problem = (
        (tuple(scores), "")
        if scores
        else _score_columns([c for c in summaries if c.name not in excluded], classes, positive)
    )
    if score_problem and predicted:
        verb = "holds" if len(predicted) == 1 else "hold"
        score_problem = (
            f"No column could be a score, but {format_list(predicted)} {verb} predicted classes."
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
        predicted,
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
    candidates: Sequence[ColumnSummary] = [
        column for column in summaries if column.name not in scores and is_class_column(column)
    ]
    if len(candidates) > 1 and positive is not None:
        candidates = [c for c in candidates if positive in c.values] or candidates
    candidates = prefer_usual_name(candidates)
    if len(candidates) > 1:
        candidates = [c for c in candidates if predicted_columns(summaries, c)] or candidates
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


def prefer_usual_name(candidates: Sequence[ColumnSummary]) -> Sequence[ColumnSummary]:
    """Candidates for the actual class; only one if it alone has a usual name, such as outcome."""
    of_usual_name = [column for column in candidates if normalized(column.name) in CLASS_NAMES]
    return of_usual_name if len(of_usual_name) == 1 else candidates


def is_class_column(column: ColumnSummary) -> bool:
    """Whether a column may hold the actual classes: two values, and no other role by its name."""
    return column.distinct == 2 and may_hold_classes(column)


def may_hold_classes(column: ColumnSummary) -> bool:
    """Whether a column may hold two or more actual classes: few values, no other role by name."""
    return (
        2 <= column.distinct <= MAX_CLASSES
        and not column.is_index
        and column.kind != "date"
        and normalized(column.name) not in GROUP_NAMES
        and not PREDICTION_NAME.fullmatch(column.name)
    )


def predicted_columns(
    summaries: Sequence[ColumnSummary], class_column: ColumnSummary
) -> tuple[str, ...]:
    """Columns named like predictions whose values are classes of a column."""
    return tuple(
        column.name
        for column in summaries
        if PREDICTION_NAME.fullmatch(column.name)
        and column.name != class_column.name
        and 2 <= column.distinct <= min(class_column.distinct, MAX_CLASSES)
        and label_names(column) <= label_names(class_column)
    )


def label_names(column: ColumnSummary) -> set[str]:
    """Names of the classes in a column; booleans are 1 and 0, as in another column they may be."""
    if column.kind != "boolean":
        return set(column.values)
    return {"1" if value == "True" else "0" for value in column.values}


def _is_multiclass_column(column: ColumnSummary) -> bool:
    return column.kind == "text" and column.distinct > 2 and may_hold_classes(column)


def positive_class(column: ColumnSummary) -> tuple[str | None, str]:
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
    if len(classes) < 2 or positive is None:
        return tuple(columns), ""
    others = {
        column
        for names in named_scores(classes, columns)
        if names.is_complete
        for value, column in names.columns.items()
        if value != positive
    }
    return tuple(column for column in columns if column not in others), ""


def is_id_column(column: ColumnSummary) -> bool:
    """Whether a column has the role of an ID: by its name, row numbers, or unique text.

    Example:
        >>> ids = ColumnSummary("customer_id", "number", 3, 0, 3, (), low=17.0, high=99.0)
        >>> is_id_column(ids)
        True
    """
    return column.is_index or column.numbers_rows or names_rows(column)


def names_rows(column: ColumnSummary) -> bool:
    """Whether a column has a different value in each row, and the name of an ID or text as values.

    Example:
        >>> names_rows(ColumnSummary("patientId", "number", 3, 0, 3, (), low=17.0, high=99.0))
        True
    """
    if not column.is_all_distinct or column.is_index:
        return False
    is_whole = column.kind == "text" or (
        column.low is not None and column.low.is_integer() and not is_within_unit(column)
    )
    if is_whole and (ID_NAME.fullmatch(column.name) or ID_SUFFIX.fullmatch(column.name)):
        return True
    return column.kind == "text" and column.rows >= MIN_ROWS_OF_ID


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
        positive = positive_class(class_column)[0] or likely_positive(class_column)
    numeric = [c for c in summaries if is_score_column(c) and c.name != actual]
    named = [c for c in numeric if SCORE_NAME.fullmatch(c.name)]
    finest = sorted(numeric, key=lambda column: -column.distinct)[:1]
    likely = named or [c for c in numeric if is_within_unit(c)] or finest
    scores = tuple(column.name for column in likely) or ("COLUMN",)
    scores = roles.scores or scores
    if roles.positive is None and class_column is not None:
        scores = _scores_of_positive(scores, class_column.values, positive)[0] or scores
    return actual, positive, scores


def likely_role(column: ColumnSummary, roles: Roles) -> str:  # noqa: PLR0911 - one per role
    """Likely role of a column: class, score, index …; a question mark says that it is a guess."""
    if column.name == roles.actual:
        return "class"
    if column.name in roles.scores:
        return "probability" if is_within_unit(column) else "score"
    if column.name in roles.predicted:
        return "predicted class"
    if column.is_index:
        return "index"
    if column.distinct <= 1:
        return "constant" if column.distinct else "empty"
    is_categorical = column.kind == "text" and column.distinct <= MAX_CLASSES
    if (column.distinct == 2 or is_categorical) and PREDICTION_NAME.fullmatch(column.name):
        return "predicted class?"
    if is_class_column(column):
        return "class?"
    if is_id_column(column):
        return "id?"
    if is_score_column(column):
        return "probability?" if is_within_unit(column) else "score?"
    return "segment?" if is_categorical else ""


def likely_positive(column: ColumnSummary) -> str:
    """Likely positive class for an example: an affirmative word such as yes, else the rarest."""
    affirmative = [value for value in column.values if value.casefold() in AFFIRMATIVE_WORDS]
    rarest = min(reversed(column.counts), key=lambda value_and_rows: value_and_rows[1])[0]
    return affirmative[0] if affirmative else rarest
