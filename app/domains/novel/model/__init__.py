"""What a book consists of, as data: no files, no tools, no wording."""
