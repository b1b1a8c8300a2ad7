# SPDX-License-Identifier: Apache-2.0
"""The bandwidth test sample: its options, its tables, and the ways in which its ranks are started.

bandwidth.py ACLSIM BUILT_SAMPLE [MPIRUN...]: without MPIRUN that part is left out.
"""

import os
import re
import subprocess
import sys

TOOL, BUILT, MPIRUN = sys.argv[1], sys.argv[2], sys.argv[3:]
PROGRAMS = ["all_gather", "all_reduce", "alltoall", "alltoallv", "broadcast", "reduce", "reduce_scatter",
            "scatter"]
ROOTED = {"broadcast", "reduce", "scatter"}
REDUCED_TYPES = ["int8", "int16", "int32", "int64", "uint64", "fp16", "bfp16", "fp32", "fp64"]
OTHER_TYPES = ["uint8", "uint16", "uint32"]
ROW = re.compile(r"^(?:\[\d+\])? *(\d+) \| +([\d.]+) \| +([\d.]+) \| (\S+)$", re.M)


def program(name):
    return os.path.join(BUILT, name + "_test")


def run(command, environment=None):
    return subprocess.run(command, capture_output=True, text=True, timeout=300,
                          env={**os.environ, **(environment or {})})


def rows_of(done, ranks, what):
    """Returns sizes and verdicts. Checks the parts that every table has."""
    rows = ROW.findall(done.stdout)
    if done.returncode != 0 or f", {ranks} ranks\n" not in done.stdout or not rows:
        sys.exit(f"{what}: {done.returncode}\n{done.stdout}{done.stderr}")
    for size, time, bandwidth, _ in rows:
        expected = int(size) / float(time) / 1000 if float(time) > 0 else 0
        if abs(float(bandwidth) - expected) > 0.01 * expected + 1e-5:
            sys.exit(f"{what}: {size} bytes in {time} us are {expected} GB/s, not {bandwidth}")
    return [(int(size), verdict) for size, _, _, verdict in rows]


def expect_rows(command, ranks, expected):
    rows = rows_of(run(command), ranks, " ".join(command))
    if rows != expected:
        sys.exit(f"{' '.join(command)}: {rows}; expected {expected}")


def good_options():
    right = [(size, "success") for size in (48, 192, 768)]
    for name in PROGRAMS:
        root = ["-r", "2"] if name in ROOTED else []
        expect_rows([program(name), *"-b 48 -e 1K -f 4 -n 2 -w 0 -p 3 -d int16 -o max".split(), *root], 3, right)
    one = "-b 192 -e 192 -n 1 -w 1 -p 2".split()
    for data in REDUCED_TYPES:
        for op in ("sum", "prod", "max", "min"):
            if op != "prod" or data not in ("int16", "bfp16"):
                expect_rows([program("all_reduce"), *one, "-d", data, "-o", op], 2, [(192, "success")])
    for data in REDUCED_TYPES + OTHER_TYPES:
        expect_rows([program("alltoallv"), *one, "-d", data], 2, [(192, "success")])
    # By steps, without a check; the last size is the last that is no more than -e.
    expect_rows([program("broadcast"), *"-b 1K -e 3500 -i 1K -c 0 -n 1 -p 2".split()], 2,
                [(1024, "-"), (2048, "-"), (3072, "-")])
    # The defaults: from 8 bytes, twice as many each time, by all devices.
    expect_rows([program("broadcast"), "-e", "32", "-n", "1"], 8, [(8, "success"), (16, "success"), (32, "success")])


BAD = [("-b", value, f"-b is '{value}'; expected a number of bytes up to 16G")
       for value in ("x", "0", "-5", " 5", "+5", "8k", "8KB", "17G", "99999999999999999999")]
BAD += [("-e", "16T", "-e is '16T'; expected a number of bytes"),
        ("-b", "65", "-b is more than -e: 65 and 64 bytes"),
        ("-f", "1", "-f is '1'; expected a number from 2 to 1000000"),
        ("-f", "1.5", "-f is '1.5'; expected a number from 2"),
        ("-i", "0", "-i is '0'; expected a number of bytes"),
        ("-n", "0", "-n is '0'; expected a number from 1 to 1000000"),
        ("-n", "1000001", "-n is '1000001'; expected a number from 1 to 1000000"),
        ("-w", "-1", "-w is '-1'; expected a number from 0 to 1000000"),
        ("-d", "int3", "-d is 'int3'; expected a type"),
        ("-o", "avg", "-o is 'avg'; expected sum, prod, max or min"),
        ("-c", "2", "-c is '2'; expected a number from 0 to 1"),
        ("-p", "0", "-p is '0'; expected a number from 1 to 1000000"),
        ("-p", "9", "-p is 9; this machine has 8 devices"),
        ("-x", "1", "'-x' is no option"), ("one", "1", "'one' is no option"), ("-n2", "1", "'-n2' is no option")]


def expect_refusal(command, text, status=2, environment=None):
    done = run(command, environment)
    if done.returncode != status or text not in done.stderr:
        sys.exit(f"{' '.join(command)}: {done.returncode} {done.stderr!r}; expected {status} {text!r}")


def bad_options():
    for option, value, text in BAD:
        expect_refusal([program("all_reduce"), "-e", "64", option, value], text)
    expect_refusal([program("all_reduce"), "-b"], "-b is ''; expected a value behind it")
    expect_refusal([program("reduce"), "-p", "2", "-r", "2"], "-r is 2; expected 0 to 1")
    few = ["-e", "64", "-p", "2"]
    expect_refusal([program("all_reduce"), *few, "-d", "uint8"], "(uint8) and op is 0 (sum)", 1)
    expect_refusal([program("all_reduce"), *few, "-d", "int16", "-o", "prod"], "(int16) and op is 1 (prod)", 1)
    table = {"RANK_TABLE_FILE": "/no/such/table", "RANK_ID": "0"}
    expect_refusal([program("all_reduce")], "'/no/such/table' cannot be read", 1, table)
    for rank in ("one", "-1", "1x"):
        expect_refusal([program("all_reduce")], f"RANK_ID is '{rank}'; expected a number", 2,
                       {**table, "RANK_ID": rank})
    expect_refusal([program("all_reduce")], "DEVICE_ID is 'x'; expected a number", 2, {**table, "DEVICE_ID": "x"})
    usage = run([program("all_reduce"), "-h"])
    if usage.returncode != 0 or any(f"-{letter} " not in usage.stdout for letter in "befinwdorcp"):
        sys.exit(f"-h: {usage.returncode} {usage.stdout}")


def processes():
    options = "-b 64 -e 64K -f 32 -n 2 -w 1 -d int32".split()
    right = [(size, "success") for size in (64, 2048, 65536)]
    for name in PROGRAMS:
        expect_rows([TOOL, "run", "--ranks", "4", "--", program(name), *options], 4, right)
    if MPIRUN:
        for name in ("all_reduce", "broadcast"):  # processes of MPI spin, on machines of two processors for long
            expect_rows([*MPIRUN, "-n", "2", program(name), *options], 2, right)


def main():
    good_options()
    bad_options()
    processes()
    print("the bandwidth tests of the samples are right" + ("" if MPIRUN else "; no mpirun"))


if __name__ == "__main__":
    main()
