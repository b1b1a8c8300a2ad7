# SPDX-License-Identifier: Apache-2.0
"""The file itself: its dependencies, and that every Python of this machine can import it."""

import glob
import os
import subprocess
import sys

import pytest

import acl
from facts import HERE

LIMITED = os.path.join(HERE, "limited_api.txt")


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout


def undefined_symbols():
    lines = output("nm", "-D", "--undefined-only", acl.__file__).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


def test_it_uses_the_limited_api_of_3_8_and_nothing_else_of_python():
    with open(LIMITED, encoding="utf-8") as file:
        allowed = {line.strip() for line in file if line.strip() and not line.startswith("#")}
    used = {name for name in undefined_symbols() if name.lstrip("_").startswith("Py")}
    assert used - allowed == set()
    assert allowed - used == set(), "no longer used: take it off the list"


def test_it_uses_only_public_functions_of_the_library():
    used = {name for name in undefined_symbols() if name.startswith("acl")}
    rows = {row["c_function"] for row in acl.sim.functions()}
    assert len(used & rows) > 90
    assert not any(name.startswith("_ZN3acl") for name in undefined_symbols())


def test_it_exports_its_initialiser_alone():
    lines = output("nm", "-D", "--defined-only", acl.__file__).splitlines()
    assert [line.split()[-1] for line in lines] == ["PyInit_acl"]


def test_it_needs_the_library_by_its_plain_name_and_no_libpython():
    text = output("readelf", "-d", acl.__file__)
    assert "[libascendcl.so]" in text
    assert "libpython" not in text and "numpy" not in text


def pythons():
    found = {os.path.realpath(sys.executable): sys.executable}
    places = os.environ.get("PATH", "").split(os.pathsep) + ["/usr/bin", "/usr/local/bin"]
    places += glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin"))
    for place in places:
        for path in glob.glob(os.path.join(place, "python3.[0-9]*")):
            if path.rsplit(".", 1)[1].isdigit() and "shims" not in path:
                found.setdefault(os.path.realpath(path), path)
    return sorted(path for path in found.values() if version(path) >= (3, 8))


def version(path):
    try:
        text = output(path, "-c", "import sys; print(sys.version_info[0], sys.version_info[1])")
        return tuple(int(part) for part in text.split())
    except (OSError, subprocess.CalledProcessError):
        return (0, 0)


def test_the_module_of_shmem_uses_no_more_of_python_than_the_limited_api_of_3_8():
    module = os.path.join(os.path.dirname(acl.__file__), "shmem", "_pyshmem.abi3.so")
    lines = output("nm", "-D", "--undefined-only", module).splitlines()
    used = {line.split()[-1].split("@")[0] for line in lines}
    with open(LIMITED, encoding="utf-8") as file:
        allowed = {line.strip() for line in file if line.strip() and not line.startswith("#")}
    with open(os.path.join(HERE, "limited_api_shmem.txt"), encoding="utf-8") as file:
        allowed |= {line.strip() for line in file if line.strip() and not line.startswith("#")}
    assert {name for name in used if name.lstrip("_").startswith("Py")} - allowed == set()
    exported = output("nm", "-D", "--defined-only", module).splitlines()
    assert [line.split()[-1] for line in exported] == ["PyInit__pyshmem"]
    assert "libpython" not in output("readelf", "-d", module)


PROGRAM = """
import importlib.util, sys, threading, time
import acl, acl.rt
from acl.rt import memcpy
assert importlib.util.find_spec("acl.rt")
def check(result):
    *outputs, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, result
    return outputs[0] if len(outputs) == 1 else tuple(outputs)
check(acl.init()); check(acl.rt.set_device(0))
stream = check(acl.rt.create_stream())
def serve():
    while True:
        acl.rt.process_report(50)
thread = threading.Thread(target=serve, daemon=True)
thread.start()
check(acl.rt.subscribe_report(thread.ident, stream))
seen = []
data = ["data"]
references = sys.getrefcount(data)
check(acl.rt.launch_callback(seen.append, data, 1, stream))
check(acl.sim.launch_kernel(lambda context, args: seen.append(context.num_blocks), None, 2, stream))
check(acl.rt.synchronize_stream(stream))
assert seen == [data, 2, 2], seen
del seen[:]
assert sys.getrefcount(data) == references
for wrong in ((None,), (), (1, 2), (1.5,)):
    try:
        acl.rt.set_device(*wrong)
    except TypeError as error:
        assert "acl.rt.set_device" in str(error)
    else:
        raise SystemExit("no TypeError for %r" % (wrong,))
try:
    acl.rt.set_device(device_id=0)
except TypeError:
    pass
assert acl.rt.get_context(0) == acl.rt.get_context()
assert acl.util.ptr_to_bytes(acl.util.bytes_to_ptr(b"abc"), 3) == b"abc"
thread_id = check(acl.util.start_thread(seen.append, 5))
check(acl.util.stop_thread(thread_id))
assert seen == [5]
print("end")
"""


@pytest.mark.parametrize("python", pythons())
def test_the_same_file_serves_every_python_of_this_machine(python, run_python):
    for _ in range(3):
        done = run_python(PROGRAM, executable=python, env={"LD_BIND_NOW": "1"})
        assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


