"""The reference pages of commands, Python names and JSON schemas, read off the code itself."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import tradeoff as to
from tradeoff.cli.program import COMMANDS, main
from tradeoff.schemas import json_schema, schema_kinds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parent.parent
WIDTH = 88
"""Longer signatures are broken, one parameter a line."""

SAH = "tests/golden/data/proc_aSAH_data.csv --actual poor"
WEATHER = "src/tradeoff/data/weather_predictions.csv --actual actual --positive yes"
EXAMPLES = {
    "demo": "",
    "evaluate": f"{SAH} --score s100b --threshold 0.22",
    "compare": f"{SAH} --score s100b --score ndka",
    "crossval": "src/tradeoff/data/weather.arff --actual play --positive yes --folds 5 "
    "--model naive-bayes",
    "check": f"{SAH} --score s100b --segment gender",
    "report": f"{SAH} --score s100b --score ndka --output report.html",
    "plot": f"{SAH} --score s100b --chart gains",
    "segments": f"{SAH} --score s100b --segment gender --threshold 0.22",
    "gate": f"{SAH} --score s100b --score wfns --margin 0.02",
    "curve": f"{SAH} --score s100b --curve precision_recall --format csv",
    "threshold": f"{SAH} --score s100b --cost-fp 1 --cost-fn 5 --prevalence 0.1",
    "hull": f"{SAH} --score s100b --score ndka",
    "calibration": f"{WEATHER} --score score_pos",
    "classes": "animals.csv --actual kind --score cat --score dog --score fox",
    "power": "--auc 0.8 --power 0.9 --prevalence 0.2",
    "matrix": '"7 2; 4 1" --classes yes,no',
    "schema": "gate",
    "rank": f"{SAH} --score s100b --output part.ranking",
    "merge": "part.ranking other.ranking --output merged.ranking",
    "sql": "--table scores.predictions --actual bought --score model_a --dialect postgresql",
    "metrics": "",
    "explain": f"precision {SAH} --score s100b --threshold 0.22",
    "compat": f"{SAH} --score s100b --threshold 0.22",
    "validate": "",
}
"""What follows the name of each command in an example that runs in the repository's root."""
MADE = {
    "animals.csv": "kind,cat,dog,fox\ncat,6,2,1\ndog,1,6,2\nfox,2,3,6\n"
    "cat,4,3,3\ndog,5,4,1\nfox,0,1,5\n",
}
"""Files of examples that the repository does not have; the page shows them."""

COMMANDS_OPENING = """\
# Commands

Made from the command line itself by `make docs`. Each example runs in the root of the repository.

`tradeoff COMMAND --help` says the same in a terminal. Results go to standard output, messages to
standard error. Exit codes: 0 done, 2 wrong input (one sentence says what and what to do); `check`,
`gate` and `validate` have codes of their own, told below. An option that takes one value may be
given once. No command writes over a file that it reads."""


def commands() -> str:
    """Every command: what it is for, an example, its options."""
    parts = [COMMANDS_OPENING, _contents(COMMANDS)]
    parts += [_command(name) for name in COMMANDS]
    return "\n\n".join(parts) + "\n"


def _command(name: str) -> str:
    command = main.get_command(click.Context(main), name)
    if command is None or name not in EXAMPLES:
        raise LookupError(f"Give the command {name} an example: a line of EXAMPLES.")
    context = click.Context(command, info_name=f"tradeoff {name}")
    usage = " ".join(["tradeoff", name, *command.collect_usage_pieces(context)])
    example = f"tradeoff {name} {EXAMPLES[name]}".rstrip()
    facts = [f"## {name}", _unwrapped(command.help or ""), *_exit_codes(command.epilog)]
    facts += [f"```\n{usage}\n\n{example}\n```"]
    facts += [f"With {file}:\n\n```\n{text}```" for file, text in MADE.items() if file in example]
    facts += [_options(command, context)]
    return "\n\n".join(fact for fact in facts if fact)


