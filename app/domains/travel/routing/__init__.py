"""How one gets from place to place: the order of a day, transfers in a city, journeys between cities."""
