"""Whether there is a newer release."""
