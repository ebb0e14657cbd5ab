"""Stored data: location, backups, bin, export, usage, comparison of runs."""
