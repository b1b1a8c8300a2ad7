// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "device_sim/memory/memory.h"
#include "device_sim/streams/op.h"
#include "runtime/acl/kernel/given.h"
#include "runtime/order/engine/op_info.h"

namespace acl {

class Model;
class Stream;

/// The name of an op in reports.
const char* name_in_reports(const sim::Op& op) noexcept;
/// The names of calls of the program's functions, by the thread that is to serve them.
inline constexpr std::string_view kCallback = "callback";
inline constexpr std::string_view kSubscribedFunction = "subscribed host function";
inline constexpr std::string_view kHostFunction = "host function";
/// The name of such a call; a literal. The caller holds the mutex of the stream's host calls.
const char* name_of_call(const Stream& stream, const sim::Op& op);

/// True if the op will find the present content of the range.
using Settled = std::function<bool(const void* begin, std::size_t size)>;

inline std::array<order::Access, 2> accesses_of(const sim::CopyOp& copy) noexcept {
  return {{{reinterpret_cast<std::uintptr_t>(copy.src), copy.size, false,
            copy.src_device == sim::kHostDevice},
           {reinterpret_cast<std::uintptr_t>(copy.dst), copy.size, true,
            copy.dst_device == sim::kHostDevice}}};
}

inline order::Access access_of(const sim::FillOp& fill) noexcept {
  return {reinterpret_cast<std::uintptr_t>(fill.dst), fill.size, true,
          fill.device == sim::kHostDevice};
}

/// Appends the ranges that the op reads and writes. A kernel that declares nothing is assumed to
/// read and write each allocation that an argument points into; the function returns false then.
/// Arguments in device memory are read if they are settled.
bool append_accesses(sim::Memory& memory, const sim::Op& op, const Settled& settled,
                     std::vector<order::Access>& accesses);
/// The same of all ops of a model.
bool append_accesses(sim::Memory& memory, Model& model, const Settled& settled,
                     std::vector<order::Access>& accesses);
/// True for a kernel that declares nothing and was given no address of the machine's, now or ever.
bool touches_nothing(const sim::Memory& memory, const sim::Op& op) noexcept;

}  // namespace acl
