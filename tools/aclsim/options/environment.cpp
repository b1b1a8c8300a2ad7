// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/options/environment.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>
#include <system_error>

#include "tools/aclsim/verbs/commands.h"

namespace aclsim {

namespace fs = std::filesystem;

fs::path installation_root() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
}

void use_own_libraries(const std::string& verb, bool cuda) {
  std::error_code error;
  const fs::path libraries = installation_root() / "lib64";
  if (!fs::exists(libraries / "libascendcl.so", error)) {
    complain(fmt::format("{}: {} has no libascendcl.so; LD_LIBRARY_PATH stays as it is", verb,
                         libraries.string()));
    return;
  }
  const char* const others = ::getenv("LD_LIBRARY_PATH");
  std::string list = libraries.string();
  if (cuda) list = (libraries / "cuda").string() + ":" + list;
  if (others && *others) list.append(":").append(others);
  ::setenv("LD_LIBRARY_PATH", list.c_str(), 1);
}

void unset_timeline() {
  ::unsetenv("ACLSIM_TIMELINE");
  ::unsetenv("ACLSIM_TRACE");  // its former name
}

}  // namespace aclsim
