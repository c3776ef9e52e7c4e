"""The core: the one sort, the ranking it makes, and the confusion matrix at any threshold."""
