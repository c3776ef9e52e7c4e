"""Probabilities held against what happened: parts of scores, diagrams, tests and repairs."""
