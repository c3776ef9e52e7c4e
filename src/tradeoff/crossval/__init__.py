"""Cross-validation: scores for rows that the model was not trained on."""
