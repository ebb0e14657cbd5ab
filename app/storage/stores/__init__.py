"""One store per kind of row: sessions, runs, attachments, ratings, documents, search."""
