# SPDX-License-Identifier: Apache-2.0
"""Texts of exceptions: the dotted function first, then the argument and the mistake."""

import sys

import numpy as np
import pytest

import acl
from test_table import PRESENT, ROWS, lookup, sample

HUGE = 10**400
WITH_PARAMETERS = [fact for fact in PRESENT if fact.parameters]
every = pytest.mark.parametrize("fact", PRESENT, ids=lambda fact: fact.name)
every_with_parameters = pytest.mark.parametrize("fact", WITH_PARAMETERS,
                                                ids=lambda fact: fact.name)


@pytest.fixture(autouse=True)
def forget_what_calls_left():
    yield
    acl.sim.reset_all()


def samples(fact):
    return [np.zeros(1) if item.kind == "ndarray" else sample(item.kind)
            for item in fact.parameters]


def message(expected, function, *arguments, **keywords):
    """The text of the exception that the call raises."""
    with pytest.raises(expected) as error:
        function(*arguments, **keywords)
    assert type(error.value) in (TypeError, ValueError, OverflowError)
    return str(error.value)


EXPECTED = {"int": "int", "float": "float", "str": "str", "list": "list", "dict": "dict",
            "tuple": "tuple", "bytes": "bytes", "callable": "callable",
            "callable?": "callable or None", "str?": "str", "ndarray": "numpy.ndarray"}


@every_with_parameters
def test_a_wrong_type_is_named_with_function_and_argument(fact):
    for index, item in enumerate(fact.parameters):
        if item.kind == "any":
            continue
        arguments = samples(fact)
        arguments[index] = object()
        assert message(TypeError, lookup(fact.name), *arguments) == (
            "%s: argument %d (%s) must be %s, not object"
            % (fact.name, index + 1, item.name, EXPECTED[item.kind]))


@every_with_parameters
def test_a_wrong_number_of_arguments_is_named_with_all_of_them(fact):
    arguments = samples(fact)
    optional = sum(item.kind.endswith("?") for item in fact.parameters)
    parameters = ", ".join(item.name for item in fact.parameters)
    for count in list(range(len(arguments) - optional)) + [len(arguments) + 1, len(arguments) + 9]:
        text = message(TypeError, lookup(fact.name), *(arguments + [0] * 9)[:count])
        assert text.startswith(fact.name + ": expected ")
        assert "(%s)" % parameters in text and text.endswith(", got %d" % count)


@every
def test_keywords_are_refused_by_name_whatever_they_are(fact):
    parameters = ROWS[fact.name]["parameters"]
    names = [item.name for item in fact.parameters] + ["unexpected"]
    for name in names:
        for arguments in ([], samples(fact)[:-1], samples(fact)):
            text = message(TypeError, lookup(fact.name), *arguments, **{name: 0})
            assert text == ("%s: arguments have no keywords, got '%s'; expected (%s)"
                            % (fact.name, name, parameters))


@every
def test_no_keywords_at_all_are_fine(fact):
    if any(item.kind == "ndarray" for item in fact.parameters + fact.returns):
        return
    lookup(fact.name)(*samples(fact), **{})


@every_with_parameters
def test_a_number_that_does_not_fit_is_named_or_wraps_around(fact):
    for index, item in enumerate(fact.parameters):
        if item.kind not in ("int", "float"):
            continue
        arguments = samples(fact)
        arguments[index] = -HUGE
        where = "%s: argument %d (%s) does not fit into " % (fact.name, index + 1, item.name)
        try:
            lookup(fact.name)(*arguments)
        except (OverflowError, ValueError) as error:
            assert type(error) is OverflowError and str(error).startswith(where)
        else:
            assert item.kind == "int"


@every_with_parameters
def test_a_text_that_c_cannot_take_is_named(fact):
    for index, item in enumerate(fact.parameters):
        if item.kind.rstrip("?") != "str":
            continue
        for wrong, complaint in [("a\0b", "holds a zero byte"), (b"x\0", "holds a zero byte"),
                                 ("\ud800", "is no text that UTF-8 can hold")]:
            arguments = samples(fact)
            arguments[index] = wrong
            assert message(ValueError, lookup(fact.name), *arguments) == (
                "%s: argument %d (%s) %s" % (fact.name, index + 1, item.name, complaint))


@every_with_parameters
def test_an_item_of_a_list_is_named_with_its_place(fact):
    for index, item in enumerate(fact.parameters):
        if item.kind != "list":
            continue
        of_dicts = "Dict" in ROWS[fact.name]["parameter_types"][index]
        arguments = samples(fact)
        arguments[index] = [{} if of_dicts else 0, "wrong"]
        assert message(TypeError, lookup(fact.name), *arguments) == (
            "%s: argument %d (%s)[1] must be %s, not str"
            % (fact.name, index + 1, item.name, "dict" if of_dicts else "int"))


