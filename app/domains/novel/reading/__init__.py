"""A book from a file of somebody else's: bytes to text, text to chapters, and what is odd about them."""
