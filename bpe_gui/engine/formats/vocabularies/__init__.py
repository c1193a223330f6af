"""How files of many formats hold vocabularies: as ranks, as tokens spelled in printable characters, without merges."""
