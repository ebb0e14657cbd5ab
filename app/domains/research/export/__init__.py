"""A report on its way out: Markdown, and one HTML page without anything from outside."""
