// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/order/report/report.h"

namespace order {

/// Findings that the user knows and that reports leave out. One a line:
///
///     # comment
///     ACL007 src:solver/step.cpp:12    either operation was asked for at that line
///     ACL007 src:third_party/*         or in one of these files
///     ACL007 kernel:scale_*            either operation has such a name
///     ACL007 fun:Solver::*             either was asked for in such a function
///     * lib:libold.so                  any rule, and code of this library
///     ACL010 *                         everywhere
///
/// In a pattern, `*` matches any characters and `?` matches one character. A file or library
/// matches by its last parts: `step.cpp` is `/src/solver/step.cpp`.
class Suppressions {
 public:
  /// Adds the lines of a text; `file` is its name in errors. Throws std::invalid_argument with
  /// "file:line: what is wrong"; nothing is added then.
  void add(std::string_view text, std::string_view file);
  /// Adds the lines of a file. Also throws when it cannot be read.
  void add_file(const std::string& path);

  /// True when a line covers the finding; each line that does counts as used.
  bool covers(const PlacedFinding& finding);
  /// Takes covered findings out of the report, counts them, and lists the unused lines in it.
  void apply(Report& report);
  bool empty() const noexcept { return lines_.empty(); }

 private:
  enum class Kind : std::uint8_t { all, source, kernel, function, library };
  struct Line {
    std::string rule;  // "*": any
    Kind kind = Kind::all;
    std::string pattern;
    std::uint32_t source_line = 0;  // 0: any
    std::string origin;             // "file:3: ACL010 *"
    std::uint64_t used = 0;
  };

  static Line parse(std::string_view line);
  static bool matches(const Line& line, const PlacedOp& op_info);
  static bool matches(const Line& line, const Place& place);
  std::vector<Line> lines_;
};

}  // namespace order
