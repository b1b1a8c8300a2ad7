# SPDX-License-Identifier: Apache-2.0
"""Two network namespaces that are connected, and jobs that run in both. Needs root and ip."""

import subprocess
import tempfile
from pathlib import Path

NAMES = ("aclsim-bench-a", "aclsim-bench-b")
ADDRESSES = ("10.231.8.1", "10.231.8.2")


def ip(*words, check=True):
    subprocess.run(["ip", *words], check=check, capture_output=not check)


class Hosts:
    """The namespaces exist inside of the `with` block."""

    def __enter__(self):
        self.__exit__()
        for name in NAMES:
            ip("netns", "add", name)
        ip("link", "add", "cable", "netns", NAMES[0], "type", "veth",
           "peer", "name", "cable", "netns", NAMES[1])
        for name, address in zip(NAMES, ADDRESSES):
            ip("-n", name, "addr", "add", address + "/24", "dev", "cable")
            for link in ("lo", "cable"):
                ip("-n", name, "link", "set", link, "up")
        for name in NAMES:  # the system reports only a moment later that both ends are up
            while b"state UP" not in subprocess.check_output(["ip", "-n", name, "link", "show", "cable"]):
                pass
        return self

    def __exit__(self, *_):
        for name in NAMES:
            ip("netns", "del", name, check=False)


class Failed(Exception):
    """A job ended with a code other than 0."""


def ours(tool, ranks, program):
    """The output of the ranks of the first host."""
    with tempfile.TemporaryDirectory() as folder:
        hosts = Path(folder) / "hosts"
        hosts.write_text("".join(f"{address} slots={ranks // 2}\n" for address in ADDRESSES))
        command = [tool, "run", "--ranks", str(ranks), "--hosts", hosts, "--no-labels", "--", *program]
        parts = [subprocess.Popen(["ip", "netns", "exec", name, *command], text=True,
                                  stdout=subprocess.PIPE) for name in NAMES]
        texts = [part.communicate(timeout=600)[0] for part in parts]
    if any(part.returncode for part in parts):
        raise Failed("ours: " + "".join(texts))
    return texts[0]


# mpirun starts its helpers through a remote shell: `agent HOST COMMAND`.
AGENT = """#!/bin/sh
shift
exec ip netns exec %s sh -c "$*"
""" % NAMES[1]


def open_mpi(options, ranks, program, must_succeed=True):
    """The output of all ranks, over the same UCX."""
    with tempfile.TemporaryDirectory() as folder:
        agent = Path(folder) / "agent"
        agent.write_text(AGENT)
        agent.chmod(0o755)
        command = ["ip", "netns", "exec", NAMES[0], "mpirun", "--allow-run-as-root", "--oversubscribe",
                   "--mca", "plm_rsh_agent", agent, "--mca", "pml", "ucx",
                   "--mca", "opal_common_ucx_tls", "any", "--mca", "opal_common_ucx_devices", "any",
                   "-x", "UCX_TLS=tcp,self", *options, "-H",
                   ",".join(f"{address}:{ranks // 2}" for address in ADDRESSES), "-n", str(ranks), *program]
        result = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if result.returncode and must_succeed:
        raise Failed(f"Open MPI:\n{result.stdout}{result.stderr}")
    return result.stdout
