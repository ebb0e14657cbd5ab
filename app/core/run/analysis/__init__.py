"""Runs measured by their state (`view`): comparison, context use, costs, rounds, timeline, result graph. Read-only."""
