"""The evaluation of ranked models: metrics, curves, decisions, charts and reports."""
