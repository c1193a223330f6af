"""Regular expressions: read in the dialect of an engine, understood, and compiled to automata."""
