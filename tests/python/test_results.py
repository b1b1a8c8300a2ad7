# SPDX-License-Identifier: Apache-2.0
"""The order of results: each value is at the position that the facts name, shown with different values.

A function with several results is called in a state in which they are known and all different; `results`
names them as functions.tsv does.
"""

import ctypes
import os
import threading

import numpy as np
import pytest

import acl
from facts import FACTS
from test_table import PRESENT, lookup
from work import check, device_memory, host_memory

BY_NAME = {fact.name: fact for fact in FACTS}
SEVERAL = {fact.name for fact in PRESENT if len(fact.returns) > 1}
DEVICE = 3  # the device of every test: no call returns this number as another result
LIBRARY = ctypes.CDLL("libascendcl.so")
tested = set()


def results(name, *arguments):
    """The results of a call by their names; their number must match the facts."""
    values = lookup(name)(*arguments)
    names = [item.name for item in BY_NAME[name].returns]
    assert type(values) is tuple and len(values) == len(names)
    tested.add(name)
    return dict(zip(names, values))


def value(name, *arguments):
    """The only output of a call that succeeds; ret is the other result."""
    named = results(name, *arguments)
    assert named.pop("ret") == 0, (name, acl.get_recent_err_msg())
    (output,) = named.values()
    return output


def handle(name, *arguments):
    number = value(name, *arguments)
    assert number > 2**20, "no handle or address"  # a code is smaller
    return number


@pytest.fixture(autouse=True)
def machine():
    check(acl.init())
    check(acl.rt.set_device(DEVICE))
    yield
    acl.sim.reset_all()


def test_versions_in_their_order():
    numbers = [ctypes.c_int32() for _ in range(3)]
    assert LIBRARY.aclrtGetVersion(*[ctypes.byref(number) for number in numbers]) == 0
    major, minor, patch = [number.value for number in numbers]
    assert major != minor != patch
    assert results("acl.get_version") == {
        "major": major, "minor": minor, "patch": patch, "ret": 0}
    text = value("acl.get_version_str", "runtime")
    assert text.count(".") == 2
    version = value("acl.get_cann_version", 1)
    assert version["version"] == text
    assert text.split(".")[:2] == [version["majorVersion"], version["minorVersion"]]
    assert list(version) == ["version", "majorVersion", "minorVersion", "releaseVersion",
                             "patchVersion"]


def test_attributes_and_how_many():
    named = results("acl.get_cann_attribute_list")
    assert named["num"] == len(named["list"]) > 0 and named["ret"] == 0
    assert value("acl.get_cann_attribute", named["list"][1]) == 1
    assert results("acl.get_cann_attribute", 99)["ret"] != 0


def test_what_the_machine_has():
    machine, _ = acl.sim.get_machine()
    assert acl.get_soc_name() == machine["socName"]
    assert value("acl.rt.get_device_count") == machine["devices"] > DEVICE
    assert value("acl.get_device_capability", DEVICE, 1) == machine["vectorCores"]
    assert value("acl.rt.get_device_info", DEVICE, 102) == machine["aiCores"]
    assert value("acl.rt.get_device_res_limit", DEVICE, 0) == machine["aiCores"]
    assert value("acl.rt.get_stream_res_limit", 0, 1) == machine["vectorCores"]
    assert value("acl.rt.get_res_in_current_thread", 1) == machine["vectorCores"]
    assert value("acl.rt.get_device_capability", DEVICE, 1) == 1
    assert value("acl.rt.get_group_count") == 1
    info = acl.rt.create_group_info()
    check(acl.rt.get_all_group_info(info))
    assert value("acl.rt.get_group_info_detail", info, 0, 1) == machine["vectorCores"]


def test_devices():
    assert value("acl.rt.get_device") == DEVICE
    assert value("acl.rt.get_run_mode") == 1
    assert value("acl.rt.get_user_dev_id_by_logic_dev_id", DEVICE) == DEVICE
    assert value("acl.rt.get_logic_dev_id_by_user_dev_id", DEVICE) == DEVICE
    assert value("acl.rt.device_can_access_peer", DEVICE, 0) == 1
    assert value("acl.rt.get_devices_topo", DEVICE, 0) == 1
    uuid = value("acl.rt.device_get_uuid", DEVICE)
    assert uuid[-1] == DEVICE and uuid != value("acl.rt.device_get_uuid", 0)
    assert value("acl.rt.device_get_bare_tgid") == os.getpid()
    assert list(value("acl.rt.get_device_utilization_rate", DEVICE)) == [
        "cube_utilization", "vector_utilization", "aicpu_utilization", "memory_utilization",
        "utilization_extend"]
    check(acl.rt.device_enable_peer_access(0, 0))
    check(acl.rt.set_device(0))
    check(acl.rt.device_enable_peer_access(DEVICE, 0))
    assert value("acl.rt.device_peer_access_status", DEVICE, 0) == 1


