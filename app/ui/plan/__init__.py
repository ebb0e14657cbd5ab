"""The plan card: the one place where a plan is read, changed, accepted and steered."""
