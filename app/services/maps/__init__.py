"""Street maps under the places of a card, where the person wants them."""
