# SPDX-License-Identifier: Apache-2.0
"""Calls every function with stale handles, live ones and arbitrary numbers; the process must survive.

usage: fuzz.py SEED CALLS DEVICE        DEVICE: 1 to have a device most of the time, 0 never to set one
"""

import faulthandler
import importlib
import random
import sys
import threading

import acl
from facts import FACTS
from work import let_time_pass

MOST_BYTES = 2**28  # calls read existing memory, even if it is large
NEEDS_DEVICE = {"acl.rt.set_device", "acl.rt.create_context"}
GARBAGE = [0, 1, -1, 2, 3, 7, 8, 16, 63, 64, 65, 100, 512, 4096, 12345, 2**20, 2**31 - 1, 2**31,
           2**32 - 1, 2**32, 2**33 + 8, 2**47 + 4096, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**200,
           -2**31, -2**63, -2**200]
TEXTS = ["", "x", "python", "name_7", "/", "/dev/null", "a" * 65, "k" * 5000, "\u20ac", "%s%n"]


class Fuzzer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.known = []  # numbers that calls returned: handles, addresses, sizes

    def number(self):
        kind = self.random.random()
        if self.known and kind < 0.55:
            value = self.random.choice(self.known)
            return value if kind < 0.5 else value + self.random.choice([-1, 1, 8, 4096])
        if kind < 0.75:
            return self.random.randrange(0, 10)
        if kind < 0.95:
            return self.random.choice(GARBAGE)
        return self.random.getrandbits(self.random.choice([8, 32, 64, 70]))

    def small_list(self, make):
        return [make() for _ in range(self.random.choice([0, 0, 1, 2, 5]))]

    def dict(self):
        keys = ["handleType", "allocationType", "memAttr", "reserve", "id", "type", "value", "attr",
                "numAttrs", "addrOffset", "dataOffset", "failureMode"]
        made = {key: self.number() for key in keys if self.random.random() < 0.6}
        made["location"] = {"id": self.number(), "type": self.number()}
        if self.random.random() < 0.3:
            made["attrs"] = self.small_list(lambda: {"attr": self.number(), "value": self.number()})
        return made

    def value(self, item):
        kind = item.kind.rstrip("?")
        if item.kind.endswith("?") and self.random.random() < 0.3:
            return None
        if "timeout" in item.name or item.name == "timeout_ms":
            return self.random.choice([1, 2, 5, -2, 0, -2**31])
        if kind == "list":
            return self.small_list(self.random.choice([self.number, self.dict]))
        return {"int": self.number, "float": lambda: self.random.uniform(-1e39, 1e39),
                "str": lambda: self.random.choice(TEXTS), "dict": self.dict,
                "tuple": lambda: tuple(self.small_list(self.number)), "bytes": lambda: b"bytes",
                "any": lambda: [1], "callable": lambda: lambda *arguments: 0,
                "ndarray": lambda: None}[kind]()

    def keep(self, result):
        for value in result if isinstance(result, tuple) else (result,):
            if type(value) is int and value > 9:
                self.known.append(value)
        while len(self.known) > 60:
            self.known.pop(self.random.randrange(len(self.known)))


def functions(device):
    for fact in FACTS:
        module, short = fact.name.rsplit(".", 1)
        function = getattr(importlib.import_module(module), short, None)
        if function and fact.parameters is not None:
            if device or fact.name not in NEEDS_DEVICE:
                yield fact, function


def free_stuck_streams():
    """Aborts tasks that wait in a stream for a call that never comes."""
    while True:
        let_time_pass(0.2)
        for device in range(8):
            acl.rt.device_task_abort(device, 0)


def main(seed, calls, device):
    faulthandler.enable()
    fuzzer = Fuzzer(seed)
    choices = list(functions(device))
    threading.Thread(target=free_stuck_streams, daemon=True).start()
    for turn in range(calls):
        if device and fuzzer.random.random() < 0.2:
            acl.rt.set_device(fuzzer.random.randrange(2))
        fact, function = fuzzer.random.choice(choices)
        arguments = [fuzzer.value(item) for item in fact.parameters]
        if fact.name == "acl.util.ptr_to_bytes":
            arguments[1] %= MOST_BYTES
        print(fact.name, arguments, file=sys.stderr, flush=True)
        try:
            result = function(*arguments)
            if fact.name != "acl.util.bytes_to_ptr":  # its memory belongs to Python; calls would overwrite it
                fuzzer.keep(result)
        except (OverflowError, ValueError, TypeError) as error:
            if not str(error).startswith(fact.name + ": "):
                raise
        except MemoryError:
            pass
    print("alive", flush=True)
    acl.sim.reset_all()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
