"""Markdown to blocks, incrementally and without Qt where possible."""
