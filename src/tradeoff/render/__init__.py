"""How anything is written or drawn. Nothing here knows statistics."""
