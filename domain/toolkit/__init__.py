"""Code that several games share: a random bot, ranking, weighted draws, phrases, board searches."""
