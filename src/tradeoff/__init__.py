"""Judge classifiers and decide where to put the line."""
