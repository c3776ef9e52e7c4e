"""Exceptions of tradeoff, checks of arguments, and suggestions in error messages.

TradeoffError (a ValueError)
├── InputError       rows, classes, scores, weights or counts that cannot be evaluated
│   └── ColumnError  a column that is not in the data
├── UnknownName      no metric, summary or curve of that name
├── StorageError     a file that does not contain what was expected
└── MissingExtra     an optional dependency that is not installed (also an ImportError)
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])
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
"""What other libraries call arguments."""
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
"""Stems of words that say too little to find a name by."""
EXTRAS = {
    "joblib": ("joblib", "train"),
    "matplotlib": ("matplotlib", "plot"),
    "mlflow": ("MLflow", "mlflow"),
    "pandas": ("pandas", "pandas"),
    "polars": ("polars", "polars"),
    "py4j": ("Py4J", "spark"),
    "pyarrow": ("pyarrow", "pyarrow"),
    "pyspark": ("PySpark", "spark"),
    "sklearn": ("scikit-learn", "train"),
    "threadpoolctl": ("threadpoolctl", "train"),
}
"""Title of each optional dependency, and the extra that installs it, by module."""


class TradeoffError(ValueError):
    """An error that the caller can correct; the message says how."""


class InputError(TradeoffError):
    """Rows, classes, scores, weights or counts that cannot be evaluated."""


class ColumnError(InputError):
    """A column that is not in the data."""

    @classmethod
    def missing(cls, name: str, columns: Iterable[str]) -> ColumnError:
        """Error for a requested column that is not in the data."""
        columns = list(columns)
        return cls(
            f"There is no column {name!r}.{did_you_mean(name, columns)} "
            f"The columns are {format_list(columns)}."
        )


class UnknownName(TradeoffError):  # noqa: N818 - reads as the sentence it is
    """There is no metric, summary or curve of that name."""


class StorageError(TradeoffError):
    """A file that cannot be written, or does not contain what was expected."""


class MissingExtra(TradeoffError, ImportError):  # noqa: N818 - reads as the sentence it is
    """An optional dependency that is not installed."""


@contextmanager
def extra_required(subject: str) -> Iterator[None]:
    """Context of imports of an optional dependency: if it is missing, the error names its extra.

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


def require_number(value: object, what: str) -> float:
    """Require a number as an argument, or raise an InputError that names the argument.

    Example:
        >>> require_number("2", "A target")
        Traceback (most recent call last):
        tradeoff.errors.InputError: A target must be a number, not '2'.
    """
    if isinstance(value, str) or not hasattr(value, "__float__"):
        raise InputError(f"{what} must be a number, not {value!r}.")
    return float(value)


def did_you_mean(
    name: str, candidates: Iterable[str], meanings: Mapping[str, str] | None = None
) -> str:
    """Sentence that suggests the nearest names for an unknown one; empty when none is near.

    Near are names that are spelled alike, and those whose meaning (a text that describes them)
    shares words with the unknown name.

    Example:
        >>> did_you_mean("percision", ["precision", "accuracy"])
        " Did you mean 'precision'?"
        >>> did_you_mean("share of alarms", ["tpr", "fpr"], {"fpr": "false alarms among negatives"})
        " Did you mean 'fpr'?"
    """
    from difflib import get_close_matches

    folded = {word.casefold(): word for word in candidates}

    def spelled_alike(cutoff: float) -> list[str]:
        return [folded[word] for word in get_close_matches(name.casefold(), folded, 1, cutoff)]

    names = spelled_alike(0.8) or _near_in_meaning(name, meanings or {}) or spelled_alike(0.6)
    return f" Did you mean {format_choice(names)}?" if names else ""


def _near_in_meaning(name: str, meanings: Mapping[str, str]) -> list[str]:
    """Up to three names whose meanings share most words with a name; words are told by stems."""
    stems = {stem for stem in _stems(name) if stem not in COMMON_STEMS} or _stems(name)
    shared = {word: len(stems & _stems(meaning)) for word, meaning in meanings.items()}
    most = max(shared.values(), default=0)
    return [word for word, size in shared.items() if size == most][:3] if most else []


def _stems(text: str) -> set[str]:
    from re import findall

    return {word[:5] for word in findall("[a-z]{3,}", text.casefold().replace("_", " "))}


def format_choice(words: Iterable[str]) -> str:
    """Words of which one is to be chosen.

    Example:
        >>> format_choice(["tpr", "fpr", "ppv"])
        "'tpr', 'fpr' or 'ppv'"
    """
    return " or ".join(format_list(words).rsplit(" and ", 1))


def format_list(words: Iterable[object], maximum: int = 12) -> str:
    """Format a list of words for an error message: quoted, and truncated when long.

    Example:
        >>> format_list(["no", "yes"])
        "'no' and 'yes'"
    """
    quoted = [repr(word) if isinstance(word, str) else str(word) for word in words]
    if len(quoted) > maximum:
        quoted = [*quoted[:maximum], f"{len(quoted) - maximum:,} more"]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def require_unique_name(name: str, table: Container[str], plural: str) -> None:
    """Require that a name is not yet in a registry."""
    if name in table:
        raise ValueError(f"two {plural} are called {name!r}")


def suggest_arguments(function: Function) -> Function:
    """Decorator: a misspelt argument of a public function names the right one.

    Types and completion see the function as it is written.

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
            # Only the call itself is explained, not a TypeError from inside the function.
            if problem.__traceback__ is None or problem.__traceback__.tb_next is not None:
                raise
            message = unknown_argument(function, options)
            if message is None:
                raise
        raise TypeError(message)

    return cast("Function", call)


def unknown_argument(
    function: Callable[..., Any], options: Iterable[str], title: str = ""
) -> str | None:
    """What is said of the first argument that a function does not have; None if it has them all."""
    from inspect import signature

    names = [name for name in signature(function).parameters if name != "self"]
    unknown = next((name for name in options if name not in names), None)
    if unknown is None:
        return None
    synonym = ARGUMENT_SYNONYMS.get(unknown)
    hint = f" Did you mean {synonym!r}?" if synonym in names else did_you_mean(unknown, names)
    hint = hint or f" Its arguments are {format_list(names, 40)}."
    title = title or function.__qualname__.removesuffix(".__init__").rpartition(".")[2]
    return f"{title}() has no argument {unknown!r}.{hint}"
