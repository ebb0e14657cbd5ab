"""Tool calls and reasoning written into the text of a reply."""
