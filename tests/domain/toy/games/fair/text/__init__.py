"""Words, sentences and scenes."""
