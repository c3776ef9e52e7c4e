"""Logging to MLflow."""
