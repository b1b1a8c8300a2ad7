// SPDX-License-Identifier: Apache-2.0
// The common part of the profiles of Ascend devices: the readers of the database and of the
// timeline fill these rows, which then become tracks, ops and edges in the same way.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/trace/builder.h"
#include "tools/trace/strings.h"

namespace trace {

inline constexpr std::uint32_t kNoContext = UINT32_MAX;  // the task itself, not a part of it
inline constexpr std::uint64_t kNoNotify = INT64_MAX;
inline constexpr std::uint32_t kNoPlane =
    UINT32_MAX;  // profiles of the lowest level have no planes

/// One task of a stream, or a part of one that ran on a plane beside others.
struct AscendTask {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  std::uint64_t stream = 0;
  std::uint64_t connection = 0;  // to the call of the host
  std::uint32_t task = 0;
  std::uint32_t context = kNoContext;
  std::uint32_t row = 0;
  // texts, by their numbers among the words of the profile; 0: empty
  std::uint32_t type =
      0;  // of the runtime or of the hardware: "EVENT_WAIT", "AI_CORE", "SDMA", ...
  std::uint32_t name = 0;
  // parts of collectives
  std::uint32_t part = 0;  // "Notify_Wait", "Memcpy", "Reduce_Inline", ...; 0: not one
  std::uint32_t plane = 0;
  std::uint32_t src_rank = kNone;
  std::uint32_t dst_rank = kNone;  // kNone: the same
  std::uint64_t notify = kNoNotify;
  std::uint64_t bytes = kUnknownBytes;
  int direction = -1;  // copies: 0 host to host, 1 host to device, 2 device to host, 3 on device
};

/// A call of the host that led to tasks.
struct AscendCall {
  Nanoseconds start = 0;
  std::uint64_t thread = 0;
};

/// A call in which the host waited.
struct AscendSync {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  std::uint64_t thread = 0;
  std::uint32_t name = 0;  // word
};

/// The description of a whole collective in the profile.
struct AscendCollective {
  std::uint32_t name = 0;               // word, as hcom_allReduce__210_0_1
  std::uint32_t group = 0;              // word
  std::uint64_t bytes = kUnknownBytes;  // input of a rank
};
using AscendCollectives = std::unordered_map<std::uint64_t, AscendCollective>;  // by connection
/// The bytes of elements of a type such as FP16, INT64, BFP16; kUnknownBytes: type or count
/// unknown.
std::uint64_t bytes_of(std::uint64_t count, std::string_view type);

using AscendCalls = std::unordered_map<std::uint64_t, AscendCall>;  // by connection

/// The profile of one device in one file.
struct AscendProfile {
  std::int32_t rank = 0;
  std::int32_t device = 0;
  std::string device_name;
  std::vector<AscendTask> tasks;
  std::vector<AscendSync> syncs;  // of the process, if it has no other device
  AscendCollectives collectives;
};

/// The kind of op of a task of this type; nullptr: a kernel.
const OpKind* ascend_kind(std::string_view type);

/// Adds the profile to the builder: tracks by start, tasks with parts as joins, events by
/// inference.
void add_ascend(AscendProfile& profile, const AscendCalls& calls, Strings& words, Builder& builder);

}  // namespace trace