@pytest.mark.parametrize("name, arguments, code", [
    ("acl.rt.query_device_status", (99,), 107001),
    ("acl.rt.get_primary_ctx_state", (99,), 107001),
    ("acl.rt.device_can_access_peer", (99, 0), 107001),
    ("acl.rt.create_context", (99,), 107001),
    ("acl.rt.stream_query", (12345,), 107017),
    ("acl.rt.query_event_status", (12345,), 107017),
    ("acl.rt.malloc", (0, 0), 100000),
    ("acl.rt.pointer_get_attributes", (0,), 100000),
    ("acl.rt.notify_import_by_key", ("no key", 0), 107000),
])
def test_the_code_of_a_failure_comes_last(name, arguments, code):
    named = results(name, *arguments)
    assert list(named)[-1] == "ret" and named["ret"] == code


def test_settings():
    check(acl.rt.device_set_limit(1, 12345))
    assert value("acl.rt.device_get_limit", 1) == 12345
    check(acl.rt.set_sys_param_opt(0, 1))
    assert value("acl.rt.get_sys_param_opt", 0) == 1
    check(acl.rt.ctx_set_sys_param_opt(0, 1))
    assert value("acl.rt.ctx_get_sys_param_opt", 0) == 1
    check(acl.rt.set_device_sat_mode(1))
    assert value("acl.rt.get_device_sat_mode") == 1
    interval = value("acl.rt.get_op_timeout_interval")
    assert value("acl.rt.set_op_execute_timeout_v2", 2 * interval - 1) == 2 * interval
    assert value("acl.rt.get_op_execute_timeout") == 2 * interval // 1000


def test_contexts_and_streams():
    primary = handle("acl.rt.get_context")
    context = handle("acl.rt.create_context", DEVICE)
    assert handle("acl.rt.get_context") == context != primary
    stream = handle("acl.rt.ctx_get_current_default_stream")
    free = value("acl.rt.get_stream_available_num")
    made = handle("acl.rt.create_stream")
    assert made != stream and value("acl.rt.get_stream_available_num") == free - 1
    other = handle("acl.rt.create_stream_with_config", 5, 0)
    ids = [value("acl.rt.stream_get_id", each) for each in (made, other)]
    assert ids[0] != ids[1]
    assert value("acl.rt.get_stream_attribute", other, 5) == {"streamPriority": 5}
    check(acl.rt.set_stream_overflow_switch(made, 1))
    assert value("acl.rt.get_stream_overflow_switch", made) == 1
    gate = threading.Event()
    check(acl.sim.launch_kernel(lambda *ignored: gate.wait(10) and 0, None, 1, made))
    assert results("acl.rt.stream_query", made) == {"status": 1, "ret": 0}
    task = value("acl.rt.get_thread_last_task_id")
    check(acl.sim.launch_kernel(lambda *ignored: 0, None, 1, made))
    assert value("acl.rt.get_thread_last_task_id") == task + 1 > 0
    gate.set()
    check(acl.rt.synchronize_stream(made))


def test_the_states_of_a_primary_context_and_the_range_of_priorities():
    assert results("acl.rt.get_primary_ctx_state", DEVICE) == {"active": 1, "flags": 0, "ret": 0}
    assert results("acl.rt.device_get_stream_priority_range") == {
        "least": 7, "greatest": 0, "ret": 0}


def test_events():
    start = handle("acl.rt.create_event")
    end = handle("acl.rt.create_event_with_flag", 8)
    ex = handle("acl.rt.create_event_ex_with_flag", 1)
    assert len({start, end, ex}) == 3
    assert value("acl.rt.get_event_avail_num") > 1000
    first = handle("acl.rt.create_event_with_flag", 1)
    second = handle("acl.rt.create_event_with_flag", 1)
    assert value("acl.rt.get_event_id", first) != value("acl.rt.get_event_id", second)
    assert results("acl.rt.query_event_wait_status", start) == {"status": 0, "ret": 0}
    check(acl.rt.record_event(start, 0))
    check(acl.sim.launch_kernel(lambda *ignored: 0, None, 1, 0))
    check(acl.rt.record_event(end, 0))
    check(acl.rt.synchronize_stream(0))
    assert results("acl.rt.query_event", start) == {"status": 0, "ret": 0}
    assert results("acl.rt.query_event_status", start) == {"status": 1, "ret": 0}
    elapsed = value("acl.rt.event_elapsed_time", start, end)
    assert type(elapsed) is float and elapsed >= 0
    assert (value("acl.rt.event_get_timestamp", end)
            - value("acl.rt.event_get_timestamp", start)) == pytest.approx(elapsed * 1000, abs=2)


