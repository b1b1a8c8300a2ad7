// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/settings.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "acl/acl_sim.h"
#include "ascendc/impl/launch.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/ascendc/core/arch.h"
#include "runtime/ascendc/launch/block.h"

namespace ascendc {
namespace {

bool is_on(const char* name, bool usual) {
  const char* const value = std::getenv(name);
  if (!value || !*value) return usual;
  const std::string_view word = value;
  if (word == "1" || word == "on" || word == "true") return true;
  if (word == "0" || word == "off" || word == "false") return false;
  std::fprintf(stderr, "aclsim: %s is '%s'; expected on or off\n", name, value);
  return usual;
}

/// "3" or "7,0,1".
std::vector<std::uint32_t> numbers(const char* name) {
  std::vector<std::uint32_t> list;
  const char* at = std::getenv(name);
  while (at && *at) {
    char* end = nullptr;
    const unsigned long number = std::strtoul(at, &end, 10);
    if (end == at || (*end != ',' && *end != '\0')) {
      std::fprintf(stderr, "aclsim: %s is '%s'; expected numbers of blocks with commas between\n",
                   name, std::getenv(name));
      return {};
    }
    list.push_back(static_cast<std::uint32_t>(number));
    at = *end == ',' ? end + 1 : end;
  }
  return list;
}

bool checks() {
  static const bool on = is_on("ACLSIM_KERNEL_CHECKS", true);
  return on;
}

// With the library, so before the program makes its machine.
__attribute__((constructor)) void expect_kernels() {
  if (checks()) aclsimExpectKernels();
}

Settings read_settings() {
  Settings made;
  made.checks = checks();
  made.prefix = is_on("ACLSIM_KERNEL_PREFIX", false);
  made.blocks = numbers("ACLSIM_KERNEL_BLOCKS");
  aclsimMachine machine{};
  machine.size = sizeof machine;
  made.arch = &arch_of(2201);
  if (aclsimGetMachine(&machine) != 0) return made;
  made.seeded = machine.seeded != 0;
  made.seed = machine.seed;
  acl::embedding::Runtime* const runtime = acl_runtime();
  made.guards_pages = runtime && runtime->guards_pages();
  made.guarded = machine.guarded != 0 || made.guards_pages;
  made.cube_cores = machine.aiCores;
  made.vector_cores = machine.vectorCores;
  made.workers = machine.workersPerDevice;
  if (std::strstr(machine.socName, "950")) made.arch = &arch_of(3510);
  return made;
}

}  // namespace

const Settings& settings() {
  static const Settings all = read_settings();
  return all;
}

// Objects of earlier versions have a shorter description.
const Arch& arch_for(const aclsimKernelCode& code, const Settings& settings) noexcept {
  const bool known = code.size >= offsetof(aclsimKernelCode, arch) + sizeof code.arch;
  const bool claims = code.size >= offsetof(aclsimKernelCode, ub_claimed) + sizeof code.ub_claimed;
  return known && code.arch != 0 ? arch_of(code.arch, claims ? code.ub_claimed : 0)
                                 : *settings.arch;
}

}  // namespace ascendc
