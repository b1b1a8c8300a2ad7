# SPDX-License-Identifier: Apache-2.0
"""The documented program for transfers between devices runs unchanged, and our sample makes the same calls.
The document is not part of this repository: it is in a folder beside it, or missing."""

import glob
import json
import os
import re

import pytest

import acl

SOURCE = os.environ["ACLSIM_TEST_SOURCE_DIR"]
FOLDER = os.path.join(SOURCE, os.pardir, "shared", "seeds")
DOCUMENTS = glob.glob(os.path.join(FOLDER, "001_*.txt"))
SAMPLE = os.path.join(SOURCE, "samples", "07_python_peer_copy", "main.py")

# Runs a program and prints its calls of acl and acl.rt: name, numbers, results. Addresses differ from
# run to run, so they are printed without a number.
WATCH = """
    import json, sys
    import acl
    calls = []
    def shown(value):
        if isinstance(value, tuple):
            return [shown(each) for each in value]
        return "address" if isinstance(value, int) and value > 2**20 else value
    def watch(module, name, function):
        def call(*arguments):
            result = function(*arguments)
            calls.append([name, shown(arguments), shown(result)])
            return result
        setattr(module, name.rsplit(".", 1)[1], call)
    for row in acl.sim.functions():
        part = row["name"].split(".")[1]
        if row["present"] and part not in ("sim", "util"):
            module = acl
            for inner in row["name"].split(".")[1:-1]:
                module = getattr(module, inner)
            watch(module, row["name"], getattr(module, row["name"].rsplit(".", 1)[1]))
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    exec(compile(text, sys.argv[1], "exec"), {"__name__": "__main__"})
    print(json.dumps(calls))
"""


@pytest.fixture
def document(tmp_path):
    """The program in the document, from its first statement to its last."""
    if not DOCUMENTS:
        pytest.skip("the document is not there: %s" % os.path.join("..", "shared", "seeds"))
    with open(DOCUMENTS[0], encoding="utf-8") as file:
        text = file.read()
    path = tmp_path / "document.py"
    path.write_text(text[text.index("import acl\n"):], encoding="utf-8")
    return str(path)


def calls_of(run_python, program):
    done = run_python(WATCH, program)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def code_of(call):
    result = call[2]
    return result[-1] if isinstance(result, list) else result


def test_the_printed_program_runs(run_python, document):
    done = run_python("import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')", document)
    assert (done.returncode, done.stdout) == (0, "")
    assert [line for line in done.stderr.splitlines() if "the seed alone" not in line] == []


def test_every_call_of_the_printed_program_succeeds(run_python, document):
    calls = calls_of(run_python, document)
    assert len(calls) == 16
    assert [call for call in calls if code_of(call) != 0] == []
    assert ["acl.rt.device_can_access_peer", [0, 1], [1, 0]] in calls
    assert [call[0] for call in calls][-3:] == [
        "acl.rt.set_device", "acl.rt.reset_device", "acl.finalize"]


def test_the_sample_makes_the_calls_of_the_printed_program_in_their_order(run_python, document):
    sample = iter(calls_of(run_python, SAMPLE))
    for call in calls_of(run_python, document):
        assert any(made == call for made in sample), call


def test_the_functions_for_synchronisation_are_there():
    """Checks the functions that the document about them lists."""
    found = glob.glob(os.path.join(FOLDER, "004_*.txt"))
    if not found:
        pytest.skip("the document is not there")
    with open(found[0], encoding="utf-8") as file:
        names = re.findall(r"^- Function: (\w+)$", file.read(), re.MULTILINE)
    assert len(names) >= 18
    assert [name for name in names if not callable(getattr(acl.rt, name, None))] == []


def test_the_sample_needs_no_document(run_python):
    calls = calls_of(run_python, SAMPLE)
    assert [call for call in calls if code_of(call) != 0] == []
