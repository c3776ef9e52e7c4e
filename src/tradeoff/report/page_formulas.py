"""Formulas of metrics compiled to small JSON programs that the report's page runs.

A program is a number, the symbol of a count ("tp"), the canonical name of another metric, or an
array of an operation and its operands: `["/", "tp", ["+", "tp", "fp"]]`. `null` is an undefined
value and `["parameter", "beta"]` the value of the metric's own parameter.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, reduce
from typing import Any

from tradeoff.errors import InputError
from tradeoff.measures.formula import SYMBOLS, exact_formula, format_formula, readable_formula
from tradeoff.measures.registry import METRICS, Measure
from tradeoff.render.json_csv import json_number
from tradeoff.stats.normal import critical_value
from tradeoff.uncertainty.confidence import Confidence

Program = float | str | None | list[Any]

CHOSEN_SECTIONS = ("page", "matrix")
"""Sections of the page whose metrics can be chosen."""
HEADLINE_SECTIONS = (*CHOSEN_SECTIONS, "parts")
"""Sections of the page that show metrics by default."""
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}
FUNCTION_ARITIES = {
    "sqrt": 1,
    "log": 1,
    "log2": 1,
    "abs": 1,
    "min": 2,
    "max": 2,
    "xlog2y": 2,
    "counted": 1,
    "if_zero": 3,
}
"""Functions that the page computes itself, with their number of operands."""


def _sum(parts: Iterable[Program]) -> Program:
    return reduce(lambda total, part: ["+", total, part], parts)


MACROS: dict[str, Callable[..., Program]] = {
    "entropy": lambda *shares: ["-", 0, _sum(["xlog2y", share, share] for share in shares)],
    "pairs": lambda unit, *rows: _sum(["/", ["*", size, ["-", size, unit]], 2] for size in rows),
}
"""Functions that expand to other operations."""


def compile_formula(expression: str, parameters: Iterable[str] = ()) -> Program:
    """JSON program of a metric's formula for the report's page.

    Args:
        expression: Counts, metrics by any of their names, numbers, + - * / ** and functions.
        parameters: Names of the metric's parameters.

    Raises:
        ValueError: If the expression contains anything else.

    Example:
        >>> compile_formula("2 * recall / (tp + fp)")
        ['/', ['*', 2, 'true_positive_rate'], ['+', 'tp', 'fp']]
    """
    try:
        tree = ast.parse(expression, mode="eval")
    except SyntaxError:
        raise ValueError(f"not an expression: {expression!r}") from None
    return _compile_node(tree.body, frozenset(parameters))


def _compile_node(node: ast.expr, parameters: frozenset[str]) -> Program:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.Name(id=name):
            return _compile_name(name, parameters)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ["-", 0, _compile_node(operand, parameters)]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return [
                OPERATORS[type(op)],
                _compile_node(left, parameters),
                _compile_node(right, parameters),
            ]
        case ast.Call(func=ast.Name(id=name), args=operands, keywords=[]):
            return _compile_call(name, [_compile_node(operand, parameters) for operand in operands])
    raise ValueError(f"not allowed in a formula: {ast.unparse(node)!r}")


def _compile_name(name: str, parameters: frozenset[str]) -> Program:
    if name in SYMBOLS:
        return name
    if name in parameters:
        return ["parameter", name]
    if name == "pi":
        return math.pi
    if METRICS.knows(name) and not METRICS.find(name).name.endswith(")"):  # not a preset
        return METRICS.find(name).name
    raise ValueError(f"not a name in formulas: {name!r}")


def _compile_call(name: str, operands: list[Program]) -> Program:
    if name in MACROS and operands:
        return MACROS[name](*operands)
    if FUNCTION_ARITIES.get(name) == len(operands):
        return [name, *operands]
    raise ValueError(f"not a function in formulas: {name!r} of {len(operands)} operands")


def metric_program(measure: Measure) -> Program:
    """JSON program of a metric's formula for two classes; None if it is only a description.

    Example:
        >>> metric_program(METRICS["precision"])
        ['/', 'tp', ['+', 'tp', 'fp']]
    """
    expression = exact_formula(measure)
    return compile_formula(expression, measure.parameters) if expression else None


def metric_catalogue(
    confidence: Confidence | None = None, first_metrics: Sequence[Measure] = ()
) -> dict[str, Any]:
    """Catalogue of all metrics with their formulas as programs, and the confidence level.

    `first_metrics` are shown first instead of the page's default metrics.

    Empty entries are left out. catalogue.js reads `metrics`; the other entries are for intervals.

    Example:
        >>> metrics = metric_catalogue()
        >>> len(metrics["metrics"]) == len(METRICS), metrics["by_class"], round(metrics["z"], 2)
        (True, False, 1.96)
    """
    settings = confidence or Confidence()
    return {
        "level": settings.level,
        "z": critical_value(settings.level),
        "by_class": settings.by_class,
        "metrics": _with_first_metrics(_metric_documents(tuple(METRICS)), first_metrics),
    }


def _with_first_metrics(
    documents: Sequence[dict[str, Any]], first_metrics: Sequence[Measure]
) -> list[dict[str, Any]]:
    """Metric documents in which `first_metrics` rank first, adding those with other parameters."""
    if not first_metrics:
        return list(documents)
    by_name = {document["name"]: document for document in documents}
    ranks: dict[str, int] = {}
    for rank, measure in enumerate(first_metrics, 1):
        ranks.setdefault(measure.name, rank)
        if measure.name not in by_name:
            program = metric_program(measure)
            if program is None:
                raise InputError(f"The page cannot compute {measure.label}: show another metric.")
            # Its other names belong to the metric with the usual parameters.
            bare_measure = replace(measure, aliases=(), presets={})
            by_name[measure.name] = _metric_document(bare_measure, program)
    return [
        {key: value for key, value in document.items() if key != "headline"}
        | {"headline": _headline(document, ranks.get(name))}
        for name, document in by_name.items()
    ]


def _headline(document: Mapping[str, Any], rank: int | None) -> dict[str, int]:
    """Positions of a metric in the sections of the page; `rank` is that in `CHOSEN_SECTIONS`."""
    other_positions = {
        k: v for k, v in document.get("headline", {}).items() if k not in CHOSEN_SECTIONS
    }
    return other_positions | (dict.fromkeys(CHOSEN_SECTIONS, rank) if rank else {})


@cache
def _metric_documents(names: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
    """JSON documents of all metrics that can be computed, cached until a metric is added."""
    measures = [METRICS[name] for name in names]
    programs = [(measure, metric_program(measure)) for measure in measures]
    return tuple(
        _metric_document(measure, program) for measure, program in programs if program is not None
    )


def _metric_document(measure: Measure, program: Program) -> dict[str, Any]:
    """JSON document of a metric for the page; an infinite limit of its range is null."""
    document = {
        "name": measure.name,
        "family": measure.family,
        "formula": format_formula(measure.formula),
        # For formulas that are descriptions: an expression in which counts can be substituted.
        "expression": format_formula(readable_formula(measure))
        if readable_formula(measure) != measure.formula
        else "",
        "program": program,
        "parameters": dict(measure.parameters),
        "aliases": list(measure.aliases),
        "presets": {name: dict(values) for name, values in measure.presets.items()},
        "better": measure.better,
        "sentence": measure.sentence,
        "undefined": measure.undefined,
        "trials": measure.trials,
        "interval": measure.interval.__name__ if measure.interval else "",
        "no_interval": measure.no_interval,
        "headline": {
            section: measure.headline[section]
            for section in HEADLINE_SECTIONS
            if section in measure.headline
        },
    }
    nonempty_entries = {key: value for key, value in document.items() if value or key == "program"}
    return nonempty_entries | {"low": _json_limit(measure.low), "high": _json_limit(measure.high)}


def _json_limit(limit: float) -> float | None:
    return int(limit) if limit.is_integer() else json_number(limit)
