"""What the commands share: words, colours, progress and the end of a process on a terminal or in a pipe."""
