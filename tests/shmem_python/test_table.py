# SPDX-License-Identifier: Apache-2.0
"""The module against the facts, row by row: functions.tsv has each name with its parameters."""

import csv
import enum
import inspect
import os

import pytest

import shmem
from shmem import _pyshmem

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "functions.tsv"), encoding="utf-8") as file:
    FACTS = list(csv.DictReader(file, delimiter="\t"))
FUNCTIONS = [fact for fact in FACTS if fact["kind"] == "function"]
ROWS = {row["name"]: row for row in _pyshmem._functions()}
# Functions of Python over several shapes.
WIDER = {"shmem_init": "mype, npes, mem_size, attributes",
         "shmem_set_data_op_engine_type": "attributes, value, vaue",
         "shmem_set_timeout": "attributes, value, vaue"}


def by_name(facts):
    return pytest.mark.parametrize("fact", facts, ids=[fact["name"] for fact in facts])


def test_the_facts_are_whole():
    assert len(FACTS) == 327
    assert sum(fact["since"] == "seed" for fact in FACTS) == 39


@by_name(FUNCTIONS)
def test_a_function_has_its_name_parameters_and_documentation(fact):
    function = getattr(shmem, fact["name"])
    assert ", ".join(inspect.signature(function).parameters) == WIDER.get(fact["name"], fact["parameters"])
    assert len(function.__doc__) > 10


@by_name([fact for fact in FUNCTIONS if fact["parameters"]])
def test_a_function_refuses_what_it_has_no_parameter_for(fact):
    function = getattr(shmem, fact["name"])
    with pytest.raises(TypeError):
        function(*[object()] * 9)
    with pytest.raises(TypeError):
        function(unknown=1)


@by_name([fact for fact in FUNCTIONS if ROWS.get(fact["name"], {}).get("required")])
def test_a_function_of_the_table_refuses_missing_and_wrong_arguments(fact):
    row = ROWS[fact["name"]]
    function = getattr(shmem, fact["name"])
    with pytest.raises(TypeError, match=fact["name"]):
        function()
    name = fact["parameters"].split(", ")[0]
    if row["parameter_types"][0] != "bool" and "Callable" not in row["parameter_types"][0]:
        rest = [0] * (row["required"] - 1)
        with pytest.raises(TypeError, match=r"argument 1 \(%s\) must be" % name):
            function(1.5j, *rest)
    if row["required"] > 1:
        with pytest.raises(TypeError, match="twice"):
            function(0, **{name: 0})


def test_the_compiled_part_has_no_other_public_names():
    public = {name for name in ROWS if not name.startswith("_")}
    assert public - {fact["name"] for fact in FACTS} == set()


@pytest.mark.parametrize("name, text", [
    ("shmem_putmem", "elem_size: bytes."), ("aclshmem_getmem_nbi", "elem_size: bytes."),
    ("aclshmemx_putmem_signal", "elem_size: bytes."), ("aclshmem_put16", "elements of 16 bits"),
    ("aclshmem_get128_nbi", "elements of 128 bits"), ("aclshmemx_put32_signal", "nelems: elements of 32")])
def test_a_transfer_says_what_it_counts(name, text):
    assert text in getattr(shmem, name).__doc__


def test_the_stub_has_every_function():
    stub = os.path.join(os.path.dirname(_pyshmem.__file__), "_pyshmem.pyi")
    with open(stub, encoding="utf-8") as text:
        source = text.read()
    compile(source, stub, "exec")
    for line in ("def shmem_get_unique_id() -> bytes: ...",
                 "def shmem_info_get_version() -> Tuple[int, int]: ...",
                 "def aclshmem_info_get_name() -> str: ...",
                 "def set_extern_logger(func: Optional[Callable[[int, str], Any]]) -> int: ...",
                 "def aclshmem_init_using_unique_id(mype: int, npes: int, mem_size: int, "
                 "uid: bytes) -> int: ..."):
        assert line in source
    for name in ROWS:
        assert "def %s(" % name in source


def test_enumerations_have_their_values():
    assert [int(value) for value in (shmem.OpEngineType.MTE, shmem.OpEngineType.SDMA,
                                     shmem.OpEngineType.ROCE, shmem.OpEngineType.UDMA)] == [1, 2, 4, 8]
    status = shmem.InitStatus
    assert [int(value) for value in (status.NOT_INITIALIZED, status.SHM_CREATED, status.INITIALIZED,
                                     status.INVALID)] == [0, 1, 2, 0x7FFFFFFF]
    assert status.SHMEM_STATUS_IS_INITIALIZED is status.INITIALIZED
    assert [int(value) for value in shmem.SignalOp] == [0, 1]
    assert [value.name for value in shmem.CmpOp] == ["CMP_EQ", "CMP_NE", "CMP_GT", "CMP_GE", "CMP_LT",
                                                     "CMP_LE"]
    assert [int(value) for value in shmem.MemType] == [0, 1]
    for kind in (status, shmem.SignalOp, shmem.CmpOp, shmem.MemType, shmem.OpEngineType):
        assert issubclass(kind, enum.Enum)


def test_core_has_its_names():
    for name in ("get_version get_unique_id init finalize buffer free get_peer_buffer put get put_signal "
                 "signal_op signal_wait quiet UniqueID Buffer AclshmemError AclshmemInvalid").split():
        assert getattr(shmem.core, name).__doc__
    for name in "my_pe n_pes team_my_pe team_n_pes init_status ComparisonType SignalOp InitStatus".split():
        assert hasattr(shmem.core.direct, name)
    for name in "setup_aclshmem_logger AclshmemError AclshmemInvalid Buffer".split():
        assert hasattr(shmem.core.utils, name)
