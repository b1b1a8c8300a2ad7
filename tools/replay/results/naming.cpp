// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/naming.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

namespace replay {

using trace::kNone;

std::string track_title(const trace::Trace& trace, trace::TrackIndex track) {
  const trace::Track& it = trace.tracks()[track];
  if (it.name != 0) return trace.text(it.name);
  return fmt::format("{} {}", it.kind == trace::TrackKind::host ? "Thread" : "Stream", it.id);
}

std::string track_name(const trace::Trace& trace, trace::TrackIndex track) {
  const trace::Track& it = trace.tracks()[track];
  if (it.kind == trace::TrackKind::host) {
    return fmt::format("rank {} thread {}", trace.ranks()[it.rank].id, it.id);
  }
  const std::string rank =
      trace.ranks().size() > 1 ? fmt::format("rank {} ", trace.ranks()[it.rank].id) : "";
  return fmt::format("{}device {} stream {}", rank, trace.devices()[it.device].id, it.id);
}

namespace {

const std::string& title_of_wait(const trace::HostUse& use) {
  static const std::array<std::string, 3> calls{"aclrtSynchronizeStream", "aclrtSynchronizeEvent",
                                                "aclrtSynchronizeDevice"};
  return calls[static_cast<std::size_t>(use.target)];
}

const std::string& title_of_collective(trace::Collective kind) {
  static const auto words = [] {
    std::array<std::string, 11> all;
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = word(static_cast<trace::Collective>(k));
    all[0] = trace::word(trace::OpKind::collective);
    return all;
  }();
  return words[static_cast<std::size_t>(kind)];
}

const std::string* title_of_copy(const trace::CopyUse& use) {
  static const std::array<std::string, 4> ways{"host-to-host", "host-to-device", "device-to-host",
                                               "device-to-device"};
  if (use.src == trace::kUnknownDevice || use.dst == trace::kUnknownDevice) return nullptr;
  return &ways[(use.src >= 0 ? 2U : 0U) + (use.dst >= 0 ? 1U : 0U)];
}

}  // namespace

const std::string& op_title(const trace::Trace& trace, trace::OpIndex op) {
  const trace::Op& it = trace[op];
  if (it.name != 0 || it.use == kNone) return op_word(trace, op);
  if (it.kind == trace::OpKind::sync) return title_of_wait(trace.host(op));
  if (it.kind == trace::OpKind::collective) return title_of_collective(trace.comm(op).kind);
  const std::string* const way =
      it.kind == trace::OpKind::copy ? title_of_copy(trace.copy(op)) : nullptr;
  return way ? *way : op_word(trace, op);
}

const std::string& op_word(const trace::Trace& trace, trace::OpIndex op) {
  static const auto words = [] {
    std::array<std::string, trace::kOpKinds> all;
    for (int k = 0; k < trace::kOpKinds; ++k) {
      all[static_cast<std::size_t>(k)] = trace::word(static_cast<trace::OpKind>(k));
    }
    return all;
  }();
  const std::string& name = trace.name(op);
  return name.empty() ? words[static_cast<std::size_t>(trace[op].kind)] : name;
}

std::string op_name(const trace::Trace& trace, trace::OpIndex op) {
  const trace::OpKind kind = trace[op].kind;
  const bool call = kind == trace::OpKind::api || kind == trace::OpKind::sync;
  std::string more = call ? op_title(trace, op) : trace::word(kind);
  if (!call && op_title(trace, op) != more) more += " " + op_title(trace, op);
  if (trace.line(op) != 0) more += fmt::format(", line {}", trace.line(op));
  if (!trace.site(op).empty()) more += fmt::format(", {}", trace.site(op));
  return fmt::format("op {} ({}) on {}", trace.id(op), more, track_name(trace, trace.track_of(op)));
}

std::string object_name(const trace::Trace& trace, std::uint32_t object) {
  if (object == kNone) return "an object without a number";
  const trace::Object& it = trace.objects()[object];
  const char* const kind = it.kind == trace::ObjectKind::event    ? "event"
                           : it.kind == trace::ObjectKind::notify ? "notify"
                                                                  : "address";
  const bool large = it.kind == trace::ObjectKind::address || it.id > UINT32_MAX;
  return large ? fmt::format("{} {:#x}", kind, it.id) : fmt::format("{} {}", kind, it.id);
}

std::string time_text(trace::Nanoseconds ns) {
  const auto value = static_cast<double>(ns);
  const trace::Nanoseconds size = std::abs(ns);
  if (size < 1000) return fmt::format("{} ns", ns);
  if (size < 1'000'000) return fmt::format("{:.1f} us", value / 1e3);
  if (size < 1'000'000'000) return fmt::format("{:.1f} ms", value / 1e6);
  return fmt::format("{:.2f} s", value / 1e9);
}

std::string bytes_text(double bytes) {
  if (bytes < 1e3) return fmt::format("{:.0f} B", bytes);
  if (bytes < 1e6) return fmt::format("{:.1f} kB", bytes / 1e3);
  if (bytes < 1e9) return fmt::format("{:.1f} MB", bytes / 1e6);
  return fmt::format("{:.1f} GB", bytes / 1e9);
}

std::string count_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace replay
