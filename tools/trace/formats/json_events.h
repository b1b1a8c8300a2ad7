// SPDX-License-Identifier: Apache-2.0
// Walks over the events of a Chrome trace, whose text may be an array or an object with
// `traceEvents`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/trace/files/input_file.h"
#include "tools/trace/op.h"

namespace trace {

/// A number or a text as the file has it; texts without their quotes, escapes kept.
struct JsonCell {
  std::string_view raw;
  bool text = false;

  bool empty() const { return raw.data() == nullptr; }
  /// Whole numbers, also in quotes; nullopt if it is not one or does not fit.
  std::optional<std::int64_t> integer() const;
  std::optional<std::uint64_t> number() const;  // -1 is taken as 2^64 - 1
  /// Microseconds with any number of decimals as nanoseconds, without passing through a double.
  std::optional<Nanoseconds> microseconds() const;
};

/// One event. Everything stays valid until the walk ends.
class JsonEvent {
 public:
  char phase = 0;
  std::string_view name;
  std::string_view category;
  JsonCell pid, tid, ts, dur, id;
  std::uint32_t index = 0;  // from 1

  /// An entry of `args`; empty if it is missing. For nested values, the first character.
  JsonCell arg(std::string_view key) const;

 private:
  friend class JsonEvents;
  struct Arg {
    std::string_view key;
    JsonCell cell;
  };
  std::vector<Arg> args_;
};

class JsonEvents {
 public:
  /// `watch` is called now and then with the progress of the walk.
  JsonEvents(const Text& text, std::string path, Watch watch = {})
      : text_(text), path_(std::move(path)), watch_(std::move(watch)) {}

  /// Calls `on_event` for each; throws InputError, which names the event before the error, if
  /// the JSON text is not well-formed or an event has a negative duration. `on_head` (may be
  /// null) gets the numbers and texts at the top and one level below
  /// ("distributedInfo.rank"), in their order in the file.
  void walk(const std::function<void(const JsonEvent&)>& on_event,
            const std::function<void(const std::string&, JsonCell)>& on_head = nullptr);

  [[noreturn]] void refuse(const JsonEvent& event, std::string_view text) const;
  /// The cell as a time; refuses any other value.
  Nanoseconds time(const JsonEvent& event, const JsonCell& cell, const char* name) const;

 private:
  struct Walk;
  const Text& text_;
  std::string path_;
  Watch watch_;
};

}  // namespace trace
