"""How sure a number is: intervals for shares, ratios and areas, and by drawing rows again."""
