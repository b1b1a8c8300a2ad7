// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/devices/device_replay.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "tools/aclsim/devices/device_session.h"
#include "tools/aclsim/run/checks.h"
#include "tools/replay/results/naming.h"

namespace aclsim {
namespace {

using trace::kNone;
using trace::OpIndex;
using trace::OpKind;

/// Checks that the ops ran in the order that the trace specifies.
class OrderCheck {
 public:
  OrderCheck(const trace::Trace& trace, const Stamps& stamps, DeviceRun& found)
      : trace_(trace), stamps_(stamps), found_(found) {}

  void look(replay::RendezvousTable& rendezvous_table) {
    for (const trace::Track& track : trace_.tracks()) {
      for (OpIndex op = track.begin; op < track.end; ++op) look_at(op, track, rendezvous_table);
    }
    for (const trace::Edge& edge : trace_.edges()) expect(edge.from, edge.to);
  }

 private:
  void look_at(OpIndex op, const trace::Track& track, replay::RendezvousTable& rendezvous_table) {
    if (stamps_.of[op] != 0) ++found_.ops;
    if (op != track.begin) expect(op - 1, op);
    const trace::Op& it = trace_[op];
    if (it.use == kNone) return;
    if (it.kind == OpKind::wait || it.kind == OpKind::notify_wait) {
      expect(trace_.sync(op).partner, op);
    } else if (it.kind == OpKind::value_wait) {
      expect(trace_.value(op).partner, op);
    } else if (it.kind == OpKind::sync && trace_.host(op).target != trace::Target::device) {
      expect(trace_.host(op).partner, op);
    } else if (it.kind == OpKind::collective || it.kind == OpKind::barrier ||
               it.kind == OpKind::send || it.kind == OpKind::recv) {
      const replay::Rendezvous* const rendezvous = rendezvous_table.of(op);
      if (it.kind == OpKind::recv && !rendezvous) expect(trace_.comm(op).partner, op);
      if (!rendezvous) return;
      for (const OpIndex other : rendezvous->members) {  // the ops before all members come first
        if (other != op && before(other) != kNone) expect(before(other), op);
      }
    }
  }

  OpIndex before(OpIndex op) const {
    return trace_.tracks()[trace_.track_of(op)].begin == op ? kNone : op - 1;
  }

  void expect(OpIndex first, OpIndex second) {
    if (first == kNone || stamps_.of[first] == 0 || stamps_.of[second] == 0) return;
    ++found_.edges;
    if (stamps_.of[first] < stamps_.of[second]) return;
    if (found_.violated++ != 0) return;
    found_.first_from = first;
    found_.first_to = second;
  }

  const trace::Trace& trace_;
  const Stamps& stamps_;
  DeviceRun& found_;
};

const char* word(DeviceRun::End end) {
  return end == DeviceRun::End::complete  ? "complete"
         : end == DeviceRun::End::timeout ? "timeout"
                                          : "interrupted";
}

}  // namespace

void add_device_options(CLI::App& verb, DeviceReplayOptions& options) {
  verb.add_option("--time-scale", options.time_scale,
                  "threads: let each kernel take X times its virtual time (default 0: no time)")
      ->type_name("X")
      ->check(number(0, 1e6));
  verb.add_option("--timeout", options.timeout_s,
                  "threads: stop the replay after SECONDS (default 60)")
      ->type_name("SECONDS")
      ->check(whole_number(1, 86'400));
  verb.add_option("--max-copy", options.max_copy,
                  "threads: let one copy move at most BYTES (default 16777216)")
      ->type_name("BYTES")
      ->check(whole_number(1, std::uint64_t{1} << 30));
}

DeviceRun replay_on_devices(const trace::Trace& trace, const replay::Execution& run,
                            const DeviceReplayOptions& options, const std::function<bool()>& stop) {
  DeviceRun found;
  const replay::Topology topology;
  const replay::Options values;
  const replay::Cost cost(trace, topology, values);
  replay::RendezvousTable rendezvous_table(trace, cost, run.sends);
  DeviceSession session(trace, run, options, stop);
  const auto began = std::chrono::steady_clock::now();
  replay::IssueOrder(trace, run, rendezvous_table).go(session);
  session.drain();
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  found.end = session.end();
  found.copied_bytes = session.copied_bytes();
  found.wrong_copies = session.stamps().wrong;
  OrderCheck(trace, session.stamps(), found).look(rendezvous_table);
  return found;
}

nlohmann::ordered_json to_json(const DeviceRun& run) {
  return {{"status", word(run.end)},
          {"seconds", run.seconds},
          {"ops", run.ops},
          {"edges", run.edges},
          {"edges_violated", run.violated},
          {"copied_bytes", run.copied_bytes},
          {"wrong_copies", run.wrong_copies}};
}

std::string to_text(const trace::Trace& trace, const DeviceRun& run) {
  using replay::count_text;
  std::string text = fmt::format(
      "threads  {} ops on {} emulated devices in {:.3f} s ({:.2f} Mops/s), {} copied, {} copies "
      "wrong\n",
      count_text(run.ops), trace.devices().size(), run.seconds,
      static_cast<double>(run.ops) / run.seconds / 1e6,
      replay::bytes_text(static_cast<double>(run.copied_bytes)), run.wrong_copies);
  text += fmt::format("order    {} of {} edges as in virtual time\n",
                      count_text(run.edges - run.violated), count_text(run.edges));
  if (run.violated != 0) {
    text +=
        fmt::format("         first edge in reverse: {} ran after {}\n",
                    replay::op_name(trace, run.first_from), replay::op_name(trace, run.first_to));
  }
  if (run.end != DeviceRun::End::complete) text += fmt::format("threads  {}\n", word(run.end));
  return text;
}

}  // namespace aclsim
