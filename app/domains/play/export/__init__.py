"""A game on paper."""
