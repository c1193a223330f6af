"""The documentation: pages in several languages, and what builds them."""
