// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/graph_ops.h"
#include "runtime/acl/check/group_reports.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/check/stream_accesses.h"
#include "runtime/acl/watch/rendezvous.h"

namespace acl {

/// Operations between ranks. Each is two items of its stream: the operation arrives, with all that
/// it reads, and it departs once all ranks of its rendezvous have arrived, with all that it writes.
/// So another rank, which departs then too, is not ordered after the writes of this one. The log of
/// the process group has the arrivals that ranks in other processes wait for. An operation that
/// uses a flag is one item.
class RankOperations {
 public:
  RankOperations(Runtime& runtime, CheckLock& lock, Actors& actors, const GraphOps& graph_ops,
                 GroupReports& group, StreamAccesses& accesses);

  /// False: the op is no such operation.
  bool submit(sim::Op& op, order::Actor to, const order::OpInfo& what) REQUIRES(check_lock);
  /// Before any operation of its rendezvous can depart.
  void begins(sim::Stream& stream, const sim::Op& op) EXCLUDES(check_lock);
  void completed(const sim::Op& op, sim::Failure failure) REQUIRES(check_lock);
  /// False: it is no such operation, or its rendezvous has no other rank of this process.
  bool ran_in_graph(const sim::Stream& stream, const sim::Op& op) REQUIRES(check_lock);

 private:
  /// A pending operation. Its completion id is the id of its last departure.
  struct Operation {
    std::vector<Rendezvous> rendezvous;
    std::vector<order::CompletionId> arrivals;  // that have not happened
    std::vector<order::CompletionId> departures;
    FlagUse flag{};  // that is set
  };
  struct RendezvousState {
    std::shared_ptr<order::Variable> arrived;  // counts
    std::uint32_t left = 0;                    // ranks that have not departed
  };
  void take_accesses(const sim::Op& op) REQUIRES(check_lock);
  RendezvousState& state_of(const Rendezvous& rendezvous) REQUIRES(check_lock);
  void leave(const Rendezvous& rendezvous) REQUIRES(check_lock);
  const std::shared_ptr<order::Variable>& flag_of(const FlagUse& use) REQUIRES(check_lock);
  void submit_flag(sim::Op& op, order::Actor to, const order::OpInfo& what, const FlagUse& use)
      REQUIRES(check_lock);
  void submit_rendezvous(sim::Op& op, order::Actor to, const order::OpInfo& what,
                         const std::vector<Rendezvous>& all) REQUIRES(check_lock);
  void arrive(Operation& operation) REQUIRES(check_lock);
  void report_setting(const FlagUse& use, order::Epoch when, const order::VectorClock& known,
                      const order::OpInfo& what) REQUIRES(check_lock);
  void flag_taken(const sim::Op& op) REQUIRES(check_lock);

  Runtime& runtime_;
  CheckLock& lock_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  const GraphOps& graph_ops_;
  GroupReports& group_;
  StreamAccesses& stream_accesses_;
  std::unordered_map<order::CompletionId, Operation> operations_ GUARDED_BY(check_lock);
  std::map<std::pair<std::uint64_t, std::uint64_t>, RendezvousState> rendezvous_
      GUARDED_BY(check_lock);
  std::map<std::uint64_t, std::shared_ptr<order::Variable>> flags_ GUARDED_BY(check_lock);
  std::vector<order::Access> accesses_ GUARDED_BY(check_lock);  // of one op; keeps its capacity
  const Settled settled_;
};

}  // namespace acl
