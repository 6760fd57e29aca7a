"""Work in the background: supervised threads, and what one leading process does for all."""
