"""The page of skills: which there are, looked at before use, written here."""
