"""The plan: read, edited before it runs, steered while it runs."""
