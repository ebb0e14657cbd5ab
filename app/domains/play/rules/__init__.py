"""What is computed without a model: metrics, safety, red flags, pseudonyms. Pure functions."""
