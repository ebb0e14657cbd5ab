"""The things of the trade as data: price lists, levels, lines, quotations. No tool, no wording."""
