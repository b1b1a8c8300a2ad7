# SPDX-License-Identifier: Apache-2.0
"""The compiler commands of the project, for checks that do not build it."""

import json
import os
import re
import shlex
import subprocess
import sys

TAKES_VALUE = {"-o", "-include", "-MF", "-MT", "-MQ", "-Xclang"}
DROPPED = {"-c", "-MD", "-MMD", "-Winvalid-pch", "-fpch-preprocess", "-fpch-instantiate-templates",
           "-Werror"}


def configure(project, folder, compiler, *settings):
    """Configures the project in `folder` and returns the rows of its compile_commands.json."""
    command = ["cmake", "-S", project, "-B", folder, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
               "-DCMAKE_CXX_COMPILER=" + compiler, *settings]
    if "clang" in os.path.basename(compiler):
        command.append("-DCMAKE_C_COMPILER=" + re.sub(r"clang\+\+(?=[^/]*$)", "clang", compiler))
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s\n%s" % (shlex.join(command), done.stderr[-4000:]))
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
        return json.load(file)


def arguments(command):
    """The words of a compiler command, without its outputs and without precompiled headers."""
    words = iter(shlex.split(command))
    kept = []
    for word in words:
        if word in TAKES_VALUE:
            next(words)
        elif word not in DROPPED:
            kept.append(word)
    return kept


def run(words, build):
    """Runs a command in the build folder; returns its exit status and its whole output."""
    done = subprocess.run(words, cwd=build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout
