"""What the topics share when they show their results."""
