"""Turn kernels into machine code: compiled once on a machine, by other processes, and loaded in milliseconds.

A *group* is the kernels of one folder below `engine/kernels/`, which are compiled together to one object file.

- `kernel`: the decorators that mark kernels, and how they are called, compiled or not;
- `record`: arrays that kernels take together;
- `compiled`: decides when compiled code is worth loading or compiling, and does it;
- `code_cache`: the folder that keeps it;
- `machine_code`: links it into this process;
- `compile_group`: the program that compiles one group, with `compiler` and `numba_types`. No other program imports
  numba.
"""

from .compiled import compiles_for, is_compiled, load_for

__all__ = ["compiles_for", "is_compiled", "load_for"]
