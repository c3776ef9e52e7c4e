"""Charts drawn by matplotlib, which is imported when something is drawn."""
