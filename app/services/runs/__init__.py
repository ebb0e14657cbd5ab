"""Starting, recording, repeating and comparing runs."""
