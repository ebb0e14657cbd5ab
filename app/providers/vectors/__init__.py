"""Embeddings of texts, and rankings of texts for a question, by any provider."""
