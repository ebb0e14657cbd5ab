"""What sentences state of persons and things, as pairs of attribute and value that can be compared."""
