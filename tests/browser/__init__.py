"""What a reader sees and does, in a real browser."""
