"""Wake-ups: whoever waits for a match is told of its changes, across processes too."""
