"""What several games need: a bot that plays at random, ranking, weighted draws, parts of sentences, walks over a board."""
