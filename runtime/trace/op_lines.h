// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>

#include "device_sim/base/clock.h"
#include "runtime/trace/trace_file.h"

namespace acl::trace_output {

inline constexpr sim::Nanoseconds kNotYet = ~sim::Nanoseconds{0};

/// An op of the native trace format (docs/trace-format.md) that is not written yet. Members are
/// JSON without braces.
struct OpLine {
  std::string text;        // the fields known at the call: "op":"kernel","st":2
  std::string late;        // the fields known later, each with its comma: ,"dep":[4]
  std::uint64_t site = 0;  // where the program called for it; 0: not known
  sim::Nanoseconds start = kNotYet;
  sim::Nanoseconds duration = kNotYet;
  bool over = false;        // nothing more will become known
  std::string before = {};  // definitions that it needs: whole lines
};

/// Writes ops in the order of their calls, each op when it is over. flush() also writes the
/// unfinished ops to the end of the file, which later writes overwrite, so that the file is up to
/// date. To bound memory, the oldest of too many unfinished ops is written as it is, and a later
/// line records its end. For one thread at a time.
class OpLines {
 public:
  static constexpr std::size_t kMostWaiting = std::size_t{1} << 16;

  /// `site_text` returns the source location of a call, or "" if it is unknown.
  OpLines(TraceFile& file, std::function<std::string(std::uint64_t)> site_text,
          std::size_t most_waiting = kMostWaiting);

  /// A whole line without its end, in front of the next op, or at the end.
  void define(const std::string& line);
  /// The number of the op, counted from 1.
  std::uint64_t add(OpLine line);
  /// Null when it has been written.
  OpLine* find(std::uint64_t number);
  /// The op is over. `start` kNotYet: it never began. `late` is appended to the
  /// line's `late`.
  void end(std::uint64_t number, sim::Nanoseconds start, sim::Nanoseconds duration,
           const std::string& late = {});
  void flush();
  /// The program ends: also writes the unfinished ops and the definitions that no op follows.
  void finish();

 private:
  void drain();
  void write_first();
  std::string text_of(const OpLine& line, std::uint64_t number) const;

  TraceFile& file_;
  const std::function<std::string(std::uint64_t)> site_text_;
  const std::size_t most_waiting_;
  std::deque<OpLine> lines_;
  std::uint64_t first_ = 1;  // the number of the first of them
  std::string definitions_;  // for the next op
  std::string out_;          // whole lines
};

}  // namespace acl::trace_output
