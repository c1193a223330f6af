"""Paint text with its tokens, given as plain values."""
