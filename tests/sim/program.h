// SPDX-License-Identifier: Apache-2.0
// Random programs of streams and events, and the order of ops that they require.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "tests/sim/machine.h"

namespace simtest {

struct Program {
  enum class Kind { kernel, record, wait };
  struct Op {
    int stream;
    Kind kind;
    int event;  // record, wait
  };
  int streams = 0;
  int events = 0;
  std::vector<Op> ops;                    // in the order of submission
  std::vector<std::vector<bool>> before;  // before[a][b]: a happens before b

  static Program random(std::mt19937_64& random, int streams, int events, int length) {
    Program program;
    program.streams = streams;
    program.events = events;
    const auto below = [&](int bound) {
      return static_cast<int>(random() % static_cast<std::uint64_t>(bound));
    };
    for (int i = 0; i < length; ++i) {
      const int choice = below(5);
      program.ops.push_back({below(streams),
                             choice < 2   ? Kind::kernel
                             : choice < 3 ? Kind::record
                                          : Kind::wait,
                             below(events)});
    }
    program.relate();
    return program;
  }

 private:
  // From what the words mean, not from how the machine does it: an op comes after the op before it
  // in its stream, and a wait after the latest record of its event when it was submitted.
  void relate() {
    const std::size_t count = ops.size();
    before.assign(count, std::vector<bool>(count, false));
    std::vector<int> last_in_stream(static_cast<std::size_t>(streams), -1);
    std::vector<int> last_record(static_cast<std::size_t>(events), -1);
    for (std::size_t i = 0; i < count; ++i) {
      const auto after = [&](int earlier) {
        if (earlier < 0) return;
        const auto e = static_cast<std::size_t>(earlier);
        before[e][i] = true;
        for (std::size_t k = 0; k < e; ++k) {
          if (before[k][e]) before[k][i] = true;
        }
      };
      int& last = last_in_stream[static_cast<std::size_t>(ops[i].stream)];
      after(last);
      last = static_cast<int>(i);
      int& record = last_record[static_cast<std::size_t>(ops[i].event)];
      if (ops[i].kind == Kind::wait) after(record);
      if (ops[i].kind == Kind::record) record = static_cast<int>(i);
    }
  }
};

/// One execution of a program: submits it piece by piece and notes when each kernel ran.
class Execution {
 public:
  Execution(const Program& program, std::vector<sim::Ref<sim::Stream>> streams)
      : program_(program),
        streams_(std::move(streams)),
        events_(static_cast<std::size_t>(program.events)),
        moments_(program.ops.size()) {}

  bool submitted() const { return next_ == program_.ops.size(); }
  void submit_next() {
    const std::size_t index = next_++;
    const Program::Op& op = program_.ops[index];
    sim::Stream& stream = *streams_[static_cast<std::size_t>(op.stream)];
    sim::Ref<sim::Signal>& event = events_[static_cast<std::size_t>(op.event)];
    switch (op.kind) {
      case Program::Kind::kernel: {
        const Launch launch{this, index};
        stream.submit(
            sim::make_kernel(&Execution::run, nullptr, "program", 1, &launch, sizeof launch));
        break;
      }
      case Program::Kind::record:
        event = sim::make_ref<sim::Signal>(&stream);
        stream.submit(sim::make_record(*event, false));
        break;
      case Program::Kind::wait:
        if (event) stream.submit(sim::make_wait(*event, nullptr, 0));
        break;
    }
  }
  bool drained() const {
    for (const auto& stream : streams_) {
      if (!stream->drained()) return false;
    }
    return true;
  }
  /// Pairs of kernels that ran against the order, and kernels that did not run at all.
  int violations() const {
    int count = 0;
    for (std::size_t a = 0; a < moments_.size(); ++a) {
      if (program_.ops[a].kind != Program::Kind::kernel) continue;
      if (moments_[a].end == 0) ++count;
      for (std::size_t b = a + 1; b < moments_.size(); ++b) {
        if (program_.ops[b].kind != Program::Kind::kernel || !program_.before[a][b]) continue;
        if (moments_[a].end >= moments_[b].start) ++count;
      }
    }
    return count;
  }
  /// The kernels in the order in which they started.
  std::vector<std::size_t> order() const {
    std::vector<std::size_t> kernels;
    for (std::size_t i = 0; i < moments_.size(); ++i) {
      if (moments_[i].start != 0) kernels.push_back(i);
    }
    std::sort(kernels.begin(), kernels.end(), [this](std::size_t a, std::size_t b) {
      return moments_[a].start < moments_[b].start;
    });
    return kernels;
  }

 private:
  struct Launch {
    Execution* execution;
    std::size_t index;
  };
  struct Moments {
    std::atomic<std::uint64_t> start{0};
    std::atomic<std::uint64_t> end{0};
  };
  static std::int32_t run(const sim::KernelRun& run) {
    const auto& launch = *static_cast<const Launch*>(run.args);
    Execution& self = *launch.execution;
    self.moments_[launch.index].start = ++self.time_;
    self.moments_[launch.index].end = ++self.time_;
    return 0;
  }

  const Program& program_;
  const std::vector<sim::Ref<sim::Stream>> streams_;
  std::vector<sim::Ref<sim::Signal>> events_;
  std::vector<Moments> moments_;
  std::atomic<std::uint64_t> time_{0};
  std::size_t next_ = 0;
};

}  // namespace simtest
