"""Text, JSON, CSV and charts. Nothing here knows statistics."""
