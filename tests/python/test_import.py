# SPDX-License-Identifier: Apache-2.0
"""The ways in which programs import the module and its submodules."""

import importlib.util
import sys

import acl

EXPECTED = ("rt", "mdl", "op", "media", "util", "sim")


def test_every_form_of_import_works(run_python):
    done = run_python("""
        import acl.rt
        from acl.rt import memcpy
        from acl import util
        import acl.util as again
        import acl
        assert acl.rt.memcpy is memcpy and util is again
    """)
    assert done.returncode == 0, done.stderr


def test_the_parts_are_modules_with_a_spec():
    for name in EXPECTED:
        part = getattr(acl, name)
        assert sys.modules["acl." + name] is part
        assert importlib.util.find_spec("acl." + name).name == "acl." + name
        assert part.__doc__


def test_dir_and_hasattr_list_exactly_what_the_table_holds():
    rows = acl.sim.functions()
    for module in [acl] + [getattr(acl, name) for name in EXPECTED]:
        callables = {module.__name__ + "." + name for name in dir(module)
                     if type(getattr(module, name)).__name__ == "builtin_function_or_method"}
        present = {row["name"] for row in rows if row["present"]
                   and row["name"].rsplit(".", 1)[0] == module.__name__}
        assert callables == present


def test_what_is_not_emulated_is_absent():
    assert not hasattr(acl, "himpi")
    assert not hasattr(acl.util, "vector_to_ptr")
    assert not hasattr(acl, "ACL_MEMCPY_HOST_TO_DEVICE")


def test_a_part_that_does_not_exist_is_not_found(run_python):
    done = run_python("import acl.himpi")
    assert done.returncode != 0
    assert "ModuleNotFoundError" in done.stderr


def test_functions_know_where_they_belong():
    assert acl.rt.malloc.__module__ == "acl.rt"
    assert acl.rt.malloc.__text_signature__ == "(size, policy, /)"
    assert "dev_ptr, ret = acl.rt.malloc(size, policy)" in acl.rt.malloc.__doc__
    assert "aclrtMalloc" in acl.rt.malloc.__doc__


def test_import_needs_no_numpy(run_python):
    done = run_python("""
        import sys
        sys.modules["numpy"] = None
        import acl
        assert acl.util.ptr_to_bytes(acl.util.bytes_to_ptr(b"bytes"), 5) == b"bytes"
        try:
            acl.util.ptr_to_numpy(0, (0,), 0)
        except ImportError:
            pass
        else:
            raise SystemExit("no ImportError")
    """)
    assert done.returncode == 0, done.stderr


def test_it_can_be_imported_again(run_python):
    """Test runners remove modules from sys.modules, as a whole or in part."""
    done = run_python("""
        import importlib.util
        import sys
        import acl
        first = acl
        kernel_context = acl.sim.KernelContext
        for names in (["acl"], ["acl", "acl.rt", "acl.util", "acl.sim"]):
            for name in names:
                del sys.modules[name]
            import acl
            import acl.rt, acl.util, acl.sim
            from acl.rt import set_device
            assert acl.rt is sys.modules["acl.rt"] and acl.util is sys.modules["acl.util"], names
            assert importlib.util.find_spec("acl.rt")
        assert acl is not first
        assert acl.init() == 0 and acl.rt.set_device(0) == 0
        assert first.rt.get_device() == (0, 0)  # the older module is as good as before
        seen = []
        for module in (first, acl):
            assert module.sim.launch_kernel(lambda *args: seen.append(args[0]), None, 1, 0) == 0
        assert acl.rt.synchronize_stream(0) == 0
        assert all(isinstance(each, kernel_context) for each in seen) and len(seen) == 2
        importlib.reload(acl)
        assert acl.rt.get_device() == (0, 0)
        for _ in range(50):
            del sys.modules["acl"]
            import acl
        assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
        print("end")
    """)
    assert done.returncode == 0 and done.stdout == "end\n", done.stderr
