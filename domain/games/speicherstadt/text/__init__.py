"""The match as text: each fact as a sentence, the table as a few lines, the names of things."""
