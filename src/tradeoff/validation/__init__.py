"""Published numbers recomputed, and certified data sets: `tradeoff validate`."""
