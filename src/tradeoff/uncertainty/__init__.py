"""Uncertainty of estimates: confidence intervals, bands of curves and the bootstrap."""
