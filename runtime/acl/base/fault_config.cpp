// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/base/fault_config.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "acl/acl_rt.h"

namespace acl {
namespace {

/// Whether `name` is an operator. Any name is accepted if the library of operators is not loaded or
/// not visible.
bool is_operator(const std::string& name) {
  return dlsym(RTLD_DEFAULT, name.c_str()) || !dlsym(RTLD_DEFAULT, "aclCreateTensor");
}

/// Whether this library has such a function. When it cannot find itself, any name will do.
bool is_function(const std::string& name) {
  if (name.starts_with("aclnn")) return is_operator(name);
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&aclInit), &self) == 0) return true;
  void* const library = dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return true;
  const bool found = name.starts_with("acl") && dlsym(library, name.c_str());
  dlclose(library);
  return found;
}

void check(const sim::FaultRule& rule) {
  static constexpr std::array<std::string_view, 4> kOnMemory = {"copy", "fill", "kernel", "other"};
  if (rule.kind == sim::FaultKind::ecc && !rule.op.empty() &&
      std::find(kOnMemory.begin(), kOnMemory.end(), rule.op) == kOnMemory.end()) {
    throw sim::FaultSpecError(
        fmt::format(
            "fault '{}': op: 'ecc' does not strike '{}'; expected copy, fill, kernel or other",
            rule.text, rule.op),
        "op");
  }
  const bool pattern = rule.call.find('*') != std::string::npos;
  if (rule.call.empty() || pattern || is_function(rule.call)) return;
  throw sim::FaultSpecError(
      fmt::format(
          "fault '{}': call: '{}' is not a function of ACL; expected one that begins with acl "
          "and that aclsim api lists, or a name with *",
          rule.text, rule.call),
      "call");
}

}  // namespace

std::vector<sim::FaultRule> read_faults(const std::string& specs) {
  std::vector<sim::FaultRule> rules = sim::parse_faults(specs);
  for (const sim::FaultRule& rule : rules) check(rule);
  return rules;
}

sim::FaultRule read_fault(const std::string& kind, const sim::FaultWords& words) {
  sim::FaultRule rule = sim::make_fault(kind, words);
  check(rule);
  return rule;
}

}  // namespace acl
