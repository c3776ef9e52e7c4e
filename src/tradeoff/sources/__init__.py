"""Sources of rows: reading, checking and ranking. Input is checked here, once and only here."""
