"""The page of published numbers and certified data sets, computed when it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradeoff.render.sections import format_markdown
from tradeoff.validation.agreement import REFUSED, REQUIRED_DIGITS
from tradeoff.validation.certified import (
    OURS,
    CertifiedSet,
    certified_definitions,
    certified_numbers,
    certified_sets,
    our_answers,
    sklearn_answers,
)
from tradeoff.validation.studies import recomputed_studies
from tradeoff.validation.views import format_exact, validation_sections

if TYPE_CHECKING:
    from tradeoff.validation.agreement import CertifiedNumber, ToolAnswer

OPENING = """\
# Published numbers and certified data sets

Made by `make docs`. `tradeoff validate` recomputes the first part of this page from rows that
are part of the package, and ends with exit code 1 if any number differs. `tradeoff validate
--certified` counts the right digits of the second part, also for scikit-learn, pROC and ROCR where
they are installed."""

CERTIFIED = """\
## Certified ROC data sets

Small data sets on which numbers go wrong: ties, a class of one row or none, scores that are
denormal, neighbouring or infinite, counts beyond 2^53, weights. Each number is an **exact
fraction**, computed from its definition by looking at every pair of rows, without floating-point
arithmetic, by a program that shares no line with the package
(`tests/golden/certified/certify.py`). They are meant for any tool; take them from this page or from
the file `tradeoff/data/certified.json` of the package:

```python
import json
from importlib.resources import files

sets = json.loads((files("tradeoff.data") / "certified.json").read_text())["sets"]
```

How to use them:

- A score means the double (IEEE 754, 64 bits) nearest to its decimals, and `inf` and `-inf` are
  infinite. Nothing but equality ties two scores; 0 and -0 are equal.
- `positive` is 1 for a positive row. Rows at or above a threshold are predicted positive.
- A weight is an exact fraction that a double holds. A *frequency* says how often a row was seen,
  so that the set is the same as one with so many equal rows; an *importance* how much it matters.
- The number of right digits of a result is its log relative error, −log10(|result − exact| /
  |exact|), as for NIST's Statistical Reference Datasets; where the exact number is 0, −log10
  |result|. A double agrees in 16 digits at most; fewer than 14 mean that something was lost on the
  way, not only by rounding the result.
- *undefined* is an answer like any other: a tool that gives a number there is wrong."""


def validation() -> str:
    """Published and computed numbers side by side; every certified set with its numbers."""
    sets = certified_sets()
    published = format_markdown(validation_sections(recomputed_studies()))
    parts = [OPENING, published.replace("\n## ", "\n### ")]
    parts += [CERTIFIED, _definitions(), _agreement(sets)]
    parts += [_data_set(data_set) for data_set in sets]
    return "\n\n".join(parts) + "\n"


def _definitions() -> str:
    lines = [f"| `{name}` | {meaning} |" for name, meaning in certified_definitions().items()]
    return "\n".join(["### Definitions", "", "| quantity | definition |", "|:--|:--|", *lines])


def _agreement(sets: tuple[CertifiedSet, ...]) -> str:
    """How far the numbers agree, in words that do not depend on the machine."""
    tools = {OURS: our_answers(sets), "scikit-learn": sklearn_answers(sets)}
    numbers = certified_numbers(tools, sets)
    parts = ["### Who agrees"]
    for tool in tools:
        results = [(number, number.results[tool]) for number in numbers if tool in number.results]
        right = sum(result.is_right for _, result in results)
        digits = f"{REQUIRED_DIGITS:.0f} or more correct digits"
        sentence = f"{tool} has {digits} for {right} of {len(results)} numbers"
        wrong = [_shortfall(number, result) for number, result in results if not result.is_right]
        parts.append("\n".join([f"{sentence}{':' if wrong else '.'}", "", *wrong]).rstrip())
    return "\n\n".join(parts)


def _shortfall(number: CertifiedNumber, result: ToolAnswer) -> str:
    if result.remark.startswith(REFUSED):
        told = "refused"
    elif result.digits is None:
        told = f"{result.value:g} instead of undefined"
    else:
        told = f"fewer than {REQUIRED_DIGITS:.0f} digits"
    return f"- `{number.data_set}`, `{number.quantity}`: {told}"


def _data_set(data_set: CertifiedSet) -> str:
    rows = [
        f"score: {', '.join(data_set.score)}",
        f"positive: {', '.join(map(str, data_set.positive))}",
    ]
    if data_set.weight is not None:
        rows.append(f"{data_set.weight_type}: {', '.join(data_set.weight)}")
    lines = [
        f"| `{quantity}` | {'undefined' if exact is None else format_exact(exact)} |"
        for quantity, exact in data_set.certified.items()
    ]
    block = "\n".join(["```text", *rows, "```"])
    table = "\n".join(["| quantity | exact |", "|:--|:--|", *lines])
    return f"### {data_set.name}\n\n{data_set.title}.\n\n{block}\n\n{table}"
