"""Background work: supervised threads, and the tasks that one leading process performs for all processes."""
