// SPDX-License-Identifier: Apache-2.0
// A pool block is freed in the order of one stream while another stream still reads it.
#include "acl/acl_rt_memory_soma.h"
#include "bug.h"

namespace {

aclrtMemPool make_pool() {
  aclrtMemPoolProps props{};
  props.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  props.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  aclrtMemPool pool = nullptr;
  MUST(aclrtMemPoolCreate(&pool, &props));
  return pool;
}

std::int32_t* take(aclrtMemPool pool, aclrtStream stream) {
  void* block = nullptr;
  MUST(aclrtMemPoolMallocAsync(&block, kBytes, pool, stream));
  return static_cast<std::int32_t*>(block);
}

}  // namespace

int main() {
  Machine machine;
  const aclrtMemPool pool = make_pool();
  const aclrtStream owner = machine.stream();
  const aclrtStream reader = machine.stream();
  const aclrtEvent filled = machine.event();
  const aclrtEvent read = machine.event();
  std::int32_t* const sum = machine.device();

  std::int32_t* const block = take(pool, owner);
  to_device(block, machine.host(7), owner);
  record(filled, owner);
  wait(reader, filled);
  add(sum, block, nullptr, reader);
  if (kRepaired) {
    record(read, reader);
    wait(owner, read);
  }
  MUST(aclrtMemPoolFreeAsync(block, owner));
  std::int32_t* const next = take(pool, owner);  // the same block
  to_device(next, machine.host(8), owner);
  const int code = device_verdict(machine, sum, 7);
  MUST(aclrtMemPoolFreeAsync(next, owner));
  synchronise(owner);
  MUST(aclrtMemPoolDestroy(pool));
  return code;
}
