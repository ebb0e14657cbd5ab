"""Sheets of others as grids of texts, and what their columns and rows mean: price lists and inquiries alike."""
