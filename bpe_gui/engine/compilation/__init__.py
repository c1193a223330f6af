"""Call kernels as machine code, compiled when the package was built, or as plain Python.

- `kernel`: the decorators that mark kernels, the calls of kernels, and records, which group arrays;
- `library`: finds and loads the machine code, a shared library that `build_kernels` makes.

A *group* is the kernels of one folder below `engine/kernels/`, which are compiled together.
"""
