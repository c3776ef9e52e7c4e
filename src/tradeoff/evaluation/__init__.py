"""Ranked models, and all that can be asked of them."""
