"""What a splitter does to text: the parts of its expression and the words they take, in colour."""
