"""Write the pages that are made from the code; `--check` tells if any is stale."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import tradeoff as to
from tradeoff.compatibility import TOOLS
from tradeoff.measures.formula import format_formula
from tradeoff.sources.read import read_file_columns

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

Made from the registry by `make docs`. A *metric* is a function of one confusion matrix, a *summary*
one of a whole ranking. Symbols: tp, fn, fp, tn are counts or sums of weights, rp and rn rejected
rows; P = tp + fn + rp, N = fp + tn + rn, n = P + N. Undefined is NaN with a reason, never 0."""


def reference() -> str:
    """Every metric and summary with what a reader must know."""
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
        f"In words: {_plain(measure.sentence)}.",
    ]
    names = [*measure.aliases, *measure.presets]
    facts += [f"Also called: {', '.join(names)}."] if names else []
    settings = ", ".join(f"{key} = {value}" for key, value in measure.parameters.items())
    facts += [f"Parameters: {settings}."] if settings else []
    facts += [f"Undefined when {_plain(measure.undefined)}."] if measure.undefined else []
    facts += [f"Elsewhere: {measure.others}"] if measure.others else []
    facts += [f"Source: {measure.source}."] if measure.source else []
    return f"#### {measure.name}\n\n" + "  \n".join(facts)


CURVES_OPENING = """\
# Named curves

Made from the table of curves by `make docs`. `e.curve("roc")` makes one, `tradeoff curve --curve
roc` writes it; any metric over any other (`e.curve(x="recall", y="precision")`) or over the
threshold (`x="threshold"`) is a curve too.

Between two operating points lies a random mix of them, whose expected counts are a straight line.
Rates by class are then straight too; precision and lift follow a hyperbola. `y_at` and `x_at` read
a curve anywhere, `area` integrates it, exactly for the way it runs; `chance` and `ideal` are lines
to draw beside it."""


def curves() -> str:
    """Every named curve with its axes and what can be chosen about it."""
    weather = read_file_columns(WEATHER, ["actual", "score_pos"])
    e = to.evaluate(actual=weather["actual"], score=weather["score_pos"], positive="yes")
    parts = [CURVES_OPENING]
    for kind in to.CURVES.values():
        made = e.curve(kind.name)
        also = ", ".join(axis.name for axis in made.also)
        facts = [
            kind.caption,
            f"`{made.up.name}` over `{made.across.name}`" + (f", with {also}." if also else "."),
        ]
        facts += [f"Parameters: {', '.join(kind.parameters)}."] if kind.parameters else []
        facts += ["It has an area."] if made.integral else []
        details = inspect.getdoc(kind.make) or ""
        parts.append(f"## {kind.name}\n\n" + "  \n".join(facts) + f"\n\n{_prose(details)}")
    return "\n\n".join(parts) + "\n"


def _prose(details: str) -> str:
    """A docstring as paragraphs and a list of arguments."""
    text, _, arguments = details.partition("\nArgs:\n")
    lines = [line.strip() for line in arguments.splitlines()]
    merged = re.sub(r"\s*\n(?!\w+: )", " ", "\n".join(lines)).splitlines()
    listed = [
        f"- `{line.replace(': ', '`: ', 1)}" for line in merged if not line.startswith("ranking")
    ]
    return "\n".join([text.strip(), *([""] if listed else []), *listed])


COMPAT_OPENING = """\
# Numbers of other tools

Made from the table of other tools by `make docs`. `to.compat(e, "sklearn:average_precision_score")`
gives a number as the tool would, `to.compat_curve(e, "weka:ThresholdCurve")` a curve, and
`tradeoff compat FILE` shows all numbers beside ours. *Same* means: the same number by definition
wherever both are defined. Versions: scikit-learn 1.9, pROC 1.18, Weka 3.8, Spark 3."""


def compat() -> str:
    """Every number and curve of other tools, ours beside it, and why they differ."""
    parts = [COMPAT_OPENING]
    for tool in TOOLS:
        numbers = [_tool_number(measure) for measure in to.COMPAT.select(tool)]
        curves = [_tool_curve(measure) for measure in to.COMPAT.select(tool, "curve")]
        parts.append(f"## {tool}")
        parts.append("\n".join([*_head("theirs", "ours", "same", "choices", "why"), *numbers]))
        parts.append("\n".join([*_head("curve", "choices", "why"), *curves]))
    return "\n\n".join(parts) + "\n"


def _head(*names: str) -> list[str]:
    return [f"| {' | '.join(names)} |", "|" + ":--|" * len(names)]


def _tool_number(measure: ToolMeasure) -> str:
    ours = (
        f"`{measure.ours}`" + (f", {measure.part}" if measure.part else "") if measure.ours else ""
    )
    same = "yes" if measure.agrees else "no" if measure.ours else ""
    return f"| `{measure.name}` | {ours} | {same} | {_choices(measure)} | {measure.why} |"


def _tool_curve(measure: ToolMeasure) -> str:
    return f"| `{measure.name}` | {_choices(measure)} | {measure.why} |"


def _choices(measure: ToolMeasure) -> str:
    return ", ".join(f"`{key}={value!r}`" for key, value in measure.parameters.items())


def _plain(template: str) -> str:
    """A sentence with places for names and numbers, as a page shows it."""
    words = {"{positive}": "*positive*", "{negative}": "*negative*", "{share}": "x%"}
    for place, word in words.items():
        template = template.replace(place, word)
    return re.sub(r"\{(\w+)\}", lambda found: "x" if found[1] == "value" else found[1], template)


PAGES = {
    DOCS / "reference" / "metrics.md": reference,
    DOCS / "reference" / "curves.md": curves,
    DOCS / "reference" / "compat.md": compat,
    DOCS / "reference" / "validation.md": validation_page.validation,
    DOCS / "explanation" / "coverage.md": coverage_page.coverage,
    **{DOCS / "reference" / name: made for name, made in reference_pages.PAGES.items()},
}


def stale() -> list[Path]:
    """Pages that no longer say what the code says."""
    return [
        path
        for path, made in PAGES.items()
        if not path.exists() or path.read_text(encoding="utf-8") != made()
    ]


def main() -> None:
    """Write what is stale, or only tell."""
    for path in stale():
        if "--check" in sys.argv:
            sys.exit(f"{path.relative_to(DOCS.parent)} is stale: run `make docs`.")
        path.parent.mkdir(exist_ok=True)
        path.write_text(PAGES[path](), encoding="utf-8")
        print(f"wrote {path.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
