"""Comparison of models: which one is better, and whether the difference is significant."""
