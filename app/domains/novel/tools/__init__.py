"""The tools of the Novel studio, one file for each group: read the arguments, call the rules, find the words."""
