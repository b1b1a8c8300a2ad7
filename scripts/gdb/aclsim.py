# SPDX-License-Identifier: Apache-2.0
"""Pretty-printers for gdb: streams, ops, vector clocks and handles of the emulator.

In gdb: source scripts/gdb/aclsim.py
The printers read types from debug information, so they need a build with
-DCMAKE_BUILD_TYPE=RelWithDebInfo or Debug; the presets keep line numbers only. The command
`aclsim-handle VALUE` needs none. docs/development.md shows the output.
"""

import gdb
import gdb.printing

KIND_SHIFT, MARK_SHIFT, SLOT_SHIFT = 54, 60, 32
MARK = 0x5


def atomic(value):
    """The value inside of a std::atomic of libstdc++."""
    fields = [field.name for field in value.type.strip_typedefs().fields()]
    if "_M_base" in fields:  # bool
        value = value["_M_base"]
    elif "_M_b" in fields:  # a pointer
        return value["_M_b"]["_M_p"]
    return value["_M_i"]


def unique(value):
    """The pointer of a std::unique_ptr of libstdc++: the first base of the tuple within it."""
    value = value["_M_t"]["_M_t"]
    while not str(value.type.strip_typedefs()).startswith("std::_Head_base<0"):
        bases = [field for field in value.type.strip_typedefs().fields() if field.is_base_class]
        value = value[next(base for base in bases if not base.name.startswith("std::_Tuple_impl<1"))]
    return value["_M_head_impl"]


def word(value):
    """The last part of an enumerator's name: "copy" of sim::OpKind::copy."""
    return str(value).rsplit("::", 1)[-1]


def text(pointer):
    return pointer.string() if int(pointer) else ""


def describe_op(op):
    kind = word(op["kind"])
    if kind == "copy":
        row = op["copy"]
        return "copy of %d bytes from %s (device %d) to %s (device %d)" % (
            row["size"], row["src"], row["src_device"], row["dst"], row["dst_device"])
    if kind == "fill":
        row = op["fill"]
        return "fill of %d bytes at %s (device %d) with %d" % (
            row["size"], row["dst"], row["device"], row["value"])
    if kind == "kernel":
        row = op["kernel"]
        return 'kernel "%s", %d blocks' % (text(row["name"]), row["blocks"])
    if kind == "host_call":
        return "host function %s%s" % (op["host_call"]["function"],
                                       ", blocking" if op["host_call"]["blocking"] else "")
    if kind in ("record", "wait", "reset"):
        return "%s of signal %s" % (kind, op[kind]["signal"])
    if kind in ("word_wait", "word_change"):
        return "%s of word %s" % (kind.replace("_", " "), op[kind]["word"])
    return kind


class OpPrinter:
    """One entry of a stream's queue."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "op %d: %s" % (self.value["task_id"], describe_op(self.value))


class StreamPrinter:
    """A stream: its state, its progress, and the object that it waits for."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        value = self.value
        state = word(atomic(value["state_"]))
        if state == "running" and atomic(value["awaits_call_"]):
            state = "parked"
        return "stream %d of device %d: %s, %d of %d ops retired" % (
            value["config_"]["id"], value["config_"]["device"], state,
            atomic(value["retired_"]), atomic(value["queue_"]["pushed_"]))

    def children(self):
        value = self.value
        yield "priority", atomic(value["priority_"])
        yield "abandoned", atomic(value["abandoned_"])
        yield "failure", atomic(value["failure_"])
        if int(value["parked_on_"]):
            yield "parked_on", value["parked_on_"].dereference().address
        head = value["queue_"]["at_"]
        if int(head) and int(value["queue_"]["popped_"]) < int(atomic(value["queue_"]["pushed_"])) \
                and int(head) != int(value["queue_"]["end_"]):
            yield "head", head.dereference()


class VectorClockPrinter:
    """The actors that a clock covers, each with the number of its operations."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        more = unique(self.value["more_"])
        counts = more if int(more) else self.value["own_"]
        covered = ["%d: %d" % (actor, counts[actor]) for actor in range(int(self.value["size_"]))
                   if int(counts[actor])]
        return "clock {%s}" % ", ".join(covered)


def kind_name(kind):
    """The name of a kind of handle, from debug information; its number without it."""
    try:
        for field in gdb.lookup_type("acl::HandleKind").fields():
            if field.enumval == kind:
                return word(field.name)
    except gdb.error:
        pass
    return "kind %d" % kind


def describe_handle(value):
    if value == 0:
        return "null"
    if value >> MARK_SHIFT != MARK:
        return "%#x, not a handle" % value
    return "%s handle, slot %d, generation %d" % (
        kind_name(value >> KIND_SHIFT & 0x3f), value >> SLOT_SHIFT & 0x3fffff, value & 0xffffffff)


class HandlePrinter:
    """A handle of ACL: a number in a pointer type."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return describe_handle(int(self.value) & 0xffffffffffffffff)


class HandleCommand(gdb.Command):
    """aclsim-handle VALUE: prints the kind, slot and generation of an ACL handle."""

    def __init__(self):
        super().__init__("aclsim-handle", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        print(describe_handle(int(gdb.parse_and_eval(argument)) & 0xffffffffffffffff))


HANDLES = ("aclrtStream", "aclrtEvent", "aclrtContext", "aclrtNotify", "aclrtCntNotify", "aclrtLabel",
           "aclmdlRI", "aclrtBinHandle", "aclrtFuncHandle", "aclrtArgsHandle")


class Printers(gdb.printing.PrettyPrinter):
    CLASSES = {"sim::Op": OpPrinter, "sim::Stream": StreamPrinter,
               "order::VectorClock": VectorClockPrinter}

    def __init__(self):
        super().__init__("aclsim")

    def __call__(self, value):
        if value.type.name in HANDLES:
            return HandlePrinter(value)
        printer = self.CLASSES.get(value.type.unqualified().strip_typedefs().name)
        return printer(value) if printer else None


gdb.printing.register_pretty_printer(None, Printers(), replace=True)
HandleCommand()
