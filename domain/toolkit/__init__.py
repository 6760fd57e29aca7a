"""Code that several games share: a random bot, ranking, weighted draws, parts of sentences, board searches."""
