"""Generate the pages that are derived from the code; `--check` fails if one is stale."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import tradeoff as to
from tradeoff.compatibility import TOOLS
from tradeoff.measures.formula import format_formula
from tradeoff.sources.read_columns import read_file_columns

if TYPE_CHECKING:
    from tradeoff.compatibility import ToolMeasure
    from tradeoff.measures.registry import Measure

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))  # a test loads this file by its path
import coverage_page  # noqa: E402
import reference_pages  # noqa: E402
import validation_page  # noqa: E402

WEATHER = DOCS.parent / "src" / "tradeoff" / "data" / "weather_predictions.csv"

OPENING = """\
# Metrics and summaries

Generated from the registry by `make docs`. A *metric* is a function of one confusion matrix, a
*summary* one of a whole ranking. Symbols: tp, fn, fp, tn are counts or sums of weights, rp and rn
rejected rows; P = tp + fn + rp, N = fp + tn + rn, n = P + N. Undefined is NaN with a reason,
never 0."""


def reference() -> str:
    """Page of metrics and summaries: formula, range, names and sources of each."""
    parts = [OPENING]
    for title, registry in (("Metrics", to.METRICS), ("Summaries", to.SUMMARIES)):
        parts.append(f"## {title}")
        family = ""
        for measure in registry.values():
            if measure.family != family:
                family = measure.family
                parts.append(f"### {family.capitalize()}")
            parts.append(_entry(measure))
    return "\n\n".join(parts) + "\n"


def _entry(measure: Measure) -> str:
    better = f"{measure.better} is better" if measure.better else "neither end is better"
    classes = "; any number of classes" if measure.any_classes else ""
    facts = [
        f"`{format_formula(measure.formula)}`",
        f"From {measure.low:.4g} to {measure.high:.4g}, {better}{classes}.",
        f"In words: {_fill_placeholders(measure.sentence)}.",
    ]
    names = [*measure.aliases, *measure.presets]
    facts += [f"Also called: {', '.join(names)}."] if names else []
    settings = ", ".join(f"{key} = {value}" for key, value in measure.parameters.items())
    facts += [f"Parameters: {settings}."] if settings else []
    facts += [f"Undefined if {_fill_placeholders(measure.undefined)}."] if measure.undefined else []
    facts += [f"Elsewhere: {measure.others}"] if measure.others else []
    facts += [f"Source: {measure.source}."] if measure.source else []
    return f"#### {measure.name}\n\n" + "  \n".join(facts)


CURVES_OPENING = """\
# Named curves

Generated from the registry of curves by `make docs`. `e.curve("roc")` computes a curve, `tradeoff
curve --curve roc` prints it; any metric against any other (`e.curve(x="recall", y="precision")`) or
against the threshold (`x="threshold"`) is a curve, too.

Between two operating points lies a random mixture of them, whose expected counts are a straight
line. Rates within a class are then linear, too; precision and lift follow a hyperbola. `y_at` and
`x_at` evaluate a curve anywhere, `area` integrates it, both with this interpolation; `chance` and
`ideal` are reference lines."""


def curves() -> str:
    """Page of named curves: axes, parameters and description of each."""
    weather = read_file_columns(WEATHER, ["actual", "score_pos"])
    e = to.evaluate(actual=weather["actual"], score=weather["score_pos"], positive="yes")
    parts = [CURVES_OPENING]
    for kind in to.CURVES.values():
        curve = e.curve(kind.name)
        also = ", ".join(axis.name for axis in curve.also)
        facts = [
            kind.caption,
            f"`{curve.up.name}` over `{curve.across.name}`" + (f", with {also}." if also else "."),
        ]
        facts += [f"Parameters: {', '.join(kind.parameters)}."] if kind.parameters else []
        facts += ["It has an area."] if curve.integral else []
        details = inspect.getdoc(kind.make) or ""
        parts.append(f"## {kind.name}\n\n" + "  \n".join(facts) + f"\n\n{_prose(details)}")
    return "\n\n".join(parts) + "\n"


def _prose(details: str) -> str:
    """Format a docstring as paragraphs and a list of arguments."""
    text, _, arguments = details.partition("\nArgs:\n")
    lines = [line.strip() for line in arguments.splitlines()]
    merged = re.sub(r"\s*\n(?!\w+: )", " ", "\n".join(lines)).splitlines()
    listed = [
        f"- `{line.replace(': ', '`: ', 1)}" for line in merged if not line.startswith("ranking")
    ]
    return "\n".join([text.strip(), *([""] if listed else []), *listed])


COMPAT_OPENING = """\
# Values of other tools