def _exit_codes(epilog: str | None) -> list[str]:
    """What is said below the help besides examples, which this page has its own of."""
    return [
        line.strip() for line in (epilog or "").splitlines() if line.strip().startswith("Exit code")
    ]


def _options(command: click.Command, context: click.Context) -> str:
    """The table of options; the one for help is known."""
    options = [one for one in command.params if isinstance(one, click.Option)]
    records = [record for one in options if (record := one.get_help_record(context))]
    lines = [_row(f"`{called}`", " ".join(said.split())) for called, said in records]
    return "\n".join([_row("option", "meaning"), "|---|---|", *lines]) if lines else ""


PYTHON_OPENING = """\
# Python

Made from the code by `make docs`. Everything here is a name of the package: after `import tradeoff
as to` it is `to.evaluate(…)`. Importing it imports nothing heavy; a name brings what it needs when
it is first used. Examples show names as they are inside their own modules, where tests run them.

Wrong input raises `TradeoffError`, a `ValueError` that says what is wrong and what to do."""

REGISTRIES = {
    "METRICS": "Functions of one confusion matrix, by name: [all metrics](metrics.md). "
    '`to.METRICS["mcc"]` is a function of a matrix, `to.METRICS.find("recall")` knows other names.',
    "SUMMARIES": "Functions of a whole ranking, by name: [all summaries](metrics.md#summaries). "
    '`to.SUMMARIES["auc"]` is a function of a ranking.',
    "CURVES": "Named curves: [all curves](curves.md). `e.curve(name)` makes one.",
    "COMPAT": "Numbers and curves of other tools: [all of them](compat.md). `to.compat(e, name)` "
    "computes one.",
}


@dataclass(frozen=True)
class Docstring:
    """The parts of a docstring of Google's kind."""

    prose: str
    arguments: tuple[tuple[str, str], ...]
    example: str

    @staticmethod
    def of(thing: Any) -> Docstring:
        """The docstring of anything that has one."""
        pieces = re.split(
            r"^(Args|Example|Raises|Returns):\n", inspect.getdoc(thing) or "", flags=re.MULTILINE
        )
        named = dict(zip(pieces[1::2], pieces[2::2], strict=True))
        prose, example = pieces[0], named.get("Example", "")
        # What follows an example without indentation is prose again: a source, a remark.
        below = re.search(r"^(?=\S)", example, flags=re.MULTILINE)
        if below is not None:
            prose, example = f"{prose}\n{example[below.start() :]}", example[: below.start()]
        arguments = tuple(_arguments(named.get("Args", "")))
        return Docstring(prose.strip(), arguments, inspect.cleandoc(example).strip())

    @property
    def first(self) -> str:
        """The first paragraph on one line."""
        return " ".join(self.prose.split("\n\n")[0].split())


def python() -> str:
    """Every public name, by what it is."""
    things = {name: getattr(to, name) for name in to.__all__}
    displays = [name for name in things if name.endswith("Display")]
    functions = sorted(name for name, thing in things.items() if inspect.isfunction(thing))
    types = sorted(name for name, thing in things.items() if inspect.isclass(thing))
    left = set(things) - {*displays, *functions, *types, *REGISTRIES}
    if left:
        raise LookupError(f"The page of Python names has no place for {', '.join(sorted(left))}.")
    parts = [PYTHON_OPENING, _contents([*functions, *types, "Registries", "Displays"])]
    parts += ["## Functions", *(_function(name, things[name]) for name in functions)]
    parts += ["## Types", *(_type(name, things[name]) for name in types)]
    parts += ["## Registries", *(f"### {name}\n\n{said}" for name, said in REGISTRIES.items())]
    parts += ["## Displays", _displays(displays, things)]
    return "\n\n".join(parts) + "\n"


def _function(name: str, thing: Any) -> str:
    told = Docstring.of(thing)
    return _entry(f"### {name}", _signature(f"to.{name}", thing), told)


