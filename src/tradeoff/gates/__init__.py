"""Whether a candidate may replace a baseline."""
