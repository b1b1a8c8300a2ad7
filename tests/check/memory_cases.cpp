// SPDX-License-Identifier: Apache-2.0
// Memory that is handed on, is gone or begins anew, and tasks that find their addresses in memory.
#include <atomic>

#include "acl/acl_rt_memory_soma.h"
#include "mstx/ms_tools_ext.h"
#include "tests/acl/graph.h"
#include "tests/acl/kernel_world.h"
#include "tests/acl/virtual_memory.h"
#include "tests/check/cases.h"

using namespace world;

namespace check {
namespace {

// ---- pools ----

class Pool {
 public:
  Pool() {
    aclrtMemPoolProps props{};
    props.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
    props.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    REQUIRE_ACL(aclrtMemPoolCreate(&handle_, &props));
  }
  ~Pool() { aclrtMemPoolDestroy(handle_); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  void* take(aclrtStream stream) const {
    void* block = nullptr;
    REQUIRE_ACL(aclrtMemPoolMallocAsync(&block, kSize, handle_, stream));
    return block;
  }
  void give_back(void* block, aclrtStream stream) const {
    REQUIRE_ACL(aclrtMemPoolFreeAsync(block, stream));
  }

 private:
  aclrtMemPool handle_ = nullptr;
};

/// Returns when the stream has done all its work so far, without any call of ACL.
void outlast(aclrtStream stream, aclrtStream another) {
  std::atomic<bool> over{false};
  REQUIRE_ACL(aclrtLaunchHostFunc(
      stream, [](void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }, &over));
  aclrtStreamStatus status;
  while (!over) REQUIRE_ACL(aclrtStreamQuery(another, &status));
}

void block_is_used_elsewhere(bool repaired) {
  const Desk desk;
  const Pool pool;
  void* const block = pool.take(desk.a);
  if (repaired) behind(desk.a, desk.b);
  fill(desk.b, block);
  join(desk.b);
  pool.give_back(block, desk.b);
}

void block_is_handed_on_when_it_is_over(bool repaired) {
  const Desk desk;
  const Pool pool;
  void* const first = pool.take(desk.a);
  fill(desk.a, first);
  pool.give_back(first, desk.a);
  outlast(desk.a, desk.c);
  void* const second = pool.take(desk.b);
  REQUIRE(second == first);
  fill(desk.b, second);
  if (!repaired) fill(desk.c, second);
  join(desk.c);
  pool.give_back(second, desk.b);
}

void block_is_read_before_it_is_written(bool repaired) {
  const Desk desk;
  const Pool pool;
  void* const first = pool.take(desk.a);
  fill(desk.a, first);
  pool.give_back(first, desk.a);
  void* const second = pool.take(desk.a);
  REQUIRE(second == first);
  if (repaired) fill(desk.a, second);
  copy(desk.a, desk.out, second);
  pool.give_back(second, desk.a);
  join(desk.a);
}

// ---- copies that find their addresses in memory ----

constexpr auto kBetween = ACL_MEMCPY_DEVICE_TO_DEVICE;

struct Description {
  DeviceMemory memory{64};
  Description(void* to, void* from) {
    REQUIRE_ACL(aclrtSetMemcpyDesc(memory, kBetween, from, to, kSize, nullptr));
  }
  void copy(aclrtStream stream) { REQUIRE_ACL(aclrtMemcpyAsyncWithDesc(memory, kBetween, stream)); }
};

void described_copy_races(bool repaired) {
  Desk desk;
  Description description(desk.y, desk.x);
  fill(desk.b, desk.x);
  if (repaired) behind(desk.b, desk.a);
  description.copy(desk.a);
  join(desk.a);
}

void described_copy_writes(bool repaired) {
  Desk desk;
  fill(desk.a, desk.x);
  Description description(desk.y, desk.x);
  if (repaired) description.copy(desk.a);
  copy(desk.a, desk.out, desk.y);
  join(desk.a);
}

// The description is not known when the copy is enqueued, so the copy may write anywhere.
void description_is_written_by_a_task(bool repaired) {
  Desk desk;
  fill(desk.a, desk.x);
  Description used(desk.z, desk.x);
  Description other(desk.y, desk.x);
  if (repaired) {
    REQUIRE_ACL(aclrtMemcpyAsync(used.memory, 64, other.memory, 64, kBetween, desk.a));
  }
  used.copy(desk.a);
  copy(desk.a, desk.out, desk.y);
  join(desk.a);
}

void copy_by_a_table_races(bool repaired) {
  Desk desk;
  const HostMemory memory(2 * sizeof(void*));
  auto** const table = memory.as<void*>();
  table[0] = desk.y;
  table[1] = desk.x;
  fill(desk.b, desk.x);
  if (repaired) behind(desk.b, desk.a);
  REQUIRE_ACL(aclrtMemcpyAsyncWithOffset(table, kSize, 0, const_cast<const void**>(table), kSize,
                                         sizeof(void*), kBetween, desk.a));
  join(desk.a);
}

void kernel_with_arguments_on_the_device(bool repaired) {
  Desk desk;
  register_kernel("known.o", "idle", [](const aclsimKernelContext*, const void*) { return 0; });
  const Binary binary("known.o");
  const DeviceMemory args(sizeof(void*));
  void* const pointer = desk.x;
  constexpr std::size_t kBytes = sizeof pointer;
  REQUIRE_ACL(aclrtMemcpy(args, kBytes, &pointer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  REQUIRE_ACL(aclrtLaunchKernel(binary.function("idle"), 1, args, kBytes, desk.a));
  if (repaired) join(desk.a);
  REQUIRE_ACL(aclrtMemcpy(desk.out, kSize, desk.x, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
  join(desk.a);
}

// ---- memory that is gone, or new ----

void* freed_block() {
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtMemset(memory, kSize, 1, kSize));
  REQUIRE_ACL(aclrtFree(memory));
  return memory;
}

/// A kernel that does nothing with `range`, or with `argument`.
void launch_nothing(aclrtStream stream, const aclsimMemRange* range, void* argument) {
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "idle";
  launch.kernel = [](const aclsimKernelContext*, const void*) { return 0; };
  launch.numBlocks = 1;
  launch.numRanges = range ? 1 : 0;
  launch.ranges = range;
  launch.args = &argument;
  launch.argsSize = sizeof argument;
  REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
}

void task_with_freed_memory(bool repaired) {
  const Desk desk;
  void* const freed = freed_block();
  void* const used = repaired ? static_cast<void*>(desk.x) : freed;
  CHECK(aclrtMemsetAsync(used, kSize, 1, kSize, desk.a) ==
        (repaired ? ACL_SUCCESS : ACL_ERROR_RT_PARAM_INVALID));
}

void block_that_was_given_back(bool repaired) {
  const Desk desk;
  const Pool pool;
  void* const block = pool.take(desk.a);
  fill(desk.a, block);
  if (repaired) copy(desk.a, desk.y, block);
  pool.give_back(block, desk.a);
  if (!repaired) {
    CHECK(aclrtMemcpyAsync(desk.y, kSize, block, kSize, ACL_MEMCPY_DEFAULT, desk.a) ==
          ACL_ERROR_RT_PARAM_INVALID);
  }
}

void kernel_with_freed_memory(bool repaired) {
  const Desk desk;
  void* const freed = freed_block();
  const aclsimMemRange range{repaired ? static_cast<void*>(desk.x) : freed, kSize,
                             ACLSIM_ACCESS_WRITE};
  launch_nothing(desk.a, &range, nullptr);
}

void kernel_with_an_argument_in_freed_memory(bool repaired) {
  const Desk desk;
  void* const freed = freed_block();
  launch_nothing(desk.a, nullptr, repaired ? static_cast<void*>(desk.x) : freed);
}

void kernel_with_a_block_that_was_given_back(bool repaired) {
  const Desk desk;
  const Pool pool;
  void* const block = pool.take(desk.a);
  pool.give_back(block, desk.a);
  if (repaired) REQUIRE(pool.take(desk.a) == block);
  launch_nothing(desk.a, nullptr, block);
  join(desk.a);
}

void graph_with_freed_memory(bool repaired) {
  const Desk desk;
  DeviceMemory touched(kSize);
  const auto graph = capture(desk.a, [&] { fill(desk.a, touched); });
  if (!repaired) const DeviceMemory ended(std::move(touched));
  REQUIRE_ACL(aclmdlRIExecuteAsync(graph, desk.a));
  aclrtSynchronizeStream(desk.a);  // the fill has failed, where its memory is gone
}

// The operation was enqueued before the free and runs after it: it waits for a flag until then.
void block_is_used_after_it_went_back(bool repaired, bool ordered) {
  const Desk desk;
  const Pool pool;
  const auto gate = Event::old(ACL_EVENT_SYNC);
  void* const block = pool.take(desk.a);
  behind(desk.a, desk.b);
  wait(desk.b, gate);
  fill(desk.b, block);
  if (repaired) {
    record(gate, desk.c);
    behind(desk.b, desk.a);
  }
  pool.give_back(block, desk.a);
  if (!repaired) record(gate, ordered ? desk.a : desk.c);
  join(desk.a);
  join(desk.b);
}

void block_is_used_behind_its_free(bool repaired) {
  block_is_used_after_it_went_back(repaired, true);
}
void block_is_used_beside_its_free(bool repaired) {
  block_is_used_after_it_went_back(repaired, false);
}

void block_goes_back_twice(bool repaired) {
  const Desk desk;
  const Pool pool;
  void* const block = pool.take(desk.a);
  pool.give_back(block, desk.a);
  if (!repaired) CHECK(aclrtMemPoolFreeAsync(block, desk.a) == ACL_ERROR_RT_PARAM_INVALID);
}

// A fill of the word does not race with the wait, and does not end it either.
void word_is_freed_under_a_wait_before_a_fill(bool repaired) {
  const Desk desk;
  DeviceMemory word(64);
  REQUIRE_ACL(aclrtMemset(word, 64, 1, 64));
  REQUIRE_ACL(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_GEQ, desk.b));
  outlast(desk.b, desk.c);
  REQUIRE_ACL(aclrtMemsetAsync(word, 64, 2, 64, desk.a));
  join(desk.a);
  if (repaired) join(desk.b);
  { const DeviceMemory ended(std::move(word)); }
  join(desk.b);
}

constexpr std::size_t kPitch = 64;

void rows_with_gaps_are_read_whole(bool repaired) {
  const Desk desk;
  REQUIRE_ACL(aclrtMemcpy2d(desk.x, kPitch, desk.in, kPitch, kPitch / 2, kSize / kPitch,
                            ACL_MEMCPY_HOST_TO_DEVICE));
  REQUIRE_ACL(aclrtMemcpy2d(desk.out, kPitch, desk.x, kPitch, kPitch / 2 + (repaired ? 0 : 1),
                            kSize / kPitch, ACL_MEMCPY_DEVICE_TO_HOST));
}

void rows_that_nobody_wrote(bool repaired) {
  const Desk desk;
  if (repaired) fill(desk.a, desk.x);
  REQUIRE_ACL(aclrtMemcpy2dAsync(desk.out, kPitch, desk.x, kPitch, kPitch, kSize / kPitch,
                                 ACL_MEMCPY_DEVICE_TO_HOST, desk.a));
}

void* written_in_a_life_of_the_device() {
  const Device device;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtMemset(memory, kSize, 1, kSize));
  return memory;  // which ends with the device
}

void written_before_the_reset(bool repaired) {
  void* const before = written_in_a_life_of_the_device();
  const Device device;
  const DeviceMemory memory(kSize);
  REQUIRE(static_cast<void*>(memory) == before);
  if (repaired) REQUIRE_ACL(aclrtMemset(memory, kSize, 1, kSize));
  const HostMemory out(kSize);
  REQUIRE_ACL(aclrtMemcpy(out, kSize, memory, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
}

// Both addresses map the same physical memory.
void mapped_twice(bool repaired) {
  const Desk desk;
  const Reservation reservation(2 * Physical::kSize);
  const Mapped memory(reservation.at(0));
  void* const second = reservation.at(Physical::kSize);
  const Physical fresh;
  const aclrtDrvMemHandle there = repaired ? memory.handle() : fresh.handle();
  REQUIRE_ACL(aclrtMapMem(second, Physical::kSize, 0, there, 0));
  fill(desk.a, memory.at(0));
  copy(desk.a, desk.out, second);
  join(desk.a);
  REQUIRE_ACL(aclrtUnmapMem(second));
}

// ---- a program's own pool, reported by mstx ----

/// A pool in `memory` of one block, which it reports to the checker.
class OwnPool {
 public:
  explicit OwnPool(void* memory) : range_{0, memory, kSize} {
    const mstxMemHeapDesc_t heap{MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR,
                                 MSTX_MEM_TYPE_VIRTUAL_ADDRESS, &range_};
    heap_ = mstxMemHeapRegister(domain_, &heap);
    REQUIRE(heap_ != nullptr);
  }
  ~OwnPool() {
    mstxMemHeapUnregister(domain_, heap_);
    mstxDomainDestroy(domain_);
  }
  OwnPool(const OwnPool&) = delete;
  OwnPool& operator=(const OwnPool&) = delete;
  void hand_out() {
    const mstxMemRegionsRegisterBatch_t batch{heap_, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, 1, &range_,
                                              nullptr};
    mstxMemRegionsRegister(domain_, &batch);
  }
  void take_back() {
    mstxMemRegionRef_t ref{};
    ref.refType = MSTX_MEM_REGION_REF_TYPE_POINTER;
    ref.pointer = range_.ptr;
    const mstxMemRegionsUnregisterBatch_t batch{1, &ref};
    mstxMemRegionsUnregister(domain_, &batch);
  }

 private:
  mstxDomainHandle_t domain_ = mstxDomainCreateA("pool");
  mstxMemVirtualRangeDesc_t range_;
  mstxMemHeapHandle_t heap_ = nullptr;
};

void own_block_is_used_after_it_went_back(bool repaired) {
  const Desk desk;
  OwnPool pool(desk.x);
  pool.hand_out();
  fill(desk.a, desk.x);
  pool.take_back();
  if (repaired) pool.hand_out();
  fill(desk.a, desk.x);
  join(desk.a);
}

void own_block_is_handed_to_another_stream(bool repaired) {
  const Desk desk;
  OwnPool pool(desk.x);
  pool.hand_out();
  fill(desk.a, desk.x);
  pool.take_back();  // while the stream still uses it, as a caching allocator does
  pool.hand_out();
  if (repaired) behind(desk.a, desk.b);
  fill(desk.b, desk.x);
  join(desk.a);
  join(desk.b);
}

}  // namespace

const std::vector<Case>& memory_cases() {
  static const std::vector<Case> rows{
      {"pool a", "a block is used before it is handed out", "ACL007", block_is_used_elsewhere},
      {"pool b", "a block that was handed on has two users", "ACL007",
       block_is_handed_on_when_it_is_over},
      {"pool c", "a block is read that only an earlier user wrote", "ACL021",
       block_is_read_before_it_is_written},
      {"mstx a", "a block is used after its pool took it back", "ACL020",
       own_block_is_used_after_it_went_back},
      {"mstx b", "a block is reused on another stream", "ACL007",
       own_block_is_handed_to_another_stream},
      {"desc a", "a described copy races", "ACL007", described_copy_races},
      {"desc b", "a described copy that nobody asked for would have written", "ACL021",
       described_copy_writes},
      {"desc c", "a described copy writes other memory than what is read", "ACL021",
       description_is_written_by_a_task},
      {"desc d", "a copy by a table of addresses races", "ACL007", copy_by_a_table_races},
      {"args", "a kernel's arguments on the device point to what the host reads", "ACL007",
       kernel_with_arguments_on_the_device},
      {"gone a", "a task is asked for with freed memory", "ACL020", task_with_freed_memory},
      {"gone b", "a block is used that was given back to its pool", "ACL020",
       block_that_was_given_back},
      {"gone c", "a kernel is given freed memory", "ACL020", kernel_with_freed_memory},
      {"gone d", "an argument of a kernel points into freed memory", "ACL020",
       kernel_with_an_argument_in_freed_memory},
      {"gone e", "a kernel is given a block that went back to its pool", "ACL020",
       kernel_with_a_block_that_was_given_back},
      {"gone f", "a graph is launched whose memory was freed", "ACL020", graph_with_freed_memory},
      {"gone g", "a block is used after it went back", "ACL020", block_is_used_behind_its_free},
      {"gone h", "a block may be used after it went back", "ACL006", block_is_used_beside_its_free},
      {"gone i", "a block goes back to its pool twice", "ACL020", block_goes_back_twice},
      {"gone j", "a word is freed after a fill, under a wait that is not known to be over",
       "ACL019", word_is_freed_under_a_wait_before_a_fill},
      {"new a", "the gaps between rows are read", "ACL021", rows_with_gaps_are_read_whole},
      {"new b", "rows are read that nobody wrote", "ACL021", rows_that_nobody_wrote},
      {"new c", "memory is read that was written before a reset", "ACL021",
       written_before_the_reset},
      {"new d", "memory is read that nobody wrote at any address", "ACL021", mapped_twice},
  };
  return rows;
}

}  // namespace check
