# SPDX-License-Identifier: Apache-2.0
"""The generated files: the stubs describe the functions of the module."""

import ast
import importlib
import os
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
    assert ast.unparse(init.args.posonlyargs[0]) == "config_path: Optional[Union[str, bytes]]"
    attributes = functions_of("acl.rt")["pointer_get_attributes"]
    assert ast.unparse(attributes.returns) == "Tuple[Dict[str, Any], int]"
    assert ast.unparse(functions_of("acl")["app_log"].returns) == "None"
    launch = functions_of("acl.sim")["launch_kernel"]
    assert ast.unparse(launch.args.posonlyargs[0].annotation) == (
        "Callable[[KernelContext, Any], Optional[int]]")


# Objects of the program, and dicts whose values are numbers and dicts.
REALLY_ANY = {
    "launch_callback", "start_thread", "launch_kernel", "functions", "allocator_set_obj_to_desc",
    "allocator_set_alloc_func_to_desc", "allocator_set_free_func_to_desc",
    "allocator_set_alloc_advise_func_to_desc", "allocator_set_get_addr_from_block_func_to_desc",
    "get_device_utilization_rate", "set_stream_attribute", "pointer_get_attributes",
    "malloc_with_cfg", "malloc_for_task_scheduler", "malloc_host_with_cfg", "malloc_physical",
    "mem_get_allocation_granularity", "binary_load_from_file", "binary_load_from_data",
    "launch_kernel_with_config", "launch_kernel_with_host_args",
}


def test_a_stub_says_any_only_of_what_may_be_anything():
    vague = {name for module in MODULES for name, node in functions_of(module).items()
             if "Any" in ast.unparse(node)}
    assert vague == REALLY_ANY


@pytest.mark.parametrize("module", MODULES)
def test_a_stub_knows_every_name_that_it_uses(module):
    tree = stub_of(module)
    known = {alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom)
             for alias in node.names}
    known |= {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    known |= {"int", "float", "str", "bytes", "object"}
    used = {part.id for node in functions_of(module).values()
            for part in ast.walk(node) if isinstance(part, ast.Name)}
    assert used <= known
    imported = {alias.name for node in tree.body
                if isinstance(node, ast.ImportFrom) and node.module == "typing"
                for alias in node.names}
    assert imported <= used | {"Tuple"}  # the base of a class


def test_the_page_shows_what_may_be_left_out():
    page = pathlib.Path(os.environ["ACLSIM_TEST_SOURCE_DIR"], "docs", "python.md")
    text = page.read_text(encoding="utf-8")
    assert "| `ret = acl.init([config_path])` | `aclInit` |" in text
    assert "| `ret = acl.rt.set_exception_info_callback([fn])` |" in text
    for row in acl.sim.functions():
        if row["present"]:
            assert row["name"] + "(" in text


def test_every_row_is_described(device):
    for row in acl.sim.functions():
        names = [name for name in row["parameters"].split(", ") if name]
        assert len(names) == len(row["parameter_types"])
        results = [] if row["results"] == "None" else row["results"].split(", ")
        assert len(results) == len(row["result_types"])
