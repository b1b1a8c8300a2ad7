// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim.h"
#include "tools/aclsim/devices/device_replay.h"
#include "tools/replay/engine/issue_order.h"

namespace aclsim {

/// Throws std::runtime_error with the runtime's error text if the call failed.
void require_acl(aclError code, const char* what);

/// Shared with the kernels of the replay: the kernel of an op stores a stamp when the op has run.
/// Stamps increase in the order of the events.
struct Stamps {
  std::atomic<std::uint64_t> next{1};
  std::vector<std::atomic<std::uint64_t>> of;  // indexed by op; 0: has not run yet
  std::atomic<bool> stop{false};               // makes kernels end immediately
  std::atomic<std::uint64_t> wrong{0};         // number of wrong copies
  explicit Stamps(std::size_t ops) : of(ops) {}
};

/// Owns the streams, events, notifies and memory of one replay, and makes the calls for each op.
/// The destructor releases all of them.
class DeviceSession : public replay::IssueSink {
 public:
  DeviceSession(const trace::Trace& trace, const replay::Execution& run,
                const DeviceReplayOptions& options, const std::function<bool()>& stop);
  ~DeviceSession() override;

  void issue(trace::OpIndex op) override;
  void arrive(trace::OpIndex op) override;
  void meet(std::span<const trace::OpIndex> members) override;
  void begin_graph(trace::OpIndex op) override;
  void end_graph(trace::OpIndex op) override;
  bool stopped() override;

  /// Waits until all streams have completed their work.
  void drain();
  DeviceRun::End end() const { return end_; }
  std::uint64_t copied_bytes() const { return copied_bytes_; }
  const Stamps& stamps() const { return stamps_; }

 private:
  using OpIndex = trace::OpIndex;
  using TrackIndex = trace::TrackIndex;
  struct Held {
    aclrtEvent event = nullptr;
    std::uint32_t uses = 0;  // waits that are still to be issued
  };

  void start_machine();
  void create_streams();
  void count_waiters();
  aclrtStream stream(TrackIndex track);
  void use_device(std::uint32_t device);
  std::int32_t left_ms();
  void synchronise(aclrtStream stream);

  void stamp(OpIndex op, aclrtStream stream, trace::Nanoseconds ns = 0);
  aclrtEvent take_event();
  void give_event(aclrtEvent event) { events_.push_back(event); }
  void record(OpIndex op, aclrtStream stream);
  void await(OpIndex op, aclrtStream stream);
  void join_streams(aclrtStream from, aclrtStream to);

  void issue_on_host(OpIndex op);
  void issue_notify(OpIndex op, aclrtStream stream);
  void issue_notify_wait(OpIndex op, aclrtStream stream);
  void issue_value(OpIndex op, aclrtStream stream);
  void issue_copy(OpIndex op, TrackIndex track);
  void issue_fill(OpIndex op, TrackIndex track);
  void move(OpIndex op, TrackIndex track, std::int32_t from, std::int32_t to, std::uint64_t bytes,
            bool reduce);
  void* memory(TrackIndex track, std::int32_t device, bool source, std::uint64_t bytes);
  std::int32_t device_of_rank(std::uint32_t rank) const;
  std::int32_t own_device(TrackIndex track) const;

  const trace::Trace& trace_;
  const replay::Execution& run_;
  const DeviceReplayOptions& options_;
  const std::function<bool()>& stop_;
  std::chrono::steady_clock::time_point deadline_;
  DeviceRun::End end_ = DeviceRun::End::complete;
  bool drained_ = false;  // nothing runs any more
  std::unique_ptr<Stamps> own_stamps_;
  Stamps& stamps_;
  std::uint64_t copied_bytes_ = 0;
  std::uint32_t device_ = trace::kNone;  // the current device
  std::uint64_t issued_ = 0;

  std::vector<aclrtStream> streams_;  // indexed by track; null for host threads
  std::vector<aclrtEvent> events_;    // free events
  std::vector<aclrtEvent> all_events_;
  std::unordered_map<OpIndex, Held> held_;           // ops that others wait for
  std::unordered_map<OpIndex, aclrtEvent> arrived_;  // members that wait for their rendezvous
  struct Pending {
    aclrtNotify notify;
    OpIndex wait;  // the notify is free again when this op has run
  };
  std::deque<Pending> notifies_;
  std::vector<aclrtNotify> all_notifies_;
  std::unordered_map<OpIndex, aclrtNotify> paired_;             // by the notify op
  std::unordered_map<std::uint32_t, aclrtCntNotify> counters_;  // by object
  std::unordered_map<std::uint32_t, void*> words_;              // by object
  struct Block {
    void* at = nullptr;
    std::uint64_t bytes = 0;
  };
  std::map<std::tuple<TrackIndex, std::int32_t, bool>, Block> blocks_;
  std::vector<std::pair<void*, bool>> all_blocks_;  // address, whether it is host memory
};

}  // namespace aclsim
