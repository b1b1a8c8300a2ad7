# SPDX-License-Identifier: Apache-2.0
"""PEs as processes."""

import os
import subprocess
import sys

import pytest

from conftest import PRELUDE, free_port

RING = """
start()
right, left = (me + 1) % pes, (me - 1) % pes
assert shmem.shmem_init_status() is shmem.InitStatus.INITIALIZED
assert (shmem.get_my_pe(), shmem.get_pe_count()) == (me, pes)
assert shmem.get_ffts_config() != 0 and shmem.mte_set_ub_params(0, 4096, 1) == 0
source, target = shmem.shmem_malloc(64), shmem.shmem_calloc(16, 4)
mine, theirs = shmem.as_array(source, 16, "float32"), shmem.as_array(target, (4, 4), np.float32)
assert not theirs.any()
mine[:] = me
shmem.sim.barrier_all()
shmem.shmem_putmem(target, source, 64, right)
shmem.sim.barrier_all()
assert (theirs == left).all(), theirs
assert shmem.shmem_ptr(source, me) == source
there = shmem.shmem_ptr(source, right)
assert (there is not None) == reaches(right)
assert there is None or (shmem.as_array(there, 16, "float32") == right).all()
assert shmem.shmem_ptr(source, pes) is shmem.shmem_ptr(source, -1) is None
shmem.sim.barrier_all()
own = np.empty(16, "float32")
shmem.shmem_getmem(own, source, 64, left)
assert (own == left).all()
shmem.shmem_free(target)
shmem.shmem_free(source)
end()
assert shmem.get_my_pe() == -1
"""


@pytest.mark.parametrize("pes", [1, 2, 4])
def test_each_pe_puts_to_its_neighbour_and_gets_from_it(run_pes, pes):
    run_pes(RING, pes).expect_success()


def test_the_local_side_may_be_any_kind_of_buffer(run_pes):
    run_pes("""
    start()
    class Tensor:  # as torch has it
        def __init__(self, array): self.array = array
        def data_ptr(self): return self.array.ctypes.data
        def numel(self): return self.array.size
        def element_size(self): return self.array.itemsize
        def is_contiguous(self): return self.array.flags.c_contiguous
    class Exporter:  # as everything else has it
        def __init__(self, array): self.array = array
        def __dlpack__(self): return self.array.__dlpack__()
    target = shmem.shmem_calloc(64, 1)
    seen = shmem.as_array(target, 16, "int32")
    for number, kind in enumerate([lambda array: array, Tensor, Exporter]):
        array = np.arange(16, dtype="int32") + number
        shmem.shmem_putmem(seen, kind(array), 64, me)
        assert (seen == array).all()
        back = np.zeros(16, "int32")
        shmem.shmem_getmem(kind(back), target, 64, me)
        assert (back == array).all()
        for wrong, size in ((kind(array[::2]), 8), (kind(array), 65)):
            try:
                shmem.shmem_putmem(target, wrong, size, me)
            except ValueError as error:
                assert "contiguous" in str(error) or "64 bytes" in str(error), error
            else:
                raise SystemExit("not refused")
    array.flags.writeable = False
    shmem.shmem_putmem(target, array, 64, me)
    try:
        shmem.shmem_getmem(array, target, 64, me)
    except ValueError as error:
        assert "read-only" in str(error)
    else:
        raise SystemExit("written")
    buffer = shmem.Memory(target, 16, "int32")
    assert (np.from_dlpack(buffer) == array).all()
    assert np.shares_memory(np.asarray(buffer), seen)
    end()
    """, 1).expect_success()


def test_what_is_refused_is_logged_and_moves_nothing(run_pes):
    job = run_pes("""
    start()
    target = shmem.shmem_calloc(64, 1)
    seen = shmem.as_array(target, 64, "uint8")
    ones = np.ones(64, "uint8")
    shmem.shmem_putmem(target, ones, 64, 7)
    shmem.shmem_putmem(4096, ones, 64, 0)
    shmem.shmem_putmem(target + (1 << 30), ones, 64, 0)
    shmem.shmem_putmem(None, ones, 64, 0)
    shmem.shmem_putmem(target, target, 1 << 40, 0)
    shmem.shmem_putmem_signal(target, ones, 0, target + 1, 5, 0, 0)
    shmem.shmem_putmem_signal(target, ones, 0, target, 5, 9, 0)
    assert not seen.any()
    assert shmem.shmem_malloc(0) is None and shmem.shmem_malloc(1 << 40) is None
    assert shmem.shmem_align(24, 8) is None and shmem.shmem_calloc(1 << 40, 1 << 40) is None
    assert shmem.aclshmem_uint8_g(target, 9) == 0
    try:
        shmem.aclshmem_malloc(1 << 40)
    except RuntimeError as error:
        assert "aclshmem_malloc failed" in str(error)
    shmem.shmem_free(target + 16)
    assert shmem.shmem_init(0, 1, 1) == -4
    end()
    """, 1).expect_success()
    assert job.err[0].count("[SHMEM ERROR]") >= 8
    assert "pe is 7" in job.err[0] and "sig_addr" in job.err[0]


