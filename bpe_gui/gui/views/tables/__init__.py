"""Tables of tokens, words and numbers, and the delegates that paint their cells."""
