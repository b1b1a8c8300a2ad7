# SPDX-License-Identifier: Apache-2.0
"""pytest --aclsim-check fails the tests during which something is found."""
import os
import pathlib
import subprocess
import sys

PLUGIN = pathlib.Path(os.environ["ACLSIM_SOURCE_DIR"]) / "pyacl"

PROGRAM = """
import acl

SIZE = 4096


def run(waits):
    assert acl.rt.set_device(0) == 0
    first, _ = acl.rt.create_stream()
    second, _ = acl.rt.create_stream()
    memory, code = acl.rt.malloc(SIZE, 0)
    assert code == 0
    assert acl.rt.memset_async(memory, SIZE, 1, SIZE, first) == 0
    if waits:
        assert acl.rt.synchronize_stream(first) == 0
    assert acl.rt.memset_async(memory, SIZE, 2, SIZE, second) == 0
    for stream in (first, second):
        assert acl.rt.synchronize_stream(stream) == 0
        assert acl.rt.destroy_stream(stream) == 0
    assert acl.rt.free(memory) == 0
    assert acl.rt.reset_device(0) == 0


def test_good():
    run(True)


def test_bad():
    run(False)
"""


def run_pytest(folder, *options):
    (folder / "test_program.py").write_text(PROGRAM)
    path = os.pathsep.join([str(PLUGIN), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "pytest_aclsim", "-v",
         *options, str(folder)],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=120)


def test_a_test_with_a_race_fails(tmp_path):
    done = run_pytest(tmp_path, "--aclsim-check")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed" in done.stdout or "1 error" in done.stdout
    assert "test_bad" in done.stdout
    assert "ACL007 error" in done.stderr


def test_a_finding_names_the_lines_of_python(tmp_path):
    done = run_pytest(tmp_path, "--aclsim-check")
    lines = PROGRAM.splitlines()
    first = next(i for i, line in enumerate(lines, 1) if "SIZE, 1, SIZE, first" in line)
    second = next(i for i, line in enumerate(lines, 1) if "SIZE, 2, SIZE, second" in line)
    assert f"test_program.py:{first}" in done.stderr
    assert f"test_program.py:{second}" in done.stderr


def test_without_the_option_nothing_is_checked(tmp_path):
    done = run_pytest(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ACL007" not in done.stderr
