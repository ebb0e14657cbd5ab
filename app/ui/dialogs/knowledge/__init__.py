"""What agents know of the person and their documents: seen, changed, forgotten."""
