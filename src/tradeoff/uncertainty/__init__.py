"""How sure a number is: intervals, bands of curves and bootstrap resamples."""
