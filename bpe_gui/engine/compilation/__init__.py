"""Call kernels as machine code, compiled when the package was built, or as plain Python.

- `kernel`: the decorators that mark kernels, the calls of kernels, and records, which group arrays;
- `python_functions`: what kernels call that take and return Python objects;
- `library`: finds and loads the machine code, a shared library that `build_kernels` makes.

A *group* is the kernels of one folder below `engine/kernels/`, which are compiled together.

A call of a kernel by ctypes costs a microsecond. So short texts are encoded and decoded by *built-in functions*:
kernels with the signature of a C function of one argument, which Python wraps without an extension module (`Builtin`).
What they call is in the stable interfaces of Python and numpy. They hold the GIL, so longer texts are left to others,
and so is everything in a subinterpreter or in a Python without a GIL.
"""
