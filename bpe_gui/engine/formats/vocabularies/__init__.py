"""Read vocabularies as many formats hold them: as ranks, without merges, or spelled in printable characters."""
