// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/findings/process_group_log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "device_sim/sharing/mailbox.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/watch/places.h"

namespace acl {
namespace {

using order::SharedNode;

constexpr std::size_t kBuffer = 16 << 10;

std::uint64_t now_ns() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

std::uint64_t packed(order::Epoch when) {
  return static_cast<std::uint64_t>(when.actor) << 32 | when.count;
}

/// The part of the access within the range; size 0: none.
order::Access part_of(const order::Access& access, const watch::SharedRange& range) {
  order::Access part = access;
  part.begin = std::max(access.begin, range.begin);
  const std::uintptr_t end = std::min(access.begin + access.size, range.begin + range.size);
  part.size = end > part.begin ? end - part.begin : 0;
  return part;
}

}  // namespace

ProcessGroupLog::ProcessGroupLog(std::string mailbox)
    : mailbox_(std::move(mailbox)), instance_(now_ns()) {}

// ---- what is shared ----

void ProcessGroupLog::share(const watch::SharedRange& range) { ranges_.push_back(range); }

void ProcessGroupLog::take_back(order::Epoch when, const order::VectorClock& known,
                                const order::OpInfo& op_info, std::uintptr_t begin,
                                std::size_t size) {
  const auto at = std::find_if(
      ranges_.begin(), ranges_.end(),
      [&](const watch::SharedRange& range) { return range.begin == begin && range.size == size; });
  if (at == ranges_.end()) return;  // freed already
  const watch::SharedRange range = *at;
  ranges_.erase(at);
  if (!range.own) return;
  const order::Access all{begin, size, true, false, true};
  const bool shared_twice =
      std::any_of(ranges_.begin(), ranges_.end(),
                  [&](const watch::SharedRange& r) { return part_of(all, r).size != 0; });
  if (shared_twice) return;
  ranges_.push_back(range);
  accessed(when, known, op_info, all);
}

void ProcessGroupLog::accessed(order::Epoch when, const order::VectorClock& known,
                               const order::OpInfo& op_info, const order::Access& access) {
  if (ranges_.empty()) return;
  const std::uint64_t time = issue_of(when);
  for (const watch::SharedRange& range : ranges_) {
    const order::Access part = part_of(access, range);
    if (part.size == 0 || (access.frees && !range.own)) continue;
    SharedNode entry = node(SharedNode::Kind::access, when, op_info);
    entry.time = time;
    entry.known = whole(known);
    using Kind = order::SharedObject::Kind;
    entry.object = {range.symmetric ? Kind::symmetric : Kind::memory, range.file,
                    range.offset + (part.begin - range.begin)};
    entry.bytes = part;
    write(entry);
  }
  if (!access.frees) return;
  std::erase_if(ranges_, [&](const watch::SharedRange& r) { return part_of(access, r).size != 0; });
  flush();
}

void ProcessGroupLog::advanced(order::Epoch when, const order::VectorClock& known) {
  if (silent()) return;
  SharedNode entry = node(SharedNode::Kind::known, when, order::OpInfo{});
  entry.known = whole(known);
  write(entry);
  flush();
}

// Another process may have seen an item, and this process may be ordered after that one again.
bool ProcessGroupLog::doubts(order::Epoch earlier, order::Epoch when,
                             const order::VectorClock& known, const order::Finding& finding) {
  if (!reported_.covers(earlier)) return false;
  bool heard = false;
  for (order::Actor actor = 0; actor < first_waits_.end(); ++actor) {
    const std::uint32_t first = first_waits_.of(actor);
    heard |= first != 0 && known.of(actor) >= first;
  }
  if (!heard) return false;
  SharedNode entry = node(SharedNode::Kind::doubt, when, finding.op_info);
  entry.known = whole(known);
  entry.earlier = {first_ + earlier.actor, earlier.count};
  entry.finding = std::make_shared<order::Finding>(finding);
  write(entry);
  return true;
}

// An item may have several accesses. The engine has taken in the items of the actor before it.
std::uint64_t ProcessGroupLog::issue_of(order::Epoch when) {
  const auto at = issued_.lower_bound(packed(when));
  issued_.erase(issued_.lower_bound(packed({when.actor, 0})), at);
  return at != issued_.end() && at->first == packed(when) ? at->second : now_ns();
}

void ProcessGroupLog::deferred(order::Epoch when) {
  if (!ranges_.empty()) issued_[packed(when)] = now_ns();
}

void ProcessGroupLog::record(const order::SharedObject& object, std::uint64_t generation,
                             order::Epoch when, const order::VectorClock& known,
                             const order::OpInfo& op_info) {
  SharedNode entry = node(SharedNode::Kind::record, when, op_info);
  entry.known = whole(known);
  entry.object = object;
  entry.generation = generation;
  reported_.join(known);
  write(entry);
  flush();
}

void ProcessGroupLog::wait(const order::SharedObject& object, std::uint64_t generation,
                           order::Epoch when, const order::OpInfo& op_info, bool for_others) {
  SharedNode entry = node(SharedNode::Kind::wait, when, op_info);
  entry.object = object;
  entry.generation = generation;
  if (for_others) note_wait(when);
  write(entry);
  if (blocked_waits_.erase(entry.when.actor) != 0) flush();
}

// The log agrees with happens-before: the earlier operations of the stream may be complete only
// later, and other processes may be ordered after them.
void ProcessGroupLog::wait_elided(const order::SharedObject& object, std::uint64_t generation,
                                  order::Epoch when, const order::OpInfo& op_info) {
  SharedNode entry = node(SharedNode::Kind::wait, when, op_info);
  entry.object = object;
  entry.generation = generation;
  note_wait(when);
  elided_waits_.push_back(std::move(entry));
}

void ProcessGroupLog::note_wait(order::Epoch when) {
  if (first_waits_.of(when.actor) == 0) first_waits_.set(when.actor, when.count);
}

void ProcessGroupLog::chosen(const WordWait& wait, order::Epoch when,
                             const order::VectorClock& known, const order::OpInfo& op_info) {
  SharedNode entry = node(SharedNode::Kind::chosen, when, op_info);
  entry.known = whole(known);
  entry.object = wait.word;
  entry.generation = wait.size;
  entry.changes = wait.changes;
  note_wait(when);
  write(entry);
  if (blocked_waits_.erase(entry.when.actor) != 0) flush();
}

void ProcessGroupLog::dropped(const order::SharedObject& object, bool record, order::Epoch when,
                              const order::OpInfo& op_info) {
  SharedNode entry = node(SharedNode::Kind::dropped, when, op_info);
  entry.object = object;
  entry.generation = record ? 1 : 0;
  write(entry);
}

// ---- blocked waits ----

void ProcessGroupLog::asked(const order::SharedObject& object, std::uint64_t generation,
                            order::Epoch when, const order::OpInfo& op_info) {
  SharedNode entry = node(SharedNode::Kind::asked, when, op_info);
  entry.object = object;
  entry.generation = generation;
  write(entry);
  flush();
}

void ProcessGroupLog::blocked(order::Epoch when, const order::SharedObject* object,
                              std::uint64_t generation, const order::VectorClock& ended_by,
                              const order::OpInfo& op_info) {
  SharedNode entry = node(SharedNode::Kind::blocked, when, op_info);
  if (object) entry.object = *object;
  entry.generation = generation;
  entry.known = shifted(ended_by);
  blocked_waits_.insert(entry.when.actor);
  write(entry);
}

void ProcessGroupLog::host_waits(order::Epoch when, order::Epoch item, std::size_t host_threads,
                                 const order::OpInfo& op_info) {
  SharedNode entry = node(SharedNode::Kind::host_waits, when, op_info);
  order::VectorClock known;
  known.raise(item);
  entry.known = shifted(known);
  entry.generation = host_threads;
  blocked_waits_.insert(entry.when.actor);
  write(entry);
  flush();
}

void ProcessGroupLog::goes_on(order::Actor actor) {
  if (blocked_waits_.erase(first_ + actor) == 0) return;
  write(node(SharedNode::Kind::goes_on, {actor, 0}, order::OpInfo{}));
  flush();
}

void ProcessGroupLog::lost_order(order::Epoch when, const order::VectorClock& known) {
  if (ranges_.empty()) return;  // nothing is shared
  SharedNode entry = node(SharedNode::Kind::lost_order, when, order::OpInfo{});
  entry.known = whole(known);
  write(entry);
  flush();
}

void ProcessGroupLog::restarts(const order::VectorClock& all) {
  write_elided(nullptr);
  before_ = whole(all);
  first_ = before_.end();
  ranges_.clear();
  issued_.clear();
  reported_.clear();
  first_waits_.clear();
  blocked_waits_.clear();
}

// ---- lines ----

SharedNode ProcessGroupLog::node(SharedNode::Kind kind, order::Epoch when,
                                 const order::OpInfo& op_info) const {
  SharedNode made;
  made.kind = kind;
  made.when = {first_ + when.actor, when.count};
  made.time = now_ns();
  made.op_info = op_info;
  return made;
}

order::VectorClock ProcessGroupLog::whole(const order::VectorClock& known) const {
  order::VectorClock all = before_;
  all.join(shifted(known));
  return all;
}

order::VectorClock ProcessGroupLog::shifted(const order::VectorClock& known) const {
  order::VectorClock all;
  for (order::Actor actor = 0; actor < known.end(); ++actor) {
    if (const std::uint32_t count = known.of(actor)) all.set(first_ + actor, count);
  }
  return all;
}

/// Writes the waits that come before the node; null: all of them.
void ProcessGroupLog::write_elided(const SharedNode* before) {
  const auto is_later = [&](const SharedNode& wait) {
    if (!before) return false;
    const bool same = before->when.actor == wait.when.actor && before->when.count > wait.when.count;
    return !same && !before->known.covers(wait.when);
  };
  std::vector<SharedNode> later;
  for (SharedNode& wait : elided_waits_) {
    if (is_later(wait)) {
      later.push_back(std::move(wait));
    } else {
      write_line(wait);
    }
  }
  elided_waits_ = std::move(later);
}

void ProcessGroupLog::write(const SharedNode& node) {
  if (!elided_waits_.empty()) write_elided(&node);
  write_line(node);
}

void ProcessGroupLog::write_line(const SharedNode& node) {
  if (!open_.exchange(true)) buffer_ = order::first_line(std::to_string(getpid()));
  if (failed_) return;
  mention(node.op_info.site);
  if (node.finding && node.finding->other) mention(node.finding->other->site);
  buffer_ += order::line_of(node);
  if (buffer_.size() >= kBuffer) flush();
}

void ProcessGroupLog::mention(std::uint64_t site) {
  if (!sites_.insert(site).second) return;
  buffer_ += order::line_of(site, Places::without_loader(site));
  unplaced_.push_back(site);
}

std::vector<std::uint64_t> ProcessGroupLog::take_unplaced() { return std::exchange(unplaced_, {}); }

void ProcessGroupLog::add_places(const std::map<std::uint64_t, order::Place>& places) {
  for (const auto& [site, place] : places) buffer_ += order::line_of(site, place);
  flush();
}

// A killed process leaves at least the items that other processes may be ordered after.
void ProcessGroupLog::flush() {
  if (!failed_ && !buffer_.empty()) {
    const int error = sim::send_mail(mailbox_, static_cast<std::uint32_t>(order::GroupMail::log),
                                     instance_, buffer_);
    failed_ = error != 0;
    if (failed_) {
      notice(fmt::format("what this process shares cannot be sent to aclsim run: {}",
                         sim::mail_error(error)));
    }
  }
  buffer_.clear();
}

void ProcessGroupLog::finish(const std::map<std::uint64_t, order::Place>& places) {
  write_elided(nullptr);
  if (silent()) return;
  for (const auto& [site, place] : places) buffer_ += order::line_of(site, place);
  buffer_ += order::last_line();
  flush();
}

}  // namespace acl
