"""Bundled data sets: published examples, and certified data sets with exact values."""
