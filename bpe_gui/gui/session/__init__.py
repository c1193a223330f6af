"""The one document that all panels show, made of parts: corpus, run, cursor, text."""
