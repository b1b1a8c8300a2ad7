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

/// What is asked of the checker, as plain data.
struct CheckConfig {
  bool on = false;
  order::Level report_from = order::Level::note;  // what is below is counted and not told
  std::vector<std::string> outputs;               // files; their ending says the format
  std::string suppressions;                       // a file; empty: none
  bool quiet = false;                             // no text on stderr
  std::string family;                             // a folder; empty: other processes do not matter
};

/// The findings of a run, each pair of places once.
class Findings {
 public:
  /// `family`: a folder where what is found is left at once; empty: nowhere.
  explicit Findings(const std::string& family);
  void add(order::Finding&& finding);
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
    bool add(order::Finding&& finding);
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

}  // namespace acl
