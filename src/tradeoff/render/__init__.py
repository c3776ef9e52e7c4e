"""Rendering of results as text, JSON, CSV and charts, without any statistics."""
