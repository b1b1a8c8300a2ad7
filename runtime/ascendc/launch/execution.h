// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ascendc/impl/launch.h"
#include "device_sim/base/mutex.h"
#include "runtime/ascendc/core/cross_flags.h"
#include "runtime/ascendc/launch/accesses.h"
#include "runtime/ascendc/launch/block.h"
#include "runtime/ascendc/launch/collectives.h"
#include "runtime/ascendc/launch/gaps.h"
#include "runtime/ascendc/launch/global_writes.h"
#include "runtime/ascendc/launch/report.h"
#include "runtime/ascendc/launch/settings.h"

namespace ascendc {

/// One execution of a launch: the states of its blocks, which run, wait or have ended.
///
/// A group of cores (one, or a cube core with its vector cores) is resident from its start to its
/// end; as many are as the device has cores. A block that waits is parked, and the thread takes
/// another.
class Execution {
 public:
  Execution(const aclsimKernelCode& code, const void* args, std::uint32_t blocks,
            const Settings& settings, std::uint64_t limit_ns, std::uint32_t first_block = 0);
  ~Execution();

  /// Runs blocks until all are over. Any number of threads at once.
  void work();
  /// That many of its blocks were begun one after the other, outside, and the last one runs: this
  /// is it.
  void has_begun(std::uint32_t blocks);
  void adopt(Block& block);
  /// It had its turn. Then as `work`.
  void go_on(Block& block, bool over);
  /// Whether another thread would find something to do.
  bool wants_help() const noexcept { return !alone() && !settings_.seeded; }
  /// The result for the device: 0 or an error code.
  std::int32_t result() const noexcept { return result_.load(); }
  /// Once all are over: whether any of them called something of the library.
  bool called() const noexcept NO_THREAD_SAFETY_ANALYSIS { return called_; }
  /// Reports unordered accesses of blocks to the same bytes.
  void report_conflicts();
  /// Reports flags between cores that are still set.
  void tell_left_flags() NO_THREAD_SAFETY_ANALYSIS;  // called when all blocks are over
  /// Reports bytes between the blocks' ranges that no block wrote; `find`: the allocation at an
  /// address.
  void tell_gaps(const FindAllocation& find);
  /// Keeps the accesses of the blocks for `accesses`.
  void observe() noexcept { observed_ = settings_.checks; }
  bool observed() const noexcept { return observed_; }
  std::vector<acl::embedding::Range> accesses() const {
    return accesses_.ranges(writes_, attached_);
  }
  /// The output of ended blocks, in the order of blocks, unless it was taken before.
  std::string take_output();
  /// The same at the end of the process, with the output of blocks that have not ended.
  std::string take_output_at_exit();

  const aclsimKernelCode& code() const noexcept { return code_; }
  const void* args() const noexcept { return args_; }
  /// Memory that came with the launch, and that blocks may read and write beside the device's.
  void attach(GmRange piece) noexcept { attached_ = piece; }
  const GmRange& attached() const noexcept { return attached_; }
  const Settings& settings() const noexcept { return settings_; }
  /// The task that findings name. Before the first block begins.
  void set_task(const Task& task) noexcept { task_ = task; }
  /// The grid and the threads of each block of a SIMT launch, zeros for other launches, and the
  /// bytes of the unified buffer that the launch requests.
  struct Shape {
    std::uint32_t grid[3] = {};
    std::uint32_t threads[3] = {};
    std::uint64_t dynamic_bytes = 0;
    std::uint64_t tiling_key = 0;

    bool is_plain() const noexcept {
      return threads[0] == 0 && dynamic_bytes == 0 && tiling_key == 0;
    }
  };
  void set_shape(const Shape& shape) noexcept { shape_ = shape; }
  const Shape& shape() const noexcept { return shape_; }

  // --- called by blocks ---
  void failed(Block& block, End why);
  void say(const Block& block, const Finding& finding);
  void sync_all(Block& block, bool vector_only, const void* site);
  /// `clock`: what is over on the block then.
  void cross_set(Block& block, std::uint32_t mode, std::uint32_t flag, const Clock& clock,
                 const void* site);
  void cross_wait(Block& block, std::uint32_t flag, const void* site);
  void slot_set(Block& block, const void* slot, std::int32_t id);
  void slot_wait(Block& block, const void* slot, std::int32_t id, const void* site);
  /// `local`: of local memory that cores of a group share, by `address_of_unit`.
  GlobalWrites& writes(bool local = false) noexcept { return local ? local_writes_ : writes_; }
  Collectives& collectives() noexcept { return collectives_; }
  /// A notification that the block gives to others, and the arrival of a notification at a block.
  Seen notification(Block& block, const Clock& clock);
  void take_notification(Block& block, const Seen& told);
  /// Parks the block until `ready` holds: another block changes it and wakes all that wait.
  void wait_until(Block& block, const char* what, const void* site,
                  const std::function<bool()>& ready);
  void wake_waiting(const Block& by);
  const KeptClocks& clocks() const noexcept { return clocks_; }
  /// The block's scalar unit has read these bytes.
  void word_read(Block& block, std::uint64_t begin, std::uint64_t bytes);

