# SPDX-License-Identifier: Apache-2.0
"""The table of the module against the facts: present functions, parameters, results."""

import importlib

import pytest

import acl
from facts import FACTS

ROWS = {row["name"]: row for row in acl.sim.functions()}
PRESENT = [fact for fact in FACTS if fact.name in ROWS and ROWS[fact.name]["present"]]


def lookup(name):
    module, short = name.rsplit(".", 1)
    return getattr(importlib.import_module(module), short, None)


def sample(kind):
    """A value of the right type with which calls have little effect."""
    return {
        "int": 0, "float": 1.0, "str": "", "str?": "", "list": [], "dict": {}, "tuple": (0,),
        "bytes": b"bytes", "any": None, "callable": print, "callable?": None,
    }[kind]


def call_with_samples(fact):
    return lookup(fact.name)(*[sample(item.kind) for item in fact.parameters])


def of_kind(value, kind):
    if kind == "ndarray":
        return type(value).__name__ == "ndarray"
    kinds = {"int": int, "float": float, "str": str, "dict": dict, "list": list, "bytes": bytes}
    return type(value) is kinds[kind]


def needs_numpy(fact):
    return any(item.kind == "ndarray" for item in fact.parameters + fact.returns)


CALLABLE = [fact for fact in PRESENT if not needs_numpy(fact)]


@pytest.fixture(params=["with a device", "without"])
def machine(request):
    """A machine that is reset after the test, so calls may leave objects."""
    if request.param == "with a device":
        assert acl.init() == 0 and acl.rt.set_device(0) == 0
    yield
    acl.sim.reset_all()


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
def test_a_function_is_there_exactly_when_its_c_function_is_emulated(fact):
    row = ROWS.get(fact.name)
    if row is None:
        assert fact.tier == "T2" and fact.name in NOT_IN_THE_TABLE
        assert lookup(fact.name) is None
    else:
        assert (lookup(fact.name) is not None) == row["present"]
        assert row["c_function"] == fact.c_function


# Functions without an established shape, which are refused.
NOT_IN_THE_TABLE = {fact.name for fact in FACTS if fact.parameters is None}


def test_everything_that_programs_are_expected_to_use_is_there():
    missing = [fact.name for fact in FACTS
               if fact.tier in ("T0", "T1") and lookup(fact.name) is None]
    assert missing == []


@pytest.mark.parametrize("fact", PRESENT, ids=lambda fact: fact.name)
def test_the_parameters_are_those_of_the_facts(fact):
    row = ROWS[fact.name]
    assert row["parameters"].split(", ") == [item.name for item in fact.parameters] or (
        row["parameters"] == "" and not fact.parameters)
    assert len(row["parameter_types"]) == len(fact.parameters)


@pytest.mark.parametrize("fact", CALLABLE, ids=lambda fact: fact.name)
def test_a_call_returns_the_shape_of_the_facts_and_zeros_when_it_fails(fact, machine):
    result = call_with_samples(fact)
    values = result if isinstance(result, tuple) else (result,)
    if not fact.returns:
        assert result is None
        return
    assert isinstance(result, tuple) == (len(fact.returns) > 1)
    assert len(values) == len(fact.returns)
    assert all(of_kind(value, item.kind) for value, item in zip(values, fact.returns)), values
    if fact.returns[-1].name == "ret" and values[-1] != 0:
        assert all(empty(value) for value in values[:-1]), values


def empty(value):
    if isinstance(value, dict):
        return all(empty(item) for item in value.values())
    if isinstance(value, list):
        return all(empty(item) for item in value)
    return value in (0, "", bytes(16))


@pytest.mark.parametrize("fact", [fact for fact in PRESENT if not fact.parameters],
                         ids=lambda fact: fact.name)
def test_a_function_without_parameters_takes_any(fact, machine):
    result = lookup(fact.name)(0, "and", None)
    assert isinstance(result, tuple) == (len(fact.returns) > 1)
