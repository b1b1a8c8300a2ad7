# SPDX-License-Identifier: Apache-2.0
"""pytest --aclsim-check fails the tests during which the checker reports a finding."""
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml_tree

PLUGIN = pathlib.Path(os.environ["ACLSIM_TEST_SOURCE_DIR"]) / "pyacl"

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
    return set(re.findall(r"^_+ (\w+) _+\nthe order checker found", done.stdout, re.M))


def lines_of_the_race():
    lines = PROGRAM.splitlines()
    return [next(i for i, line in enumerate(lines, 1) if what in line)
            for what in ("SIZE, 1, SIZE, first", "SIZE, 2, SIZE, second")]


def test_a_test_with_a_race_fails(tmp_path):
    done = run_pytest(tmp_path, "--aclsim-check")
    assert done.returncode == 1, done.stdout + done.stderr
    assert failed(done) == {"test_bad", "test_bad_again"}
    assert ": error: data race: " in done.stderr


def test_a_test_fails_although_an_earlier_one_found_the_same(tmp_path):
    """A reset of the machine does not remove the findings of the test."""
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


def test_the_failure_of_a_test_holds_the_finding_also_in_xml(tmp_path):
    xml = tmp_path / "tests.xml"
    done = run_pytest(tmp_path, "--aclsim-check", f"--junitxml={xml}")
    cases = {case.get("name"): case for case in xml_tree.parse(xml).getroot().iter("testcase")}
    first, second = lines_of_the_race()
    in_failures = done.stdout[done.stdout.index("= FAILURES ="):]
    for text in (in_failures, cases["test_bad"].find("failure").text,
                 cases["test_bad_again"].find("failure").text):
        assert f"test_program.py:{second}: error: data race: " in text and "[ACL007]" in text
        assert f"test_program.py:{first}: note: earlier access: " in text
        assert "\nfix: call aclrtRecordEvent on stream " in text
    assert cases["test_good_again"].find("failure") is None


def test_a_test_that_fails_by_itself_shows_the_finding_too(tmp_path):
    (tmp_path / "test_other.py").write_text(
        "from test_program import run\n\n\ndef test_fails():\n    run(False)\n    assert 0 == 1\n")
    done = run_pytest(tmp_path, "--aclsim-check", "-k", "test_fails")
    assert "assert 0 == 1" in done.stdout and "[ACL007]" in done.stdout, done.stdout


def test_without_the_option_nothing_is_checked(tmp_path):
    done = run_pytest(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ACL007" not in done.stderr
