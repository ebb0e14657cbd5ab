"""What a question says of a journey, for the offline rules: places, times, lodging, feasts, changes of a plan."""
