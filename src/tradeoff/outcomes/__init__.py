"""Rows of an outcome: which rows are false negatives, or nearest to the threshold?"""
