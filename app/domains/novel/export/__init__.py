"""The book as a file for readers: txt, Markdown, Word, EPUB, each with a cover page. It makes bytes and writes none."""
