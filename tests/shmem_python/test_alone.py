# SPDX-License-Identifier: Apache-2.0
"""Without a job: structures, refused arguments of init, and calls before init."""

import subprocess
import sys

import pytest

import acl
import shmem

MIB = 1 << 20


@pytest.fixture
def attributes():
    attr = shmem.InitAttr()
    attr.my_rank, attr.n_ranks, attr.local_mem_size = 0, 1, MIB
    attr.ip_port = "tcp://127.0.0.1:29700"
    return attr


@pytest.fixture
def device():
    assert acl.rt.set_device(0) == 0
    yield
    assert acl.rt.reset_device(0) == 0


def last_message():
    return acl.get_recent_err_msg()


def test_attributes_begin_with_the_documented_defaults():
    attr = shmem.InitAttr()
    assert (attr.my_rank, attr.n_ranks, attr.ip_port, attr.local_mem_size) == (0, 0, "", 0)
    options = attr.option_attr
    assert options.data_op_engine_type == shmem.OpEngineType.MTE and options.sockFd == -1
    assert (options.shm_init_timeout, options.shm_create_timeout,
            options.control_operation_timeout) == (120, 120, 120)
    options.shm_init_timeout = 5
    assert attr.option_attr.shm_init_timeout == 5


@pytest.mark.parametrize("field, value", [
    ("my_rank", 2 ** 31), ("n_ranks", "2"), ("local_mem_size", -1), ("ip_port", 7), ("option_attr", {})])
def test_attributes_refuse_what_does_not_fit(attributes, field, value):
    with pytest.raises(TypeError, match=field):
        setattr(attributes, field, value)


def test_attributes_have_no_other_fields(attributes):
    with pytest.raises(AttributeError, match="local_memory"):
        attributes.local_memory = 1


def test_a_long_address_is_cut_as_in_c(attributes):
    attributes.ip_port = "tcp://" + "h" * 100
    assert len(attributes.ip_port) == 63


def test_set_attributes_fills_all_and_resets_the_options(attributes):
    attributes.option_attr.shm_init_timeout = 5
    assert shmem.shmem_set_attributes(1, 2, MIB, "tcp://127.0.0.1:9000", attributes) == 0
    assert (attributes.my_rank, attributes.n_ranks, attributes.local_mem_size) == (1, 2, MIB)
    assert attributes.ip_port == "tcp://127.0.0.1:9000"
    assert attributes.option_attr.shm_init_timeout == 120


@pytest.mark.parametrize("arguments", [
    (0, 1, 41 << 30, "tcp://h:9000"), (0, 16385, MIB, "tcp://h:9000"), (16385, 1, MIB, "tcp://h:9000"),
    (0, 1, MIB, "")])
def test_set_attributes_refuses_what_exceeds_the_limits(attributes, arguments):
    with pytest.raises(RuntimeError, match="shmem_set_attributes failed"):
        shmem.shmem_set_attributes(*arguments, attributes)


def test_set_attributes_refuses_no_address(attributes):
    with pytest.raises(RuntimeError, match="shmem_set_attributes failed: -1"):
        shmem.shmem_set_attributes(0, 1, MIB, None, attributes)
    assert attributes.ip_port == "tcp://127.0.0.1:29700"


def test_timeouts_are_seconds_and_engines_numbers_or_members(attributes, capsys):
    assert shmem.shmem_set_timeout(attributes, 7) == 0
    options = attributes.option_attr
    assert (options.shm_init_timeout, options.shm_create_timeout,
            options.control_operation_timeout) == (7, 7, 7)
    assert shmem.shmem_set_timeout(attributes, vaue=8) == 0 and options.shm_init_timeout == 8
    for wrong in (-1, 2 ** 32, 1.5):
        with pytest.raises(TypeError):
            shmem.shmem_set_timeout(attributes, wrong)
    assert capsys.readouterr().err == ""
    assert shmem.shmem_set_timeout(attributes, 600) == 0 and capsys.readouterr().err == ""
    assert shmem.shmem_set_timeout(attributes, 1000) == 0 and options.shm_init_timeout == 1000
    assert "1000 is taken as seconds" in capsys.readouterr().err
    assert shmem.shmem_set_data_op_engine_type(attributes, 2) == 0
    assert options.data_op_engine_type is shmem.OpEngineType.SDMA
    assert shmem.shmem_set_data_op_engine_type(attributes, vaue=shmem.OpEngineType.ROCE) == 0
    assert options.data_op_engine_type is shmem.OpEngineType.ROCE
    for setter in (shmem.shmem_set_timeout, shmem.shmem_set_data_op_engine_type):
        with pytest.raises(TypeError, match="InitAttr"):
            setter(None, 1)
        with pytest.raises(TypeError):
            setter(attributes)


def test_a_team_configuration_is_its_number_and_equal_to_0():
    assert shmem.TeamConfig(5).num_contexts == 5
    assert shmem.TeamConfig() == 0 and not shmem.TeamConfig()
    assert shmem.TeamConfig(5) == shmem.TeamConfig(5) != shmem.TeamConfig(6)


