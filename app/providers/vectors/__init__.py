"""What a provider says of texts beside answers: their vectors, and how well they fit a question."""
