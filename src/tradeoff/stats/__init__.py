"""Statistics of plain numbers and arrays; nothing here depends on rankings."""
