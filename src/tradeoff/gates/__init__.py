"""Gates: whether a candidate model may replace a baseline."""
