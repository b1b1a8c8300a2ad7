// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/host_touches.h"

#include <string_view>
#include <utility>

#include "runtime/order/engine/finding.h"

namespace order {
namespace {

constexpr std::string_view kBesideStream =
    "launch the callback with ACL_CALLBACK_BLOCK, so that its stream waits for it, or use another "
    "buffer for {other}";
constexpr std::string_view kOtherStream =
    "let {other} wait for an event that is recorded after the function, or the function for an "
    "event that is recorded after it";

/// Words that are set and polled in order to synchronise are no data.
bool is_data(const Shadow::Conflict& conflict) {
  return !conflict.ordered && conflict.earlier.kind != AccessKind::atomic &&
         conflict.earlier.leaves == Shadow::Leaves::content;
}

/// The size of an access that a page fault shows is not known.
std::string without_size(std::string text) {
  constexpr std::string_view kBytes = "{bytes}";
  const std::size_t at = text.find(kBytes);
  return at == std::string::npos ? text : text.replace(at, kBytes.size(), "memory");
}

/// `it` was found after `other`.
Finding finding_of(Rule rule, const OpInfo& it, const Access& its, const OpInfo& other,
                   const Access& others) {
  Finding finding(rule);
  set_guess(finding, guess_between(it, other));
  finding.op_info = it;
  finding.other = other;
  finding.where = its;
  finding.text = without_size(conflict_text(finding, Release::none, others));
  return finding;
}

Finding touch_beside(const OpInfo& touch, const Access& byte, const OpInfo& op_info,
                     const Access& access) {
  Finding finding =
      finding_of(byte.host ? Rule::host_buffer : Rule::race, touch, byte, op_info, access);
  if (touch.in_function) {
    finding.repair = touch.beside_stream ? kBesideStream : kOtherStream;
  }
  return finding;
}

}  // namespace

bool HostTouches::touch(Actor host, const OpInfo& op_info, const Access& byte,
                        const Shadow& operations) {
  OpInfo touch = op_info;
  touch.number = 0;
  touch.in_function = hosts_.is_inside_function(host);
  touch.beside_stream = touch.in_function && !hosts_.blocks_stream(host);
  conflicts_.clear();
  operations.look(byte, clocks_[host].clock, conflicts_);
  bool reported = false;
  for (const Shadow::Conflict& conflict : conflicts_) {
    const Shadow::Touch& op = conflict.earlier;
    if (!is_data(conflict) || op.op_info.stream == OpInfo::kNoStream) continue;
    if (hosts_.any_covers(op.when)) continue;  // another thread may have informed this one
    reported = true;
    reporter_.report(touch_beside(touch, byte, op.op_info, op.access(byte.begin, byte.size)),
                     op.when, host);
  }
  conflicts_.clear();
  touch.number = clocks_.now(counter_).count;
  touches_.touch(byte, hosts_.access_epoch(host), clocks_[host].clock, touch, conflicts_);
  return reported;
}

void HostTouches::compare(Actor actor, const OpInfo& op_info, const Access& access,
                          const VectorClock* hosts_at_issue) {
  if (op_info.stream == OpInfo::kNoStream || access.kind == AccessKind::atomic) return;
  conflicts_.clear();
  touches_.look(access, clocks_[actor].clock, conflicts_);
  for (const Shadow::Conflict& conflict : conflicts_) {
    if (!is_data(conflict)) continue;
    const Epoch when = conflict.earlier.when;
    const bool after = came_before_issue(conflict.earlier.op_info, op_info, hosts_at_issue);
    OpInfo touch = conflict.earlier.op_info;
    touch.number = 0;
    Access byte = conflict.earlier.access(conflict.bytes.begin, conflict.bytes.size);
    byte.host = access.host;
    reporter_.report(after
                         ? finding_of(Rule::host_threads_only, op_info, conflict.bytes, touch, byte)
                         : touch_beside(touch, byte, op_info, access),
                     when, actor);
  }
}

// The accesses of an observed kernel without a clock were issued while the program had one host
// thread and had touched nothing.
bool HostTouches::came_before_issue(const OpInfo& touch, const OpInfo& op_info,
                                    const VectorClock* hosts_at_issue) const {
  if (!hosts_at_issue) return !op_info.observed;
  return hosts_at_issue->covers({counter_, touch.number});
}

}  // namespace order
