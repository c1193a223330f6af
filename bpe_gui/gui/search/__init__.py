"""What a person types to find tokens and text, without Qt."""
