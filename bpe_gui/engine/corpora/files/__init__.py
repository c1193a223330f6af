"""Reading files: compressed or not, as one text or as records, in bounded memory."""
