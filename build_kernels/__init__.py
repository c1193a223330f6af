"""Compile the kernels of the engine to a shared library, as a part of building the package; see ARCHITECTURE.md."""
