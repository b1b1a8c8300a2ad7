// SPDX-License-Identifier: Apache-2.0
// The arguments of kernels, and the source of the ranges that they access.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <span>

#include "device_sim/memory/memory.h"
#include "device_sim/streams/op.h"

namespace acl {

/// True for a kernel that says what it accessed when it is over.
bool is_observed(const sim::Op& op) noexcept;
/// True for a kernel whose writes are not known before it runs.
bool declares_nothing(const sim::Op& op) noexcept;
/// Calls `visit` for each word of a kernel's arguments that may be an address of the machine's,
/// until it returns true. Nothing of a kernel that declares what it accesses.
void any_argument(const sim::Memory& memory, const sim::Op& op,
                  const std::function<bool(const void*)>& visit);
/// The same of a kernel that an object runs, which keeps its arguments.
void any_given(const sim::Memory& memory, const sim::Op& op,
               const std::function<bool(const void*)>& visit);

/// Calls `visit(address)` for each word of the arguments that may be an address of the machine's
/// until it returns true; true if it did.
template <class Visit>
bool any_address(const sim::Memory& memory, std::span<const unsigned char> args, Visit&& visit) {
  for (std::size_t at = 0; at + sizeof(void*) <= args.size(); at += sizeof(void*)) {
    const void* address = nullptr;
    std::memcpy(&address, args.data() + at, sizeof address);
    if (!memory.space_of(address) && !memory.mappings().holds(address)) continue;
    if (visit(address)) return true;
  }
  return false;
}

}  // namespace acl
