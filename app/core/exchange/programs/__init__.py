"""One reader for each program whose conversations are imported; `registry` lists them."""
