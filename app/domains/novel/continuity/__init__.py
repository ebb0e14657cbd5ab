"""What contradicts itself in a book, found without a model: names, facts, times, form. Codes N01–N15."""
