"""Values written into a copy of a sheet that stays the same in everything else, and the comparison that shows it."""
