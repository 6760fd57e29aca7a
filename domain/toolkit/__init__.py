"""What several games need: a random bot, ranking, weighted draws, parts of sentences, walks over a board."""
