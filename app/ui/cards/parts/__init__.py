"""What several kinds of cards use: long lists cut short, rows that wrap, texts and tables at their height."""
