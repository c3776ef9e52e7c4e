"""MLflow tracking: log metrics, reasons for undefined metrics, rankings and the report.

MLflow is imported only when something is logged, and only its configured store is written to.
"""

from __future__ import annotations

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
from tradeoff.errors import InputError, extra_required, suggest_arguments
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.files.json_files import write_json_file
from tradeoff.formatting import printable
from tradeoff.measures.registry import METRICS, SUMMARIES, find_measures
from tradeoff.measures.vocabulary_measures import vocabulary_metrics
from tradeoff.thresholds.operating_threshold import Thresholds, require_thresholds
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE

if TYPE_CHECKING:
    from tradeoff.crossval.cross_validation import CrossValidation

    Trackable = Evaluation | Comparison | CrossValidation

ARTIFACT_FOLDER = "tradeoff"
MAX_KEY_LENGTH = MAX_PREFIX_LENGTH = 100
MAX_VALUE_LENGTH = 500
# MLflow accepts 1,000 entries per request, of which at most 100 parameters and 100 tags.
MAX_METRICS_PER_REQUEST, MAX_PARAMS_PER_REQUEST = 800, 100
TELEMETRY_VARIABLE = "MLFLOW_DISABLE_TELEMETRY"


@suggest_arguments
def log_to_mlflow(  # noqa: PLR0913 - one parameter per option
    result: Trackable,
    *,
    threshold: Thresholds | None = None,
    metrics: str | Sequence[str] | None = None,
    prefix: str = "",
    report: bool = True,
    run_id: str | None = None,
) -> str:
    """Log an evaluation, comparison or cross-validation to MLflow and return the run id.

    The run is that of `run_id` or, by default, the active one. Without either, a run is started and
    ended (as FAILED if the store rejects something). All metrics are computed before anything is
    written to the store. An undefined or infinite metric is not logged: `undefined.json` lists it
    with the reason.

    Args:
        result: An evaluation, a comparison or a cross-validation.
        threshold: Threshold at which metrics are computed, or one for each model by name. By
            default that given to the evaluation, else 0.5 for probabilities; other scores need one.
        metrics: Metrics and summaries to log, by any of their names, under which they are then
            logged; "all" logs every one. By default the AUC, average precision, Brier score and
            log loss, the metrics that an evaluation shows first, and the expected cost if costs are
            known. `evaluation.json` always contains all of them.
        prefix: Prefix of all names, such as "test/": one run can contain several evaluations.
        report: Whether to log the HTML report.
        run_id: The run to log to, which need not be active.
    """
    _require_prefix(prefix)
    results = _results_to_log(result)
    selection = _Selection.of(metrics, results.evaluation)
    thresholds = _thresholds(results, threshold)
    names = _Names.for_models(results.evaluation, prefix)
    mlflow = _mlflow()
    client = _client(mlflow)
    params = _params(results, names, thresholds)
    run_id = run_id or _active_run_id(mlflow)
    if run_id is not None:
        _require_same_params(mlflow, client, run_id, params)
    document = results.evaluation.to_dict(thresholds)
    document |= {"notes": list(results.notes)} if results.notes else {}
    if selection.names is None:
        entries = _metric_entries(document, names, selection)
    else:  # under the requested names, and with their parameters
        requested = results.evaluation.to_dict(thresholds, metric=selection.names)
        entries = _metric_entries(requested, names, selection)
    with tempfile.TemporaryDirectory() as folder:
        _write_artifacts(results, document, names, Path(folder))
        if report:
            _write_report(results, thresholds, Path(folder) / "report.html")
        with _open_run(mlflow, run_id) as active_id:
            tags = {names.entry_name(n, "tradeoff.model"): n for n in results.evaluation}
            _send(mlflow, client, active_id, entries, params, tags)
            client.log_artifacts(active_id, folder, f"{prefix}{ARTIFACT_FOLDER}")
    return active_id


@dataclass(frozen=True)
class _LoggedResults:
    """Results to log: an evaluation, and the comparison or cross-validation of the same rows."""

    evaluation: Evaluation
    comparison: Comparison | None = None
    cross_validation: CrossValidation | None = None
    notes: tuple[str, ...] = ()


