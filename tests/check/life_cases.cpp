// SPDX-License-Identifier: Apache-2.0
// Memory, streams and events that end while they are still in use.
#include "acl/acl_rt_memory_soma.h"
#include "tests/acl/virtual_memory.h"
#include "tests/check/cases.h"

using namespace world;

namespace check {
namespace {

void freed_in_use(bool repaired) {
  const Desk desk;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  fill(desk.a, memory);
  if (repaired) join(desk.a);
  REQUIRE_ACL(aclrtFree(memory));
}

void freed_on_one_stream_used_on_another(bool repaired) {
  const Desk desk;
  aclrtMemPoolProps props{};
  props.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  props.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  props.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  aclrtMemPool pool = nullptr;
  REQUIRE_ACL(aclrtMemPoolCreate(&pool, &props));
  void* block = nullptr;
  REQUIRE_ACL(aclrtMemPoolMallocAsync(&block, kSize, pool, desk.a));
  fill(desk.a, block);
  behind(desk.a, desk.b);
  copy(desk.b, desk.y, block);
  if (repaired) behind(desk.b, desk.a);
  REQUIRE_ACL(aclrtMemPoolFreeAsync(block, desk.a));
  join(desk.a);
  join(desk.b);
  REQUIRE_ACL(aclrtMemPoolDestroy(pool));
}

// The program's own allocator reports that it hands out the bytes again.
void allocator_reuses_across_streams(bool repaired) {
  const Desk desk;
  fill(desk.a, desk.x);
  if (repaired) behind(desk.a, desk.b);
  REQUIRE_ACL(aclsimCheckReuseOnStream(desk.x, kSize, desk.b));
  fill(desk.b, desk.x);
}

void stream_after_its_end(bool repaired) {
  const Device device;
  Stream stream;
  const aclrtStream handle = stream;
  if (repaired) join(handle);
  REQUIRE_ACL(aclrtDestroyStream(stream.release()));
  if (!repaired) aclrtSynchronizeStream(handle);
}

void event_after_its_end(bool repaired) {
  const Device device;
  const Stream stream;
  auto event = Event::ex();
  const aclrtEvent handle = event;
  if (repaired) record(handle, stream);
  REQUIRE_ACL(aclrtDestroyEvent(event.release()));
  if (!repaired) aclrtRecordEvent(handle, stream);
}

void freed_twice(bool repaired) {
  const Device device;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtFree(memory));
  if (!repaired) aclrtFree(memory);
}

void freed_in_the_middle(bool repaired) {
  const Device device;
  const DeviceMemory memory(kSize);
  if (!repaired) aclrtFree(memory.as() + 64);
}

void stream_ends_with_work(bool repaired) {
  const Desk desk;
  Stream stream;
  fill(stream, desk.x);
  if (repaired) join(stream);
  REQUIRE_ACL(aclrtDestroyStreamForce(stream.release()));
}

void unmapped_in_use(bool repaired) {
  const Desk desk;
  const Reservation reservation(Physical::kSize);
  const Physical memory;
  REQUIRE_ACL(aclrtMapMem(reservation.at(0), Physical::kSize, 0, memory, 0));
  fill(desk.a, reservation.at(0));
  if (repaired) join(desk.a);
  REQUIRE_ACL(aclrtUnmapMem(reservation.at(0)));
  if (!repaired) join(desk.a);
}

void left_alive_at_the_end(bool repaired) {
  REQUIRE_ACL(aclInit(nullptr));
  const Device device;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  if (repaired) REQUIRE_ACL(aclrtFree(memory));
  REQUIRE_ACL(aclFinalize());
  if (!repaired) REQUIRE_ACL(aclrtFree(memory));
}

}  // namespace

const std::vector<Case>& life_cases() {
  static const std::vector<Case> rows{
      {"24", "memory is freed in use", "ACL006", freed_in_use},
      {"25", "freed in the order of one stream, used on another", "ACL006",
       freed_on_one_stream_used_on_another},
      {"26", "an allocator hands memory on to another stream", "ACL006",
       allocator_reuses_across_streams},
      {"27a", "a stream after its end", "ACL020", stream_after_its_end},
      {"27b", "an event after its end", "ACL020", event_after_its_end},
      {"27c", "memory is freed twice", "ACL020", freed_twice},
      {"27d", "memory is freed in the middle", "ACL020", freed_in_the_middle},
      {"28", "a stream ends with work that nobody waited for", "ACL006", stream_ends_with_work},
      {"30", "memory is unmapped in use", "ACL006", unmapped_in_use},
      {"end", "memory is alive at the end", "ACL013", left_alive_at_the_end},
  };
  return rows;
}

}  // namespace check
