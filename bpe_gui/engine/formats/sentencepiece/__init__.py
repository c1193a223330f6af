"""SentencePiece: `*.model` files of the type BPE."""
