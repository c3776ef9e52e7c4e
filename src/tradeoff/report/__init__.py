"""The HTML report: one offline file in which every metric follows the threshold."""
