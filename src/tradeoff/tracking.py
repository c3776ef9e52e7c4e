"""MLflow tracking: log metrics, reasons for undefined ones, rankings and the report.

MLflow is imported when something is logged, and only the store that it is set to is written to.
"""

from __future__ import annotations

import math
import os
import posixpath
import re
import tempfile
import time
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import chain, count, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from tradeoff.comparison.comparison import Comparison
from tradeoff.core.ranked_models import RankedModels
from tradeoff.errors import InputError, extra_required, require_number, suggest_arguments
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.files import write_json
from tradeoff.measures.registry import METRICS, SUMMARIES
from tradeoff.text import printable
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE

if TYPE_CHECKING:
    from tradeoff.crossval.cross_validation import CrossValidation

    Trackable = Evaluation | Comparison | CrossValidation

FOLDER = "tradeoff"
LONGEST_KEY = LONGEST_PREFIX = 100
LONGEST_TEXT = 500
# MLflow takes 1,000 entries a request, of which 100 may be parameters and 100 tags.
METRICS_AT_ONCE, TEXTS_AT_ONCE = 800, 100
TELEMETRY = "MLFLOW_DISABLE_TELEMETRY"


@suggest_arguments
def log_to_mlflow(
    result: Trackable,
    *,
    threshold: float = 0.5,
    prefix: str = "",
    report: bool = True,
    run_id: str | None = None,
) -> str:
    """Log an evaluation, comparison or cross-validation to MLflow; returns the id of the run.

    The run is that of `run_id`, else the active one. If there is neither, one is started and ended
    (as FAILED if the store refuses something). All metrics are computed before the store is written
    to. A metric that is undefined or infinite is not logged: `undefined.json` lists it with its
    reason.

    Args:
        result: An evaluation, a comparison or a cross-validation.
        threshold: Threshold of the metrics.
        prefix: Prefix of all names, such as "test/": one run can hold several evaluations.
        report: Whether to write the HTML report.
        run_id: The run to log into, whether or not it is active.
    """
    threshold = _require_threshold(threshold)
    _require_prefix(prefix)
    subject = _subject(result)
    names = _Names.of(subject.evaluation, prefix)
    mlflow = _mlflow()
    client = _client(mlflow)
    params = _params(subject, names, threshold)
    run_id = run_id or _active(mlflow)
    if run_id is not None:
        _require_same_params(mlflow, client, run_id, params)
    document = subject.evaluation.to_dict(threshold)
    document |= {"notes": list(subject.notes)} if subject.notes else {}
    measured = _measured(document, names)
    with tempfile.TemporaryDirectory() as folder:
        _write(subject, document, names, Path(folder))
        if report:
            _write_report(subject, threshold, Path(folder) / "report.html")
        with _run(mlflow, run_id) as into:
            tags = {names.of_model(n, "tradeoff.model"): n for n in subject.evaluation}
            _send(mlflow, client, into, measured, params, tags)
            client.log_artifacts(into, folder, f"{prefix}{FOLDER}")
    return into


@dataclass(frozen=True)
class _Subject:
    """What is logged: an evaluation, and the comparison or cross-validation of the same rows."""

    evaluation: Evaluation
    comparison: Comparison | None = None
    crossed: CrossValidation | None = None
    notes: tuple[str, ...] = ()


def _subject(result: Trackable) -> _Subject:
    from tradeoff.crossval.cross_validation import CrossValidation

    if isinstance(result, Evaluation):
        return _Subject(result)
    if isinstance(result, Comparison):
        paired = result.paired
        clustered = () if paired.clusters is None else result.models
        clusters = {name: paired.select_models(name) for name in clustered}
        models = RankedModels(result.rankings, clusters=clusters)
        comparison, notes = _comparison(result)
        return _Subject(Evaluation(models, result.confidence), comparison, notes=notes)
    if isinstance(result, CrossValidation):
        comparison, notes = _comparison(result)
        all_notes = (*result.notes, *notes)
        return _Subject(result.evaluation, comparison, result, all_notes)
    raise InputError(
        "What is logged is an evaluation, a comparison or a cross-validation, not "
        f"{type(result).__name__}: evaluate(…), compare(…) and cross_validate(…) make one."
    )


def _comparison(
    result: Comparison | CrossValidation,
) -> tuple[Comparison | None, tuple[str, ...]]:
    """Comparison of models that share rows of both classes, or a note why there is none."""
    try:
        comparison = result if isinstance(result, Comparison) else result.comparison()
        if len(comparison.models) < 2:
            return None, ()
        comparison.areas  # noqa: B018 - says whether areas can be compared
    except InputError as problem:
        return None, (f"the models are not compared: {str(problem).rstrip('.')}",)
    return comparison, ()


