"""Background work: the tasks that one leading process performs for all processes."""
