"""Generate the example data sets churn, mailing and triage: `python -m tradeoff.data.generate`.

They are simulated in the layout of real files; no customer or patient is real. The standard
library's generator gives the same numbers in every version of Python.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

Row = Mapping[str, object]
FOLDER = Path(__file__).parent
CARE = ("home", "ward", "icu")


def churn(customers: int = 2000) -> Iterator[Row]:
    """Generate customers of a telephone company with two models' probabilities; a fifth leave.

    The logistic model sees most of what drives customers away. The boosting model sees less of it
    and is overconfident.
    """
    random = Random(1)  # noqa: S311 - a simulation
    for number in range(1, customers + 1):
        region = random.choices(("east", "north", "south", "west"), (3, 2, 3, 2))[0]
        contract = random.choices(("monthly", "yearly"), (3, 2))[0]
        months = 1 + int(random.expovariate(1 / 24))
        calls = min(int(random.expovariate(0.9)), 9)
        visible = (0.7 if contract == "monthly" else -1.1) - 0.02 * months + 0.55 * calls - 1.75
        logit = visible + 0.2 * (region == "south") + random.gauss(0, 0.8)
        yield {
            "customer": f"C{number:04}",
            "region": region,
            "contract": contract,
            "months": months,
            "calls": calls,
            "churned": "yes" if random.random() < _logistic(logit) else "no",
            "logistic": round(_logistic(0.1 + 0.5 * visible + 0.5 * logit), 3),
            "boosting": round(_logistic(1.6 * (visible + random.gauss(0, 0.7))), 3),
        }


def mailing(customers: int = 3000) -> Iterator[Row]:
    """Generate customers who got a test mailing, with a response model's score; 6% ordered."""
    random = Random(2)  # noqa: S311 - a simulation
    for number in range(1, customers + 1):
        age = min(max(round(random.gauss(51, 15)), 18), 95)
        orders = min(int(random.expovariate(0.5)), 12)
        months = 1 + min(int(random.expovariate(0.1)), 59)
        visible = -3.4 + 0.32 * orders - 0.05 * months + 0.012 * (age - 51)
        score = _logistic(visible + random.gauss(0, 0.5))
        response = random.random() < _logistic(visible + random.gauss(0, 0.6))
        yield {
            "customer": number,
            "age": age,
            "orders": orders,
            "months_since_order": months,
            "responded": int(response),
            "score": round(score, 4),
        }


def triage(patients: int = 400) -> Iterator[Row]:
    """Generate emergency patients: where they were sent, and a model's probabilities."""
    random = Random(3)  # noqa: S311 - a simulation
    for number in range(1, patients + 1):
        actual = random.choices(CARE, (62, 30, 8))[0]
        severity = CARE.index(actual) + random.gauss(0, 0.55)
        weights = [
            share * math.exp(-((severity - level) ** 2) / 0.9)
            for level, share in enumerate((0.62, 0.3, 0.08))
        ]
        # Probabilities in thousandths that sum to one.
        icu, ward = (round(1000 * weights[level] / sum(weights)) for level in (2, 1))
        thousandths = (1000 - icu - ward, ward, icu)
        yield {
            "patient": number,
            "actual": actual,
            "predicted": CARE[max(range(3), key=thousandths.__getitem__)],
            **{f"p_{care}": n / 1000 for care, n in zip(CARE, thousandths, strict=True)},
        }


def csv_text(rows: Sequence[Row]) -> str:
    """Generated rows as CSV; none of their values needs quotes."""
    lines = [list(rows[0]), *([str(value) for value in row.values()] for row in rows)]
    return "".join(f"{','.join(line)}\n" for line in lines)


GENERATED = {"churn": churn, "mailing": mailing, "triage": triage}


def _logistic(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


if __name__ == "__main__":
    for name, simulate in GENERATED.items():
        (FOLDER / f"{name}.csv").write_text(csv_text(list(simulate())), encoding="utf-8")
