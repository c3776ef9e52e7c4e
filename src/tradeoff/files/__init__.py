"""Files: written atomically, temporary, as JSON, as tables; and what to say of missing ones."""
