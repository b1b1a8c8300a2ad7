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
  /// `family`: a folder where what is found is left at once; empty: nowhere.
  explicit Findings(const std::string& family);
  /// `times`: so often at once.
  void add(order::Finding&& finding, std::uint64_t times = 1);
  /// Something came again that is told once only, whatever it is behind now: another occurrence.
  void again(const order::Finding& finding);
  std::size_t count(order::Level at_least) const;
  /// How often something was found, the same again as well. Never shrinks, not even by clear().
  std::uint64_t occurrences(order::Level at_least) const;
  std::vector<order::Finding> all() const;
  void clear();
  /// All of it has been told.
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

/// Notes of one rule that loops find again and again at the same call, told as few findings that came
/// so many times. Not thread-safe.
class RepeatedNotes {
 public:
  /// True: it was counted. Else it is to be told, and is counted from now on.
  bool again(std::uint64_t site, const char* what) noexcept {
    Note& note = notes_[(site ^ site >> 6) % notes_.size()];
    if (note.deed.site != site || note.deed.what != what || site == 0) return false;
    ++note.times;
    return true;
  }
  /// `tell(deed, times)`: of what stood in its place.
  template <class Tell>
  void begin(const order::Deed& deed, Tell&& tell) {
    Note& note = notes_[(deed.site ^ deed.site >> 6) % notes_.size()];
    end(note, tell);
    note.deed = deed;
  }
  /// All that has been counted is told and forgotten.
  template <class Tell>
  void end(Tell&& tell) {
    for (Note& note : notes_) end(note, tell);
  }

 private:
  struct Note {
    order::Deed deed;
    std::uint64_t times = 0;  // not told yet
  };
  template <class Tell>
  static void end(Note& note, Tell& tell) {
    if (note.times != 0) tell(note.deed, note.times);
    note = {};
  }

  std::array<Note, 16> notes_;
};

}  // namespace acl
