"""One file a program: what it is asked, and where it means to differ."""
