"""Smooth ROC curves from models of the scores, not to be confused with the empirical curve."""
