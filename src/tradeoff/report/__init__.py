"""The report: one HTML file in which every metric follows the threshold, without a network."""
