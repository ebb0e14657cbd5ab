"""The local API as a person sets it up: who may use it."""
