"""Generate the reference pages of commands, Python names and JSON schemas from the code."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import tradeoff as to
from tradeoff.cli.exit_codes import EXIT_CODES
from tradeoff.cli.program import COMMANDS, main
from tradeoff.schemas import json_schema, schema_kinds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parent.parent
WIDTH = 88
"""Longer signatures are wrapped, with one parameter per line."""

SAH = "asah.csv --actual poor"
WEATHER = "weather_predictions.csv --actual actual --positive yes"
EXAMPLES = {
    "demo": "",
    "look": SAH.partition(" ")[0],
    "evaluate": f"{SAH} --score s100b --threshold 0.22",
    "compare": f"{SAH} --score s100b --score ndka",
    "crossval": "weather.arff --actual play --positive yes --folds 5 --model naive-bayes",
    "check": f"{SAH} --score s100b --segment gender",
    "report": f"{SAH} --score s100b --score ndka --output report.html",
    "page": "--output judge.html",
    "plot": f"{SAH} --score s100b --chart gains",
    "segments": f"{SAH} --score s100b --segment gender --threshold 0.22",
    "gate": f"{SAH} --score s100b --score wfns --margin 0.02",
    "curve": f"{SAH} --score s100b --curve precision_recall --format csv",
    "threshold": f"{SAH} --score s100b --cost-fp 1 --cost-fn 5 --prevalence 0.1",
    "cutoffs": f"{SAH} --score s100b --at 0.1,0.22,0.5",
    "gains": f"{SAH} --score s100b --cost-contact 2 --value 5 --unit patients",
    "rows": f"{SAH} --score s100b --threshold 0.22 --outcome fn --id outcome --nearest 5",
    "hull": f"{SAH} --score s100b --score ndka",
    "calibration": f"{WEATHER} --score score_pos",
    "classes": "triage.csv --actual actual --score home=p_home --score ward=p_ward "
    "--score icu=p_icu",
    "power": "--auc 0.8 --power 0.9 --prevalence 0.2",
    "matrix": '"7 2; 4 1" --classes yes,no',
    "schema": "gate",
    "completion": "bash",
    "rank": f"{SAH} --score s100b --output part.ranking",
    "merge": "part.ranking other.ranking --output merged.ranking",
    "sql": "--table scores.predictions --actual bought --score model_a --dialect postgresql",
    "metrics": "",
    "datasets": "asah --output asah.csv",
    "explain": f"precision {SAH} --score s100b --threshold 0.22",
    "compat": f"{SAH} --score s100b --threshold 0.22",
    "validate": "",
}
"""Arguments of each command in an example that runs beside the example data sets."""

COMMANDS_OPENING = """\
# Commands

Generated from the command line by `make docs`. The examples read data sets of the package, which
`tradeoff datasets` lists and writes: `tradeoff datasets asah -o asah.csv`.

`tradeoff COMMAND --help` shows the same in a terminal. Results go to standard output, messages to
standard error. An option that takes one value may be given once. No command overwrites a file that
it reads. `tradeoff completion bash|zsh|fish` prints a script that completes commands in a shell."""


def commands() -> str:
    """Page of commands: purpose, example and options of each."""
    exit_codes = [_row(f"`{code}`", meaning) for code, meaning in EXIT_CODES.items()]
    table = "\n".join([_row("exit code", "meaning"), "|---|---|", *exit_codes])
    parts = [COMMANDS_OPENING, table, _contents(COMMANDS)]
    parts += [_command(name) for name in COMMANDS]
    return "\n\n".join(parts) + "\n"


def _command(name: str) -> str:
    command = main.get_command(click.Context(main), name)
    if command is None or name not in EXAMPLES:
        raise LookupError(f"The command {name} has no example: add a line to EXAMPLES.")
    context = click.Context(command, info_name=f"tradeoff {name}")
    usage = " ".join(["tradeoff", name, *command.collect_usage_pieces(context)])
    example = f"tradeoff {name} {EXAMPLES[name]}".rstrip()
    facts = [f"## {name}", _paragraphs(command.help or ""), *_exit_codes(command.epilog)]
    facts += [f"```\n{usage}\n\n{example}\n```"]
    facts += [_options(command, context)]
    return "\n\n".join(fact for fact in facts if fact)


def _exit_codes(epilog: str | None) -> list[str]:
    """Exit codes from the epilog of a command; its examples are replaced by those of the page."""
    return [
        line.strip() for line in (epilog or "").splitlines() if line.strip().startswith("Exit code")
    ]


def _options(command: click.Command, context: click.Context) -> str:
    """Table of a command's options, without --help."""
    options = [option for option in command.params if isinstance(option, click.Option)]
    records = [record for option in options if (record := option.get_help_record(context))]
    lines = [_row(f"`{name}`", " ".join(help_text.split())) for name, help_text in records]
    return "\n".join([_row("option", "meaning"), "|---|---|", *lines]) if lines else ""


