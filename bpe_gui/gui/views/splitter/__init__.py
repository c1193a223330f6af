"""Show a splitter at work: the parts of its expression and the words they take, in colour."""
