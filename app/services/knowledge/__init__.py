"""Knowledge bases: create, update, search, remove."""