def test_elements_of_every_type_and_size_arrive(run_pes):
    run_pes("""
    start()
    other = 1 - me
    place = shmem.shmem_calloc(64, 16)
    types = {"float": 1.5, "double": 2.5, "char": "x", "int8": -8, "int16": -16, "int32": -32,
             "int64": -64, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 2 ** 63}
    for prefix in ("shmem_", "aclshmem_"):
        for name, value in types.items():
            getattr(shmem, prefix + name + "_p")(place, value, other)
            shmem.sim.barrier_all()
            assert getattr(shmem, prefix + name + "_g")(place, me) == value
            assert getattr(shmem, prefix + name + "_g")(place, other) == value
            shmem.sim.barrier_all()
    memory = shmem.as_array(place, 1024, "uint8")
    values = np.arange(256, dtype="uint8")
    for bits in (8, 16, 32, 64, 128):
        width = bits // 8
        memory[:] = 0
        shmem.sim.barrier_all()
        getattr(shmem, "aclshmem_put%d" % bits)(place, values, 256 // width, other)
        shmem.sim.barrier_all()
        assert (memory[:256] == values).all() and not memory[256:].any()
        back = np.zeros(256, "uint8")
        getattr(shmem, "aclshmem_get%d_nbi" % bits)(back, place, 256 // width, other)
        shmem.aclshmemx_quiet_on_stream(0)
        assert (back == values).all()
        shmem.sim.barrier_all()
        memory[:] = 0
        shmem.sim.barrier_all()
        getattr(shmem, "aclshmem_iput%d" % bits)(place, values, 2, 1, 4, other)
        shmem.sim.barrier_all()
        assert (memory[:8 * width].reshape(4, 2, width)[:, 0] == values[:4 * width].reshape(4, width)).all()
        shmem.sim.barrier_all()
    for name in types:
        back = np.zeros(8, "uint8").repeat(8)
        getattr(shmem, "aclshmem_%s_iget" % name)(back, place, 1, 2, 4, other)
        assert back.any() or name == "none"
    end()
    """, 2).expect_success()


def test_who_sees_a_signal_sees_the_data(run_pes):
    run_pes("""
    start()
    right, left = (me + 1) % pes, (me - 1) % pes
    data, words = shmem.shmem_calloc(8, 1024), shmem.shmem_calloc(8, 1)
    source = shmem.shmem_malloc(8192)
    mine, got = shmem.as_array(source, 1024, "int64"), shmem.as_array(data, 1024, "int64")
    for turn in range(1, 101):
        mine[:] = turn * 1000 + me
        shmem.shmem_putmem_signal(data, source, 8192, words, turn, shmem.SignalOp.SIGNAL_SET, right)
        shmem.aclshmem_signal_wait_until(words, shmem.CmpOp.CMP_GE, turn)
        assert (got == turn * 1000 + left).all()
        shmem.aclshmemx_put8_signal(data, source, 0, words + 4, 1, 1, left)
        shmem.aclshmem_int32_wait_until(words + 4, shmem.CmpOp.CMP_EQ, turn)
    result, place = np.zeros(1, "uint64"), np.zeros(2, "uint64")
    shmem.aclshmem_int32_wait_until_any(words, 2, np.array([1, 0], "int32"), 0, 100, result)
    assert result[0] == 1
    shmem.aclshmem_int32_wait_until_some(words, 2, place, 0, 0, 100, result)
    assert result[0] == 2 and list(place) == [0, 1]
    whether = np.zeros(1, "int32")
    shmem.aclshmem_int32_test(words, shmem.CmpOp.CMP_NE, 100, whether)
    assert whether[0] == 0
    shmem.aclshmem_int32_test_all_vector(words, 2, 0, 0, np.array([100, 100], "int32"), whether)
    assert whether[0] == 1
    end()
    """, 4).expect_success()


