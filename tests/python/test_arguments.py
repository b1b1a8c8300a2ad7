# SPDX-License-Identifier: Apache-2.0
"""Valid and invalid arguments; no argument of a program may end the process."""

import os
import subprocess
import sys

import pytest

import acl
from facts import HERE
from share import first_seed, in_share
from work import check, device_memory


class Index:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Failing:
    def __index__(self):
        raise RuntimeError("from __index__")


def test_whatever_has_an_index_is_an_integer(device):
    pointer = check(acl.rt.malloc(Index(64), Index(2)))
    check(acl.rt.free(Index(pointer)))
    check(acl.rt.set_device(Index(1)))
    assert acl.rt.get_device() == (1, 0)
    check(acl.rt.reset_device(1))


@pytest.mark.parametrize("wrong", [None, 1.0, "1", b"1", [1], object()])
def test_other_things_are_not(wrong):
    with pytest.raises(TypeError, match=r"acl.rt.set_device: argument 1 \(device_id\) must be int"):
        acl.rt.set_device(wrong)
    with pytest.raises(TypeError, match=r"acl.rt.malloc: argument 1 \(size\) must be int"):
        acl.rt.malloc(wrong, 0)
    with pytest.raises(TypeError, match=r"acl.rt.malloc: argument 2 \(policy\) must be int"):
        acl.rt.malloc(64, wrong)


def test_an_exception_from_an_index_is_that_exception():
    with pytest.raises(RuntimeError, match="from __index__"):
        acl.rt.set_device(Failing())


def test_unsigned_numbers_wrap_around(device):
    with device_memory(64) as pointer:
        check(acl.rt.memset(pointer + 2**64, 64, 0, 64))
        check(acl.rt.memset(pointer - 2**64, 64, 0, 64))


@pytest.mark.parametrize("value", [2**31, -2**31 - 1, 2**70])
def test_signed_numbers_do_not(value):
    with pytest.raises(OverflowError, match=r"acl.rt.set_device: argument 1 \(device_id\)"):
        acl.rt.set_device(value)


def test_text_is_str_or_bytes_without_zeros(tmp_path):
    path = tmp_path / "acl.json"
    path.write_text("{}")
    for form in (str(path), str(path).encode()):
        assert acl.init(form) == 0
        assert acl.finalize() == 0
        assert acl.sim.reset_all() == 0
    with pytest.raises(ValueError):
        acl.init("a\0b")
    with pytest.raises(TypeError, match=r"acl.init: argument 1 \(config_path\) must be str"):
        acl.init(5)


def test_init_takes_nothing_an_empty_path_or_a_path():
    for arguments in ((), ("",), (None,)):
        assert acl.init(*arguments) == 0
        assert acl.init(*arguments) == 100002
        assert acl.finalize_reference() == (1, 0)
        assert acl.finalize() == 0
        assert acl.finalize() == 100037
    assert acl.init("/no/such/file") == 100003


def test_errors_are_codes_with_a_text():
    ret = acl.rt.set_device(99)
    assert ret == 107001
    text = acl.get_recent_err_msg()
    assert "99" in text
    assert text.startswith("acl.rt.set_device: deviceId is 99; ")
    assert acl.get_recent_err_msg() == ""
    assert acl.rt.get_device() == (0, 107002)
    assert acl.rt.get_context() == (0, 107002)
    assert acl.rt.get_primary_ctx_state(99) == (0, 0, 107001)


def test_a_text_names_other_functions_as_python_does_too(device):
    stream, _ = acl.rt.create_stream()
    event, _ = acl.rt.create_event()
    assert acl.rt.stream_wait_event(stream, event) == 107000
    assert "expected acl.rt.record_event before the wait" in acl.get_recent_err_msg()
    acl.rt.destroy_event(event)
    acl.rt.destroy_stream(stream)


def test_a_text_of_c_that_is_no_utf_8_is_a_str_all_the_same(device):
    assert acl.rt.binary_load_from_file(b"no \xff file", []) == (0, 107000)
    assert "no \ufffd file" in acl.get_recent_err_msg()


def test_stale_handles_give_a_code(device):
    stream = check(acl.rt.create_stream())
    event = check(acl.rt.create_event())
    check(acl.rt.destroy_stream(stream))
    check(acl.rt.destroy_event(event))
    assert acl.rt.synchronize_stream(stream) == 107017
    assert acl.rt.destroy_stream(stream) == 107017
    assert acl.rt.stream_query(stream) == (0, 107017)
    assert acl.rt.record_event(event, 0) == 107017
    assert acl.rt.query_event_status(event) == (0, 107017)
    pointer = check(acl.rt.malloc(64, 0))
    check(acl.rt.free(pointer))
    assert acl.rt.free(pointer) == 107000
    assert acl.rt.memset(pointer, 64, 0, 64) == 107000


