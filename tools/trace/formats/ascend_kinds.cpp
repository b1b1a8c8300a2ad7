// SPDX-License-Identifier: Apache-2.0
// The kinds of ops for the words of Ascend's profiles.
#include <algorithm>
#include <charconv>

#include "tools/trace/formats/ascend.h"

namespace trace {
namespace {

struct KindRow {
  std::string_view type;
  OpKind kind;
};

/// Types of the runtime, of the hardware's queue, and of parts. All other types are
/// kernels.
constexpr KindRow kAscendKinds[] = {
    {"EVENT_RECORD", OpKind::record},
    {"EVENT_RECORD_SQE", OpKind::record},
    {"CAPTURE_RECORD", OpKind::record},
    {"IPC_EVENT_RECORD", OpKind::record},
    {"EVENT_WAIT", OpKind::wait},
    {"EVENT_WAIT_SQE", OpKind::wait},
    {"CAPTURE_WAIT", OpKind::wait},
    {"IPC_EVENT_WAIT", OpKind::wait},
    {"EVENT_RESET", OpKind::reset},
    {"NOTIFY_RECORD", OpKind::notify},
    {"Notify_Record", OpKind::notify},
    {"Notify Record", OpKind::notify},
    {"NOTIFY_RECORD_SQE", OpKind::notify},
    {"NOTIFY_WAIT", OpKind::notify_wait},
    {"Notify_Wait", OpKind::notify_wait},
    {"Notify Wait", OpKind::notify_wait},
    {"NOTIFY_WAIT_SQE", OpKind::notify_wait},
    {"MEMCPY_ASYNC", OpKind::copy},
    {"Memcpy", OpKind::copy},
    {"SDMA", OpKind::copy},
    {"SDMA_SQE", OpKind::copy},
    {"PCIE_DMA_SQE", OpKind::copy},
    {"Reduce_Inline", OpKind::reduce},
    {"REDUCE_ASYNC", OpKind::reduce},
    {"REDUCE_ASYNC_V2", OpKind::reduce},
    {"HOSTFUNC_CALLBACK", OpKind::callback},
    {"CALLBACK", OpKind::callback},
    {"Write Value", OpKind::value_write},
    {"WRITE_VALUE", OpKind::value_write},
    {"WRITE_VALUE_SQE", OpKind::value_write},
    {"MEM_WRITE_VALUE", OpKind::value_write},
    {"MEM_WAIT_VALUE", OpKind::value_wait},
    {"PROFILING_ENABLE", OpKind::mark},
    {"PROFILING_DISABLE", OpKind::mark},
    {"PROFILER_TRACE", OpKind::mark},
    {"PROFILER_TRACE_EX", OpKind::mark},
    {"NOP", OpKind::mark},
    {"MAINTENANCE", OpKind::mark},
    {"TASK_FLIP", OpKind::mark},
    {"CREATE_STREAM", OpKind::mark},
    {"DESTROY_STREAM", OpKind::mark},
    {"LABEL_SET", OpKind::mark},
    {"STREAM_SWITCH", OpKind::delay},
    {"STREAM_ACTIVE", OpKind::delay},
    {"MODEL_EXECUTE", OpKind::delay},
    {"MODEL_END_GRAPH", OpKind::mark},
};

}  // namespace

const OpKind* ascend_kind(std::string_view type) {
  const auto found = std::find_if(std::begin(kAscendKinds), std::end(kAscendKinds),
                                  [&](const KindRow& row) { return row.type == type; });
  return found == std::end(kAscendKinds) ? nullptr : &found->kind;
}

std::uint64_t bytes_of(std::uint64_t count, std::string_view type) {
  const std::size_t digits = type.find_first_of("0123456789");
  if (digits == std::string_view::npos || count == 0) return kUnknownBytes;
  unsigned bits = 0;
  const auto [end, error] = std::from_chars(type.data() + digits, type.data() + type.size(), bits);
  if (error != std::errc() || end != type.data() + type.size()) return kUnknownBytes;
  const std::uint64_t each = bits / 8;
  return each == 0 || each > 16 || count > (std::uint64_t{1} << 50) ? kUnknownBytes : count * each;
}

}  // namespace trace