def _type(name: str, thing: type) -> str:
    entry = _entry(f"### {name}", _signature(f"to.{name}", thing), Docstring.of(thing))
    members = list(_members(thing))
    if not members:
        return entry
    return "\n".join([f"{entry}\n", _row("member", "what it is"), "|---|---|", *members])


def _entry(title: str, signature: str, told: Docstring) -> str:
    parts = [title, f"```python\n{signature}\n```", told.prose]
    if told.arguments:
        parts.append("\n".join(f"- `{name}`: {meaning}" for name, meaning in told.arguments))
    if told.example:
        parts.append(f"```python\n{told.example}\n\n```")
    return "\n\n".join(part for part in parts if part)


def _members(thing: type) -> Iterator[str]:
    """Methods and properties of our own, each with the first line of what it says."""
    for name, member in inspect.getmembers_static(thing):
        ours = getattr(getattr(member, "func", None) or member, "__module__", "tradeoff")
        if name.startswith("_") or not (ours or "").startswith("tradeoff"):
            continue
        plain = getattr(member, "__func__", getattr(member, "func", member))
        if inspect.isfunction(plain):
            called = "" if plain is not member and hasattr(member, "func") else _parameters(plain)
            yield _row(f"`{name}{called}`", Docstring.of(plain).first)
        elif isinstance(member, property):
            yield _row(f"`{name}`", Docstring.of(member).first)


def _parameters(function: Any) -> str:
    """The names of a method's parameters, which a table has room for."""
    shown = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name not in {"self", "cls"}:
            mark = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
            given = "" if parameter.default is parameter.empty else "=…"
            shown.append(f"{mark.get(parameter.kind, '')}{parameter.name}{given}")
    return f"({', '.join(shown)})"


def _signature(called: str, thing: Any) -> str:
    """The call as one would write it, without what only a type checker needs."""
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return called
    signature = inspect.signature(thing)
    parameters = list(_parameter_texts(signature))
    arrow = "" if inspect.isclass(thing) else f" -> {signature.return_annotation}"
    line = f"{called}({', '.join(parameters)}){arrow}"
    if len(line) <= WIDTH:
        return line
    return f"{called}(\n" + "".join(f"    {one},\n" for one in parameters) + f"){arrow}"


def _parameter_texts(signature: inspect.Signature) -> Iterator[str]:
    """Parameters as they stand in the code; a lone * where only names are taken from there on."""
    starred = False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            starred = True
        elif parameter.kind is parameter.KEYWORD_ONLY and not starred:
            starred = True
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
    """scikit-learn's way to ask for pictures: one table, as all are made alike."""
    lines = [_row(f"`{name}`", f"`{things[name].kind}`") for name in names]
    ways = [
        _entry(f"### {way}", _signature(f"to.RocCurveDisplay.{way}", made), Docstring.of(made))
        for way in ("from_predictions", "from_estimator", "from_cv_results")
        for made in [getattr(things["RocCurveDisplay"], way)]
    ]
    said = "Charts under scikit-learn's names, with its parameters. Each has three ways to be made."
    return "\n\n".join([said, "\n".join([_row("display", "chart"), "|---|---|", *lines]), *ways])


SCHEMAS_OPENING = """\
# JSON schemas

Made from the schemas by `make docs`. They are part of the package, in `tradeoff/schemas/`, in
the 2020-12 draft of JSON Schema. A document names its schema in the field `schema`. Undefined
numbers are null, and a `reason` stands beside them. Fields in **bold** are always there."""

WRITTEN_BY = {
    "average": "`tradeoff curve --fold COLUMN --format json`",
    "band": "`tradeoff threshold --reject --format json`",
    "certification": "`tradeoff validate --certified --format json`",
    "calibration_report": "`tradeoff calibration --format json`",
    "check": "`tradeoff check --format json` and, in Python, `to.check(…).to_dict()`",
    "classes": "`tradeoff classes --format json`",
    "comparison": "`tradeoff compare --format json`",
    "compat": "`tradeoff compat --format json`",
    "curve": "`tradeoff curve --format json`",
    "decision": "`tradeoff threshold --format json`",
    "decisions": "`tradeoff threshold --format json` for several models",
    "evaluation": "`tradeoff evaluate --format json` and, in Python, `e.to_dict()`",
    "gate": "`tradeoff gate --format json` and, in Python, `to.gate(…).to_dict()`",
    "hull": "`tradeoff hull --format json`",
    "matrix": "`tradeoff matrix --format json`",
    "plan": "`tradeoff power --format json`",
    "segments": "`tradeoff segments --format json`",
    "smooth": "`tradeoff curve --smooth binormal --format json`",
    "validation": "`tradeoff validate --format json`",
}


