// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/acl/check/early_report.h"
#include "runtime/order/finding.h"

namespace acl {

/// The findings of a run, each pair of places once.
class Findings {
 public:
  /// `group_folder`: a folder where what is found is left at once; empty: nowhere.
  explicit Findings(const std::string& group_folder);
  /// `times`: so often at once.
  void add(order::Finding&& finding, std::uint64_t times = 1);
  /// Another occurrence of something that is reported once only.
  void again(const order::Finding& finding);
  std::size_t count(order::Level at_least) const;
  /// How often something was found, the same again as well. Never shrinks, not even by clear().
  std::uint64_t occurrences(order::Level at_least) const;
  std::vector<order::Finding> all() const;
  void clear();
  /// All of it has been reported.
  void reported();

  /// From now on findings of the rule are only counted. False when that is so for one already.
  bool expect(order::Rule rule);
  /// How many came; nullopt when none were expected.
  std::optional<std::size_t> end_expecting();

 private:
  /// A loop finds the same again and again.
  class Distinct {
   public:
    /// True when it is a new one.
    bool add(order::Finding&& finding, std::uint64_t times);
    const std::vector<order::Finding>& rows() const noexcept { return rows_; }

   private:
    static constexpr std::size_t kMost = 10'000;
    std::vector<order::Finding> rows_;
    std::unordered_multimap<std::size_t, std::size_t> by_hash_;
  };

  mutable std::mutex mutex_;
  Distinct findings_;
  std::array<std::uint64_t, 3> occurrences_{};  // by level
  std::optional<order::Rule> expected_;
  Distinct met_;                        // those that were expected
  std::unique_ptr<EarlyReport> early_;  // null: there is none
};

/// Findings of one rule that loops make again and again at the same call, reported as few findings
/// with a count. Not thread-safe.
class RepeatedNotes {
 public:
  /// True: it was counted. Else it is to be reported, and is counted from now on.
  bool again(std::uint64_t site, const char* what) noexcept {
    Note& note = notes_[(site ^ site >> 6) % notes_.size()];
    if (note.op_info.site != site || note.op_info.what != what || site == 0) return false;
    ++note.times;
    return true;
  }
  /// `tell(op_info, times)`: of the entry that it replaces.
  template <class Tell>
  void begin(const order::OpInfo& op_info, Tell&& tell) {
    Note& note = notes_[(op_info.site ^ op_info.site >> 6) % notes_.size()];
    end(note, tell);
    note.op_info = op_info;
  }
  /// All that has been counted is reported and forgotten.
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
