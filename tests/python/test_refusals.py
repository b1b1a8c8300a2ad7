# SPDX-License-Identifier: Apache-2.0
"""acl.mdl, acl.op and acl.media: functions that are not emulated fail with results of the expected shape."""

import importlib

import pytest

import acl
from work import fetch, store

UNSUPPORTED = 207000
REFUSED = [row for row in acl.sim.functions() if not row["emulated"] and row["present"]]


def lookup(name):
    module, short = name.rsplit(".", 1)
    return getattr(importlib.import_module(module), short)


def shape(row):
    return [] if row["results"] == "None" else row["results"].split(", ")


def test_all_three_parts_refuse_something():
    assert {row["name"].split(".")[1] for row in REFUSED} == {"mdl", "op", "media"}
    assert len(REFUSED) > 150


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row["name"])
@pytest.mark.parametrize("arguments", [(), (1, "two", [3], None, {}, 6.0, b"7")], ids=["none", "any"])
def test_a_refusing_function_keeps_its_shape_and_leaves_a_text(row, arguments):
    acl.get_recent_err_msg()
    result = lookup(row["name"])(*arguments)
    names = shape(row)
    values = list(result) if isinstance(result, tuple) else [] if result is None else [result]
    assert isinstance(result, tuple) == (len(names) > 1)
    assert len(values) == len(names)
    for name, value in zip(names, values):
        if name == "ret":
            assert value == UNSUPPORTED
        elif isinstance(value, dict):
            assert not any(value.values())
        else:
            assert value in (0, "", -1)
    text = acl.get_recent_err_msg()
    assert row["name"] in text and "not emulated" in text


def test_the_shapes_are_those_that_programs_unpack():
    assert acl.mdl.load_from_file("model.om") == (0, UNSUPPORTED)
    assert acl.mdl.create_desc() == 0
    assert acl.mdl.get_desc(0, 0) == UNSUPPORTED
    assert acl.mdl.get_num_inputs(0) == 0
    assert acl.mdl.add_dataset_buffer(0, 0) == (0, UNSUPPORTED)
    assert acl.mdl.get_output_dims(0, 0) == ({"name": "", "dimCount": 0, "dims": []}, UNSUPPORTED)
    assert acl.mdl.get_input_name_by_index(0, 0) == ""
    assert acl.mdl.get_dynamic_batch(0)[0]["batch"] == []
    assert acl.mdl.execute(0, 0, 0) == UNSUPPORTED
    assert acl.op.set_model_dir(".") == UNSUPPORTED
    assert acl.op.destroy_attr(0) is None
    assert acl.op.create_handle("Add", [], [], 0) == (0, UNSUPPORTED)
    assert acl.media.dvpp_create_channel(0) == UNSUPPORTED
    assert acl.media.dvpp_create_pic_desc() == 0
    assert acl.media.dvpp_jpeg_get_image_info(0, 0) == (0, 0, 0, UNSUPPORTED)


def test_memory_for_media_is_device_memory(device):
    before = acl.sim.get_device_memory(0)[0]
    pointer, ret = acl.media.dvpp_malloc(64)
    assert ret == 0 and pointer != 0
    store(pointer, b"x" * 64)
    assert fetch(pointer, 64) == b"x" * 64
    assert acl.media.dvpp_free(pointer) == 0
    assert acl.sim.get_device_memory(0)[0] == before
    assert acl.media.dvpp_free(pointer) == 107000
    assert acl.media.dvpp_free(0) == 100000
    assert acl.media.dvpp_malloc(0) == (0, 100000)
