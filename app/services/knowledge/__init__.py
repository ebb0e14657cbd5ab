"""Knowledge bases: made, read anew, searched, removed."""