def _results_to_log(result: Trackable) -> _LoggedResults:
    from tradeoff.crossval.cross_validation import CrossValidation

    if isinstance(result, Evaluation):
        return _LoggedResults(result)
    if isinstance(result, Comparison):
        paired = result.paired
        names = () if paired.clusters is None else result.models
        clusters = {name: paired.select_models(name) for name in names}
        models = RankedModels(result.rankings, clusters=clusters)
        comparison, notes = _comparison_and_notes(result)
        return _LoggedResults(Evaluation(models, result.confidence), comparison, notes=notes)
    if isinstance(result, CrossValidation):
        comparison, notes = _comparison_and_notes(result)
        all_notes = (*result.notes, *notes)
        return _LoggedResults(result.evaluation, comparison, result, all_notes)
    raise InputError(
        "log_to_mlflow takes an evaluation, a comparison or a cross-validation, not "
        f"{type(result).__name__}: create one with evaluate(…), compare(…) or cross_validate(…)."
    )


def _comparison_and_notes(
    result: Comparison | CrossValidation,
) -> tuple[Comparison | None, tuple[str, ...]]:
    """Comparison of the models or, if they cannot be compared, None and a note that says why."""
    try:
        comparison = result if isinstance(result, Comparison) else result.comparison()
        if len(comparison.models) < 2:
            return None, ()
        comparison.areas  # noqa: B018 - raises if AUCs cannot be compared
    except InputError as problem:
        return None, (f"the models are not compared: {str(problem).rstrip('.')}",)
    return comparison, ()


@dataclass(frozen=True)
class _Names:
    """Names of models in MLflow, made valid as keys and file names."""

    keys: Mapping[str, str]
    prefix: str = ""

    @classmethod
    def for_models(cls, models: Iterable[str], prefix: str) -> _Names:
        """Valid key of each model; keys are distinct even when case is ignored.

        Some stores use files or tables in which "Tree" and "tree" are the same.

        Example:
            >>> _Names.for_models(["a/b", "a_b", "A_B", "ü"], "").keys
            {'a_b': 'a_b', 'A_B': 'A_B-2', 'a/b': 'a_b-3', 'ü': 'u'}
        """
        keys: dict[str, str] = {}
        used_keys: set[str] = set()
        for name in sorted(models, key=lambda name: _valid_key(name) != name):
            key = _valid_key(name)
            candidates = chain([key], (f"{key}-{number}" for number in count(2)))
            keys[name] = next(c for c in candidates if c.casefold() not in used_keys)
            used_keys.add(keys[name].casefold())
        return cls(keys, prefix)

    def entry_name(self, model: str, entry: str) -> str:
        """Name of an entry about a model, without the model name if there is only one model."""
        key = f"{self.keys[model]}/" if len(self.keys) > 1 else ""
        return f"{self.prefix}{key}{entry}"


def _valid_key(name: str) -> str:
    """Reduce a model name to characters that every MLflow store and file system accepts.

    Example:
        >>> [_valid_key(name) for name in ("a/../b", "<script>", "Größe", "..")]
        ['a_.._b', '_script_', 'Gro_e', 'model']
    """
    characters = unicodedata.normalize("NFKD", name)
    without_accents = "".join(c for c in characters if not unicodedata.combining(c))
    key = re.sub(r"[^A-Za-z0-9_. -]+", "_", without_accents)
    return key[:MAX_KEY_LENGTH].strip(" .") or "model"


def _thresholds(results: _LoggedResults, threshold: Thresholds | None) -> dict[str, float]:
    """The threshold of each model: the one given, else 0.5 for probabilities, else an error."""
    evaluation, cross_validation = results.evaluation, results.cross_validation
    if threshold is None:
        threshold = evaluation.threshold
    if threshold is None and cross_validation is not None:
        threshold = cross_validation.threshold
    return require_thresholds(
        evaluation.rankings, threshold, "log_to_mlflow", argument="threshold={thresholds}"
    )


def _require_prefix(prefix: str) -> None:
    name = f"{prefix}auc"
    if (
        len(prefix) > MAX_PREFIX_LENGTH
        or not re.fullmatch(r"[A-Za-z0-9_./ -]*", prefix)
        or posixpath.normpath(name) != name
        or name.startswith(("/", ".."))
    ):
        raise InputError(
            f"{printable(prefix)!r} is not a valid prefix for names in MLflow: use at most "
            f"{MAX_PREFIX_LENGTH} letters, digits, spaces and _ - . /, but no absolute path or "
            '"..", as in "test/".'
        )


def _mlflow() -> Any:
    """The MLflow module, imported without telemetry."""
    with extra_required("log_to_mlflow"), _without_telemetry():
        return import_module("mlflow")


