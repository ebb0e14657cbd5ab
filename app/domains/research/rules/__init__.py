"""What is computed: confidence in a claim, and whether what was found is enough."""
