"""Wake-ups: waiting clients are woken when a match changes, in every process."""
