"""The database of knowledge bases, apart from the sessions: it can be thrown away and made again from the documents."""
