"""Choosing thresholds: criteria, decisions, out-of-sample estimates, reject bands."""
