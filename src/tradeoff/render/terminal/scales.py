"""Where values stand on a side of a chart, and which round numbers are written beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tradeoff.render.chart import Kind, Scale

FAR = 1e3
"""Infinity in units of a side: far outside, so that lines run out of the picture."""

# Probabilities worth writing, the most telling first.
_PROBABILITIES = (
    *(0.5, 0.1, 0.9, 0.01, 0.99, 0.001, 0.999, 0.2, 0.8, 0.05, 0.95, 0.02, 0.98, 0.005, 0.995),
    *(0.3, 0.7, 0.4, 0.6, 0.0001, 0.9999, 0.002, 0.998, 0.00001, 0.99999),
)


@dataclass(frozen=True)
class Tick:
    """A number beside a side: its place from 0 to 1 and how it is written."""

    place: float
    text: str


@dataclass(frozen=True)
class Side:
    """A scale with usable ends: the first and the last value, as they are spaced.

    Example:
        >>> from tradeoff.render.chart import Scale
        >>> side = Side.of(Scale("depth", 0, 1, "share"))
        >>> side.units(np.array([0.25])), [tick.text for tick in side.ticks(4)]
        (array([0.25]), ['0 %', '25 %', '50 %', '75 %', '100 %'])
    """

    kind: Kind
    low: float
    high: float
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, scale: Scale) -> Side:
        """The ends of a scale; where it has none that can be drawn, the nearest that can."""
        low, high = scale.low, scale.high
        if scale.kind == "names":
            low, high = -0.5, max(len(scale.names), 1) - 0.5
        elif not (math.isfinite(low) and math.isfinite(high)):
            low, high = 0.0, 1.0
        if scale.kind == "log":
            high = high if high > 0 else 1.0
            low = low if low > 0 else high / 1000
        if scale.kind == "normal":
            low, high = (
                min(max(end, 0.001), 0.999) if end <= 0 or end >= 1 else end for end in (low, high)
            )
        first, last = (float(end) for end in _spaced(np.array([low, high]), scale.kind))
        if first == last:
            first, last = first - 0.5, last + 0.5
        return cls(scale.kind, first, last, scale.names)

    def units(self, values: Any) -> NDArray[np.float64]:
        """Values as places: 0 is the low end and 1 the high one; outside is beyond."""
        spaced = _spaced(np.asarray(values, np.float64), self.kind)
        return np.clip((spaced - self.low) / (self.high - self.low), -FAR, FAR)

    def ticks(self, wanted: int) -> list[Tick]:
        """Round numbers within the side: about as many as wanted, rising."""
        if self.kind == "names":
            return [Tick(float(self.units(at)), name) for at, name in enumerate(self.names)]
        if self.kind == "normal":
            return self._probabilities(wanted)
        if self.kind == "log":
            return self._powers(wanted)
        return self._even(wanted)

    def _even(self, wanted: int) -> list[Tick]:
        """Round numbers, at least two: one alone does not say how far apart they are."""
        return next(
            (found for more in range(4) if len(found := self._spread(wanted + more)) > 1),
            [],
        )

    def _spread(self, wanted: int) -> list[Tick]:
        low, high = sorted((self.low, self.high))
        rough = (high - low) / max(wanted, 1)
        size = 10.0 ** math.floor(math.log10(rough))
        factors = (1, 2, 2.5, 5, 10) if self.kind == "share" else (1, 2, 5, 10)
        step = next(f * size for f in factors if f * size >= rough * (1 - 1e-9))
        values = step * np.arange(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        return sorted(
            (
                Tick(float(self.units(value)), self._written(float(value) + 0.0, step))
                for value in values
            ),
            key=lambda tick: tick.place,
        )

    def _written(self, value: float, step: float) -> str:
        if self.kind == "share":
            value, step = 100 * value, 100 * step
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        digits += not math.isclose(round(step, digits), step, rel_tol=1e-6)
        largest = max(abs(self.low), abs(self.high))
        if self.kind == "share":
            return f"{value:.{digits}f} %"
        return f"{value:.4g}" if largest >= 1e7 or digits > 5 else f"{value:,.{digits}f}"

    def _powers(self, wanted: int) -> list[Tick]:
        low, high = sorted((self.low, self.high))
        powers = np.arange(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
        if len(powers) < 2:  # within one power of ten: round numbers, unevenly spaced
            even = Side("plain", 10.0**self.low, 10.0**self.high)
            values = [even.low + t.place * (even.high - even.low) for t in even.ticks(wanted)]
        else:
            every = -(-len(powers) // max(wanted + 1, 2))
            values = [10.0**power for power in powers[::every]]
        return [
            Tick(float(self.units(v)), f"{v:,.0f}" if 1000 <= v < 1e6 else f"{v:.3g}")
            for v in values
            if v > 0
        ]

    def _probabilities(self, wanted: int) -> list[Tick]:
        kept: list[Tick] = []
        for value in _PROBABILITIES:
            place = float(self.units(value))
            apart = all(abs(place - other.place) > 0.8 / max(wanted, 1) for other in kept)
            if -1e-9 <= place <= 1 + 1e-9 and apart:
                kept.append(Tick(place, f"{100 * value:.6g} %"))
        return sorted(kept, key=lambda tick: tick.place)


def _spaced(values: NDArray[np.float64], kind: Kind) -> NDArray[np.float64]:
    """Values as a scale spaces them; what it cannot show is infinitely far away."""
    if kind == "log":
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(
                values > 0, np.log10(values), np.where(np.isnan(values), values, -np.inf)
            )
    if kind == "normal":
        from scipy.special import ndtri

        return np.asarray(ndtri(np.clip(values, 0, 1)))
    return values
