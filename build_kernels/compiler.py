"""Compile kernels to object files: numba turns them into LLVM IR, which LLVM optimises and emits for any system.

numba's own optimisation is switched off (see `__main__`). LLVM optimises all kernels of
a group at once, for each kind of processor. In the code, a `kind` is one of numba's types.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import numba
from llvmlite import binding as llvm
from numba import types
from numba.extending import intrinsic, register_jitable

from bpe_gui.engine.compilation.kernel import Builtin, Kernel, helpers
from bpe_gui.engine.compilation.python_functions import TABLE
from bpe_gui.engine.kernels.lowlevel.python_objects import as_number, tuple_item

from . import instructions
from .numba_types import NUMBER, load_value, type_of, width_of
from .targets import Target

_REPORTS_ERRORS: Final = ("Py", "numba_", "NRT_Free")
"""Prefixes of the names of functions by which numba reports exceptions to Python."""


def compile_kernels(kernels: Iterable[Kernel[..., Any]], targets: Iterable[Target]) -> Iterator[bytes]:
    """Yield an object file for each target, with a function for each kernel, which has the kernel's name.

    Raise NumbaError for a kernel that numba refuses, and RuntimeError for one that calls what is not in its object
    file: if it allocates memory, for example.
    """
    module, optimised = lower(kernels).as_bitcode(), {}
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    # Loops that copy stay loops, so that nothing is needed from a C library.
    llvm.set_option("", "--disable-loop-idiom-all")
    for target in targets:
        if target.processor not in optimised:  # what optimises IR looks at the processor alone
            optimised[target.processor] = _optimised(llvm.parse_bitcode(module), target)
        yield _emitted(llvm.parse_bitcode(optimised[target.processor]), target)


def lower(kernels: Iterable[Kernel[..., Any]]) -> Any:
    """Return kernels as a module of LLVM IR, which is not optimised."""
    instructions.install()
    llvm.add_symbol(TABLE, 1)  # numba also compiles for this process, where nothing is called
    for function in helpers:
        register_jitable(function)
    module, entries = llvm.parse_assembly(""), {}
    for kernel in kernels:
        entry: Any = _builtin_entry(kernel) if isinstance(kernel, Builtin) else _entry(kernel)
        module.link_in(llvm.parse_assembly(entry.inspect_llvm()))
        entries[entry.native_name] = kernel.plain.__name__
    _cut_error_paths(module)
    _keep_only(module, entries)
    return module


def _entry(kernel: Kernel[..., Any]) -> Any:
    """Compile a function for a kernel, which takes the address of a block of numbers.

    It loads the arguments from the block, calls the kernel, and stores the results at the beginning of the block.
    """
    function, load = register_jitable(kernel.plain), _loader(kernel.parameters)

    def typed_store(_context: Any, _block: Any, results: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            block = builder.inttoptr(arguments[0], NUMBER.as_pointer())
            for index, (kind, value) in enumerate(_values(builder, signature.args[1], arguments[1])):
                number = context.cast(builder, value, kind, types.int64)
                builder.store(number, builder.gep(block, [NUMBER(index)]))
            return context.get_dummy_value()

        return types.void(types.int64, results), generate

    store: Any = intrinsic(typed_store)

    def entry(block: int) -> None:
        store(block, function(*load(block)))

    return numba.cfunc(types.void(types.int64))(entry)


def _builtin_entry(kernel: Builtin[..., Any]) -> Any:
    """Compile the body of built-in functions, which takes what the function is bound to, and its argument.

    The first is a tuple that begins with the address of a block of numbers.
    """
    function, load = register_jitable(kernel.plain), _loader(kernel.parameters[1:])

    def entry(bound: int, argument: int) -> int:
        result: int = function(argument, *load(as_number(tuple_item(bound, 0))))
        return result

    return numba.cfunc(types.int64(types.int64, types.int64))(entry)


def _loader(hints: Iterable[Any]) -> Any:
    """Return what loads the arguments with these annotations from a block, given by its address."""
    parameters = [type_of(hint) for hint in hints]

    def typed_load(_context: Any, _block: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            block, values, offset = builder.inttoptr(arguments[0], NUMBER.as_pointer()), [], 0
            for kind in parameters:
                values.append(load_value(context, builder, kind, block, offset, changes=True))
                offset += width_of(kind)
            return context.make_tuple(builder, signature.return_type, values)

        return types.Tuple(parameters)(types.int64), generate

    return intrinsic(typed_load)


def _values(builder: Any, kind: Any, value: Any) -> list[tuple[Any, Any]]:
    """Return the type and the value of each result, given a kernel's return type and value."""
    if kind is types.none:
        return []
    if not isinstance(kind, types.BaseTuple):
        return [(kind, value)]
    parts: Any = kind
    return [(part, builder.extract_value(value, index)) for index, part in enumerate(parts)]


def _cut_error_paths(module: Any) -> None:
    """Define the functions by which numba reports exceptions as ones that end the process.

    So machine code needs nothing from Python. Kernels raise nothing; if one did, the process would end at once rather
    than continue with wrong numbers.
    """
    definitions = ["declare void @llvm.trap()"]
    for declaration in module.functions:
        if declaration.is_declaration and declaration.name.startswith(_REPORTS_ERRORS):
            head = re.sub(r"^declare (.*\)).*$", r"define \1", str(declaration).strip())
            definitions.append(f"{head} {{\n  call void @llvm.trap()\n  unreachable\n}}")
    module.link_in(llvm.parse_assembly("\n".join(definitions)))


def _keep_only(module: Any, entries: dict[str, str]) -> None:
    """Rename the functions in `entries`, which has kernels' names by native names, and hide everything else."""
    for symbol in (*module.functions, *module.global_variables):
        if symbol.name in entries:
            symbol.name = entries[symbol.name]
            symbol.storage_class = "dllexport"  # only Windows looks at it
        elif not symbol.is_declaration:
            symbol.linkage = "internal"
        elif symbol.name == TABLE:
            symbol.visibility = "protected"  # so that Linux finds it without a relocation


def _optimised(module: Any, target: Target) -> bytes:
    """Return a module optimised for a target, as bitcode."""
    machine = _set_target(module, target)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = options.loop_interleaving = options.loop_unrolling = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    if missing := [each.name for each in module.functions if each.is_declaration and not each.name.startswith("llvm.")]:
        raise RuntimeError(f"Compiled kernels would call {', '.join(missing)}.")
    bitcode: bytes = module.as_bitcode()
    return bitcode


def _emitted(module: Any, target: Target) -> bytes:
    """Return the object file of a module that has been optimised for a target's processor."""
    code: bytes = _set_target(module, target).emit_object(module)
    return code


def _set_target(module: Any, target: Target) -> Any:
    """Tell a module for what system it is, and return the machine that emits code for it."""
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor, opt=3, reloc="pic", codemodel="default"
    )
    module.triple = target.triple
    module.data_layout = str(machine.target_data)
    return machine
