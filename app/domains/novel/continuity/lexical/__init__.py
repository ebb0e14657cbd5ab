"""Values a book gives to one thing twice, found by word lists in place of sentence forms."""
