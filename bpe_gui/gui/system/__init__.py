"""The process and the operating system: errors and signals, settings, paths, the clipboard, diagnostics.

`preflight` runs before Qt is imported, and says which system library is missing. `handover` gives files to a window
that is already open.
"""
