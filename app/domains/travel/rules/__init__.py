"""What is worked out from the data: requests, routes, stays, itineraries and the changes made to them."""
