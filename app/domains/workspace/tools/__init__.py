"""The tools of the workspace, one file for each group: read the arguments, call the rules, find the words."""
