// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/findings/early_report.h"
#include "runtime/order/engine/finding.h"
#include "runtime/order/engine/raced_ops.h"

namespace acl {

/// The findings of a run, each pair of places once.
class Findings {
 public:
  /// `group_mailbox`: where each new finding is sent at once; empty: nowhere. Findings below
  /// `least` are not reported.
  explicit Findings(const std::string& group_mailbox, order::Level least = order::Level::note);
  /// A number for `Finding::when` of an event that happens now and may become a finding later.
  std::uint64_t now() { return clock_.fetch_add(1) + 1; }
  /// `times`: the number of occurrences.
  void add(order::Finding&& finding, std::uint64_t times = 1);
  /// Counts another occurrence of a finding that is reported only once.
  void again(const order::Finding& finding);
  /// Takes back the deadlocks of a call, which has come to its end. False: there was none.
  bool withdraw_deadlock(std::uint64_t site);
  std::size_t count(order::Level at_least) const;
  /// Occurrences, repeated ones included. Never decreases, not even by clear().
  std::uint64_t occurrences(order::Level at_least) const;
  std::vector<order::Finding> all() const;
  /// The findings at the level or above after `mark`, including findings that occurred before too.
  /// Sets `mark` to now.
  std::vector<order::Finding> since(order::Level at_least, std::uint64_t& mark);
  void clear();
  /// The complete reports have been written: discards what was sent early.
  void reported();

  /// From now on findings of the rule are only counted. False when a rule is expected already.
  bool expect(order::Rule rule);
  /// The number of distinct expected findings; nullopt when no rule was expected.
  std::optional<std::size_t> end_expecting();

 private:
  /// Uninitialised reads, which a race may turn out to explain: each place and bytes once.
  class UnwrittenReads {
   public:
    /// The finding when its place was not there yet, else null.
    const order::Finding* add(order::Finding&& finding, std::uint64_t times);
    /// Removes the reads that the race explains. Returns false if there was none.
    bool withdraw(const order::Finding& race);
    bool full() const noexcept { return reads_.size() >= kMost; }
    const std::vector<order::Finding>& rows() const noexcept { return reads_; }

   private:
    static constexpr std::size_t kMost = 1000;
    std::vector<order::Finding> reads_;
  };
  /// Findings, each pair of places once: a loop makes the same finding many times.
  class Distinct {
   public:
    /// The finding when it was not there yet, else null.
    const order::Finding* add(order::Finding&& finding, std::uint64_t times);
    bool withdraw(const order::Finding& race) { return unwritten_.withdraw(race); }
    bool withdraw_deadlock(std::uint64_t site);
    /// Gives waits that were notes, and after which operations race, the level of their rule.
    /// Returns false if there was none.
    bool raise(const order::RacedOps& raced);
    std::vector<order::Finding> rows() const;

   private:
    void index();

    static constexpr std::size_t kMost = 10'000;
    std::vector<order::Finding> rows_;
    std::unordered_multimap<std::size_t, std::size_t> by_hash_;
    std::size_t without_race_ = 0;  // how many of the rows are notes because of that
    UnwrittenReads unwritten_;
  };
  void withdraw_explained(const order::Finding& race) REQUIRES(mutex_);
  void raise_waits(const order::Finding& race) REQUIRES(mutex_);
  std::vector<order::Finding> rows() const REQUIRES(mutex_);
  void send_anew() REQUIRES(mutex_);

  const order::Level least_;
  mutable sim::Mutex mutex_;
  std::atomic<std::uint64_t> clock_{0};
  order::RacedOps raced_ GUARDED_BY(mutex_);
  Distinct findings_ GUARDED_BY(mutex_);
  std::array<std::uint64_t, 3> occurrences_ GUARDED_BY(mutex_){};  // by level
  std::optional<order::Rule> expected_ GUARDED_BY(mutex_);
  Distinct met_ GUARDED_BY(mutex_);  // the expected findings
  const std::unique_ptr<EarlyReport> early_
      PT_GUARDED_BY(mutex_);  // null: findings are not sent early
};

/// Findings of one rule that loops make again and again at the same call, reported as few findings
/// with a count. Not thread-safe.
class RepeatedNotes {
 public:
  /// True: it was counted. False: report it and call `begin`, which counts it from then on.
  bool again(std::uint64_t site, const char* what) noexcept {
    Note& note = notes_[(site ^ site >> 6) % notes_.size()];
    if (note.op_info.site != site || note.op_info.what != what || site == 0) return false;
    ++note.times;
    return true;
  }
  /// Calls `tell(op_info, times)` for the entry that this one replaces.
  template <class Tell>
  void begin(const order::OpInfo& op_info, Tell&& tell) {
    Note& note = notes_[(op_info.site ^ op_info.site >> 6) % notes_.size()];
    end(note, tell);
    note.op_info = op_info;
  }
  /// Calls `tell` for all counted entries and forgets them.
  template <class Tell>
  void end(Tell&& tell) {
    for (Note& note : notes_) end(note, tell);
  }

 private:
  struct Note {
    order::OpInfo op_info;
    std::uint64_t times = 0;  // not reported yet
  };
  template <class Tell>
  static void end(Note& note, Tell& tell) {
    if (note.times != 0) tell(note.op_info, note.times);
    note = {};
  }

  std::array<Note, 16> notes_;
};

}  // namespace acl
