# SPDX-License-Identifier: Apache-2.0
"""pytest --aclsim-check fails the tests during which something is found."""
import os
import pathlib
import re
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


def test_bad_again():
    run(False)


def test_good_again():
    run(True)
"""


def run_pytest(folder, *options):
    (folder / "test_program.py").write_text(PROGRAM)
    path = os.pathsep.join([str(PLUGIN), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "pytest_aclsim", "-v",
         *options, str(folder)],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=120)


def failed(done):
    """The tests whose teardown failed."""
    return set(re.findall(r"ERROR at teardown of (\w+) _+\nthe order checker found", done.stdout))


def test_a_test_with_a_race_fails(tmp_path):
    done = run_pytest(tmp_path, "--aclsim-check")
    assert done.returncode == 1, done.stdout + done.stderr
    assert failed(done) == {"test_bad", "test_bad_again"}
    assert ": error: data race: " in done.stderr


def test_a_test_fails_although_an_earlier_one_found_the_same(tmp_path):
    """And a reset of the machine does not take away what the test found."""
    (tmp_path / "conftest.py").write_text(
        "import acl, pytest\n"
        "@pytest.fixture(autouse=True)\n"
        "def fresh():\n"
        "    yield\n"
        "    assert acl.sim.reset_all() == 0\n")
    assert failed(run_pytest(tmp_path, "--aclsim-check")) == {"test_bad", "test_bad_again"}


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