  struct Lists {
    std::vector<Block*> ready;
    std::vector<Block*> live;  // by unit
    std::vector<Block*> idle;  // over, for the blocks that come
  };

 private:
  struct Slot {
    std::uint32_t count = 0;
    Seen told;
  };
  struct Gate {
    std::uint32_t round = 0;
    std::vector<Block*> here;
    Seen told;
  };

  Block* take(sim::UniqueLock<sim::Mutex>& lock) REQUIRES(mutex_);
  bool start_group() REQUIRES(mutex_);
  void put_back(Block& block, bool over) REQUIRES(mutex_);
  void wake(Block& block) REQUIRES(mutex_);
  bool can_start() const REQUIRES(mutex_);
  // These two release `lock` meanwhile; the analysis does not see that it is the lock of mutex_.
  void give_up(sim::UniqueLock<sim::Mutex>& lock) REQUIRES(mutex_) NO_THREAD_SAFETY_ANALYSIS;
  void wait(sim::UniqueLock<sim::Mutex>& lock, Block& block, const char* what, const void* site)
      REQUIRES(mutex_) NO_THREAD_SAFETY_ANALYSIS;
  void learn(Block& block, const Seen& told) REQUIRES(mutex_);
  Seen tell(Block& block, const Clock& clock) REQUIRES(mutex_);
  const Seen* keep(Seen seen) REQUIRES(mutex_);
  void open(Gate& gate) REQUIRES(mutex_);
  std::uint32_t units_of_gate(bool vector_only) const;
  // Reads only the shape of the launch, which is constant.
  void check_mode(Block& block, std::uint32_t mode, const void* site) NO_THREAD_SAFETY_ANALYSIS;
  std::string core_of(std::uint32_t unit) const;
  std::vector<Block*>::const_iterator place_of(std::uint32_t unit) const REQUIRES(mutex_);
  Block* at(std::uint32_t unit) const REQUIRES(mutex_);
  std::uint32_t group_at(std::uint32_t i) const { return order_.empty() ? i : order_[i]; }

  bool alone() const noexcept { return groups_ * per_group_ == 1; }
  void take_reads(Block& block);
  void finish_block(Block& block);

  const aclsimKernelCode& code_;
  const void* const args_;
  GmRange attached_;
  Task task_;
  Shape shape_;
  const std::uint32_t blocks_;
  const std::uint32_t first_block_;  // the index of group 0
  const Settings& settings_;
  const std::uint64_t limit_ns_;
  const std::uint32_t vectors_;  // in a group
  const std::uint32_t per_group_;
  std::vector<std::uint32_t> order_;  // of groups; empty: as they are numbered
  std::uint32_t groups_;
  std::uint32_t most_resident_;
  std::uint64_t random_ GUARDED_BY(mutex_);

  sim::Mutex mutex_;
  sim::CondVar changed_;
  std::uint32_t next_group_ GUARDED_BY(mutex_) = 0;
  std::uint32_t resident_ GUARDED_BY(mutex_) = 0;
  std::uint32_t running_ GUARDED_BY(mutex_) = 0;
  std::uint32_t waiting_ GUARDED_BY(mutex_) = 0;  // threads with nothing to run
  bool called_ GUARDED_BY(mutex_) = false;
  Lists lists_;
  bool polls_ GUARDED_BY(mutex_) = false;  // a block has parked because it polls a word
  std::vector<Block*>& ready_ GUARDED_BY(mutex_) = lists_.ready;
  std::vector<Block*>& live_ GUARDED_BY(mutex_) = lists_.live;
  std::vector<Block*>& idle_ GUARDED_BY(mutex_) = lists_.idle;
  // For groups of several cores: the number of cores that have not ended.
  std::map<std::uint32_t, std::uint32_t> left_ GUARDED_BY(mutex_);
  std::map<std::uint32_t, std::string> outputs_ GUARDED_BY(mutex_);
  Gate gates_[2] GUARDED_BY(mutex_);
  CrossFlags crossings_ GUARDED_BY(mutex_){{}};
  std::uint32_t held_ GUARDED_BY(mutex_) = 0;  // blocks that are `held`
  std::map<std::pair<const void*, std::int32_t>, Slot> slots_ GUARDED_BY(mutex_);
  std::atomic<std::int32_t> result_{0};
  std::list<Seen> seen_ GUARDED_BY(mutex_);  // the clocks of blocks; never erased
  KeptClocks clocks_;                        // the clocks in notifications of blocks
  GlobalWrites writes_;
  GlobalWrites local_writes_;
  bool observed_ = false;
  Accesses accesses_;
  Collectives collectives_{*this};
};

}  // namespace ascendc
