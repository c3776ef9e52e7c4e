"""Uncertainty of estimates: confidence intervals, bands for curves and the bootstrap."""
