// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/order/engine/finding.h"

namespace order {

/// A line of the program or of a trace. Unknown members are empty or 0.
struct Place {
  std::string file;
  std::uint32_t line = 0;
  std::string function;
  std::string module;  // the program or library that holds the code
  std::uint64_t offset = 0;
  std::uint32_t element = 0;  // of a trace without lines: its element or row, from 1
  // Where the function at this place was called, and so on; may be empty. A report shows the first
  // list; a repair may need the further ones.
  std::vector<Place> callers, further_callers;

  bool known() const noexcept { return !file.empty() || !module.empty(); }
};

/// An operation or a call, in a form that outlives the process.
struct PlacedOp {
  std::string what;                     // "copy", the kernel's name, "aclrtFree"
  std::optional<std::uint32_t> stream;  // nothing: a host thread did it itself
  std::uint32_t thread = 0;             // the host thread that asked; 0: not known
  std::uint32_t number = 0;             // which one of its stream, from 1; 0: unknown
  std::int32_t device = -1;             // -1: none
  bool on_default_stream = false;
  bool in_graph = false;  // as in OpInfo
  bool declared = true;
  bool cuda = false;          // as in OpInfo
  bool streams_vary = false;  // it was found in several streams; `stream` is one of them
  std::string process;  // of this operation, if the operations of a finding differ in it: "4711";
                        // else empty
  Place place;
  Place recorded;  // the line or row of a trace that holds it, if `place` is the place of the call
};

/// A step of a repair. The line is one of the unchanged file, and steps of one line and kind apply
/// in the order in which they are listed.
struct LineEdit {
  enum class Where : std::uint8_t {
    before,
    after,
    instead
  };  // instead: empty code removes the line
  std::string file;
  std::uint32_t line = 0;
  Where where = Where::before;
  std::string code;  // one or more lines, without the last newline
  bool operator==(const LineEdit&) const = default;
};

/// "before", "after", "instead".
std::string_view name(LineEdit::Where where);

/// A finding with its places.
struct PlacedFinding {
  Rule rule = Rule::count;
  Level level = Level::note;
  PlacedOp op_info;
  std::optional<PlacedOp> other;
  std::vector<PlacedOp> behind;  // of a deadlock: further waits, each blocks the one before
  std::optional<PlacedOp> launch, other_launch;  // as in Finding
  std::optional<PlacedOp> failed;                // as in Finding
  std::string title;                             // empty: the title of the rule
  std::string text;                              // as in Finding; empty: the meaning of the rule
  std::string repair;  // may hold the same words as `text`; empty: the usual one of the rule
  std::string cuda_difference;          // where CUDA differs from ACL here; mostly empty
  std::string process;                  // "rank 3", "pid 4711"; empty: there is only one
  Access where;                         // the bytes; size 0: none
  std::string memory;                   // the owner of the bytes, in words; may be empty
  std::optional<std::uint64_t> offset;  // of the bytes in `memory`
  Place allocated;                      // where `memory` was allocated
  std::uint64_t times = 1;
  bool both_ways = false;       // as in Finding
  std::vector<LineEdit> fixes;  // the repair as code; empty: not known, or not asked for
  /// The probable reason of this finding: another finding of the report, or the operation `failed`.
  struct Cause {
    std::size_t number = 0;  // its place in the report, from 1; 0: no finding
    std::string title;
    Place place;
  };
  std::optional<Cause> cause;
};

/// Returns the place of an `OpInfo::site`.
using Resolve = std::function<Place(std::uint64_t site)>;
PlacedFinding place(const Finding& finding, const Resolve& resolve);
PlacedOp place(const OpInfo& op_info, const Resolve& resolve);

/// The number of kernels by name, and of kernels with a launch that declares no ranges.
struct KernelCounts {
  std::uint64_t all = 0;
  std::uint64_t undeclared = 0;
};

/// The name of a fact: what a host thread waits for in a program that ends in a hang.
inline constexpr const char* kBlockedFact = "blocked";

/// The result of a check of a program.
struct Report {
  std::string version;  // of the emulator
  std::string program;  // as it was started; may be empty
  std::vector<PlacedFinding> findings;
  KernelCounts kernels;
  std::uint64_t suppressed = 0;     // findings that a suppression took away
  std::vector<std::string> unused;  // suppressions that took nothing away: "file:3: ACL010 *"
  /// Further facts about the run, each a name and a text: the seed, the command, a decision.
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<std::string> not_checked;  // in words: parts in which mistakes give no finding
  std::string failure;                   // an error besides the findings; empty: none

  std::size_t count(Level level) const noexcept;
  /// Findings at or above the level.
  std::size_t at_least(Level level) const noexcept;
};

/// Puts notes after the other findings, and names for each the earlier one that probably explains
/// it. Findings come in the order in which they first happened.
void arrange(Report& report);

/// "main.cpp:12 in step()", "libx.so+0x1f0"; "unknown place" if nothing is known.
std::string to_text(const Place& place);
/// "main.cpp:12", "libx.so+0x1f0", "trace.db"; empty if nothing is known.
std::string position(const Place& place);
/// The same, of a file below the current directory relative to that.
std::string position_from_here(Place place);
/// "kernel_name on stream 2 of device 0 (op 4)", without its place.
std::string to_text(const PlacedOp& op_info);
/// "1 MiB", "4097 bytes".
std::string size_text(std::uint64_t bytes);
/// "data race".
std::string title(const PlacedFinding& finding);
/// "the copy on stream 2 reads 1 MiB of device memory that ...".
std::string message(const PlacedFinding& finding);
/// "call aclrtSynchronizeStream for stream 1 before main.cpp:14".
std::string repair(const PlacedFinding& finding);
/// The finding with its files below the current directory named relative to that.
PlacedFinding from_here(PlacedFinding finding);
/// Lines in the form of a compiler's messages, each with its newline: the finding, notes, the
/// repair.
std::string to_text(const PlacedFinding& finding);
/// All findings `from_here`, the worst first, and a line that counts them.
std::string to_text(const Report& report);
/// "1 error, 0 warnings, 2 notes".
std::string counts_text(const Report& report);
/// The same with the limits of the check: ", 2 of 3 kernels undeclared, some not checked".
std::string verdict_text(const Report& report);
/// One JSON object; docs/checker-rules.md has its keys.
std::string to_json(const Report& report);
/// SARIF 2.1.0.
std::string to_sarif(const Report& report);
/// JUnit: one test case, the program, which fails when there are findings at or above `fail_on`.
std::string to_junit(const Report& report, Level fail_on);

}  // namespace order
