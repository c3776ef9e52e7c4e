"""Comparison of models: which one is better, and how significant the difference is."""
