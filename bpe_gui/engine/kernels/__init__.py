"""The engine's hot loops: small functions over plain arrays, compiled to machine code (see `compilation`).

They are also ordinary Python, and run as such if there is no machine code. Four rules make sure that both give the same
results:

- Arrays come from outside. A kernel allocates nothing; it tells its caller when it needs more capacity.
- All numbers are signed 64-bit integers. Use `wrapping_add` and `wrapping_multiply` of `machine` where a sum or product
  may overflow: to the compiler, signed overflow is undefined behaviour.
- No index is negative or beyond the end. Compiled code does not check.
- Parameters and results have type annotations: machine code is made for exactly these types.
"""
