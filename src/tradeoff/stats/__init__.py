"""Statistical methods for plain numbers and arrays; nothing here depends on rankings."""