def test_notifies():
    first, second = handle("acl.rt.create_notify", 0), handle("acl.rt.create_notify", 0)
    assert value("acl.rt.get_notify_id", first) != value("acl.rt.get_notify_id", second)
    key = value("acl.rt.notify_get_export_key", first, 65, 2)
    assert type(key) is str and key
    check(acl.rt.set_device(0))
    check(acl.rt.notify_set_import_pid(first, [os.getpid()]))
    named = results("acl.rt.notify_import_by_key", key, 0)
    assert (named["notify"] > 2**32) == (named["ret"] == 0)


def test_memory():
    before = results("acl.rt.get_mem_info", 1)
    pointers = [handle("acl.rt.malloc", 1 << 21, 0), handle("acl.rt.malloc_align32", 1 << 21, 0),
                handle("acl.rt.malloc_cached", 1 << 21, 0),
                handle("acl.rt.malloc_with_cfg", 1 << 21, 0, {}),
                handle("acl.rt.malloc_for_task_scheduler", 1 << 21, 0, {})]
    after = results("acl.rt.get_mem_info", 1)
    assert after["total"] == before["total"] and after["ret"] == 0
    assert after["free"] <= before["free"] - 5 * (1 << 21) < after["total"]
    used, total, ret = acl.sim.get_device_memory(DEVICE)
    assert (used, total, ret) == (after["total"] - after["free"], after["total"], 0)
    assert len(set(pointers)) == 5
    attributes = value("acl.rt.pointer_get_attributes", pointers[0])
    assert attributes["location"] == {"id": DEVICE, "type": 1}
    assert list(attributes) == ["location", "pageSize", "rsv"] and len(attributes["rsv"]) == 4


def test_host_memory():
    pinned = handle("acl.rt.malloc_host", 4096)
    assert handle("acl.rt.malloc_host_with_cfg", 4096, {}) != pinned
    ctypes.memset(pinned, 1, 4096)
    memory = np.zeros(3 * 4096, dtype=np.uint8)
    page = (memory.ctypes.data + 4095) // 4096 * 4096
    assert handle("acl.rt.host_register", page, 4096, 0)
    assert handle("acl.rt.host_get_device_pointer", page, 0)
    check(acl.rt.host_unregister(page))
    assert value("acl.rt.get_memcpy_desc_size", 6) > 0


def test_virtual_and_shared_memory():
    prop = {"location": {"id": DEVICE, "type": 1}, "memAttr": 4}
    size = value("acl.rt.mem_get_allocation_granularity", prop, 0)
    assert size >= 4096
    assert handle("acl.rt.reserve_mem_address", size, 0, 0, 1)
    physical = handle("acl.rt.malloc_physical", size, prop, 0)
    shareable = value("acl.rt.mem_export_to_shareable_handle", physical, 0, 1)
    assert shareable > 0
    named = results("acl.rt.mem_import_from_shareable_handle", shareable, DEVICE)
    assert named == {"handle": 0, "ret": 107000}  # its own handle: only other processes may import it
    pointer = check(acl.rt.malloc(1 << 21, 0))
    key = value("acl.rt.ipc_mem_get_export_key", pointer, 1 << 21, 65, 1)
    assert type(key) is str and key
    assert results("acl.rt.ipc_mem_import_by_key", "no key", 0)["ret"] != 0


def test_kernels():
    """The module itself is a shared object with one function."""
    binary = handle("acl.rt.binary_load_from_file", acl.__file__, [])
    function = handle("acl.rt.binary_get_function", binary, "PyInit_acl")
    assert value("acl.rt.get_function_name", function, 100) == "PyInit_acl"
    named = results("acl.rt.get_function_addr", function)
    aic, aiv = ctypes.c_void_p(), ctypes.c_void_p()
    assert LIBRARY.aclrtGetFunctionAddr(ctypes.c_void_p(function), ctypes.byref(aic),
                                        ctypes.byref(aiv)) == 0
    assert named == {"aic_addr": aic.value or 0, "aiv_addr": aiv.value or 0, "ret": 0}
    assert named["aic_addr"] != named["aiv_addr"]
    arguments = handle("acl.rt.kernel_args_init", function)
    assert value("acl.rt.kernel_args_get_mem_size", function, 64) >= 64
    assert value("acl.rt.kernel_args_get_handle_mem_size", function) > 0
    data = np.zeros(8, dtype=np.uint8)
    first = handle("acl.rt.kernel_args_append", arguments, data.ctypes.data, 8)
    second = handle("acl.rt.kernel_args_append_place_holder", arguments)
    assert first != second
    assert handle("acl.rt.kernel_args_get_place_holder_buffer", arguments, second, 8)
    check(acl.rt.binary_unload(binary))


