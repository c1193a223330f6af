"""Checks against published files and texts, which are not part of the project: `pytest tests/extra --data FOLDER`."""
