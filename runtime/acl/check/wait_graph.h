// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/graph_ops.h"
#include "runtime/acl/check/host_wait_slots.h"
#include "runtime/acl/check/kernel_census.h"
#include "runtime/acl/check/sync_objects.h"
#include "runtime/acl/check/unknown_writers.h"
#include "runtime/acl/core/machine_rest.h"

namespace acl {

/// The waits of streams at one moment: each stream that rests, with the streams of which one has
/// to go on first. Streams of graphs are included.
class WaitGraph {
 public:
  /// `hosts`: the waits of host threads.
  WaitGraph(Runtime& runtime, Actors& actors, const UnknownWriters& unknown_writers,
            const GraphOps& graph_ops, const KernelCensus& kernels, const MachineRest& machine,
            const std::vector<HostWaitView>& hosts)
      : runtime_(runtime),
        actors_(actors),
        engine_(actors.engine()),
        unknown_writers_(unknown_writers),
        graph_ops_(graph_ops),
        kernels_(kernels),
        machine_(machine),
        hosts_(hosts) {}

  /// Why a stream does not go on: waits, each for the next.
  struct Chain {
    std::vector<order::OpInfo> waits;
    bool cycle = false;          // the last one waits for the first
    bool runs = false;           // the last one is no wait: it runs, or may run
    std::string ranks;           // that the last one waits for: "rank 1 of ..."; mostly empty
    std::uintptr_t address = 0;  // of the memory word that the last one tests; 0: of no such wait
    std::uint64_t value = 0;     // that it holds
  };
  Chain chain(std::uint32_t stream_id) REQUIRES(check_lock);
  /// Only this process may end the wait: its host threads enqueue or write.
  bool is_closed(const RestingStream& resting) REQUIRES(check_lock);

 private:
  std::vector<std::uint32_t> ended_by(const RestingStream& resting) REQUIRES(check_lock);
  void add_changers(const order::Variable& variable, std::vector<std::uint32_t>& streams)
      REQUIRES(check_lock);
  void add_actor(order::Actor actor, std::vector<std::uint32_t>& streams) REQUIRES(check_lock);
  order::OpInfo head_of(const RestingStream& resting) REQUIRES(check_lock);
  order::OpInfo running_in(std::uint32_t stream_id) REQUIRES(check_lock);

  Runtime& runtime_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  const UnknownWriters& unknown_writers_;
  const GraphOps& graph_ops_;
  const KernelCensus& kernels_;
  const MachineRest& machine_;
  const std::vector<HostWaitView>& hosts_;
};

/// How to end a wait with this name that nothing enqueued satisfies.
std::string_view repair_of_wait(std::string_view wait);
/// The operation that would end it: "a record of the notify".
std::string_view end_of_wait(std::string_view wait);

}  // namespace acl
