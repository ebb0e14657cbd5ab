"""Pure rules: confidence in a claim, whether the evidence is enough, what a report shows."""