@pytest.mark.parametrize("change, code, text", [
    ({"my_rank": -1}, -2, "my_pe is -1"),
    ({"n_ranks": 0}, -2, "n_pes is 0"),
    ({"n_ranks": 16385}, -2, "n_pes is 16385"),
    ({"my_rank": 1}, -1, "my_pe is 1"),
    ({"local_mem_size": 0}, -2, "local_mem_size is 0"),
    ({"local_mem_size": (40 << 30) + 1}, -2, "local_mem_size"),
    ({"shm_init_timeout": 0}, -2, "shm_init_timeout is 0"),
    ({"control_operation_timeout": 0}, -2, "control_operation_timeout is 0"),
    ({"data_op_engine_type": 0}, -2, "data_op_engine_type"),
    ({"data_op_engine_type": 16}, -2, "data_op_engine_type"),
    ({"ip_port": ""}, -1, "tcp://"),
    ({"ip_port": "127.0.0.1:9000"}, -1, "tcp://"),
    ({"ip_port": "tcp://127.0.0.1:80"}, -1, "80"),
])
def test_init_names_what_it_refuses(device, attributes, change, code, text):
    for name, value in change.items():
        setattr(attributes.option_attr if "_t" in name else attributes, name, value)
    assert shmem.shmem_init(attributes) == code
    assert text in last_message()
    assert shmem.shmem_init_status() is shmem.InitStatus.NOT_INITIALIZED


