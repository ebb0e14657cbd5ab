"""A `ModelRequest` as the body of an HTTP request."""
