# SPDX-License-Identifier: Apache-2.0
"""The end of processes, and the state of the module at that time."""

import os
import pathlib
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ["ACLSIM_TEST_SOURCE_DIR"])

START = """
import sys, threading, time
import acl
def check(result):
    *outputs, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, (result, acl.get_recent_err_msg())
    return outputs[0] if len(outputs) == 1 else tuple(outputs)
check(acl.init())
check(acl.rt.set_device(0))
stream = check(acl.rt.create_stream())
"""


WORDS = "from work import eventually, eventually_blocked\n"


@pytest.fixture
def ends_well(run_python):
    def run(text, expected="", **options):
        import textwrap
        path = os.pathsep.join([os.path.dirname(__file__), os.environ["PYTHONPATH"]])
        options.setdefault("env", {"PYTHONPATH": path})
        done = run_python(START + WORDS + textwrap.dedent(text), **options)
        # A seeded run prints a line when real time influenced the schedule; this line is allowed.
        complaints = [line for line in done.stderr.splitlines() if "the seed alone" not in line]
        assert (done.returncode, complaints) == (0, []), done
        assert done.stdout == expected
    return run


@pytest.mark.parametrize("timeout", [-1, 1, 100])
def test_a_daemon_thread_inside_process_report_ends_quietly(ends_well, timeout):
    ends_well("""
        timeout = %d
        turns = [0] * 4
        def serve(i):
            while True:
                turns[i] += 1
                acl.rt.process_report(timeout)
        threads = [threading.Thread(target=serve, args=(i,), daemon=True) for i in range(4)]
        for thread in threads:
            thread.start()
            each = check(acl.rt.create_stream())
            check(acl.rt.subscribe_report(thread.ident, each))
        eventually(lambda: min(turns) > (3 if timeout == 1 else 0))
        if timeout != 1:
            eventually_blocked(*[thread.native_id for thread in threads])
        print("end")
    """ % timeout, "end\n")


def test_daemon_threads_inside_other_waits_end_quietly(ends_well):
    ends_well("""
        gate = threading.Event()
        check(acl.sim.launch_kernel(lambda context, args: gate.wait(30) and 0, None, 1, stream))
        context = check(acl.rt.get_context())
        def wait(call):
            acl.rt.set_context(context)
            while True:
                turns[call] += 1
                call()
        calls = [lambda: acl.rt.synchronize_stream_with_timeout(stream, 5),
                 lambda: acl.rt.synchronize_device_with_timeout(5), lambda: acl.rt.get_device(),
                 lambda: acl.rt.process_report(5)]
        turns = {call: 0 for call in calls}
        for call in calls:
            threading.Thread(target=wait, args=(call,), daemon=True).start()
        eventually(lambda: min(turns.values()) > 3)
        print("end")
    """, "end\n")


def test_a_thread_of_start_thread_may_still_run(ends_well):
    ends_well("""
        turns = []
        def serve(arguments):
            while True:
                turns.append(1)
                acl.rt.process_report(10)
        gate = threading.Event()
        numbers = []
        def wait(arguments):
            numbers.append(threading.get_native_id())
            gate.wait(30)
        acl.util.start_thread(serve, [])
        acl.util.start_thread(wait, [])
        eventually(lambda: len(turns) > 3 and numbers)
        eventually_blocked(*numbers)
        print("end")
    """, "end\n")


def test_callbacks_that_come_during_the_end_are_dropped(ends_well):
    ends_well("""
        def serve():
            while True:
                acl.rt.process_report(-1)
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        check(acl.rt.subscribe_report(thread.ident, stream))
        for _ in range(5000):
            check(acl.rt.launch_callback(lambda data: None, [1], 0, stream))
        for _ in range(100):
            check(acl.sim.launch_kernel(lambda context, args: 0, [1], 1, stream))
        print("end")
    """, "end\n")


def test_a_kernel_that_never_ends_does_not_hold_the_process(ends_well):
    ends_well("""
        started = []
        def kernel(context, args):
            started.append("kernel")
            while True:
                gate.wait(0.001)
        def spin(context, args):
            started.append("spin")
            while True:
                pass
        gate = threading.Event()
        check(acl.sim.launch_kernel(kernel, None, 1, stream))
        other = check(acl.rt.create_stream())
        check(acl.sim.launch_kernel(spin, None, 1, other))
        eventually(lambda: len(started) == 2)
        print("end")
    """, "end\n")


def test_teardown_from_del_and_atexit_in_any_order(ends_well):
    ends_well("""
        import atexit
        class Resource:
            def __del__(self):
                codes = [acl.rt.destroy_stream(stream_of[0]), acl.rt.get_context()[1],
                         acl.rt.reset_device(0), acl.finalize(), acl.finalize()]
                acl.rt.get_device(); acl.get_recent_err_msg(); acl.rt.malloc(64, 0)
                print("del", codes)
        stream_of = [stream]
        keep = Resource()
        atexit.register(lambda: print("atexit", acl.rt.synchronize_stream(stream)))
        Resource.keeper = keep  # a cycle: it goes with the interpreter
        del keep
        acl_keep = acl
    """, "atexit 0\ndel [0, 0, 0, 0, 100037]\n")


