"""What a model can call: each file reads the arguments, calls the rules and finds the words."""
