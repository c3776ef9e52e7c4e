"""Rows become rankings. Input is checked here, once, and nowhere after."""
