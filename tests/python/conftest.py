# SPDX-License-Identifier: Apache-2.0
"""Setup of every test: a fresh machine before it, and a check for leaks after it."""

import os
import subprocess
import sys
import textwrap

import pytest

import acl

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "support"))

import share  # noqa: E402


def pytest_configure(config):
    if not share.row_in_share():
        pytest.exit("skipped: this run is in another share", returncode=share.SKIPPED)


@pytest.fixture(autouse=True)
def fresh_machine():
    assert acl.sim.reset_all() == 0
    acl.get_recent_err_msg()
    yield
    stats, ret = acl.sim.get_stats()
    assert acl.sim.reset_all() == 0
    assert ret == 0
    left = {key: count for key, count in stats.items() if count and key != "scheduleDiverged"}
    assert left == {}, "left behind: %s" % left


@pytest.fixture
def device():
    """Device 0, current in this thread."""
    assert acl.init() == 0
    assert acl.rt.set_device(0) == 0
    yield 0
    assert acl.rt.set_device(0) == 0  # the test may have made another device current
    assert acl.rt.reset_device(0) == 0
    assert acl.rt.reset_device(0) == 0
    assert acl.finalize() == 0


@pytest.fixture
def stream(device):
    handle, ret = acl.rt.create_stream()
    assert ret == 0
    yield handle
    assert acl.rt.destroy_stream(handle) == 0


@pytest.fixture
def run_python():
    """Runs a program in an interpreter of its own: run_python(text) -> CompletedProcess."""

    def run(text, *arguments, timeout=60, executable=sys.executable, env=None):
        return subprocess.run(
            [executable, "-c", textwrap.dedent(text), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
            timeout=timeout, env=dict(os.environ, **(env or {})))

    return run
