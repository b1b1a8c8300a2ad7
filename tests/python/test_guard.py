# SPDX-License-Identifier: Apache-2.0
"""--guard-reads in Python programs: places are lines of the script, and right programs are clean."""
import json
import os
import subprocess
import sys

import pytest

START = """
import acl, ctypes, threading
import numpy as np

N = 1 << 16
def ok(result):
    *values, code = result if isinstance(result, tuple) else (result,)
    assert code == 0, (code, acl.get_recent_err_msg())
    return values[0] if len(values) == 1 else values
ok(acl.init()); ok(acl.rt.set_device(0))
stream = ok(acl.rt.create_stream())
device = ok(acl.rt.malloc(N, 0))
host = ok(acl.rt.malloc_host(N))  # allocated
view = acl.util.ptr_to_numpy(host, (N,), 2)
view[:] = 0
ok(acl.rt.memset_async(device, N, 7, N, stream))
"""
COPY_BACK = "ok(acl.rt.memcpy_async(host, N, device, N, 2, stream))  # copied\n"
COPY_IN = "ok(acl.rt.memcpy_async(device, N, host, N, 1, stream))  # copied\n"
WAIT = "ok(acl.rt.synchronize_stream(stream))\n"
END = """
ok(acl.rt.synchronize_stream(stream))
del view
ok(acl.rt.free(device)); ok(acl.rt.free_host(host)); ok(acl.rt.destroy_stream(stream))
ok(acl.rt.reset_device(0)); ok(acl.finalize())
print("end")
"""


def run(folder, text):
    """The findings at warning or above, and the lines of the script by their comments."""
    script, report = folder / "script.py", folder / "report.json"
    script.write_text(text)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ACLSIM_")}
    environment.update(ACLSIM_CHECK="1", ACLSIM_CHECK_GUARD_READS="1", ACLSIM_CHECK_REPORT=str(report))
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True,
                          timeout=120)
    assert done.stdout.endswith("end\n"), done.stdout + done.stderr
    lines = {line.split("# ")[1]: number for number, line in enumerate(text.splitlines(), 1) if "# " in line}
    found = json.loads(report.read_text())["findings"]
    return [finding for finding in found if finding["level"] != "note"], lines, done.stderr


def place(at):
    return os.path.basename(at["file"]), at["line"]


TOUCHES = {
    "acl.util.ptr_to_bytes(host, 16)": "reads",
    "acl.util.ptr_to_numpy(host, (N,), 2)[5]": "reads",
    "view.sum()": "reads",
    "float(np.dot(view.astype(np.float32), view.astype(np.float32)))": "reads",
    "(ctypes.c_uint8 * N).from_address(host)[N - 1]": "reads",
    "ctypes.string_at(host, 8)": "reads",
    "view[3] = 1": "writes",
    "view.fill(3)": "writes",
}


@pytest.mark.parametrize("touch", TOUCHES)
def test_a_touch_before_the_wait_is_found_at_its_line(tmp_path, touch):
    found, lines, text = run(tmp_path, START + COPY_BACK + touch + "  # touched\n" + END)
    assert [finding["rule"] for finding in found] == ["ACL008"], text
    assert place(found[0]["it"]["place"]) == ("script.py", lines["touched"]), text
    assert place(found[0]["other"]["place"]) == ("script.py", lines["copied"]), text
    assert "the host %s memory that the copy on stream" % TOUCHES[touch] in text
    assert "script.py:%d: note: memory: " % lines["allocated"] in text, text
    found, _, text = run(tmp_path, START + COPY_BACK + WAIT + touch + "\n" + END)
    assert found == [], text


def test_a_write_of_what_a_copy_reads_is_found_at_its_line(tmp_path):
    write = "view[:] = 9  # touched\n"
    found, lines, text = run(tmp_path, START + COPY_IN + write + END)
    assert [finding["rule"] for finding in found] == ["ACL008"], text
    assert place(found[0]["it"]["place"]) == ("script.py", lines["touched"]), text
    assert run(tmp_path, START + COPY_IN + WAIT + write + END)[0] == []


def test_an_array_over_guarded_memory_touches_nothing(tmp_path):
    later = "array = acl.util.ptr_to_numpy(host, (N,), 2)\n" + WAIT + "assert array[0] == 7\ndel array\n"
    assert run(tmp_path, START + COPY_BACK + later + END)[0] == []


def test_kernels_may_touch_what_pending_tasks_use(tmp_path):
    kernel = """
def kernel(context, memory):
    array = acl.util.ptr_to_numpy(memory, (N,), 2)
    assert acl.util.ptr_to_bytes(memory, 4) == bytes(array[:4])
    array += 1
view[:] = 1
ok(acl.rt.memcpy_async(device, N, host, N, 1, stream))
for _ in range(3):
    ok(acl.sim.next_kernel_reads(device, N)); ok(acl.sim.next_kernel_writes(device, N))
    ok(acl.sim.launch_kernel(kernel, device, 1, stream))
"""
    check = COPY_BACK + WAIT + "assert view[N - 1] == 4\n"
    found, _, text = run(tmp_path, START + kernel + check + END)
    assert found == [], text


CALLBACKS = """
ends = False
context = ok(acl.rt.get_context())
def serve(context):
    ok(acl.rt.set_context(context))
    while not ends:
        acl.rt.process_report(50)
server = ok(acl.util.start_thread(serve, context))
ok(acl.rt.subscribe_report(server, stream))
sums, all_served = [], threading.Event()
def look(_):
    sums.append(int(view.sum()))  # touched
    if len(sums) == 3:
        all_served.set()
for i in range(3):
    ok(acl.rt.memset_async(device, N, i, N, stream))
    ok(acl.rt.memcpy_async(host, N, device, N, 2, stream))  # copied
    ok(acl.rt.launch_callback(look, None, BLOCK, stream))
ok(acl.rt.synchronize_stream(stream))
assert all_served.wait(60)
ends = True
ok(acl.rt.unsubscribe_report(server, stream))
ok(acl.util.stop_thread(server))
"""


def test_a_callback_that_holds_its_stream_may_read_what_comes_next(tmp_path):
    found, _, text = run(tmp_path, START + CALLBACKS.replace("BLOCK", "1") + END)
    assert found == [], text


def test_a_callback_beside_its_stream_is_found_at_its_line(tmp_path):
    found, lines, text = run(tmp_path, START + CALLBACKS.replace("BLOCK", "0") + END)
    assert {finding["rule"] for finding in found} == {"ACL008"}, text
    assert place(found[0]["it"]["place"]) == ("script.py", lines["touched"]), text
    assert "the callback reads memory that the copy on stream" in text
