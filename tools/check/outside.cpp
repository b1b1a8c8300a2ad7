// SPDX-License-Identifier: Apache-2.0
#include "tools/check/outside.h"

#include <fmt/format.h>

#include <string_view>

#include "tools/trace/outcome.h"

namespace check {

using trace::kNone;
using trace::OpKind;

Outside::Outside(const trace::Trace& trace) {
  for (const trace::Track& track : trace.tracks()) {
    const bool recorded = track.source < trace.sources().size() &&
                          trace::is_recording(trace, trace.sources()[track.source]);
    for (OpIndex op = track.begin; recorded && op < track.end; ++op) {
      if (!trace.args(op).empty()) look_at(trace, op);
    }
  }
  shared_.resize(trace.objects().size());
  for (const auto& [op, how] : how_) {
    if (trace[op].use == kNone) continue;
    const OpKind kind = trace[op].kind;
    if (kind == OpKind::record || kind == OpKind::notify || trace::waits(kind)) {
      if (kind != OpKind::value_wait) shared_[trace.sync(op).object] = true;
    }
  }
}

void Outside::look_at(const trace::Trace& trace, OpIndex op) {
  const std::string_view args = trace.args(op);
  const OpKind kind = trace[op].kind;
  if (kind == OpKind::mark) {
    sharing_ += args.find(R"("shares":true)") != std::string_view::npos;
    return;
  }
  // The steps of an operation between ranks.
  if (args.find(R"("steps":)") != std::string_view::npos) {
    how_[op] = kWaits | kRecords;
    return;
  }
  if (args.find(R"("shared":true)") == std::string_view::npos) return;
  how_[op] = kind == OpKind::record || kind == OpKind::notify ? kRecords : kWaits;
}

std::string Outside::not_checked() const {
  if (empty()) return {};
  std::string text = "actions of other processes";
  if (!how_.empty()) {
    text += fmt::format(", and the order that {} operation{} with them give{}", how_.size(),
                        how_.size() == 1 ? "" : "s", how_.size() == 1 ? "s" : "");
  }
  return text;
}

}  // namespace check