def test_teams_have_rows_columns_and_strides(run_pes):
    run_pes("""
    start()
    rows, columns = shmem.team_split_2d(0, 2)
    assert (shmem.team_my_pe(rows), shmem.team_n_pes(rows)) == (me % 2, 2)
    assert (shmem.get_team_my_pe(columns), shmem.get_team_pe_count(columns)) == (me // 2, 2)
    assert (shmem.my_pe(rows), shmem.pe_count(columns)) == (me % 2, 2)
    even = shmem.team_split_strided(0, 0, 2, 2)
    assert (even >= 1) == (me % 2 == 0) and (even == -1) == (me % 2 == 1)
    if even >= 1:
        assert shmem.team_translate_pe(even, 1, 0) == 2 and shmem.team_translate_pe(0, 1, even) == -1
    assert shmem.shmem_team_get_config(0) == 0
    assert shmem.shmem_team_get_config(0).num_contexts == 0
    assert shmem.team_split_strided(0, 0, 0, 2) == -1 and shmem.team_split_strided(99, 0, 1, 1) == -1
    for call in (lambda: shmem.team_split_2d(0, 0), lambda: shmem.shmem_team_get_config(99)):
        try:
            call()
        except RuntimeError as error:
            assert "failed" in str(error)
        else:
            raise SystemExit("no error")
    shmem.sim.barrier(rows)
    shmem.team_destroy(rows)
    assert shmem.team_my_pe(rows) == -1
    shmem.team_destroy(rows)
    end()
    """, 4).expect_success()


def test_streams_carry_transfers_signals_and_waits(run_pes):
    run_pes("""
    start()
    other = 1 - me
    stream, ret = acl.rt.create_stream()
    data, word = shmem.shmem_calloc(64, 1), shmem.shmem_calloc(4, 1)
    copy = shmem.shmem_calloc(64, 1)
    shmem.as_array(copy, 64)[:] = me + 1
    shmem.sim.barrier_all()
    shmem.aclshmemx_putmem_on_stream(data, copy, 64, other, stream)
    shmem.aclshmemx_signal_op_on_stream(word, 5, shmem.SignalOp.SIGNAL_SET, other, stream)
    shmem.aclshmemx_signal_wait_until_on_stream(word, shmem.CmpOp.CMP_EQ, 5, stream)
    shmem.aclshmemx_quiet_on_stream(stream)
    assert acl.rt.synchronize_stream(stream) == 0
    assert (shmem.as_array(data, 64) == other + 1).all()
    shmem.aclshmemx_getmem_on_stream(copy, copy, 64, other, stream)
    shmem.sim.barrier_all()
    acl.rt.destroy_stream(stream)
    end()
    """, 2).expect_success()


def test_core_moves_buffers(run_pes):
    run_pes("""
    os.environ["SHMEM_UID_SESSION_ID"] = host + ":" + port
    core = shmem.core
    core.init(device=0, uid=core.get_unique_id(), rank=0, nranks=1, initializer_method="uid",
              mem_size=1 << 20)
    one, two, word = core.buffer(64), core.buffer(128), core.buffer(4)
    shmem.as_array(one, 64)[:] = 7
    core.put(two, one, 0)
    core.get(two, one, 0)
    assert (np.from_dlpack(core.get_peer_buffer(two, 0))[:64] == 7).all()
    stream, _ = acl.rt.create_stream()
    core.put_signal(two, one, word, 3, core.direct.SignalOp.SIGNAL_SET, 0, stream)
    core.signal_wait(word, 3, core.direct.ComparisonType.CMP_EQ, stream)
    core.quiet(stream)
    core.put(two, one, 0, stream)
    assert acl.rt.synchronize_stream(stream) == 0
    for call, error in ((lambda: core.put(one, two, 0), core.AclshmemInvalid),
                        (lambda: core.get_peer_buffer(one, 3), core.AclshmemError),
                        (lambda: core.buffer(1 << 40), core.AclshmemError)):
        try:
            call()
        except error:
            pass
        else:
            raise SystemExit("no error")
    core.free(two)
    core.finalize()
    """, 1).expect_success()


def test_a_unique_id_brings_pes_together(run_pes, tmp_path):
    run_pes("""
    import pathlib
    place = pathlib.Path(os.environ["ACLSIM_TEST_PLACE"])
    assert acl.rt.set_device(me) == 0
    if me == 0:
        uid = shmem.shmem_get_unique_id()
        assert len(uid) == 136
        (place / "part").write_bytes(uid)
        (place / "part").rename(place / "uid")
    import threading
    for _ in range(3000):
        if (place / "uid").exists():
            break
        threading.Event().wait(0.01)
    uid = (place / "uid").read_bytes()
    assert shmem.aclshmem_init_using_unique_id(me, pes, 1 << 20, uid) == 0
    assert shmem.pe_count() == 2
    end()
    """, 2, ACLSIM_TEST_PLACE=str(tmp_path)).expect_success()


