"""Questions in bulk: read from a file, asked side by side, their answers written line by line."""
