"""The command line: train, encode, decode, convert and inspect tokenizers without a window. It imports no Qt."""