@pytest.mark.parametrize("call, expected", [
    (lambda: acl.rt.malloc_physical(1, {"location": 5}, 0),
     "acl.rt.malloc_physical: argument 2 (prop)['location'] must be dict, not int"),
    (lambda: acl.rt.malloc_physical(1, {"location": {"id": "0"}}, 0),
     "acl.rt.malloc_physical: argument 2 (prop)['location']['id'] must be int, not str"),
    (lambda: acl.rt.mem_get_allocation_granularity({"memAttr": 1.0}, 0),
     "acl.rt.mem_get_allocation_granularity: argument 1 (prop)['memAttr'] must be int, not float"),
    (lambda: acl.rt.malloc_with_cfg(1, 0, {"attrs": 3}),
     "acl.rt.malloc_with_cfg: argument 3 (cfg)['attrs'] must be list, not int"),
    (lambda: acl.rt.malloc_with_cfg(1, 0, {"attrs": [{}, {"attr": None}]}),
     "acl.rt.malloc_with_cfg: argument 3 (cfg)['attrs'][1]['attr'] must be int, not None"),
    (lambda: acl.rt.malloc_host_with_cfg(1, {"attrs": [{"value": {"moduleId": "x"}}]}),
     "acl.rt.malloc_host_with_cfg: argument 2 (cfg)['attrs'][0]['value']['moduleId'] must be int, "
     "not str"),
    (lambda: acl.rt.malloc_with_cfg(1, 0, {"attrs": [], "numAttrs": []}),
     "acl.rt.malloc_with_cfg: argument 3 (cfg)['numAttrs'] must be int, not list"),
    (lambda: acl.rt.binary_load_from_data(0, 0, [{"value": {1: 2, (3,): b""}}]),
     "acl.rt.binary_load_from_data: argument 3 (options)[0]['value'][(3,)] must be int, not bytes"),
    (lambda: acl.rt.set_stream_attribute(0, 4, {"streamPriority": "high"}),
     "acl.rt.set_stream_attribute: argument 3 (value)['streamPriority'] must be int, not str"),
    (lambda: acl.rt.set_stream_attribute(0, 4, {"other": "high"}),
     "acl.rt.set_stream_attribute: argument 3 (value)['other'] must be int, not str"),
    (lambda: acl.util.ptr_to_numpy(0, ("2",), 2),
     "acl.util.ptr_to_numpy: argument 2 (shape)[0] must be int, not str"),
    (lambda: acl.util.ptr_to_numpy(0, [2, 1.5], 2),
     "acl.util.ptr_to_numpy: argument 2 (shape)[1] must be int, not float"),
    (lambda: acl.float_to_float16("1"),
     "acl.float_to_float16: argument 1 (value) must be float, not str"),
])
def test_what_lies_inside_an_argument_is_named_with_the_way_there(device, call, expected):
    assert message(TypeError, call) == expected


@pytest.mark.parametrize("shape, complaint", [
    ((-1,), "is no shape"), ((2**62, 2**62), "is no shape"), ((2**63,), "is no shape"),
    (HUGE, "is no shape"), ((1,) * 100, "is a shape that numpy refuses"),
])
def test_a_shape_that_no_array_has_is_named(shape, complaint):
    source = np.zeros(4, dtype=np.uint8)
    assert message(ValueError, acl.util.ptr_to_numpy, source.ctypes.data, shape, 2) == (
        "acl.util.ptr_to_numpy: argument 2 (shape) " + complaint)


def test_a_float_that_is_too_large_is_named_and_one_that_rounds_is_not():
    assert message(OverflowError, acl.float_to_float16, HUGE) == (
        "acl.float_to_float16: argument 1 (value) does not fit into a float")
    assert acl.float_to_float16(1e300) == acl.float_to_float16(float("inf")) == 0x7bff


class Broken:
    """An array whose interface cannot be read."""

    def __init__(self, interface):
        self.interface = interface

    @property
    def __array_interface__(self):
        if isinstance(self.interface, Exception):
            raise self.interface
        return self.interface


@pytest.mark.parametrize("function", [acl.util.numpy_to_ptr, acl.util.numpy_contiguous_to_ptr],
                         ids=lambda function: function.__name__)
def test_what_an_array_raises_itself_is_not_swallowed(function):
    for raised in (RuntimeError("mine"), KeyError("mine")):
        with pytest.raises(type(raised), match="mine"):
            function(Broken(raised))
    assert message(TypeError, function, Broken(AttributeError("none"))) == (
        "acl.util.%s: argument 1 (ndarray) must be numpy.ndarray, not Broken" % function.__name__)


@pytest.mark.parametrize("interface", [{}, {"data": None}, {"data": ()}, {"data": ("7", False)}])
def test_an_array_interface_without_an_address_is_named(interface):
    assert message(ValueError, acl.util.numpy_to_ptr, Broken(interface)) == (
        "acl.util.numpy_to_ptr: argument 1 (ndarray) has an array interface that names no address")


def test_what_a_kernel_may_not_return_is_named(stream, monkeypatch):
    caught = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: caught.append(str(args.exc_value)))
    for wrong in ("text", 2**31, -2**70):
        acl.sim.launch_kernel(lambda context, args: args, wrong, 1, stream)
        assert acl.rt.synchronize_stream(stream) == 507035
        assert caught.pop() == ("acl.sim.launch_kernel: the kernel returned %r; expected None or "
                                "an int of 32 bits" % (wrong,))


def test_addresses_that_nobody_can_read_are_named():
    for function in (lambda: acl.util.ptr_to_bytes(16, 8),
                     lambda: acl.util.ptr_to_numpy(16, (8,), 2)):
        assert "argument 1 (ptr) is 0x10, where the host cannot read 8 bytes" in message(
            ValueError, function)