@dataclass(frozen=True)
class _Names:
    """Names of models in MLflow, made legal for keys and file names."""

    keys: Mapping[str, str]
    prefix: str = ""

    @classmethod
    def of(cls, models: Iterable[str], prefix: str) -> _Names:
        """Legal key of each model, distinct even without regard to case.

        Some stores keep entries as files or in tables that take "Tree" and "tree" for one.

        Example:
            >>> _Names.of(["a/b", "a_b", "A_B", "ü"], "").keys
            {'a_b': 'a_b', 'A_B': 'A_B-2', 'a/b': 'a_b-3', 'ü': 'u'}
        """
        keys: dict[str, str] = {}
        used_keys: set[str] = set()
        for name in sorted(models, key=lambda name: _legal(name) != name):
            legal = _legal(name)
            tries = chain([legal], (f"{legal}-{number}" for number in count(2)))
            keys[name] = next(key for key in tries if key.casefold() not in used_keys)
            used_keys.add(keys[name].casefold())
        return cls(keys, prefix)

    def of_model(self, model: str, entry: str) -> str:
        """Name of an entry about a model; a single model is not named."""
        key = f"{self.keys[model]}/" if len(self.keys) > 1 else ""
        return f"{self.prefix}{key}{entry}"


def _legal(name: str) -> str:
    """A model name in characters that every MLflow store and file system takes.

    Example:
        >>> [_legal(name) for name in ("a/../b", "<script>", "Größe", "..")]
        ['a_.._b', '_script_', 'Gro_e', 'model']
    """
    letters = unicodedata.normalize("NFKD", name)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    safe = re.sub(r"[^A-Za-z0-9_. -]+", "_", bare)
    return safe[:LONGEST_KEY].strip(" .") or "model"


def _require_threshold(value: object) -> float:
    threshold = require_number(value, "A threshold")
    if math.isnan(threshold):
        raise InputError("The threshold is NaN: metrics need a number.")
    return threshold


def _require_prefix(prefix: str) -> None:
    whole = f"{prefix}auc"
    if (
        len(prefix) > LONGEST_PREFIX
        or not re.fullmatch(r"[A-Za-z0-9_./ -]*", prefix)
        or posixpath.normpath(whole) != whole
        or whole.startswith(("/", ".."))
    ):
        raise InputError(
            f"{printable(prefix)!r} cannot stand before MLflow's names: a prefix has at most "
            f"{LONGEST_PREFIX} letters, digits, spaces and _ - . / and is not a path that leads "
            'up or to the root. "test/" is one.'
        )


def _mlflow() -> Any:
    """The MLflow module, imported without telemetry."""
    with extra_required("log_to_mlflow"), _without_telemetry():
        return import_module("mlflow")


@contextmanager
def _without_telemetry() -> Iterator[None]:
    """Turn MLflow's telemetry off while it is imported, unless the user has set it."""
    if TELEMETRY in os.environ:
        yield
        return
    os.environ[TELEMETRY] = "true"
    try:
        yield
    finally:
        del os.environ[TELEMETRY]


def _client(mlflow: Any) -> Any:
    try:
        return mlflow.MlflowClient()
    except mlflow.exceptions.MlflowException as problem:
        # The address itself may hold a password.
        kind = urlsplit(mlflow.get_tracking_uri()).scheme or "folder"
        raise InputError(
            f"MLflow does not open its tracking store (of kind {kind!r}). It logs to a server, "
            'mlflow.set_tracking_uri("http://…"); to a folder where the environment says '
            "MLFLOW_ALLOW_FILE_STORE=true; to a database after pip install sqlalchemy alembic."
        ) from problem


def _active(mlflow: Any) -> str | None:
    run = mlflow.active_run()
    return None if run is None else str(run.info.run_id)


@contextmanager
def _run(mlflow: Any, run_id: str | None) -> Iterator[str]:
    """MLflow run to log into; a run that is started here is ended here."""
    if run_id is not None:
        yield run_id
        return
    with mlflow.start_run() as run:
        yield str(run.info.run_id)


def _params(subject: _Subject, names: _Names, threshold: float) -> dict[str, str]:
    from tradeoff import __version__

    rankings = subject.evaluation.rankings
    first = next(iter(rankings.values()))
    params = {
        "threshold": repr(threshold),
        "positive": printable(first.positive, LONGEST_TEXT),
        "level": repr((subject.evaluation.confidence or DEFAULT_CONFIDENCE).level),
        "version": __version__,
    }
    return {f"{names.prefix}tradeoff.{name}": value for name, value in params.items()} | {
        names.of_model(model, "tradeoff.rows"): str(ranking.rows)
        for model, ranking in rankings.items()
    }


