# SPDX-License-Identifier: Apache-2.0
"""Removes each wait in turn from recorded samples, and runs `aclsim check` on the result.

remove_waits.py ACLSIM BUILT_SAMPLES: the check must find a race exactly if two accesses to the same bytes, one
of them a write (or a free), are not ordered. An oracle that does not use vector clocks gives the expected answer.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

TOOL, BUILT = sys.argv[1], pathlib.Path(sys.argv[2])
RACES = {"ACL006", "ACL007", "ACL008", "ACL019", "ACL020"}
WAITS = {"wait", "hsync", "nwait"}


class Oracle:
    """Keeps the set of ops that happen before each op, as bits of one number."""

    def __init__(self, lines):
        self.before, self.last, self.host, self.records, self.notifies, self.taken = {}, {}, {}, {}, {}, {}
        self.devices, self.sizes, self.touches = {}, {}, []
        for line in lines:
            if "def" in line:
                self.define(line)
            elif "op" in line:
                self.op(line)

    def define(self, line):
        if line["def"] == "stream":
            self.devices[line["id"]] = line["dev"]
        if line["def"] == "buf":
            self.sizes[line["id"]] = line["size"]

    def behind(self, number):
        return self.before[number] | 1 << number if number else 0

    def op(self, op):
        number, stream, thread = op["i"], op.get("st"), op.get("h")
        behind = self.host.get(thread, 0) | self.behind(self.last.get(stream) if stream is not None else 0)
        if op["op"] == "wait":
            behind |= self.behind(self.records.get((op["ev"], op.get("gen"))))
        if op["op"] == "nwait":
            kth = self.taken[op["nid"]] = self.taken.get(op["nid"], 0) + 1
            behind |= self.behind(self.notifies.get((op["nid"], kth)))
        if op["op"] == "hsync":
            behind |= self.synchronised(op)
        for other in op.get("dep", []):
            behind |= self.behind(other if isinstance(other, int) else other[0])
        self.before[number] = behind
        if stream is not None:
            self.last[stream] = number
        else:
            self.host[thread] = self.behind(number)
        if op["op"] == "record":
            self.records[op["ev"], op["gen"]] = number
        if op["op"] == "notify":
            kth = 1 + sum(1 for nid, _ in self.notifies if nid == op["nid"])
            self.notifies[op["nid"], kth] = number
        self.touch(op)

    def synchronised(self, op):
        if op["what"] == "event":
            return self.behind(self.records.get((op["id"], op.get("gen"))))
        if op["what"] == "stream":
            return self.behind(op.get("upto", self.last.get(op["id"])))
        streams = [stream for stream, device in self.devices.items() if device == op["id"]]
        known = 0
        for stream in streams:
            known |= self.behind(self.last.get(stream))
        return known

    def touch(self, op):
        for key in ("rd", "wr"):
            for buffer, offset, size in op.get(key, []):
                self.touches.append((op["i"], buffer, offset, offset + size, key == "wr"))
        if op["op"] in ("alloc", "free"):
            self.touches.append((op["i"], op["buf"], 0, self.sizes[op["buf"]], True))

    def races(self):
        for at, (a, buffer, begin, end, write) in enumerate(self.touches):
            for b, other, other_begin, other_end, other_write in self.touches[:at]:
                if buffer == other and (write or other_write) and begin < other_end and other_begin < end:
                    if a != b and not self.before[a] >> b & 1:
                        return True
        return False


def found(lines, folder):
    file, report = folder / "t.aclt.jsonl", folder / "t.json"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = subprocess.run([TOOL, "check", file, "--report", report, "--quiet"], capture_output=True,
                          text=True, timeout=60)
    if done.returncode not in (0, 1):
        sys.exit(f"aclsim check: {done.returncode}\n{done.stderr}")
    return {finding["rule"] for finding in json.loads(report.read_text())["findings"]}


def look_at(name, folder):
    program = next(BUILT.glob(f"*/{name}"))
    recorded = folder / f"{name}.aclt.jsonl"
    subprocess.run([TOOL, "run", "--record", recorded, "--", program], check=True, capture_output=True)
    lines = [json.loads(line) for line in recorded.read_text().splitlines()]
    if Oracle(lines).races() or found(lines, folder) & RACES:
        sys.exit(f"{name}: a race as it was recorded")
    removed = racy = 0
    waits = [at for at, line in enumerate(lines) if line.get("op") in WAITS]
    for at in waits[:20] + waits[20::9]:  # the rest are the same loop's
        left = lines[:at] + lines[at + 1:]
        expected, rules = Oracle(left).races(), found(left, folder)
        if expected != bool(rules & RACES):
            sys.exit(f"{name} without {lines[at]}: {rules}, but the oracle says {expected}")
        removed += 1
        racy += expected
    print(f"{name}: {removed} waits removed, {racy} of them for a race")
    return racy


with tempfile.TemporaryDirectory() as work:
    total = sum(look_at(name, pathlib.Path(work)) for name in sys.argv[3:])
if total < 20:
    sys.exit(f"only {total} waits mattered: too few to say anything")
