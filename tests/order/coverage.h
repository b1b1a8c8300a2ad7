// SPDX-License-Identifier: Apache-2.0
// Counts the contents of random programs: the pairs of conflicting accesses, the accesses that hide
// others, and the kinds of missing order between kinds of ops. docs/development.md has the tables.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/order/oracle.h"
#include "tests/order/program.h"

namespace ordertest {

/// Pairs of accesses to the same bytes, by the kind of the earlier and of the later one, in the
/// order of the calls.
class MetAccesses {
 public:
  /// A column, and a row, for frees.
  static constexpr std::size_t kKinds = kHows + 1;
  static constexpr std::size_t kFree = kHows;

  void add(std::size_t earlier, std::size_t later, bool ordered) {
    ++(ordered ? ordered_ : unordered_)[earlier][later];
  }
  /// "race" or "no race" where enough pairs with and without order were met, else "-".
  std::string table() const;

 private:
  using Counts = std::array<std::array<std::uint32_t, kKinds>, kKinds>;
  Counts ordered_{};
  Counts unordered_{};
};

/// Prints the tables and requires that docs/development.md holds them between
/// `<!-- MARK begin -->` and `<!-- MARK end -->`.
void require_documented(const std::string& mark, const std::string& tables);

class Coverage {
 public:
  void add(const Program& program);
  /// The program has a race since this edge is missing.
  void add_planted(const Program& program, const Call& edge);

  std::string accesses() const { return met_.table(); }
  /// For an access and the next one of its stream to the same bytes: the number of kinds of later
  /// accesses by other streams that conflict with the first one.
  std::string hidden() const;
  /// Kinds of order that were taken out, and the ops that raced then.
  std::string planted() const;

 private:
  void add_hidden(const Program& program, const Oracle& oracle, std::size_t first);

  MetAccesses met_;
  using Kinds = std::map<std::size_t, std::uint32_t>;  // of the other access: how often
  std::array<std::array<Kinds, kHows>, kHows> hidden_;
  std::map<std::string, std::set<std::string>> planted_;  // by the kind of order: the ops
};

}  // namespace ordertest