@pytest.mark.parametrize("busy", ["running", "pending", "kernel"])
def test_a_teardown_during_finalization_does_not_wait_for_stopped_threads(ends_well, busy):
    """Python code that runs then never returns: its tasks are aborted, and all calls return codes."""
    ends_well("""
        import late
        busy = %r
        if busy == "kernel":
            check(acl.sim.launch_kernel(late.wait, None, 1, stream))
        else:
            target = late.serve if busy == "running" else late.idle
            thread = threading.Thread(target=target, daemon=True)
            thread.start()
            check(acl.rt.subscribe_report(thread.ident, stream))
            check(acl.rt.launch_callback(late.wait, None, 1, stream))
        if busy != "pending":
            late.started.wait()
        keep = late.Calls((acl.rt.synchronize_stream, stream), (acl.rt.destroy_stream, stream),
                          (acl.rt.reset_device, 0), (acl.finalize,))
    """ % busy, "107022 0 0 0\n", timeout=20)


def test_a_teardown_during_finalization_waits_for_native_work(ends_well):
    ends_well("""
        import late
        size = 16 << 20
        memory = check(acl.rt.malloc(size, 0))
        for value in range(400):
            check(acl.rt.memset_async(memory, size, value, size, stream))
        keep = late.Calls((acl.rt.synchronize_stream, stream), (acl.rt.reset_device, 0))
    """, "0 0\n")


@pytest.mark.parametrize("function", ["serve", "wait"])
def test_threads_are_neither_started_nor_waited_for_during_finalization(ends_well, function):
    ends_well("""
        import late
        thread_id = check(acl.util.start_thread(late.%s, []))
        keep = late.Calls((acl.util.start_thread, print, []), (acl.util.stop_thread, thread_id),
                          (acl.util.stop_thread, thread_id))
    """ % function, "(0, 500000) 0 100000\n", timeout=20)


def test_atexit_before_the_import_runs_after_it_is_gone(run_python):
    done = run_python("""
        import atexit
        @atexit.register
        def late():
            print(acl.rt.synchronize_stream(stream), acl.rt.reset_device(0), acl.finalize())
        import threading
        import acl
        acl.init(); acl.rt.set_device(0)
        stream, _ = acl.rt.create_stream()
        thread = threading.Thread(
            target=lambda: [acl.rt.process_report(100) for _ in range(1000)], daemon=True)
        thread.start()
        acl.rt.subscribe_report(thread.ident, stream)
        acl.rt.launch_callback(print, "dropped or run", 1, stream)
    """)
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.splitlines()[-1] == "0 0 0"


def test_nothing_of_python_s_runs_behind_the_end_of_the_module(run_python):
    """Callbacks that an older atexit function launches are dropped: the stream continues without them."""
    done = run_python("""
        import atexit
        seen = []
        @atexit.register
        def late():
            sent = acl.rt.launch_callback(seen.append, "late", 1, stream)
            print(sent, acl.rt.synchronize_stream(stream), seen)
            sent = acl.sim.launch_kernel(lambda *ignored: seen.append("kernel"), None, 1, stream)
            print(sent, acl.rt.synchronize_stream(stream), seen)
        import threading
        import acl
        acl.init(); acl.rt.set_device(0)
        stream, _ = acl.rt.create_stream()
        def serve():
            while True:
                acl.rt.process_report(100)
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        acl.rt.subscribe_report(thread.ident, stream)
        acl.rt.launch_callback(seen.append, "early", 1, stream)
        acl.rt.synchronize_stream(stream)
    """)
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.splitlines() == ["0 0 ['early']", "0 507035 ['early']"]


def test_the_process_ends_with_what_it_left_behind(ends_well):
    ends_well("""
        acl.rt.malloc(1 << 20, 0); acl.rt.malloc_host(100); acl.rt.create_event()
        acl.rt.set_exception_info_callback(print)
        print("end")
    """, "end\n")


def test_an_exception_in_the_program_is_its_status(run_python):
    done = run_python(START + "\nraise SystemExit(7)")
    assert done.returncode == 7


def test_a_forked_child_gets_codes_and_ends(ends_well):
    ends_well("""
        import os
        import warnings; warnings.simplefilter("ignore")
        gate = threading.Event()
        thread_id = check(acl.util.start_thread(lambda arguments: gate.wait(30), []))
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            code = acl.rt.synchronize_stream(stream)
            code_thread = acl.util.stop_thread(thread_id)
            got = check(acl.util.start_thread(lambda arguments: None, []))
            check(acl.util.stop_thread(got))
            print(code, code_thread, acl.rt.get_device()[1], flush=True)
            sys.exit(0)
        _, status = os.waitpid(child, 0)
        print("child", status)
        gate.set()
        check(acl.util.stop_thread(thread_id))
        check(acl.rt.synchronize_stream(stream))
    """, "107002 100000 107002\nchild 0\n")


def test_multiprocessing_works_by_fork_before_the_first_call_and_by_spawn(tmp_path, run_python):
    program = tmp_path / "program.py"
    program.write_text("""
import multiprocessing
import sys
import acl

def work(device):
    assert acl.init() == 0 and acl.rt.set_device(device) == 0
    pointer, ret = acl.rt.malloc(1024, 0)
    assert ret == 0 and acl.rt.free(pointer) == 0
    result = acl.rt.get_device()
    assert acl.rt.reset_device(device) == 0 and acl.finalize() == 0
    return result

if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        print(pool.map(work, [0, 1, 2, 3]))
""")
    import sys
    for method in ("fork", "spawn"):
        done = subprocess.run([sys.executable, str(program), method], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=120)
        assert done.stdout == "[(0, 0), (1, 0), (2, 0), (3, 0)]\n", done.stderr


def test_seed_like_sessions_can_follow_each_other(ends_well):
    ends_well("""
        check(acl.rt.destroy_stream(stream))
        check(acl.rt.reset_device(0))
        check(acl.finalize())
        for _ in range(3):
            check(acl.init())
            check(acl.rt.set_device(0))
            check(acl.rt.reset_device(0))
            check(acl.finalize())
        print("end")
    """, "end\n")
