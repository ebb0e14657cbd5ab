"""The folder a person picked: opened, walked and changed so that nothing outside it can be reached."""
