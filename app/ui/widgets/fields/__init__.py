"""Form fields and editors of single values."""
