"""Exceptions of tradeoff, checks of arguments, and suggestions for error messages.

TradeoffError (a ValueError)
├── InputError       rows, classes, scores, weights or counts that cannot be evaluated
│   └── ColumnError  a column that is not in the data
├── UnknownName      no metric, summary or curve has that name
├── StorageError     a file that does not contain what was expected
└── MissingExtra     an optional dependency that is not installed (also an ImportError)
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])
LABEL_HINT = " For predicted classes, use evaluate_labels(…, predicted=…)."
ARGUMENT_SYNONYMS = {
    "alpha": "level",
    "confidence": "level",
    "confidence_level": "level",
    "cutoff": "threshold",
    "groups": "cluster",
    "labels": "actual",
    "n_bootstraps": "replicates",
    "n_resamples": "replicates",
    "pos_label": "positive",
    "random_state": "seed",
    "sample_weight": "weight",
    "target": "actual",
    "y": "actual",
    "y_pred": "score",
    "y_proba": "score",
    "y_score": "score",
    "y_true": "actual",
}
"""Arguments of other libraries, with the names of the corresponding arguments here."""
COMMON_STEMS = {
    "chart",
    "curve",
    "index",
    "measu",
    "metri",
    "plot",
    "rate",
    "score",
    "share",
    "value",
}
"""Stems of words that are too common to identify a name."""
MAX_SHORT_NAME_LENGTH = 4
"""Length up to which a name is compared more strictly with others."""
EXTRAS = {
    "joblib": ("joblib", "train"),
    "matplotlib": ("matplotlib", "plot"),
    "mlflow": ("MLflow", "mlflow"),
    "pandas": ("pandas", "pandas"),
    "polars": ("polars", "polars"),
    "py4j": ("Py4J", "spark"),
    "pyarrow": ("pyarrow", "pyarrow"),
    "pyreadstat": ("pyreadstat", "stata"),
    "pyspark": ("PySpark", "spark"),
    "python_calamine": ("python-calamine", "excel"),
    "sklearn": ("scikit-learn", "train"),
    "threadpoolctl": ("threadpoolctl", "train"),
}
"""Title of each optional dependency, and the extra that installs it, by module name."""


class TradeoffError(ValueError):
    """An error that the caller can correct; the message says how."""


class InputError(TradeoffError):
    """Error about rows, classes, scores, weights or counts that cannot be evaluated."""


class ColumnError(InputError):
    """Error about a column that is not in the data."""

    @classmethod
    def missing(cls, name: str, columns: Iterable[str]) -> ColumnError:
        """Error for a requested column that is not in the data."""
        columns = list(columns)
        parts = name.split(",")
        hint = did_you_mean(name, columns)
        if len(parts) > 1 and set(parts) <= set(columns):
            hint = f" Name one column: {_format_choice(parts)}."
        return cls(f"There is no column {name!r}.{hint} The columns are {format_list(columns)}.")


class UnknownName(TradeoffError):  # noqa: N818 - reads as a sentence
    """Error about a name that no metric, summary or curve has."""


class StorageError(TradeoffError):
    """Error about a file that cannot be written, or does not contain what was expected."""


class MissingExtra(TradeoffError, ImportError):  # noqa: N818 - reads as a sentence
    """Error about an optional dependency that is not installed."""


@contextmanager
def extra_required(subject: str) -> Iterator[None]:
    """Context manager for imports of an optional dependency: an error names the missing extra.

    Args:
        subject: What needs the dependency, as the first word of the message.
    """
    try:
        yield
    except ImportError as problem:
        module = (problem.name or "").partition(".")[0]
        if module not in EXTRAS or isinstance(problem, MissingExtra):
            raise
        title, extra = EXTRAS[module]
        if isinstance(problem, ModuleNotFoundError) and problem.name == module:
            message = f'{subject} needs {title}: pip install "tradeoff[{extra}]".'
        else:  # installed, but without what is imported from it
            message = (
                f"{subject} needs another version of {title} ({problem}): "
                f'pip install --upgrade "tradeoff[{extra}]".'
            )
        raise MissingExtra(message) from problem


def require_number(value: object, subject: str) -> float:
    """Require that an argument is a number; the InputError names the argument.

    Example:
        >>> require_number("2", "A target")
        Traceback (most recent call last):
        tradeoff.errors.InputError: A target must be a number, not '2'.
    """
    if isinstance(value, str) or not hasattr(value, "__float__"):
        raise InputError(f"{subject} must be a number, not {value!r}.")
    return float(value)


def did_you_mean(
    name: str, candidates: Iterable[str], meanings: Mapping[str, str] | None = None
) -> str:
    """Sentence of an error message that suggests names similar to an unknown one, if any.

    Names are similar if they are spelled alike, or if their meaning, a description, shares words
    with the unknown name.

    Example:
        >>> did_you_mean("percision", ["precision", "accuracy"])
        " Did you mean 'precision'?"
        >>> did_you_mean("share of alarms", ["tpr", "fpr"], {"fpr": "false alarms among negatives"})
        " Did you mean 'fpr'?"
    """
    from difflib import get_close_matches

    names_by_casefold = {candidate.casefold(): candidate for candidate in candidates}
    max_difference = max(2, len(name) // 3)
    names_of_similar_length = [
        w for w in names_by_casefold if abs(len(w) - len(name)) <= max_difference
    ]

    def names_spelled_alike(cutoff: float, words: Iterable[str] = names_by_casefold) -> list[str]:
        return [
            names_by_casefold[word] for word in get_close_matches(name.casefold(), words, 1, cutoff)
        ]

    if len(name) <= MAX_SHORT_NAME_LENGTH:  # it resembles many other names: "map" is not "mat"
        names = (
            _names_with_same_letters(name, names_by_casefold)
            or _names_by_meaning(name, meanings or {})
            or names_spelled_alike(0.8)
        )
    else:
        names = (
            names_spelled_alike(0.8)
            or _names_by_meaning(name, meanings or {})
            or names_spelled_alike(0.6, names_of_similar_length)
        )
    return f" Did you mean {_format_choice(names)}?" if names else ""


def _names_with_same_letters(name: str, names_by_casefold: Mapping[str, str]) -> list[str]:
    """The first name with the same letters in another order, or else with letters doubled."""
    for letters in (sorted, set):
        for casefolded_name, word in names_by_casefold.items():
            if letters(casefolded_name) == letters(name.casefold()):
                return [word]
    return []


def _names_by_meaning(name: str, meanings: Mapping[str, str]) -> list[str]:
    """Up to three names whose meanings share the most words with a name, compared by stem."""
    stems = {stem for stem in _stems(name) if stem not in COMMON_STEMS} or _stems(name)
    shared_counts = {word: len(stems & _stems(meaning)) for word, meaning in meanings.items()}
    max_shared_count = max(shared_counts.values(), default=0)
    names = [word for word, count in shared_counts.items() if count == max_shared_count]
    names.sort(
        key=lambda word: -len(stems & _stems(word))
    )  # words in the name before those in its description
    return names[:3] if max_shared_count else []


def _stems(text: str) -> set[str]:
    """Stems of the words of a text: their first five letters, the same in most inflections."""
    from re import findall

    return {word[:5] for word in findall("[a-z]{3,}", text.casefold().replace("_", " "))}


def _format_choice(words: Iterable[str]) -> str:
    """Quoted words joined by "or", for an error message.

    Example:
        >>> _format_choice(["tpr", "fpr", "ppv"])
        "'tpr', 'fpr' or 'ppv'"
    """
    return " or ".join(format_list(words).rsplit(" and ", 1))


def format_list(words: Iterable[object], max_words: int = 12) -> str:
    """Format a list of words for an error message: quoted, and truncated if long.

    Example:
        >>> format_list(["no", "yes"])
        "'no' and 'yes'"
    """
    quoted = [repr(word) if isinstance(word, str) else str(word) for word in words]
    if len(quoted) > max_words:
        quoted = [*quoted[:max_words], f"{len(quoted) - max_words:,} more"]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def require_unique_name(name: str, registry: Container[str], plural_noun: str) -> None:
    """Require that a name is not yet registered; a duplicate is a programming error."""
    if name in registry:
        raise ValueError(f"two {plural_noun} are called {name!r}")


def suggest_arguments(function: Function) -> Function:
    """Decorator of public functions: the error for a misspelt argument suggests the right one.

    Type checkers and completion see the signature of the function itself.

    Example:
        >>> @suggest_arguments
        ... def evaluate(data, *, positive=None): ...
        >>> evaluate([0, 1], positve=1)
        Traceback (most recent call last):
        TypeError: evaluate() has no argument 'positve'. Did you mean 'positive'?
    """

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except TypeError as problem:
            # Only errors of the call itself are explained, not those from inside the function.
            if problem.__traceback__ is None or problem.__traceback__.tb_next is not None:
                raise
            message = _unknown_argument_message(function, options)
            if message is None:
                raise
        raise TypeError(message)

    return cast("Function", call)


def _unknown_argument_message(
    function: Callable[..., Any], options: Iterable[str], title: str = ""
) -> str | None:
    """Message about the first argument that a function does not have; None if it has them all."""
    from inspect import signature

    names = [name for name in signature(function).parameters if name != "self"]
    unknown = next((name for name in options if name not in names), None)
    if unknown is None:
        return None
    synonym = ARGUMENT_SYNONYMS.get(unknown)
    hint = f" Did you mean {synonym!r}?" if synonym in names else did_you_mean(unknown, names)
    hint = LABEL_HINT if unknown == "predicted" else hint
    hint = hint or f" Its arguments are {format_list(names, 40)}."
    title = title or function.__qualname__.removesuffix(".__init__").rpartition(".")[2]
    return f"{title}() has no argument {unknown!r}.{hint}"