Generated from the registry of other tools by `make docs`.
`to.compat(e, "sklearn:average_precision_score")` returns a value as the tool computes it,
`to.compat_curve(e, "weka:ThresholdCurve")` a curve, and `tradeoff compat FILE` shows all values
next to ours. *Same* means that both are equal by definition wherever both are defined. Versions:
scikit-learn 1.9, pROC 1.18, Weka 3.8, Spark 3."""


def compat() -> str:
    """Page of other tools' values and curves, with ours, and why they differ."""
    parts = [COMPAT_OPENING]
    for tool in TOOLS:
        numbers = [_tool_number(measure) for measure in to.COMPAT.select(tool)]
        curves = [_tool_curve(measure) for measure in to.COMPAT.select(tool, "curve")]
        parts.append(f"## {tool}")
        parts.append("\n".join([*_head("theirs", "ours", "same", "parameters", "why"), *numbers]))
        parts.append("\n".join([*_head("curve", "parameters", "why"), *curves]))
    return "\n\n".join(parts) + "\n"


def _head(*names: str) -> list[str]:
    return [f"| {' | '.join(names)} |", "|" + ":--|" * len(names)]


def _tool_number(measure: ToolMeasure) -> str:
    ours = (
        f"`{measure.ours}`" + (f", {measure.part}" if measure.part else "") if measure.ours else ""
    )
    same = "yes" if measure.agrees else "no" if measure.ours else ""
    return f"| `{measure.name}` | {ours} | {same} | {_format_parameters(measure)} | {measure.why} |"


def _tool_curve(measure: ToolMeasure) -> str:
    return f"| `{measure.name}` | {_format_parameters(measure)} | {measure.why} |"


def _format_parameters(measure: ToolMeasure) -> str:
    return ", ".join(f"`{key}={value!r}`" for key, value in measure.parameters.items())


def _fill_placeholders(template: str) -> str:
    """Fill the placeholders of a sentence for the page."""
    fillers = {"{positive}": "*positive*", "{negative}": "*negative*", "{share}": "x%"}
    for placeholder, filler in fillers.items():
        template = template.replace(placeholder, filler)
    return re.sub(r"\{(\w+)\}", lambda match: "x" if match[1] == "value" else match[1], template)


PAGES = {
    DOCS / "reference" / "metrics.md": reference,
    DOCS / "reference" / "curves.md": curves,
    DOCS / "reference" / "compat.md": compat,
    DOCS / "reference" / "validation.md": validation_page.validation,
    DOCS / "explanation" / "coverage.md": coverage_page.coverage,
    **{DOCS / "reference" / name: generate for name, generate in reference_pages.PAGES.items()},
}


def stale() -> list[Path]:
    """Pages that differ from what the code generates."""
    return [
        path
        for path, generate in PAGES.items()
        if not path.exists() or path.read_text(encoding="utf-8") != generate()
    ]


def main() -> None:
    """Write stale pages; with `--check`, only report them."""
    for path in stale():
        if "--check" in sys.argv:
            sys.exit(f"{path.relative_to(DOCS.parent)} is stale: run `make docs`.")
        path.parent.mkdir(exist_ok=True)
        path.write_text(PAGES[path](), encoding="utf-8")
        print(f"wrote {path.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
