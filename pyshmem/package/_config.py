# SPDX-License-Identifier: Apache-2.0
"""shmem-config: where headers and libraries are."""

import argparse
import pathlib
import sys
from typing import List, Optional

from . import _pyshmem

_HERE = pathlib.Path(__file__).resolve().parent


def _root() -> pathlib.Path:
    """The tree with include/ and lib64/: of a wheel beside the package, else above it."""
    wheel = _HERE.parent / "aclsim"
    return wheel if (wheel / "include").is_dir() else _HERE.parents[2]


def _complaints(root: pathlib.Path) -> List[str]:
    wanted = [root / "include/shmem/shmem.h", root / "lib64/libshmem.so"]
    return ["%s is missing" % path for path in wanted if not path.exists()]


def main(arguments: Optional[List[str]] = None) -> int:
    root = _root()
    include, lib = root / "include", root / "lib64"
    answers = {"include": "-I%s -I%s" % (include / "shmem", include), "lib": str(lib),
               "backend": "aclsim", "root": str(root),
               "version": "%d.%d" % _pyshmem.aclshmem_info_get_version(),
               "ldflags": "-L%s -lshmem -lascendcl" % lib, "rpath": "-Wl,-rpath,%s" % lib}
    parser = argparse.ArgumentParser(prog="shmem-config", description=__doc__.split(": ")[1])
    for name in answers:
        parser.add_argument("--" + name, action="store_true", help="print " + answers[name])
    parser.add_argument("--diagnose", action="store_true", help="print all, and what is missing")
    parser.add_argument("command", nargs="?", choices=["check"], help="1 where something is missing")
    given = parser.parse_args(arguments)
    if not any(vars(given).values()):
        parser.print_usage(sys.stderr)
        return 2
    for name, answer in answers.items():
        if getattr(given, name):
            print(answer)
        elif given.diagnose:
            print("%s: %s" % (name, answer))
    complaints = _complaints(root) if given.diagnose or given.command else []
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
