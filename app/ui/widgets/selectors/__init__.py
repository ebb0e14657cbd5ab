"""One of several: the drop-down of the header with its searchable list, and the control of the modes."""
