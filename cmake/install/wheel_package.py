# SPDX-License-Identifier: Apache-2.0
"""The location of the emulator in the wheel: this folder is an install tree, with bin, include and lib64.

`aclsim.root()` is its path, for build scripts; `python -m aclsim` is the command aclsim.
"""
import os
import sys


def root():
    return os.path.dirname(os.path.realpath(__file__))


def main():
    tool = os.path.join(root(), "bin", "aclsim")
    os.execv(tool, ["aclsim"] + sys.argv[1:])
