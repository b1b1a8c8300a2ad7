// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ascendc/impl/hccl_context.h"
#include "ascendc/impl/hccl_machine.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/ascendc/core/seen.h"
#include "runtime/ascendc/ranks/group.h"

namespace ascendc {

class Block;
class Execution;
struct Task;

/// The collectives of a launch.
///
/// The objects of all cores that were initialised with one context share a session: the n-th object
/// of a core belongs to the n-th session of the context. One core passes tasks and commits on; for
/// the other cores, these calls only count.
class Collectives {
 public:
  explicit Collectives(Execution& run);
  ~Collectives();
  Collectives(const Collectives&) = delete;
  Collectives& operator=(const Collectives&) = delete;

  void init(Block& block, aclsimHccl& object, const void* context, const void* site);
  std::int32_t prepare(Block& block, aclsimHccl& object, const aclsimHcclRequest& request,
                       const void* site);
  void commit(Block& block, aclsimHccl& object, std::int32_t task, const void* site);
  std::int32_t wait(Block& block, aclsimHccl& object, std::int32_t task, const void* site);
  std::int32_t query(Block& block, aclsimHccl& object, std::int32_t task, const void* site);
  void finalize(Block& block, aclsimHccl& object, const void* site);
  const aclsimHcclContext& context(Block& block, const aclsimHccl& object, const char* called,
                                   const void* site);
  void* window(Block& block, const aclsimHccl& object, std::uint32_t rank, bool out,
               const void* site);

  /// All blocks are over: the rank leaves its groups.
  void end(const ascendc::Task& of_launch);
  /// Removes the windows: kernels of several ranks order their accesses to them by collectives and
  /// flags, which the order between streams does not contain.
  void leave_out_windows(std::vector<acl::embedding::Range>& accesses);

 private:
  struct Task;
  struct Session;

  Session& session_of(Block& block, const aclsimHccl& object, const char* called, const void* site);
  bool passes_on(const Block& block, const aclsimHccl& object) const;
  void enter(Block& block, Session& session, const char* called, const void* site);
  void commit_turn(Block& block, Session& session, std::size_t task, const void* site);
  void pass_on(Session& session);
  void wait_for_ranks(Block& block, Session& session, std::uint64_t turn, const char* called,
                      const void* site);
  /// False: the time of the kernel is up, and it ends when it leaves the library.
  bool may_wait(Block& block, Session& session, std::uint64_t turn, std::uint64_t waited_ns,
                const char* called, const void* site);

  Execution& run_;
  sim::Mutex mutex_;
  std::vector<std::unique_ptr<Session>> sessions_ GUARDED_BY(mutex_);
  std::map<std::pair<std::uintptr_t, std::size_t>, std::size_t> by_context_ GUARDED_BY(mutex_);
  std::map<std::pair<std::uint32_t, std::uintptr_t>, std::size_t> inits_ GUARDED_BY(mutex_);
};

}  // namespace ascendc