PYTHON_OPENING = """\
# Python

Generated from the code by `make docs`. All names are attributes of the package: after `import
tradeoff as to`, write `to.evaluate(…)`. The import itself is light; dependencies are imported when
a name is first used. Examples use names as in the modules that define them, where they are tested.

Invalid input raises `TradeoffError`, a `ValueError` that says what is wrong and what to do."""

REGISTRIES = {
    "METRICS": "Functions of one confusion matrix, by name: [all metrics](metrics.md). "
    '`to.METRICS["mcc"]` is a function of a matrix; `to.METRICS.find("recall")` takes aliases.',
    "SUMMARIES": "Functions of a whole ranking, by name: [all summaries](metrics.md#summaries). "
    '`to.SUMMARIES["auc"]` is a function of a ranking.',
    "CURVES": "Named curves: [all curves](curves.md). `e.curve(name)` computes one.",
    "COMPAT": "Values and curves of other tools: [all of them](compat.md). `to.compat(e, name)` "
    "computes one.",
    "datasets": "The example data sets, by name: `to.datasets.load(name)` returns one, "
    "`print(to.datasets)` lists them.",
}


@dataclass(frozen=True)
class Docstring:
    """The parts of a Google-style docstring."""

    prose: str
    arguments: tuple[tuple[str, str], ...]
    example: str

    @staticmethod
    def parse(thing: Any) -> Docstring:
        """Parse the docstring of a function, class or property."""
        pieces = re.split(
            r"^(Args|Example|Raises|Returns):\n", inspect.getdoc(thing) or "", flags=re.MULTILINE
        )
        named = dict(zip(pieces[1::2], pieces[2::2], strict=True))
        prose, example = pieces[0], named.get("Example", "")
        # Unindented text after an example is prose again: a source, a remark.
        prose_after = re.search(r"^(?=\S)", example, flags=re.MULTILINE)
        if prose_after is not None:
            start = prose_after.start()
            prose, example = f"{prose}\n{example[start:]}", example[:start]
        arguments = tuple(_arguments(named.get("Args", "")))
        return Docstring(prose.strip(), arguments, inspect.cleandoc(example).strip())

    @property
    def first(self) -> str:
        """The first paragraph, on one line."""
        return " ".join(self.prose.split("\n\n")[0].split())


def python() -> str:
    """Page of public names: functions, types, registries and displays."""
    things = {name: getattr(to, name) for name in to.__all__}
    displays = [name for name in things if name.endswith("Display")]
    functions = sorted(name for name, thing in things.items() if inspect.isfunction(thing))
    types = sorted(name for name, thing in things.items() if inspect.isclass(thing))
    uncovered = set(things) - {*displays, *functions, *types, *REGISTRIES}
    if uncovered:
        raise LookupError(f"The Python page does not cover {', '.join(sorted(uncovered))}.")
    parts = [PYTHON_OPENING, _contents([*functions, *types, "Registries", "Displays"])]
    parts += ["## Functions", *(_function(name, things[name]) for name in functions)]
    parts += ["## Types", *(_type(name, things[name]) for name in types)]
    parts += ["## Registries", *(f"### {name}\n\n{text}" for name, text in REGISTRIES.items())]
    parts += ["## Displays", _displays(displays, things)]
    return "\n\n".join(parts) + "\n"


def _function(name: str, thing: Any) -> str:
    return _entry(f"### {name}", _signature(f"to.{name}", thing), Docstring.parse(thing))


def _type(name: str, thing: type) -> str:
    entry = _entry(f"### {name}", _signature(f"to.{name}", thing), Docstring.parse(thing))
    members = list(_members(thing))
    if not members:
        return entry
    return "\n".join([f"{entry}\n", _row("member", "description"), "|---|---|", *members])


def _entry(title: str, signature: str, docstring: Docstring) -> str:
    parts = [title, f"```python\n{signature}\n```", docstring.prose]
    if docstring.arguments:
        parts.append("\n".join(f"- `{name}`: {meaning}" for name, meaning in docstring.arguments))
    if docstring.example:
        parts.append(f"```python\n{docstring.example}\n\n```")
    return "\n\n".join(part for part in parts if part)


