"""Order of times, days, seasons and first meetings."""