@contextmanager
def _without_telemetry() -> Iterator[None]:
    """Turn off MLflow's telemetry during its import, unless the user has configured it."""
    if TELEMETRY_VARIABLE in os.environ:
        yield
        return
    os.environ[TELEMETRY_VARIABLE] = "true"
    try:
        yield
    finally:
        del os.environ[TELEMETRY_VARIABLE]


def _client(mlflow: Any) -> Any:
    try:
        return mlflow.MlflowClient()
    except mlflow.exceptions.MlflowException as problem:
        # The address itself may contain a password.
        kind = urlsplit(mlflow.get_tracking_uri()).scheme or "folder"
        raise InputError(
            f"MLflow cannot open its tracking store (of kind {kind!r}). It can log to a server, "
            'mlflow.set_tracking_uri("http://…"); to a folder, if the environment sets '
            "MLFLOW_ALLOW_FILE_STORE=true; or to a database, after pip install sqlalchemy alembic."
        ) from problem


def _active_run_id(mlflow: Any) -> str | None:
    run = mlflow.active_run()
    return None if run is None else str(run.info.run_id)


@contextmanager
def _open_run(mlflow: Any, run_id: str | None) -> Iterator[str]:
    """Context manager for the id of the MLflow run; one that it starts, it also ends."""
    if run_id is not None:
        yield run_id
        return
    with mlflow.start_run() as run:
        yield str(run.info.run_id)


def _params(
    results: _LoggedResults, names: _Names, thresholds: Mapping[str, float]
) -> dict[str, str]:
    from tradeoff import __version__

    rankings = results.evaluation.rankings
    first = next(iter(rankings.values()))
    values = list(dict.fromkeys(thresholds.values()))
    common = {"threshold": repr(values[0])} if len(values) == 1 else {}
    by_model = {} if common else thresholds
    params = {
        **common,
        "positive": printable(first.positive, MAX_VALUE_LENGTH),
        "level": repr((results.evaluation.confidence or DEFAULT_CONFIDENCE).level),
        "version": __version__,
    }
    return (
        {f"{names.prefix}tradeoff.{name}": value for name, value in params.items()}
        | {
            names.entry_name(model, "tradeoff.rows"): str(ranking.rows)
            for model, ranking in rankings.items()
        }
        | {names.entry_name(model, "tradeoff.threshold"): repr(v) for model, v in by_model.items()}
    )


def _require_same_params(mlflow: Any, client: Any, run_id: str, params: Mapping[str, str]) -> None:
    """Require that parameters are new or unchanged, as MLflow cannot change those of a run."""
    try:
        stored = client.get_run(run_id).data.params
    except mlflow.exceptions.MlflowException as problem:
        if problem.error_code not in {"RESOURCE_DOES_NOT_EXIST", "INVALID_PARAMETER_VALUE"}:
            raise  # errors of the store itself, such as denied access
        raise InputError(
            f"MLflow has no run {printable(run_id)!r} in its current store: check the id and "
            "mlflow.get_tracking_uri()."
        ) from problem
    for name, value in params.items():
        if stored.get(name, value) != value:
            raise InputError(
                f"The run already has {name} = {stored[name]}, which MLflow cannot change to "
                f'{value}: log to another run, or with a prefix, as in prefix="test/".'
            )


class _MetricValue(NamedTuple):
    """One metric in the document of an evaluation, for a model or one of its folds."""

    model: str
    measure: str
    estimate: Mapping[str, Any]
    fold: str | None = None
    step: int = 0

    @property
    def entry(self) -> str:
        return self.measure if self.fold is None else f"{self.measure}_by_fold"


def _metric_values(document: Mapping[str, Any]) -> Iterator[_MetricValue]:
    for model in document["models"]:
        model_name = model["name"]
        for name, estimate in {**model["summaries"], **model["at"]["metrics"]}.items():
            yield _MetricValue(model_name, name, estimate)
        for step, fold in enumerate(model.get("folds", ()), 1):
            for name, estimate in {"auc": fold["auc"], **fold["metrics"]}.items():
                yield _MetricValue(model_name, name, estimate, fold["name"], step)


