"""What agents remember: recalled, proposed, confirmed, edited, forgotten, exported."""