def test_init_without_a_device_says_so(environment):
    program = ("import acl, shmem; print(shmem.shmem_init(0, 1, 1 << 20)); "
               "print(acl.get_recent_err_msg())")
    environment.update(SHMEM_MASTER_ADDR="127.0.0.1", SHMEM_MASTER_PORT="29701")
    done = subprocess.run([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE,
                          universal_newlines=True, timeout=60)
    code, text = done.stdout.split("\n", 1)
    assert code == "-4" and "acl.rt.set_device" in text


@pytest.mark.parametrize("variables", [
    {}, {"MASTER_ADDR": "127.0.0.1"}, {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "65525"},
    {"SHMEM_MASTER_ADDR": "127.0.0.1", "SHMEM_MASTER_PORT": "x"}])
def test_init_by_numbers_needs_an_address(monkeypatch, capsys, variables):
    monkeypatch.setattr(shmem._session, "_defaults", None)
    for name in ("SHMEM_MASTER_ADDR", "SHMEM_MASTER_PORT", "MASTER_ADDR", "MASTER_PORT"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert shmem.shmem_init(0, 1, MIB) == -1
    assert "SHMEM_MASTER_ADDR" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [(), (0, 1), ("a",), (None,), (0, 1, 2, shmem.InitAttr())])
def test_init_takes_three_numbers_or_attributes(arguments):
    with pytest.raises(TypeError, match="mype, npes, mem_size"):
        shmem.shmem_init(*arguments)


def test_before_init_calls_answer_as_documented():
    assert shmem.get_my_pe() == shmem.get_pe_count() == shmem.my_pe() == shmem.pe_count() == -1
    assert shmem.team_my_pe(0) == shmem.team_n_pes(0) == shmem.my_pe(0) == shmem.pe_count(0) == -1
    assert shmem.get_team_my_pe(0) == shmem.get_team_pe_count(0) == -1
    assert shmem.shmem_malloc(16) is shmem.shmem_calloc(2, 8) is shmem.shmem_align(16, 16) is None
    assert shmem.shmem_ptr(4096, 0) is None and shmem.aclshmem_ptr(4096, 0) == 0
    assert shmem.shmem_free(4096) is None and shmem.shmem_free(None) is None
    assert shmem.mte_set_ub_params(0, 16, 0) == -5
    assert shmem.team_split_strided(0, 0, 1, 1) == -5
    assert shmem.team_translate_pe(0, 0, 0) == -1
    assert shmem.get_ffts_config() == 0 == shmem.aclshmemx_get_heap_base()
    assert shmem.shmem_finalize() == shmem.aclshmemx_finalize(0) == 0
    assert shmem.aclshmemx_finalize(1) == -4
    assert shmem.shmem_putmem(4096, 4096, 8, 0) is None
    assert shmem.shmem_info_get_version() == (1, 1)
    assert shmem.shmem_info_get_name() == "SHMEM v1.1.1"
    assert shmem.aclshmem_info_get_name() == "ACLSHMEM v1.1.1"
    assert shmem.core.get_version() == "libaclshmem_version=1.1"
    for name, arguments in (("aclshmem_malloc", (16,)), ("aclshmem_calloc", (2, 8)),
                            ("aclshmem_align", (16, 16)), ("team_split_2d", (0, 1)),
                            ("shmem_team_get_config", (0,))):
        with pytest.raises(RuntimeError, match="not initialised"):
            getattr(shmem, name)(*arguments)


def test_settings_answer_as_documented():
    assert shmem.set_conf_store_tls(False, "") == 0
    with pytest.raises(TypeError):
        shmem.set_conf_store_tls(True, None)
    assert shmem.set_log_level(3) == 0 and shmem.set_log_level(5) == -1
    assert shmem.register_decrypt_handler(lambda text: text) == 0
    assert shmem.register_decrypt_handler(None) == 0
    for setter in (shmem.register_decrypt_handler, shmem.set_extern_logger):
        with pytest.raises(TypeError, match="callable"):
            setter(5)


def test_the_log_goes_to_a_function(device, attributes):
    lines = []
    assert shmem.set_extern_logger(lambda level, text: lines.append((level, text))) == 0
    attributes.n_ranks = 0
    shmem.shmem_init(attributes)
    assert shmem.set_extern_logger(None) == 0
    shmem.shmem_init(attributes)
    assert len(lines) == 1
    assert lines[0][0] == 3 and "n_pes is 0" in lines[0][1]


@pytest.mark.parametrize("size", [-1, 2 ** 64, "16", 1.5, None])
def test_sizes_that_are_none_are_type_errors(size):
    with pytest.raises(TypeError, match="size"):
        shmem.shmem_malloc(size)


def test_waits_refuse_null_addresses():
    for call in (lambda: shmem.aclshmem_int32_wait_until(0, 0, 0),
                 lambda: shmem.aclshmem_signal_wait_until(None, 0, 0),
                 lambda: shmem.aclshmem_int8_test_any(4096, 1, 0, 0, 0, None)):
        with pytest.raises(ValueError, match="null"):
            call()


def test_streams_are_numbers():
    with pytest.raises(TypeError, match="stream"):
        shmem.aclshmemx_quiet_on_stream(None)
    for call in (shmem.core.signal_op, shmem.core.signal_wait):
        with pytest.raises(shmem.core.AclshmemInvalid, match="stream"):
            call(shmem.core.Buffer(16, 4), 1, 0)
    with pytest.raises(shmem.core.AclshmemInvalid):
        shmem.core.quiet()


def test_a_character_is_a_text_of_one():
    for wrong in ("", "ab", 5, "\u0416"):
        with pytest.raises(TypeError, match="one character"):
            shmem.aclshmem_char_p(4096, wrong, 0)


def test_a_unique_id_is_136_bytes():
    uid = shmem.core.get_unique_id(empty=True)
    assert len(bytes(uid)) == 136 and uid.version == 65672
    assert bytes(shmem.UniqueId.from_bytes(bytes(uid))) == bytes(uid)
    for wrong in (b"", bytes(125), "x" * 124):
        with pytest.raises(ValueError, match="124"):
            uid.internal = wrong
    with pytest.raises(ValueError, match="65672"):
        shmem.UniqueId.from_bytes(bytes(136))
    assert shmem.shmem_init_using_unique_id(0, 1, MIB, b"short") == -1
    with pytest.raises(TypeError, match="bytes"):
        shmem.shmem_init_using_unique_id(0, 1, MIB, "text")


@pytest.mark.parametrize("arguments, text", [
    ({}, "initializer_method"), ({"initializer_method": "mpi"}, "'mpi'"),
    ({"initializer_method": "uid"}, "uid, rank and nranks")])
def test_core_init_wants_a_unique_id(arguments, text):
    with pytest.raises(shmem.core.AclshmemInvalid, match=text):
        shmem.core.init(**arguments)


def test_errors_of_core_carry_what_failed(device, monkeypatch):
    with pytest.raises(shmem.core.AclshmemError, match="init failed: -2"):
        shmem.core.init(uid=shmem.core.get_unique_id(empty=True), rank=0, nranks=1,
                        initializer_method="uid")
    with pytest.raises(shmem.core.AclshmemError, match="init failed: -1"):
        shmem.core.init(uid=bytes(136), rank=1, nranks=1, initializer_method="uid")
    with pytest.raises(shmem.core.AclshmemError, match="device 999"):
        shmem.core.init(device=999, uid=bytes(136), rank=0, nranks=1, initializer_method="uid")
    monkeypatch.setenv("SHMEM_UID_SOCK_IFNAME", "nosuch")
    with pytest.raises(shmem.core.AclshmemError, match="nosuch"):
        shmem.core.get_unique_id()


def test_buffers_and_logs_of_core_refuse_what_is_none():
    for wrong in ((-1, 5), (0, 0)):
        with pytest.raises(ValueError, match="Buffer"):
            shmem.core.Buffer(*wrong)
    with pytest.raises(ValueError, match="log_level"):
        shmem.core.utils.setup_aclshmem_logger("LOUD")


def test_memory_refuses_what_the_host_cannot_read():
    with pytest.raises(ValueError, match="cannot read"):
        shmem.Memory(4096, 8, "int8")
    with pytest.raises(ValueError, match="extents"):
        shmem.Memory(4096, -1)
    with pytest.raises(TypeError, match="dtype"):
        shmem.Memory(4096, 1, "int7")
    with pytest.raises(ValueError, match="more elements"):
        shmem.Memory(4096, (1 << 40, 1 << 40))


def test_the_configuration_tool_says_where_things_are(capsys):
    from shmem import _config
    assert _config.main(["--version", "--ldflags"]) == 0
    assert capsys.readouterr().out.startswith("1.1\n-L")
    assert _config.main([]) == 2
