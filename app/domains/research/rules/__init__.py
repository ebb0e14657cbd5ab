"""What is computed: confidence in a claim, whether what was found is enough, what a report shows."""
