"""Axes of drawn charts: positions of values between the limits of a scale, and round ticks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.formatting import with_minus_sign

if TYPE_CHECKING:
    from tradeoff.render.chart import Scale, ScaleKind

OFF_SCALE_POSITION = 1e3
"""Position of infinity on an axis: far outside, so that lines leave the plotting area."""

# Ticks of a normal quantile scale, the most important first.
_QUANTILE_TICKS = (
    *(0.5, 0.1, 0.9, 0.01, 0.99, 0.001, 0.999, 0.2, 0.8, 0.05, 0.95, 0.02, 0.98, 0.005, 0.995),
    *(0.3, 0.7, 0.4, 0.6, 0.0001, 0.9999, 0.002, 0.998, 0.00001, 0.99999),
)


@dataclass(frozen=True)
class Tick:
    """Tick of an axis: its position from 0 to 1 and its label."""

    position: float
    text: str


@dataclass(frozen=True)
class Axis:
    """Axis of a drawn chart: a scale whose limits are finite and already transformed.

    Example:
        >>> from tradeoff.render.chart import Scale
        >>> axis = Axis.from_scale(Scale("depth", 0, 1, "share"))
        >>> axis.positions(np.array([0.25])), [tick.text for tick in axis.ticks(4)]
        (array([0.25]), ['0%', '25%', '50%', '75%', '100%'])
    """

    kind: ScaleKind
    low: float
    high: float
    names: tuple[str, ...] = ()

    @classmethod
    def from_scale(cls, scale: Scale) -> Axis:
        """Axis for a scale; limits that cannot be drawn are replaced by nearby ones that can."""
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
        first, last = (float(end) for end in _transform(np.array([low, high]), scale.kind))
        if first == last:
            first, last = first - 0.5, last + 0.5
        return cls(scale.kind, first, last, scale.names)

    def positions(self, values: Any) -> NDArray[np.float64]:
        """Positions of values: 0 at the lower limit, 1 at the upper; below 0 or above 1 outside."""
        transformed = _transform(np.asarray(values, np.float64), self.kind)
        return np.clip(
            (transformed - self.low) / (self.high - self.low),
            -OFF_SCALE_POSITION,
            OFF_SCALE_POSITION,
        )

    def ticks(self, target_count: int) -> list[Tick]:
        """Ticks at round values, about `target_count` of them, in ascending order."""
        if self.kind == "names":
            return [Tick(float(self.positions(i)), name) for i, name in enumerate(self.names)]
        if self.kind == "normal":
            return self._quantile_ticks(target_count)
        if self.kind == "log":
            return self._log_ticks(target_count)
        return self._two_or_more_ticks(target_count)

    def _two_or_more_ticks(self, target_count: int) -> list[Tick]:
        """Linear ticks, at least two, as a single one does not show the scale."""
        return next(
            (
                ticks
                for extra in range(4)
                if len(ticks := self._linear_ticks(target_count + extra)) > 1
            ),
            [],
        )

    def _linear_ticks(self, target_count: int) -> list[Tick]:
        low, high = sorted((self.low, self.high))
        rough_step = (high - low) / max(target_count, 1)
        size = 10.0 ** math.floor(math.log10(rough_step))
        factors = (1, 2, 2.5, 5, 10) if self.kind == "share" else (1, 2, 5, 10)
        step = next(f * size for f in factors if f * size >= rough_step * (1 - 1e-9))
        values = step * np.arange(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        return sorted(
            (
                Tick(float(self.positions(value)), self._tick_label(float(value) + 0.0, step))
                for value in values
            ),
            key=lambda tick: tick.position,
        )

    def _tick_label(self, value: float, step: float) -> str:
        if self.kind == "share":
            value, step = 100 * value, 100 * step
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        digits += not math.isclose(round(step, digits), step, rel_tol=1e-6)
        largest = max(abs(self.low), abs(self.high))
        if self.kind == "share":
            return with_minus_sign(f"{value:.{digits}f}%")
        is_long = largest >= 1e7 or digits > 5
        return with_minus_sign(f"{value:.4g}" if is_long else f"{value:,.{digits}f}")

    def _log_ticks(self, target_count: int) -> list[Tick]:
        low, high = sorted((self.low, self.high))
        powers = np.arange(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
        if len(powers) < 2:  # within one power of ten, use round numbers
            linear_axis = Axis("plain", 10.0**self.low, 10.0**self.high)
            values = [
                linear_axis.low + t.position * (linear_axis.high - linear_axis.low)
                for t in linear_axis.ticks(target_count)
            ]
        else:
            stride = -(-len(powers) // max(target_count + 1, 2))
            values = [10.0**power for power in powers[::stride]]
        return [
            Tick(float(self.positions(v)), f"{v:,.0f}" if 1000 <= v < 1e6 else f"{v:.3g}")
            for v in values
            if v > 0
        ]

    def _quantile_ticks(self, target_count: int) -> list[Tick]:
        ticks: list[Tick] = []
        for value in _QUANTILE_TICKS:
            position = float(self.positions(value))
            is_separate = all(
                abs(position - other.position) > 0.8 / max(target_count, 1) for other in ticks
            )
            if -1e-9 <= position <= 1 + 1e-9 and is_separate:
                ticks.append(Tick(position, f"{100 * value:.6g}%"))
        return sorted(ticks, key=lambda tick: tick.position)


def _transform(values: NDArray[np.float64], kind: ScaleKind) -> NDArray[np.float64]:
    """Values transformed for a kind of scale; those it cannot show become infinite."""
    if kind == "log":
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(
                values > 0, np.log10(values), np.where(np.isnan(values), values, -np.inf)
            )
    if kind == "normal":
        from scipy.special import ndtri

        return np.asarray(ndtri(np.clip(values, 0, 1)))
    return values
