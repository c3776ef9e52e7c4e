"""Scores for rows that a model has not seen: folds, models and what is fitted inside them."""
