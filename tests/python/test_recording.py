# SPDX-License-Identifier: Apache-2.0
"""The places in a recording of a Python program are lines of the program, with and without the checker."""
import json
import os
import subprocess
import sys

import pytest

PROGRAM = """
import acl

SIZE = 4096


def fill(memory, stream):
    assert acl.rt.memset_async(memory, SIZE, 1, SIZE, stream) == 0


assert acl.rt.set_device(0) == 0
stream, _ = acl.rt.create_stream()
memory, _ = acl.rt.malloc(SIZE, 0)
fill(memory, stream)
assert acl.rt.synchronize_stream(stream) == 0
assert acl.rt.free(memory) == 0
assert acl.rt.destroy_stream(stream) == 0
assert acl.rt.reset_device(0) == 0
"""


def line_of(text):
    return next(i for i, line in enumerate(PROGRAM.splitlines(), 1) if text in line)


@pytest.mark.parametrize("checked", ["0", "1"])
def test_the_places_of_a_recording_are_lines_of_the_script(tmp_path, checked):
    script, recording = tmp_path / "script.py", tmp_path / "run.aclt.jsonl"
    script.write_text(PROGRAM)
    subprocess.run([sys.executable, str(script)], check=True, timeout=120,
                   env={**os.environ, "ACLSIM_RECORD": str(recording), "ACLSIM_CHECK": checked})
    sites = {}
    for line in map(json.loads, recording.read_text().splitlines()):
        if "op" in line and "site" in line:
            sites.setdefault(line["op"], set()).add(line["site"])
    assert sites["memset"] == {f"{script}:{line_of('memset_async')}"}
    assert sites["hsync"] == {f"{script}:{line_of('synchronize_stream')}",
                              f"{script}:{line_of('destroy_stream')}",
                              f"{script}:{line_of('reset_device')}"}
    assert sites["alloc"] == {f"{script}:{line_of('malloc')}"}
    assert sites["free"] == {f"{script}:{line_of('rt.free')}"}
