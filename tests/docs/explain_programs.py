#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The programs of docs/explain.md, in one source: `pairs ACL007_wrong` runs the wrong program of a section."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "explain.md").read_text()

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


def source():
    """Each program is a function; main calls the function that its argument names."""
    all_of_them = programs()
    functions = "".join(f"static void {rule}_{kind}() {{\n{code}}}\n" for rule, kind, _, code in all_of_them)
    calls = "".join(f'  if (!std::strcmp(argv[1], "{rule}_{kind}")) {rule}_{kind}();\n'
                    for rule, kind, _, _ in all_of_them)
    return FRAME % (functions, calls)
