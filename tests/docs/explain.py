#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the pairs of programs of docs/explain.md, and compares the two pages of explanations with the sources.

usage: explain.py ACLSIM LIBRARY_FOLDER

The wrong program of each pair must be reported with the rule of its section, the right program must not.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "explain.md").read_text()
CODES = (ROOT / "docs" / "error-codes.md").read_text()

# The definitions that the page describes for its programs.
FRAME = r"""
#include <acl/acl.h>
#include <acl/acl_sim.h>
#include <acl/acl_sim_check.h>
#include <pthread.h>
#include <cstdlib>
#include <cstring>
static const size_t n = 4096;
static aclrtStream a, b, other;
static aclrtEvent event;
static void *x, *y, *host, *far_memory;
static void* memory_of_device(int device) {
  aclrtSetDevice(device);
  aclrtMalloc(&far_memory, n, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtSetDevice(0);
  return far_memory;
}
static void enable_peer_access(int device, int peer) {
  aclrtSetDevice(device);
  aclrtDeviceEnablePeerAccess(peer, 0);
  aclrtSetDevice(0);
}
static int32_t nothing(const aclsimKernelContext*, const void*) { return 0; }
static void launch(const char* name, void* memory) {
  aclsimLaunch row = {};
  row.size = sizeof row;
  row.name = name;
  row.kernel = nothing;
  row.numBlocks = 1;
  row.args = &memory;
  row.argsSize = sizeof memory;
  aclsimLaunchKernel(&row, a);
}
static void use(const void*) {}
static void finalize() {
  aclrtDestroyStream(a);
  aclrtDestroyStream(b);
  aclrtDestroyStream(other);
  aclrtFree(x);
  aclrtFree(y);
  aclrtFreeHost(host);
  aclrtDestroyEvent(event);
  if (far_memory) aclrtFree(far_memory);
  aclFinalize();
  std::exit(0);
}
%s
int main(int argc, char** argv) {
  (void)use, (void)launch, (void)enable_peer_access, (void)memory_of_device;
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtCreateStream(&a);
  aclrtCreateStream(&b);
  aclrtCreateStream(&other);
  aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC);
  aclrtMalloc(&x, n, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&y, n, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMallocHost(&host, n);
  aclrtMemset(x, n, 1, n);
  aclrtMemset(y, n, 1, n);
  std::memset(host, 1, n);
  if (argc < 2) return 1;
%s
  finalize();
}
"""

SECTION = re.compile(r"^## (ACL\d+): ([^\n]*)\n(.*?)(?=^## |\Z)", re.S | re.M)
PROGRAM = re.compile(r"^```cpp (wrong|right)([^\n]*)\n(.*?)^```", re.S | re.M)


def programs():
    """[(rule, kind, options, code)]"""
    found = []
    for rule, _, text in SECTION.findall(PAGE):
        for kind, options, code in PROGRAM.findall(text):
            found.append((rule, kind, options.split(), code))
    return found


def wrong_in_pairs(aclsim, libraries):
    all_of_them = programs()
    functions = "".join(f"static void {rule}_{kind}() {{\n{code}}}\n" for rule, kind, _, code in all_of_them)
    calls = "".join(f'  if (!std::strcmp(argv[1], "{rule}_{kind}")) {rule}_{kind}();\n'
                    for rule, kind, _, _ in all_of_them)
    mistakes = []
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "pairs.cpp").write_text(FRAME % (functions, calls))
        subprocess.run(["g++", "-std=c++17", "-g", f"-I{ROOT}/include", "pairs.cpp", f"-L{libraries}",
                        "-lascendcl", "-lpthread", "-o", "pairs"], cwd=folder, check=True)
        for rule, kind, options, _ in all_of_them:
            done = subprocess.run([aclsim, "run", "--check", "--watchdog", "5,abort", *options, "--", "./pairs",
                                   f"{rule}_{kind}"], cwd=folder, capture_output=True, text=True, timeout=60)
            if (f"[{rule}]" in done.stderr) != (kind == "wrong") or (kind == "right" and done.returncode != 0):
                mistakes.append(f"{rule}, {kind}: exit code {done.returncode}\n{done.stderr}")
    return mistakes


def missing_explanations(aclsim):
    mistakes = []
    for rule, title, _ in SECTION.findall(PAGE):
        said = subprocess.run([aclsim, "explain", rule], capture_output=True, text=True)
        if said.returncode != 0 or not said.stdout.startswith(f"{rule}: {title} (") or "suppress" not in said.stdout:
            mistakes.append(f"aclsim explain {rule}: {said.stdout}{said.stderr}")
    codes = set()
    for header in (ROOT / "include/acl").rglob("*.h"):
        codes |= set(re.findall(r"\b(ACL_ERROR_[A-Z0-9_]+)\s*=?\s*\(?(\d{6})\b", header.read_text()))
    for name, code in sorted(codes):
        if f"| {code} | `{name}` |" not in CODES:
            mistakes.append(f"docs/error-codes.md: no row of {code}, {name}")
    said = subprocess.run([aclsim, "explain", "107003"], capture_output=True, text=True).stdout
    if not said.startswith("107003: ACL_ERROR_RT_STREAM_CONTEXT\n"):
        mistakes.append(f"aclsim explain 107003: {said}")
    said = subprocess.run([aclsim, "explain", "ACL999"], capture_output=True, text=True)
    if said.returncode != 2 or said.stderr.count("\n") != 1:
        mistakes.append(f"aclsim explain ACL999: {said.returncode} {said.stderr}")
    return mistakes


def main():
    aclsim, libraries = sys.argv[1:]
    mistakes = missing_explanations(aclsim) + wrong_in_pairs(aclsim, libraries)
    sys.exit("\n".join(mistakes) if mistakes else 0)


main()
