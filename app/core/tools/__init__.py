"""Tools and their results as data: schema, permission class, cards."""