def _require_same_params(mlflow: Any, client: Any, run_id: str, params: Mapping[str, str]) -> None:
    """Require that the run's MLflow parameters are new or the same, as they cannot change."""
    try:
        stored = client.get_run(run_id).data.params
    except mlflow.exceptions.MlflowException as problem:
        if problem.error_code not in {"RESOURCE_DOES_NOT_EXIST", "INVALID_PARAMETER_VALUE"}:
            raise  # a store that is away or forbids reading says so itself
        raise InputError(
            f"MLflow has no run {printable(run_id)!r} in the store that it uses now: check the "
            "id and "
            "mlflow.get_tracking_uri()."
        ) from problem
    for name, value in params.items():
        if stored.get(name, value) != value:
            raise InputError(
                f"The run holds {name} = {stored[name]} already, which MLflow does not change to "
                f'{value}: log into another run, or under a prefix, as in prefix="test/".'
            )


class _Number(NamedTuple):
    """One metric of an evaluation's document, of a model or of one of its folds."""

    model: str
    measure: str
    estimate: Mapping[str, Any]
    fold: str | None = None
    step: int = 0

    @property
    def entry(self) -> str:
        return self.measure if self.fold is None else f"{self.measure}_by_fold"


def _numbers(document: Mapping[str, Any]) -> Iterator[_Number]:
    for model in document["models"]:
        called = model["name"]
        for name, estimate in {**model["summaries"], **model["at"]["metrics"]}.items():
            yield _Number(called, name, estimate)
        for step, fold in enumerate(model.get("folds", ()), 1):
            for name, estimate in {"auc": fold["auc"], **fold["metrics"]}.items():
                yield _Number(called, name, estimate, fold["name"], step)


def _measured(document: Mapping[str, Any], names: _Names) -> list[tuple[str, float, int]]:
    """Name, value and step of every defined metric; folds are steps."""
    entries: list[tuple[str, float | None, int]] = []
    # Intervals of these are logged as numbers; those of all others are in the document.
    headlines = SUMMARIES.headlines("tracking") + METRICS.headlines("tracking")
    with_interval = {measure.name for measure in headlines}
    for number in _numbers(document):
        name, value = names.of_model(number.model, number.entry), number.estimate["value"]
        entries.append((name, value, number.step))
        if number.entry in with_interval and value is not None:
            entries += [
                (f"{name}_{limit}", number.estimate.get(limit), 0) for limit in ("low", "high")
            ]
    return [(name, float(value), step) for name, value, step in entries if value is not None]


def _undefined(document: Mapping[str, Any]) -> list[dict[str, str]]:
    """Metrics without a finite value, and the reason."""
    return [
        {"model": number.model, "measure": number.measure, "reason": number.estimate["reason"]}
        | ({} if number.fold is None else {"fold": number.fold})
        for number in _numbers(document)
        if number.estimate["value"] is None
    ]


def _write(subject: _Subject, document: Any, names: _Names, folder: Path) -> None:
    """Write all artifacts but the report."""
    write_json(folder / "evaluation.json", document)
    undefined = {"undefined": _undefined(document)}
    write_json(folder / "undefined.json", undefined)
    (folder / "rankings").mkdir()
    for name, ranking in subject.evaluation.rankings.items():
        ranking.save(folder / "rankings" / f"{names.keys[name]}.ranking")
    if subject.comparison is not None:
        write_json(folder / "comparison.json", subject.comparison.to_dict())
    if subject.crossed is not None:
        subject.crossed.save(folder / "scores.parquet")


def _write_report(subject: _Subject, threshold: float, path: Path) -> None:
    subject.evaluation.report(path, threshold=threshold, comparison=subject.comparison)


def _send(  # noqa: PLR0913, PLR0917 - where to, and three kinds of entries
    mlflow: Any,
    client: Any,
    run_id: str,
    measured: Sequence[tuple[str, float, int]],
    params: Mapping[str, str],
    tags: Mapping[str, str],
) -> None:
    """Send metrics, parameters and tags to MLflow in as few requests as its limits allow."""
    entities, now = mlflow.entities, int(time.time() * 1000)
    metrics = [entities.Metric(name, value, now, step) for name, value, step in measured]
    run_params = [entities.Param(*each) for each in params.items()]
    run_tags = [entities.RunTag(name, value[:LONGEST_TEXT]) for name, value in tags.items()]
    requests = zip_longest(
        _split(metrics, METRICS_AT_ONCE),
        _split(run_params, TEXTS_AT_ONCE),
        _split(run_tags, TEXTS_AT_ONCE),
        fillvalue=(),
    )
    for request in requests:
        client.log_batch(run_id, *request, synchronous=True)


def _split(entries: list[Any], size: int) -> list[list[Any]]:
    return [entries[at : at + size] for at in range(0, len(entries), size)]
