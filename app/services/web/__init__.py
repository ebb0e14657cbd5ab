"""Searching the web as a person sets it up: which services, in which order, with which keys, and whether they work."""
