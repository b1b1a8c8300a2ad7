// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/base/ref.h"
#include "device_sim/streams/op.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"
#include "runtime/trace/sink.h"

namespace acl {

/// The text of a range or a mark that the program prepares.
struct Stamp : sim::RefCounted<Stamp> {
  sim::Mutex mutex;
  std::string text GUARDED_BY(mutex);
};

/// Steps of a program's loop, counted from 1.
struct Step : sim::RefCounted<Step> {
  sim::Mutex mutex;
  std::uint64_t number GUARDED_BY(mutex) = 0;
  bool running GUARDED_BY(mutex) = false;
};

using StampTable = HandleTable<Stamp, HandleKind::profile_stamp>;
using StepTable = HandleTable<Step, HandleKind::profile_step>;

/// The ranges and marks that a program names. Sinks that are registered at that time receive them.
/// Open ranges are also kept without a sink, for sinks that are added later.
class Ranges final : public Section {
 public:
  explicit Ranges(Runtime& runtime) : runtime_(runtime) {}
  void reset() override;
  std::size_t live_handles() const override;

  StampTable& stamps() noexcept { return stamps_; }
  StepTable& steps() noexcept { return steps_; }

  /// From here on `watcher` receives ranges and marks; open ranges begin for it now.
  void add_watcher(trace_output::Sink& watcher);

  /// Opens a range of the calling thread. `details`: see trace_output::Range.
  void push(std::string name, std::string details = {});
  /// Closes the innermost range of the calling thread; raises ACL_ERROR_PROFILING_FAILURE if no
  /// range is open.
  void pop();
  /// Opens a range that any thread may close; never 0.
  std::uint32_t start(std::string name);
  /// Raises ACL_ERROR_INVALID_PARAM when no such range is open.
  void stop(std::uint32_t id);
  /// One moment of the calling thread.
  void mark(std::string name);

  /// A name for a text: the same for equal texts, for as long as the process lives.
  std::uint64_t id_of(const std::string& text);
  /// Empty for an unknown id.
  std::string text_of(std::uint64_t id);
  /// The same as a text that stays; null for an unknown id.
  const char* kept_text_of(std::uint64_t id);

 private:
  struct Stack;
  Stack& stack();
  std::uint64_t open(std::string name, std::string details, std::uint32_t thread);
  void close(std::uint64_t id);
  void forget(const std::vector<std::uint64_t>& ids);

  Runtime& runtime_;
  StampTable stamps_;
  StepTable steps_;
  std::atomic<std::uint64_t> resets_{0};
  sim::Mutex mutex_;
  std::uint64_t last_id_ GUARDED_BY(mutex_) = 0;
  std::map<std::uint64_t, trace_output::Range> open_ GUARDED_BY(mutex_);  // in opening order
  std::uint32_t started_ GUARDED_BY(mutex_) = 0;
  std::unordered_map<std::uint32_t, std::uint64_t> running_
      GUARDED_BY(mutex_);  // the result of start() -> range
  std::unordered_map<std::string, std::uint64_t> texts_ GUARDED_BY(mutex_);
  std::unordered_map<std::uint64_t, std::string> texts_by_id_
      GUARDED_BY(mutex_);  // none is removed
};

/// A task that does nothing but appear in its stream under a name. `type` is a literal.
sim::Op make_mark(std::string name, const char* type);

}  // namespace acl