def schemas() -> str:
    """Every published schema with its fields."""
    parts = [SCHEMAS_OPENING]
    for name in schema_kinds():
        schema = json_schema(name)
        if name not in WRITTEN_BY:
            raise LookupError(f"Say what writes the document {name}: a line of WRITTEN_BY.")
        parts.append(f"## {name}\n\n{schema['title']} (`{schema['$id']}`).")
        parts.append(f"Written by {WRITTEN_BY[name]}.")
        shared = schema.get("$defs", {})
        parts.append(_fields(schema, shared))
        for part, own in shared.items():
            if "properties" in own:
                said = own.get("description", "")
                parts += [f"### {name}: {part}", f"{said}." if said else "", _fields(own, shared)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _fields(schema: Mapping[str, Any], shared: Mapping[str, Any]) -> str:
    lines = [
        _row(f"**`{name}`**" if needed else f"`{name}`", _kind(own, shared), _meaning(own, shared))
        for name, own, needed in _walk(schema)
    ]
    return "\n".join([_row("field", "type", "meaning"), "|---|---|---|", *lines])


def _walk(
    schema: Mapping[str, Any], above: str = ""
) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """Fields with those inside them, named as one would reach them."""
    needed = schema.get("required", ())
    known = schema.get("properties", {})
    for name, own in known.items():
        yield f"{above}{name}", own, name in needed
        inner, way = own.get("items", own), "[]." if "items" in own else "."
        yield from _walk(inner, f"{above}{name}{way}")
    # Names that are required but not described one by one share what is said of all others.
    others = schema.get("additionalProperties", {})
    for name in needed:
        if name not in known and isinstance(others, dict):
            yield f"{above}{name}", others, True


def _kind(own: Mapping[str, Any], shared: Mapping[str, Any]) -> str:
    """The type of a field in words; a part that has fields of its own by its name."""
    if "$ref" in own:
        part = own["$ref"].rpartition("/")[2]
        return part if "properties" in shared[part] else _kind(shared[part], shared)
    if "const" in own:
        return f"`{json.dumps(own['const'])}`"
    if "enum" in own:
        return " or ".join(f"`{json.dumps(value)}`" for value in own["enum"])
    named = own.get("type", "anything")
    told = named if isinstance(named, str) else " or ".join(named)
    inner = own.get("items") or (own.get("additionalProperties") if told == "object" else None)
    return f"{told} of {_kind(inner, shared)}" if inner else told


def _meaning(own: Mapping[str, Any], shared: Mapping[str, Any]) -> str:
    """What a field says of itself, or else what its kind says."""
    if "$ref" in own:
        own = {**shared[own["$ref"].rpartition("/")[2]], **own}
    return str(own.get("description", ""))


def _contents(names: Any) -> str:
    """Links to the sections of a page, on one line."""
    return " · ".join(f"[{name}](#{name.casefold()})" for name in names)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _unwrapped(text: str) -> str:
    r"""Help text as paragraphs; lines that \b keeps as they are become a list."""
    parts = []
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        lines = [line.strip() for line in paragraph.splitlines()]
        kept = lines[:1] == ["\b"]
        parts.append("\n".join(f"- {line}" for line in lines[1:]) if kept else " ".join(lines))
    return "\n\n".join(parts)


PAGES = {
    "commands.md": commands,
    "python.md": python,
    "schemas.md": schemas,
}
"""Pages of docs/reference/ and what makes each."""
