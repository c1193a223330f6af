"""The window and the operating system: paths, settings, the clipboard, diagnostics and the process itself."""
