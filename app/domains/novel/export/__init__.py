"""The book as a file for readers: txt, Markdown, Word, EPUB, each with a cover page. Bytes only; who writes them asks."""
