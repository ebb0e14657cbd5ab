"""Servers and other machinery that tests of every room drive. Imports nothing of the app."""
