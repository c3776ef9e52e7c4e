"""What a file or dataframe holds: its columns, their likely roles, and what to do next."""
