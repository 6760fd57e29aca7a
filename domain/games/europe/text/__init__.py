"""The match in words: each fact as a sentence, the table as a few lines, the names of everything."""
