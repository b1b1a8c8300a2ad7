#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gdb prints streams, ops, vector clocks and handles by scripts/gdb/aclsim.py.

usage: printers.py GDB PROGRAM PROJECT
"""

import re
import subprocess
import sys

# A command of gdb at `stop_here`, and a pattern of its output.
EXPECTED = [
    ("print stream", r"stream 1 of device 0: parked, 1 of 3 ops retired = {.*"
                     r"parked_on = .*head = op 2: wait of signal "),
    ("print op", r"op 0: copy of 4096 bytes from .* \(device 0\) to .* \(device 1\)"),
    ("print clock", r"clock {1: 4, 17: 2}"),
    ("print handle", r"kind 2 handle, slot 7, generation 3|stream handle, slot 7, generation 3"),
    ("aclsim-handle 5", r"0x5, not a handle"),
]


def main(gdb, program, project):
    commands = ["set confirm off", "set debuginfod enabled off", "set print pretty off",
                "source %s/scripts/gdb/aclsim.py" % project, "break stop_here", "run"]
    for number, (command, _) in enumerate(EXPECTED):
        commands += ["echo \\n== %d\\n" % number, command]
    words = [gdb, "-nx", "-batch"]
    for command in commands + ["kill"]:
        words += ["-ex", command]
    output = subprocess.run(words + [program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True).stdout
    printed = dict(re.findall(r"^== (\d+)$\n(.*?)(?=^== |\Z)", output, re.MULTILINE | re.DOTALL))
    wrong = [(command, pattern) for number, (command, pattern) in enumerate(EXPECTED)
             if not re.search(pattern, printed.get(str(number), ""), re.DOTALL)]
    for command, pattern in wrong:
        print("'%s' does not print /%s/" % (command, pattern))
    if wrong:
        print(output)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
