"""Cities, places, ways, hours, prices and trips as data, with what can be said of each of them alone."""
