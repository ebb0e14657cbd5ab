"""Plans of chapters, before a word is written: what they must have, and what stands by when none comes."""