def _members(thing: type) -> Iterator[str]:
    """Table rows of a type's methods and properties, with the start of each docstring."""
    for name, member in inspect.getmembers_static(thing):
        module = getattr(getattr(member, "func", None) or member, "__module__", "tradeoff")
        if name.startswith("_") or not (module or "").startswith("tradeoff"):
            continue
        function = getattr(member, "__func__", getattr(member, "func", member))
        if inspect.isfunction(function):
            is_property = function is not member and hasattr(member, "func")
            parameters = "" if is_property else _parameters(function)
            yield _row(f"`{name}{parameters}`", Docstring.parse(function).first)
        elif isinstance(member, property):
            yield _row(f"`{name}`", Docstring.parse(member).first)


def _parameters(function: Any) -> str:
    """Names of a method's parameters, without types, to fit into a table."""
    names = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name not in {"self", "cls"}:
            mark = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
            default = "" if parameter.default is parameter.empty else "=…"
            names.append(f"{mark.get(parameter.kind, '')}{parameter.name}{default}")
    return f"({', '.join(names)})"


def _signature(name: str, thing: Any) -> str:
    """Signature of a function or class; of an exception, only the name."""
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return name
    signature = inspect.signature(thing)
    parameters = list(_parameter_texts(signature))
    arrow = "" if inspect.isclass(thing) else f" -> {signature.return_annotation}"
    line = f"{name}({', '.join(parameters)}){arrow}"
    if len(line) <= WIDTH:
        return line
    lines = "".join(f"    {parameter},\n" for parameter in parameters)
    return f"{name}(\n{lines}){arrow}"


def _parameter_texts(signature: inspect.Signature) -> Iterator[str]:
    """Parameters as written in the code, with a * before keyword-only ones."""
    has_star = False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            has_star = True
        elif parameter.kind is parameter.KEYWORD_ONLY and not has_star:
            has_star = True
            yield "*"
        mark = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
        kind = "" if parameter.annotation is parameter.empty else f": {parameter.annotation}"
        default = "" if parameter.default is parameter.empty else f" = {_default(parameter)}"
        yield f"{mark.get(parameter.kind, '')}{parameter.name}{kind}{default}"


def _default(parameter: inspect.Parameter) -> str:
    value = parameter.default
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return "…" if "factory" in repr(value) else repr(value)


def _arguments(text: str) -> Iterator[tuple[str, str]]:
    """Names and meanings of a docstring's arguments."""
    merged = re.sub(r"\s*\n {5,}", " ", text)
    for line in merged.splitlines():
        name, colon, meaning = line.strip().partition(": ")
        if colon:
            yield name, meaning


def _displays(names: list[str], things: Mapping[str, Any]) -> str:
    """Table of displays, and their constructors, which they share."""
    lines = [_row(f"`{name}`", f"`{things[name].kind}`") for name in names]
    constructors = [
        _entry(
            f"### {name}", _signature(f"to.RocCurveDisplay.{name}", method), Docstring.parse(method)
        )
        for name in ("from_predictions", "from_estimator", "from_cv_results")
        for method in [getattr(things["RocCurveDisplay"], name)]
    ]
    text = "Charts under scikit-learn's names, with its parameters. Each has three constructors."
    table = "\n".join([_row("display", "chart"), "|---|---|", *lines])
    return "\n\n".join([text, table, *constructors])


SCHEMAS_OPENING = """\
# JSON schemas

Generated from the schemas by `make docs`. They are part of the package, in `tradeoff/schemas/`, and
follow the 2020-12 draft of JSON Schema. A document names its schema in the field `schema`.
Undefined numbers are null, with a `reason` next to them. Fields in **bold** are always present."""