def test_kernels_from_memory():
    with open(acl.__file__, "rb") as file:
        data = file.read()
    pointer = acl.util.bytes_to_ptr(data)
    assert handle("acl.rt.binary_load_from_data", pointer, len(data), [])
    assert handle("acl.rt.binary_load", acl.rt.create_binary(pointer, len(data)))
    cpu = handle("acl.rt.binary_load_from_file", acl.__file__, [{"type": 3, "value": 1}])
    assert handle("acl.rt.register_cpu_func", cpu, "PyInit_acl", "PyInit_acl")


def test_tensor_descriptions():
    desc = acl.create_tensor_desc(1, [4, 5, 6], 2)
    assert acl.get_tensor_desc_type(desc) == 1 and acl.get_tensor_desc_format(desc) == 2
    assert acl.get_tensor_desc_size(desc) == 240
    assert acl.get_tensor_desc_element_count(desc) == 120
    assert acl.get_tensor_desc_num_dims(desc) == 3
    assert [value("acl.get_tensor_desc_dim_v2", desc, at) for at in range(3)] == [4, 5, 6]
    assert [acl.get_tensor_desc_dim(desc, at) for at in range(4)] == [4, 5, 6, -1]
    assert acl.destroy_tensor_desc(desc) is None
    assert acl.get_tensor_desc_size(desc) == 0
    assert acl.create_tensor_desc(1, (), 2) != 0


def test_data_buffers():
    with host_memory(64) as memory, device_memory(128) as other:
        buffer = acl.create_data_buffer(memory, 64)
        assert buffer not in (0, memory)
        assert acl.get_data_buffer_addr(buffer) == memory
        assert acl.get_data_buffer_size(buffer) == acl.get_data_buffer_size_v2(buffer) == 64
        check(acl.update_data_buffer(buffer, other, (1 << 32) + 128))
        assert acl.get_data_buffer_addr(buffer) == other
        assert acl.get_data_buffer_size(buffer) == 128
        assert acl.get_data_buffer_size_v2(buffer) == (1 << 32) + 128
        check(acl.destroy_data_buffer(buffer))
        assert acl.get_data_buffer_addr(buffer) == 0
        assert acl.destroy_data_buffer(buffer) == 107017


def test_data_types_and_half_floats():
    sizes = {0: 4, 1: 2, 2: 1, 3: 4, 9: 8, 11: 8, 12: 1, 16: 8, 17: 16, 27: 2, -1: 0, 99: 0}
    assert {kind: acl.data_type_size(kind) for kind in sizes} == sizes
    for number in (0.0, 1.0, -2.5, 0.333251953125, 65504.0, 2.0**-24, -2.0**-14):
        half = acl.float_to_float16(number)
        assert half == int(np.float16(number).view(np.uint16))
        assert acl.float16_to_float(half) == number
    assert acl.float16_to_float(0x3c00) == 1.0 and type(acl.float16_to_float(0)) is float
    assert acl.float_to_float16(0.1) == int(np.float16(0.1).view(np.uint16))  # the nearest value


def test_threads_arrays_and_references_of_init():
    named = results("acl.util.start_thread", lambda seen: seen.append(threading.get_ident()), [])
    assert named["thr_id"] > 2**32 and named["ret"] == 0
    check(acl.util.stop_thread(named["thr_id"]))
    array = np.zeros((2, 2)).T[:1]
    named = results("acl.util.numpy_contiguous_to_ptr", array)
    assert named["ptr"] == named["ndarray_out"].ctypes.data
    assert acl.init() == 100002
    assert results("acl.finalize_reference") == {"count": 1, "ret": 0}


def test_memory_for_media_is_an_address_and_a_code():
    pointer = handle("acl.media.dvpp_malloc", 64)
    assert results("acl.media.dvpp_malloc", 0) == {"dev_ptr": 0, "ret": 100000}
    check(acl.media.dvpp_free(pointer))


def test_no_function_with_several_results_was_left_out():
    """Must be the last test of this file: the tests above have called each function."""
    if len(tested) < 10:
        pytest.skip("the other tests of this file were not selected")
    assert SEVERAL - tested == set()
