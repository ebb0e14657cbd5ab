"""JSON schemas of others, held against values: nothing is fetched, and the work is counted, not hoped for."""