@dataclass(frozen=True)
class _Selection:
    """Measures to log as metrics of a run, by canonical name.

    Those of `with_interval` are logged with their confidence limits. `names` are the measures as
    they were requested, under which they are logged; it is None if none were.
    """

    measures: frozenset[str]
    with_interval: frozenset[str]
    names: tuple[str, ...] | None = None

    @classmethod
    def of(cls, metrics: str | Sequence[str] | None, evaluation: Evaluation) -> _Selection:
        """The default selection, all measures, or those with the given names."""
        headlines = SUMMARIES.headlines("tracking") + METRICS.headlines("tracking")
        main_measures = frozenset(measure.name for measure in headlines)
        if metrics is None:
            first_metrics = {measure.name for measure in vocabulary_metrics()}
            costs = {"expected_cost"} if evaluation.costs else set()
            return cls(main_measures | first_metrics | costs, main_measures)
        if metrics == "all":
            return cls(frozenset([*SUMMARIES, *METRICS]), main_measures)
        names = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        measures = frozenset(measure.name for measure in find_measures(names))
        return cls(measures, measures, names)

    def entry_name(self, value: _MetricValue) -> str:
        """Name under which a value is logged, without the model."""
        label = value.estimate.get("label")
        is_requested = self.names is not None and value.fold is None and label
        return _valid_key(str(label)) if is_requested else value.entry


def _metric_entries(
    document: Mapping[str, Any], names: _Names, selection: _Selection
) -> list[tuple[str, float, int]]:
    """Name, value and step of every defined metric of a selection; each fold is a step."""
    entries: list[tuple[str, float | None, int]] = []
    for metric in _metric_values(document):
        if metric.measure not in selection.measures:
            continue
        name = names.entry_name(metric.model, selection.entry_name(metric))
        value = metric.estimate["value"]
        entries.append((name, value, metric.step))
        # Other intervals are only in the document.
        if metric.entry in selection.with_interval and value is not None:
            entries += [
                (f"{name}_{limit}", metric.estimate.get(limit), 0) for limit in ("low", "high")
            ]
    return [(name, float(value), step) for name, value, step in entries if value is not None]


def _undefined_metrics(document: Mapping[str, Any]) -> list[dict[str, str]]:
    """Metrics without a finite value, with the reason."""
    return [
        {
            "model": metric.model,
            "measure": metric.measure,
            "reason": metric.estimate["reason"],
        }
        | ({} if metric.fold is None else {"fold": metric.fold})
        for metric in _metric_values(document)
        if metric.estimate["value"] is None
    ]


def _write_artifacts(results: _LoggedResults, document: Any, names: _Names, folder: Path) -> None:
    """Write all artifacts except the report."""
    write_json_file(folder / "evaluation.json", document)
    undefined = {"undefined": _undefined_metrics(document)}
    write_json_file(folder / "undefined.json", undefined)
    (folder / "rankings").mkdir()
    for name, ranking in results.evaluation.rankings.items():
        ranking.save(folder / "rankings" / f"{names.keys[name]}.ranking")
    if results.comparison is not None:
        write_json_file(folder / "comparison.json", results.comparison.to_dict())
    if results.cross_validation is not None:
        results.cross_validation.save(folder / "scores.parquet")


def _write_report(results: _LoggedResults, thresholds: Mapping[str, float], path: Path) -> None:
    results.evaluation.report(path, threshold=thresholds, comparison=results.comparison)


def _send(  # noqa: PLR0913, PLR0917 - the destination, and three kinds of entries
    mlflow: Any,
    client: Any,
    run_id: str,
    entries: Sequence[tuple[str, float, int]],
    params: Mapping[str, str],
    tags: Mapping[str, str],
) -> None:
    """Send metrics, parameters and tags to MLflow in as few requests as its limits allow."""
    entities, now = mlflow.entities, int(time.time() * 1000)
    metrics = [entities.Metric(name, value, now, step) for name, value, step in entries]
    run_params = [entities.Param(name, value) for name, value in params.items()]
    run_tags = [entities.RunTag(name, value[:MAX_VALUE_LENGTH]) for name, value in tags.items()]
    batches = zip_longest(
        _batches_of_size(metrics, MAX_METRICS_PER_REQUEST),
        _batches_of_size(run_params, MAX_PARAMS_PER_REQUEST),
        _batches_of_size(run_tags, MAX_PARAMS_PER_REQUEST),
        fillvalue=(),
    )
    for batch in batches:
        client.log_batch(run_id, *batch, synchronous=True)


def _batches_of_size(entries: list[Any], size: int) -> list[list[Any]]:
    return [entries[start : start + size] for start in range(0, len(entries), size)]
