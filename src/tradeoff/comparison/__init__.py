"""Which of several models is better, and how sure that is."""
