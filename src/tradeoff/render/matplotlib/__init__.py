"""Charts drawn by matplotlib, which is imported when something is drawn."""

from tradeoff.render.matplotlib.figures import drawn, saved

__all__ = ["drawn", "saved"]
