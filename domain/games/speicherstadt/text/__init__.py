"""The match in English: each fact as a sentence, the table as a few lines, and the names of things in all languages."""
