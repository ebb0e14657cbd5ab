"""The timeline card: days that fold, the stops of each, and the map of the open day beside them."""
