# SPDX-License-Identifier: Apache-2.0
"""PEs as processes: each runs a program of the test behind a few lines that all of them need."""

import os
import socket
import subprocess
import sys
import textwrap

import pytest

import hosts

PRELUDE = """
import os, sys
import acl, shmem
import numpy as np
me, pes = shmem.sim.rank_and_size()
host, port = os.environ.get("SHMEM_MASTER_ADDR"), os.environ.get("SHMEM_MASTER_PORT")
def reaches(pe):
    return "TEST_TWO_HOSTS" not in os.environ or pe % 2 == me % 2
def start(size=1 << 20):
    assert acl.rt.set_device(me) == 0
    assert shmem.shmem_init(me, pes, size) == 0
def end():
    assert shmem.shmem_finalize() == 0
"""


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


class Job:
    """The output and the exit codes of the PEs."""

    def __init__(self, processes, timeout):
        ends = [process.communicate(timeout=timeout) for process in processes]
        self.out = [out for out, _ in ends]
        self.err = [err for _, err in ends]
        self.codes = [process.returncode for process in processes]

    def expect_success(self):
        assert self.codes == [0] * len(self.codes), "\n".join(self.err)
        return self


def clean_environment():
    """The environment without variables that a launcher of the test itself may have set."""
    ours = ("RANK", "WORLD_SIZE", "MASTER_", "SHMEM_", "OMPI_", "PMI")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


@pytest.fixture
def environment():
    return clean_environment()


@pytest.fixture(scope="session")
def two_hosts():
    """With ACLSIM_TEST_TWO_HOSTS the PEs of a job alternate between two hosts. None: one
    host."""
    if "ACLSIM_TEST_TWO_HOSTS" not in os.environ:
        yield None
        return
    try:
        made = hosts.TwoHosts()
    except hosts.NotHere as why:
        if "CI" in os.environ and os.getuid() == 0:
            raise
        pytest.skip(str(why))
    with made:
        yield made


@pytest.fixture
def run_pes(two_hosts):
    """run_pes(text, pes, **variables) -> Job: as a loop in a shell starts them."""
    started = []

    def run(text, pes, timeout=90, **variables):
        common = dict(clean_environment(), SHMEM_MASTER_ADDR="127.0.0.1",
                      SHMEM_MASTER_PORT=str(free_port()), WORLD_SIZE=str(pes), **variables)
        if two_hosts:
            common.update(SHMEM_MASTER_ADDR=two_hosts.addresses[0], TEST_TWO_HOSTS="1")
        program = PRELUDE + textwrap.dedent(text)
        for pe in range(pes):
            there = two_hosts.prefix(pe % 2) if two_hosts else []
            started.append(subprocess.Popen(
                [*there, sys.executable, "-c", program], env=dict(common, RANK=str(pe)),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True))
        return Job(started[-pes:], timeout)

    yield run
    for process in started:
        if process.poll() is None:
            process.kill()
            process.communicate()
