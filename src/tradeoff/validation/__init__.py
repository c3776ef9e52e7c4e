"""Validation against published values and against certified data sets."""
