"""Text helpers: translation, wildcards, hidden and look-alike characters."""
