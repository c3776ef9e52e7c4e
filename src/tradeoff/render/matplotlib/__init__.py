"""Charts drawn with matplotlib, which is imported only when a chart is drawn."""
