"""scikit-learn's own tests of its metrics, run with our numbers in place of its own."""
