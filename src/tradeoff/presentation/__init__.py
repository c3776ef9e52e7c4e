"""Numbers for readers: tables for people, documents for programs. Computes no measure itself."""
