// SPDX-License-Identifier: Apache-2.0
#if ACLSIM_HAVE_UCX
#include "runtime/fabric/transport/ucx_library.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "runtime/fabric/base/error.h"

namespace fabric {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw FabricError(Status::broken,
                    "ranks of other hosts are reached over UCX, and libucp cannot be used: " + why +
                        " (Debian and Ubuntu: install libucx0)");
}

Ucx open() {
  UcxVariables variables;
  // UCX's handlers would intercept the faults that the emulator catches; its hooks collide with the
  // allocators of sanitizers.
  variables.set("UCX_ERROR_SIGNALS", "");
  variables.set("UCX_MEM_MMAP_HOOK_MODE", "none");
  variables.set("UCX_VFS_ENABLE", "n");  // avoids a thread and a watch of the file system
  // UCX logs to standard output, which belongs to the program. This library reports errors itself.
  variables.set("UCX_LOG_LEVEL", "fatal");
  variables.set("UCX_WARN_UNUSED_ENV_VARS", "n");
  void* const library = dlopen("libucp.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) refuse(dlerror());
  Ucx functions;
#define FABRIC_UCX_FIND(function)                                                          \
  functions.function = reinterpret_cast<decltype(&::function)>(dlsym(library, #function)); \
  if (!functions.function) refuse("it has no " #function ", which UCX 1.13 has");
  FABRIC_UCX_FUNCTIONS(FABRIC_UCX_FIND)
#undef FABRIC_UCX_FIND
  return functions;
}

}  // namespace

void UcxVariables::set(const char* name, const char* value) {
  if (getenv(name)) return;  // the setting of the user is kept
  setenv(name, value, 1);
  set_.push_back(name);
}

UcxVariables::~UcxVariables() {
  for (const char* const name : set_) unsetenv(name);
}

const Ucx& ucx() {
  static const Ucx functions = open();
  return functions;
}

std::string text_of(ucs_status_t status) { return ucx().ucs_status_string(status); }

}  // namespace fabric
#endif
