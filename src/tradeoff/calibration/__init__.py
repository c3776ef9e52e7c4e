"""Calibration of probabilities: decompositions, reliability diagrams, tests and maps."""
