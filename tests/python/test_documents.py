# SPDX-License-Identifier: Apache-2.0
"""What follows from the table: stubs that say what the module does."""

import ast
import importlib
import pathlib

import pytest

import acl

STUBS = pathlib.Path(acl.__file__).parent / "acl-stubs"
MODULES = ["acl", "acl.rt", "acl.util", "acl.sim"]


def stub_of(module):
    name = "__init__" if module == "acl" else module.split(".")[1]
    return ast.parse((STUBS / (name + ".pyi")).read_text(encoding="utf-8"))


def functions_of(module):
    return {node.name: node for node in stub_of(module).body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("module", MODULES)
def test_a_stub_lists_exactly_the_functions_that_are_there(module):
    there = importlib.import_module(module)
    names = {name for name in dir(there)
             if type(getattr(there, name)).__name__ == "builtin_function_or_method"}
    assert set(functions_of(module)) == names


def test_a_stub_says_what_a_function_takes_and_returns():
    malloc = functions_of("acl.rt")["malloc"]
    assert ast.unparse(malloc) == "def malloc(size: int, policy: int, /) -> Tuple[int, int]:\n    ..."
    init = functions_of("acl")["init"]
    assert ast.unparse(init.returns) == "int" and len(init.args.defaults) == 1
    attributes = functions_of("acl.rt")["pointer_get_attributes"]
    assert ast.unparse(attributes.returns) == "Tuple[Dict[str, Any], int]"
    assert ast.unparse(functions_of("acl")["app_log"].returns) == "None"


def test_every_row_is_described(device):
    for row in acl.sim.functions():
        names = [name for name in row["parameters"].split(", ") if name]
        assert len(names) == len(row["parameter_types"])
        results = [] if row["results"] == "None" else row["results"].split(", ")
        assert len(results) == len(row["result_types"])
