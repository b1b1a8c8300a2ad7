// SPDX-License-Identifier: Apache-2.0
// The variables that set_env.sh of this installation sets, for installations whose path a shell
// does not know: a wheel in a virtual environment, a package of the system.
#include <fmt/format.h>
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "tools/aclsim/options/environment.h"
#include "tools/aclsim/output/shell_text.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/verbs/commands.h"

namespace aclsim {
namespace {

namespace fs = std::filesystem;

using Variable = std::pair<std::string, std::string>;

std::string variable(const char* name, const char* otherwise = "") {
  const char* const value = ::getenv(name);
  return value && *value ? value : otherwise;
}

/// A path list with `dir` first. It contains `dir` once and has no empty element at either end.
std::string prepended(const std::string& old, const std::string& dir) {
  std::string list = ":" + old + ":";
  const std::string element = ":" + dir + ":";
  for (auto at = list.find(element); at != std::string::npos; at = list.find(element)) {
    list.replace(at, element.size(), ":");
  }
  const auto first = list.find_first_not_of(':');
  if (first == std::string::npos) return dir;
  return dir + ":" + list.substr(first, list.find_last_not_of(':') + 1 - first);
}

/// The same variables as in cmake/install/set_env.sh, in its order.
std::vector<Variable> variables_of(const fs::path& root) {
  std::vector<Variable> all;
  for (const char* name : {"ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_INSTALL_PATH",
                           "ASCEND_OPP_PATH", "DDK_PATH"}) {
    all.emplace_back(name, root.string());
  }
  all.emplace_back("NPU_HOST_LIB", root / "runtime/lib64/stub");
  all.emplace_back("ASCENDC_CMAKE_DIR", root / "compiler/tikcpp/ascendc_kernel_cmake");
  all.emplace_back("SOC_VERSION", variable("SOC_VERSION", "Ascend910B1"));
  const auto prepend = [&](const char* name, const fs::path& dir) {
    all.emplace_back(name, prepended(variable(name), dir.string()));
  };
  prepend("PATH", root / "bin");
  prepend("LD_LIBRARY_PATH", root / "lib64");
  prepend("LIBRARY_PATH", root / "lib64");
  all.emplace_back(
      "CPATH", prepended(prepended(variable("CPATH"), root / "include/ascendc"), root / "include"));
  prepend("CMAKE_PREFIX_PATH", root);
  prepend("PKG_CONFIG_PATH", root / "lib64/pkgconfig");
  const fs::path modules = root / "python/site-packages";
  std::error_code none;
  if (fs::is_directory(modules, none)) prepend("PYTHONPATH", modules);
  return all;
}

int print_environment(bool json) {
  const fs::path root = installation_root();
  std::error_code error;
  if (root.empty() || !fs::exists(root / "include/acl/acl.h", error)) {
    complain(fmt::format("env: {} is not an installation: include/acl/acl.h is missing",
                         root.empty() ? "the folder of this program" : root.string()));
    return kFailed;
  }
  const std::vector<Variable> variables = variables_of(root);
  if (json) {
    nlohmann::ordered_json object;
    for (const auto& [name, value] : variables) object[name] = value;
    print_out("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return kOk;
  }
  for (const auto& [name, value] : variables)
    print_out("export {}={}\n", name, shell_quoted(value));
  return kOk;
}

}  // namespace

void add_env(CLI::App& app, Verb& chosen) {
  CLI::App* const verb =
      app.add_subcommand("env", "Print the environment for programs that use this installation");
  verb->footer(
      "The file set_env.sh of the installation sets the same variables: headers and libraries for\n"
      "compiler, linker, loader, CMake and pkg-config, the Python module, ASCEND_HOME_PATH.\n"
      "Example:\n  eval \"$(aclsim env)\" && g++ main.cpp -lascendcl && ./a.out");
  const auto json = std::make_shared<bool>(false);
  verb->add_flag("--json", *json, "print one JSON object instead of shell commands");
  verb->callback([=, &chosen] { chosen = [=] { return print_environment(*json); }; });
}

}  // namespace aclsim
