"""Example data sets with their registry, published examples, and certified data sets."""
