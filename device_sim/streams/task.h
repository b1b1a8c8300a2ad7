// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "device_sim/base/error.h"
#include "device_sim/base/ref.h"
#include "device_sim/streams/op.h"

namespace sim {

class Stream;

/// Work of the device that the layer above defines and the machine only orders: reductions, 2-D
/// copies, writes of a value. It never blocks, runs no code of the program's, and may be run again
/// and again (graphs replay it), so running changes nothing in it. Any driving thread may run it.
class Task : public Shared {
 public:
  /// For traces and reports: upper case with underscores, as profilers name such tasks.
  virtual const char* name() const noexcept = 0;
  /// The kind of task, if the name is more specific.
  virtual const char* type() const noexcept { return name(); }
  /// Addresses are the user's; `stream.driver().memory().engine(p)` is where to read and write.
  virtual Failure run(Stream& stream) const = 0;
  /// How many bytes it moves, for traces and costs.
  virtual std::size_t bytes() const noexcept { return 0; }
  /// Whether its writes let other streams continue before it has left its own stream.
  virtual bool sets_free() const noexcept { return false; }
  /// Appends what it reads and writes.
  virtual void append_ranges(std::vector<MemoryRange>& /*ranges*/) const {}
};

/// A task from a function: `run` is called as run(stream) and must be repeatable.
template <class Run>
Ref<const Task> make_simple_task(const char* name, std::size_t bytes,
                                 std::vector<MemoryRange> ranges, Run run) {
  class Simple final : public Task {
   public:
    Simple(const char* name, std::size_t bytes, std::vector<MemoryRange> ranges, Run run)
        : name_(name), bytes_(bytes), ranges_(std::move(ranges)), run_(std::move(run)) {}
    const char* name() const noexcept override { return name_; }
    std::size_t bytes() const noexcept override { return bytes_; }
    Failure run(Stream& stream) const override { return run_(stream); }
    void append_ranges(std::vector<MemoryRange>& ranges) const override {
      ranges.insert(ranges.end(), ranges_.begin(), ranges_.end());
    }

   private:
    const char* const name_;  // a literal
    const std::size_t bytes_;
    const std::vector<MemoryRange> ranges_;
    const Run run_;
  };
  return Ref<const Task>::adopt(new Simple(name, bytes, std::move(ranges), std::move(run)));
}

}  // namespace sim
