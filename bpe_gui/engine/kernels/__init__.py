"""The hot loops of the engine: small functions over plain arrays, which become machine code (see `compilation`).

Each is ordinary Python as well and runs as such where there is no machine code. So that both give the same results,
kernels follow four rules:

- Arrays come from outside. A kernel allocates nothing; it tells its caller when it needs more capacity.
- All numbers are signed 64-bit integers. A sum or product that may overflow is computed by `bits.wrapping_add` or
  `bits.wrapping_multiply`: to the compiler, signed overflow is undefined behaviour.
- No index is negative, and none is beyond the end. Compiled code does not check.
- The types of parameters and results are annotated: machine code is made for exactly these.
"""
