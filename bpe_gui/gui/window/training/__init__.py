"""The window around training: notices of where a run stopped, and replaying tokenizers on the corpus."""
