"""Validation: published numbers recomputed, and digits of certified data sets."""
