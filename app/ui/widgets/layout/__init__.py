"""Where widgets stand: rows that wrap, lists beside their detail, pages that scroll."""
