// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/repairs/dialect.h"

#include <fmt/format.h>

namespace order {
namespace {

using Text = const std::string&;

constexpr Dialect kAcl = {
    "aclrtStream",
    "aclrtEvent",
    [](Text event) {
      return fmt::format("aclrtCreateEventExWithFlag(&{}, ACL_EVENT_SYNC);", event);
    },
    [](Text event, Text stream) { return fmt::format("aclrtRecordEvent({}, {});", event, stream); },
    [](Text stream, Text event) {
      return fmt::format("aclrtStreamWaitEvent({}, {});", stream, event);
    },
    [](Text stream) { return fmt::format("aclrtSynchronizeStream({});", stream); },
    [](Text event) { return fmt::format("aclrtSynchronizeEvent({});", event); }};

constexpr Dialect kCuda = {
    "CUstream",
    "CUevent",
    [](Text event) { return fmt::format("cuEventCreate(&{}, 0);", event); },
    [](Text event, Text stream) { return fmt::format("cuEventRecord({}, {});", event, stream); },
    [](Text stream, Text event) {
      return fmt::format("cuStreamWaitEvent({}, {}, 0);", stream, event);
    },
    [](Text stream) { return fmt::format("cuStreamSynchronize({});", stream); },
    [](Text event) { return fmt::format("cuEventSynchronize({});", event); }};

constexpr const char* kEach = "for (auto& aclsim_each : {}) {}";

}  // namespace

const Dialect& dialect(bool cuda) { return cuda ? kCuda : kAcl; }

std::vector<std::string> NewEvent::declaration(Linkage linkage) const {
  const std::string type =
      several_ ? fmt::format("std::map<{}, {}>", dialect_.stream_type, dialect_.event_type)
               : std::string(dialect_.event_type);
  const char* const before = linkage == Linkage::file       ? "static "
                             : linkage == Linkage::header   ? "inline "
                             : linkage == Linkage::declared ? "extern "
                                                            : "";
  std::vector<std::string> lines;
  if (several_) lines.emplace_back("#include <map>");
  lines.push_back(fmt::format("{}{} {};", before, type, name_));
  return lines;
}

std::vector<std::string> NewEvent::record(const std::string& stream) const {
  const std::string event = several_ ? fmt::format("{}[{}]", name_, stream) : name_;
  return {fmt::format("if (!{}) {}", event, dialect_.create(event)),
          dialect_.record(event, stream)};
}

std::string NewEvent::wait(const std::string& stream) const {
  if (several_) return fmt::format(kEach, name_, dialect_.wait(stream, "aclsim_each.second"));
  return fmt::format("if ({}) {}", name_, dialect_.wait(stream, name_));
}

std::string NewEvent::synchronize() const {
  if (several_) return fmt::format(kEach, name_, dialect_.synchronize_event("aclsim_each.second"));
  return fmt::format("if ({}) {}", name_, dialect_.synchronize_event(name_));
}

}  // namespace order
