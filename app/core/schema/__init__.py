"""Foreign JSON schemas checked against values: nothing is fetched, and the work is limited by counting steps."""
