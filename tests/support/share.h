// SPDX-License-Identifier: Apache-2.0
// Shares of large test sets: random programs, mutants of files, runs with other worker counts and
// seeds, and products such as operation x type x ranks. One run takes a part of a set, and a series
// of runs takes all of it (docs/development.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace support {

/// The share `number` (1 ... of) of `of` shares; all shares together hold everything.
struct Share {
  unsigned number = 1;
  unsigned of = 1;

  /// Whether the share contains the case with this index. `parts` divides a set into fewer parts
  /// than shares, because each part is small or important: several shares then contain the same
  /// part.
  bool holds(std::uint64_t index, unsigned parts = ~0U) const;
};

/// Reads "k/n"; throws std::invalid_argument unless 1 <= k <= n.
Share parse_share(const std::string& text);

/// The share of this run, from ACLSIM_TEST_SHARE; else everything.
const Share& share();

/// Whether this run takes the case with this index.
inline bool in_share(std::uint64_t index, unsigned parts = ~0U) {
  return share().holds(index, parts);
}

/// The first seed of random numbers in this run: ACLSIM_TEST_SEED, else 1.
std::uint64_t first_seed();

/// A row of a matrix of runs, and into how many parts the matrix is cut. Runs are long and few:
/// mostly two, so that two days see all of them.
struct Row {
  std::uint64_t index = 0;
  unsigned parts = 2;
};

/// Reads "1" or "1/4"; throws std::invalid_argument.
Row parse_row(std::string_view text);

/// False in a run of this program that belongs to another share; CTest says by ACLSIM_TEST_ROW
/// which row of a matrix of runs this one is.
bool row_in_share();

/// Reads these variables once, and hides them from the programs that tests start.
void keep_run_settings();

/// The exit status of a program that has skipped its run.
inline constexpr int kSkipped = 77;

}  // namespace support
