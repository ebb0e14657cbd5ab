"""What every domain needs and none should write again. It knows core only; domains know it, not one another."""
