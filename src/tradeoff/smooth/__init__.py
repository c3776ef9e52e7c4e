"""Smooth ROC curves: models of the scores, never to be mixed up with the empirical curve."""
