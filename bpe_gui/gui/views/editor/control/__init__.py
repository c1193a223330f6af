"""Turn what the user does with keys, mouse, clipboard and input methods into moves and edits of the text."""
