"""Providers and models as a user sets them up, and which model answers."""
