# SPDX-License-Identifier: Apache-2.0
"""The wheel: built offline, installed into a fresh environment, imported without any variable."""

import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

import acl

SOURCE = pathlib.Path(os.environ["ACLSIM_TEST_SOURCE_DIR"])
BUILD = pathlib.Path(acl.__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [str(SOURCE / "scripts/build_wheel"), "--build", str(BUILD), "--out", str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return pathlib.Path(done.stdout.strip().splitlines()[-1])


def test_its_name_says_what_it_runs_with_and_is_nobody_else_s(wheel):
    assert wheel.name.startswith("aclsim_pyacl-")
    assert wheel.name.endswith("-cp38-abi3-linux_%s.whl" % os.uname().machine)


def test_it_holds_module_stubs_library_headers_and_tool(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "acl.abi3.so" in names
    assert "acl-stubs/__init__.pyi" in names and "acl-stubs/rt.pyi" in names
    assert "aclsim/lib64/libascendcl.so" in names
    assert "aclsim/include/acl/acl.h" in names and "aclsim/bin/aclsim" in names
    assert "pytest_aclsim.py" in names
    for name in ("__init__.py", "_pyshmem.abi3.so", "_pyshmem.pyi", "py.typed", "core/__init__.py"):
        assert "shmem/" + name in names


def test_it_holds_each_library_once(wheel):
    large = [entry.filename for entry in zipfile.ZipFile(wheel).infolist()
             if "/lib" in entry.filename and entry.file_size > 500_000]
    assert sorted(large) == ["aclsim/lib64/cuda/libcuda.so.1",
                             "aclsim/lib64/libascendc_runtime.so", "aclsim/lib64/libascendcl.so",
                             "aclsim/lib64/libhccl.so", "aclsim/lib64/libopapi.so",
                             "aclsim/lib64/libshmem.so"]


def test_a_header_that_two_paths_reach_is_one_header(wheel):
    with zipfile.ZipFile(wheel) as content:
        other = content.read("aclsim/asc/include/basic_api/kernel_operator.h").decode()
    assert other == '#include "../../../include/ascendc/kernel_operator.h"\n'


def test_another_name_of_a_library_refers_to_it(wheel):
    with zipfile.ZipFile(wheel) as content:
        assert content.read("aclsim/lib64/libhcomm.so") == b"INPUT(libhccl.so)\n"
        assert content.read("aclsim/runtime/lib64/stub/libacl_rt.so") == (
            b"INPUT(../../../lib64/libascendcl.so)\n")


def test_it_installs_into_a_fresh_environment(wheel, tmp_path):
    bare = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}

    def run(*command):
        done = subprocess.run(command, env=bare, cwd=str(tmp_path), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, timeout=600)
        assert done.returncode == 0, done.stdout
        return done.stdout

    run(sys.executable, "-m", "venv", "environment")
    python = str(tmp_path / "environment/bin/python")
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check",
        str(wheel))
    place = run(python, "-c", """if True:
        import acl, acl.rt
        assert acl.init() == 0 and acl.rt.set_device(0) == 0
        pointer, ret = acl.rt.malloc(1024, 0)
        assert ret == 0 and acl.rt.free(pointer) == 0
        libraries = {line.split()[-1] for line in open("/proc/self/maps") if "ascendcl" in line}
        assert len(libraries) == 1, libraries
        print(libraries.pop())
    """).strip()
    assert place.startswith(str(tmp_path)) and place.endswith("aclsim/lib64/libascendcl.so")
    run(python, "-c", """if True:
        import acl, shmem
        assert acl.rt.set_device(0) == 0
        attributes = shmem.InitAttr()
        assert shmem.shmem_set_attributes(0, 1, 1 << 20, "tcp://127.0.0.1:29807", attributes) == 0
        assert shmem.shmem_init(attributes) == 0 and shmem.shmem_malloc(64)
        assert shmem.shmem_finalize() == 0
    """)
    configure = str(tmp_path / "environment/bin/shmem-config")
    assert "/aclsim/include" in run(configure, "--include")
    run(configure, "check")
    tool = str(tmp_path / "environment/bin/aclsim")
    assert "8" in run(tool, "devices")
    variables = run(tool, "env")
    assert "/aclsim/include:" in variables and "/aclsim/include/ascendc'" in variables
    run(python, "-m", "pip", "uninstall", "-y", "aclsim-pyacl")
    with pytest.raises(AssertionError, match="ModuleNotFoundError"):
        run(python, "-c", "import acl")