WRITTEN_BY = {
    "average": "`tradeoff curve --fold COLUMN --format json`",
    "band": "`tradeoff threshold --reject --format json`",
    "certification": "`tradeoff validate --certified --format json`",
    "calibration_report": "`tradeoff calibration --format json`",
    "check": "`tradeoff check --format json` and, in Python, `to.check(…).to_dict()`",
    "classes": "`tradeoff classes --format json`",
    "comparison": "`tradeoff compare --format json`",
    "compat": "`tradeoff compat --format json`",
    "samples": "`tradeoff compare --then FILE --now FILE --format json` and, in Python, "
    "`to.compare_samples(…).to_dict()`",
    "datasets": "`tradeoff datasets --format json`",
    "curve": "`tradeoff curve --format json`",
    "cutoffs": "`tradeoff cutoffs --format json`",
    "decision": "`tradeoff threshold --format json`",
    "decisions": "`tradeoff threshold --format json` for several models",
    "evaluation": "`tradeoff evaluate --format json` and, in Python, `e.to_dict()`",
    "gate": "`tradeoff gate --format json` and, in Python, `to.gate(…).to_dict()`",
    "gains": "`tradeoff gains --format json`",
    "rows": "`tradeoff rows --format json`",
    "hull": "`tradeoff hull --format json`",
    "label_comparison": "`tradeoff compare --predicted A --predicted B --format json`",
    "labels": "`tradeoff evaluate --predicted COLUMN --format json`, or `tradeoff classes`",
    "matrix": "`tradeoff matrix --format json`",
    "overview": "`tradeoff look --format json` and, in Python, `to.look(…).to_dict()`",
    "plan": "`tradeoff power --format json`",
    "segments": "`tradeoff segments --format json`",
    "smooth": "`tradeoff curve --smooth binormal --format json`",
    "validation": "`tradeoff validate --format json`",
}


def schemas() -> str:
    """Page of published schemas, with their fields."""
    parts = [SCHEMAS_OPENING]
    for name in schema_kinds():
        schema = json_schema(name)
        if name not in WRITTEN_BY:
            raise LookupError(f"WRITTEN_BY does not say which command writes {name}: add a line.")
        parts.append(f"## {name}\n\n{schema['title']} (`{schema['$id']}`).")
        parts.append(f"Written by {WRITTEN_BY[name]}.")
        shared = schema.get("$defs", {})
        parts.append(_fields(schema, shared))
        for part, own in shared.items():
            if "properties" in own:
                text = own.get("description", "")
                parts += [f"### {name}: {part}", f"{text}." if text else "", _fields(own, shared)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _fields(schema: Mapping[str, Any], shared: Mapping[str, Any]) -> str:
    lines = [
        _row(
            f"**`{name}`**" if is_required else f"`{name}`",
            _kind(own, shared),
            _meaning(own, shared),
        )
        for name, own, is_required in _walk(schema)
    ]
    return "\n".join([_row("field", "type", "meaning"), "|---|---|---|", *lines])


def _walk(
    schema: Mapping[str, Any], path: str = ""
) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """Fields and their nested fields by path, and whether each is required."""
    required_names = schema.get("required", ())
    known = schema.get("properties", {})
    for name, own in known.items():
        yield f"{path}{name}", own, name in required_names
        inner, separator = own.get("items", own), "[]." if "items" in own else "."
        yield from _walk(inner, f"{path}{name}{separator}")
    # Required fields without their own description share that of additional properties.
    others = schema.get("additionalProperties", {})
    for name in required_names:
        if name not in known and isinstance(others, dict):
            yield f"{path}{name}", others, True


def _kind(own: Mapping[str, Any], shared: Mapping[str, Any]) -> str:
    """Type of a field in words; of a part with fields of its own, its name."""
    if "$ref" in own:
        part = own["$ref"].rpartition("/")[2]
        return part if "properties" in shared[part] else _kind(shared[part], shared)
    if "const" in own:
        return f"`{json.dumps(own['const'])}`"
    if "enum" in own:
        return " or ".join(f"`{json.dumps(value)}`" for value in own["enum"])
    types = own.get("type", "anything")
    kind = types if isinstance(types, str) else " or ".join(types)
    inner = own.get("items") or (own.get("additionalProperties") if kind == "object" else None)
    return f"{kind} of {_kind(inner, shared)}" if inner else kind


def _meaning(own: Mapping[str, Any], shared: Mapping[str, Any]) -> str:
    """Description of a field or, without one, of its type."""
    if "$ref" in own:
        own = {**shared[own["$ref"].rpartition("/")[2]], **own}
    return str(own.get("description", ""))


def _contents(names: Any) -> str:
    """Links to the sections of a page, on one line."""
    return " · ".join(f"[{name}](#{name.casefold()})" for name in names)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _paragraphs(text: str) -> str:
    r"""Help text as paragraphs; lines after \b, which click does not wrap, become a list."""
    parts = []
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        lines = [line.strip() for line in paragraph.splitlines()]
        is_list = lines[:1] == ["\b"]
        parts.append("\n".join(f"- {line}" for line in lines[1:]) if is_list else " ".join(lines))
    return "\n\n".join(parts)


PAGES = {
    "commands.md": commands,
    "python.md": python,
    "schemas.md": schemas,
}
"""Functions that generate the pages of docs/reference/, by file name."""