def test_attributes_name_the_meeting_and_init_can_be_repeated(run_pes):
    run_pes("""
    assert acl.rt.set_device(me) == 0
    attributes = shmem.InitAttr()
    where = "tcp://" + host + ":" + port
    assert shmem.shmem_set_attributes(me, pes, 1 << 20, where, attributes) == 0
    for turn in range(3):
        assert [shmem.shmem_init, shmem.aclshmem_init][turn % 2](attributes=attributes) == 0
        end()
    del os.environ["SHMEM_MASTER_PORT"]
    assert shmem.shmem_init(mype=me, npes=pes, mem_size=1 << 20) == 0
    end()
    """, 2).expect_success()


def test_a_pe_that_never_comes_ends_init_with_a_code(run_pes):
    job = run_pes("""
    assert acl.rt.set_device(me) == 0
    attributes = shmem.InitAttr()
    where = "tcp://" + host + ":" + port
    shmem.shmem_set_attributes(0, 2, 1 << 20, where, attributes)
    shmem.shmem_set_timeout(attributes, 1)
    print(shmem.shmem_init(attributes), shmem.shmem_finalize())
    """, 1).expect_success()
    assert job.out == ["-7 0\n"]
    assert "rank 1" in job.err[0] or "PE 1" in job.err[0]


def test_global_exit_ends_all_pes_with_its_status(run_pes):
    job = run_pes("""
    import threading
    start()
    if me == 0:
        shmem.shmem_global_exit(7)
    threading.Event().wait(60)
    """, 2)
    assert job.codes == [7, 7]


@pytest.mark.parametrize("name, code", [("lo", 0), ("lo:inet4", 0), ("nosuch", -6), ("lo:tcp", -1)])
def test_a_unique_id_names_the_interface_that_is_wanted(run_pes, name, code):
    job = run_pes("""
    assert acl.rt.set_device(0) == 0
    try:
        uid = shmem.shmem_get_unique_id()
    except RuntimeError as error:
        print(error)
    else:
        print(shmem.shmem_init_using_unique_id(0, 1, 1 << 20, uid))
    """, 1, SHMEM_UID_SOCK_IFNAME=name).expect_success()
    expected = "0\n" if code == 0 else "SHMEM_UID_SOCK_IFNAME is '%s'" % name
    assert expected in job.out[0]
    assert code == 0 or "[%d]" % code in job.err[0]


def test_the_log_goes_where_the_environment_says(run_pes, tmp_path):
    program = "shmem.shmem_malloc(1)"
    line = "SHMEM is not initialised"
    folder = tmp_path / "a" / "b"
    assert line in run_pes(program, 1).err[0]
    to_stdout = run_pes(program, 1, SHMEM_LOG_TO_STDOUT="1", SHMEM_LOG_PATH=str(folder))
    assert line in to_stdout.out[0] and line not in to_stdout.err[0] and not folder.exists()
    to_file = run_pes(program, 2, SHMEM_LOG_PATH=str(folder))
    assert line not in to_file.err[0]
    files = list(folder.iterdir())
    assert len(files) == 2 and all(line in file.read_text() for file in files)
    assert line in run_pes(program, 1, SHMEM_LOG_PATH="/dev/null/folder").err[0]
    assert line not in run_pes(program, 1, SHMEM_LOG_LEVEL="FATAL").err[0]


def test_a_wait_lets_other_threads_run(run_pes):
    run_pes("""
    import threading
    start()
    word = shmem.shmem_calloc(4, 1)
    thread = threading.Thread(target=shmem.aclshmem_signal_wait_until, args=(word, 0, 5))
    thread.start()
    shmem.shmem_int32_p(word, 5, 0)
    thread.join(30)
    assert not thread.is_alive()
    end()
    """, 1).expect_success()


@pytest.mark.parametrize("rank, size", [
    ("RANK", "WORLD_SIZE"), ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE")])
def test_launchers_say_who_a_process_is(environment, rank, size):
    port = free_port()
    processes = []
    for pe in range(2):
        own = dict(environment, MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port - 11))
        own.update({rank: str(pe), size: "2"})
        processes.append(subprocess.Popen(
            [sys.executable, "-c", PRELUDE + "start(); print(shmem.get_my_pe()); end()"], env=own,
            stdout=subprocess.PIPE, universal_newlines=True))
    assert [process.communicate(timeout=60)[0] for process in processes] == ["0\n", "1\n"]


def test_aclsim_run_starts_a_job(environment):
    done = subprocess.run(
        [os.environ["ACLSIM_TEST_TOOL"], "run", "--ranks", "2", "--", sys.executable, "-c",
         PRELUDE + "start(); print(shmem.get_my_pe(), shmem.get_pe_count()); end()"],
        env=environment, stdout=subprocess.PIPE, universal_newlines=True, timeout=60)
    assert done.returncode == 0
    assert sorted(done.stdout.splitlines()) == ["[0] 0 2", "[1] 1 2"]
