"""ROC convex hull: which model and threshold is best for which costs and prevalence."""
