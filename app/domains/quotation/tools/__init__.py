"""One file per group of tools: they read arguments, call what is computed, and find the words."""
