"""Read, check and rank rows from any source. Input is checked here and nowhere else."""
