// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/process/turn_taking.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "runtime/acl/core/thread_state.h"

namespace acl {
namespace {

// Calls that neither see nor change what streams do are no points of choice: a thread that serves
// callbacks makes them at moments of its own.
constexpr std::string_view kNoChoice[] = {
    "aclrtProcessReport",     "aclrtProcessHostFunc",   "aclrtSetDevice", "aclrtGetDevice",
    "aclrtSetCurrentContext", "aclrtGetCurrentContext", "aclsimGetStats", "aclrtPeekAtLastError",
    "aclrtGetLastError",      "aclsimGetMachine",
};

}  // namespace

bool TurnTaking::before_call(const char* function) {
  if (thread_state().outside != 0) return false;
  const auto same = [&](std::string_view name) { return name == function; };
  if (std::any_of(std::begin(kNoChoice), std::end(kNoChoice), same)) return false;
  driver_.yield_point();
  return true;
}

}  // namespace acl