def test_live_handles_are_true(device):
    context = check(acl.rt.get_context())
    stream = check(acl.rt.ctx_get_current_default_stream())
    assert context and stream
    assert 0 < stream < 2**64


@pytest.mark.parametrize("with_device", [1, 0])
@pytest.mark.parametrize("seed", [first_seed() + i for i in range(3) if in_share(i, 3)])
def test_arbitrary_numbers_and_handles_give_codes_not_crashes(with_device, seed):
    """Runs in a process of its own, which must survive."""
    done = subprocess.run(
        [sys.executable, os.path.join(HERE, "fuzz.py"), str(seed), "1500", str(with_device)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    assert done.stdout.endswith(b"alive\n"), done.stderr[-1000:]  # log lines may precede it
    assert done.returncode == 0


class Meddling:
    """Empties the dict that contains it, and then fails to be an integer."""

    def __init__(self, dictionary):
        self.dictionary = dictionary

    def __index__(self):
        self.dictionary.clear()
        raise TypeError


def test_a_value_that_changes_its_dict_is_refused_like_others(device):
    for key in ("one", "two"):
        for _ in range(10):
            inner = {}
            inner["id"] = Meddling(inner)
            with pytest.raises(TypeError, match=r"malloc_physical: .* must be int, not Meddling"):
                acl.rt.malloc_physical(4096, {"location": inner}, 0)
            value = {}
            value["first"] = Meddling(value)
            if key == "two":
                value["second"] = 3
            with pytest.raises(TypeError, match=r"set_stream_attribute: .* int, not Meddling"):
                acl.rt.set_stream_attribute(0, 3, value)


def test_a_dict_that_holds_itself_is_refused(device):
    value = {}
    value["again"] = value
    with pytest.raises(TypeError, match=r"set_stream_attribute: .* must be int, not dict"):
        acl.rt.set_stream_attribute(0, 3, value)


def test_dicts_may_leave_out_what_is_zero(device):
    if not hasattr(acl.rt, "malloc_physical"):
        pytest.skip("virtual memory is not emulated")
    size, ret = acl.rt.mem_get_allocation_granularity(
        {"location": {"id": 0, "type": 1}, "memAttr": 4}, 0)
    assert ret == 0 and size > 0
    with pytest.raises(TypeError, match=r"acl.rt.malloc_physical: argument 2 \(prop\)"):
        acl.rt.malloc_physical(size, {"location": 5}, 0)
    with pytest.raises(TypeError, match=r"acl.rt.malloc_physical: argument 2 \(prop\)"):
        acl.rt.malloc_physical(size, [], 0)


def test_a_count_beside_a_list_is_the_lesser_of_both(device):
    attributes = [{"attr": 1, "value": 1}, {"attr": 99, "value": 1}]
    for given, code in ((2, 100000), (9, 100000), (1, 0), (0, 0)):
        pointer, ret = acl.rt.malloc_with_cfg(64, 0, {"attrs": attributes, "numAttrs": given})
        assert ret == code
        if ret == 0:
            check(acl.rt.free(pointer))
    assert acl.rt.malloc_with_cfg(64, 0, {"attrs": attributes}) == (0, 100000)


def test_the_length_of_a_key_is_what_the_program_says(device):
    notify = check(acl.rt.create_notify(0))
    pointer = check(acl.rt.malloc(1 << 21, 0))
    for length, code in ((5, 107000), (65, 0), (100, 0)):
        assert acl.rt.notify_get_export_key(notify, length, 0)[1] == code
        assert acl.rt.ipc_mem_get_export_key(pointer, 1 << 21, length, 0)[1] == code
    check(acl.rt.destroy_notify(notify))
    check(acl.rt.free(pointer))


def test_a_message_for_the_log_is_no_format(run_python):
    done = run_python("import acl; acl.app_log(1, '100%s of %n %d')",
                      env={"ASCEND_SLOG_PRINT_TO_STDOUT": "1", "ASCEND_GLOBAL_LOG_LEVEL": "0"})
    assert done.returncode == 0
    assert done.stdout.endswith(": 100%s of %n %d\n")
