"""Agents of other programs a person has set up: added, agreed to, looked at, removed."""
