"""The native kernel, which nobody must have: where it cannot be compiled the installation succeeds without it. All else is in pyproject.toml."""

import os
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

KERNEL = Path("src/provably_fair_baccarat/_kernel")

# The stable ABI of Python 3.11 serves every later version; free-threaded builds of Python have none.
has_stable_abi = not sysconfig.get_config_var("Py_GIL_DISABLED")

# What is to be vectorised is written so. A compiler that does more of it spoils the SHA functions.
flags = (
    ["/std:c11"] if os.name == "nt" else ["-std=c11", "-O3", "-g0", "-fno-tree-vectorize", "-fno-tree-slp-vectorize", "-fvisibility=hidden"]
)

kernel = Extension(
    "provably_fair_baccarat._kernel",
    sources=sorted(path.as_posix() for path in KERNEL.glob("*.c")),
    depends=sorted(path.as_posix() for path in KERNEL.glob("*.h")),
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if has_stable_abi else [],
    extra_compile_args=flags,
    extra_link_args=[] if os.name == "nt" else ["-pthread"],
    py_limited_api=has_stable_abi,
    optional=True,
)

setup(ext_modules=[kernel], options={"bdist_wheel": {"py_limited_api": "cp311"}} if has_stable_abi else {})
