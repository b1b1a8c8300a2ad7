// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/hcomm/contexts.h"

#include <cstdlib>
#include <cstring>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "runtime/hccl/base/error.h"

namespace hccl {
namespace {

bool on_host(CommEngine engine) {
  return engine == COMM_ENGINE_CPU || engine == COMM_ENGINE_CPU_TS || engine == COMM_ENGINE_CCU;
}

void* allocate(CommEngine engine, std::uint64_t bytes) {
  void* address = nullptr;
  if (on_host(engine)) {
    address = std::calloc(1, bytes);
  } else if (aclrtMalloc(&address, bytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS) {
    aclrtMemset(address, bytes, 0, bytes);
  }
  if (!address) fail(HCCL_E_MEMORY, "there are no {} bytes left for a context", bytes);
  return address;
}

void release(CommEngine engine, void* address) {
  if (on_host(engine)) {
    std::free(address);
  } else {
    aclrtFree(address);
  }
}

}  // namespace

EngineContexts::~EngineContexts() {
  for (const auto& [key, block] : blocks_) release(key.second, block.address);
}

void* EngineContexts::create(const std::string& tag, CommEngine engine, std::uint64_t bytes) {
  const sim::LockGuard guard(mutex_);
  const auto [it, fresh] = blocks_.try_emplace({tag, engine});
  if (!fresh) {
    fail(HCCL_E_PARA, "there is a context \"{}\" of engine {} already, of {} bytes", tag,
         static_cast<int>(engine), it->second.bytes);
  }
  try {
    it->second = {allocate(engine, bytes), bytes};
  } catch (...) {
    blocks_.erase(it);
    throw;
  }
  return it->second.address;
}

EngineContexts::Context EngineContexts::look_up(const Key& key, HcclResult missing) const {
  const auto it = blocks_.find(key);
  if (it == blocks_.end()) {
    fail(missing, "there is no context \"{}\" of engine {}", key.first,
         static_cast<int>(key.second));
  }
  return it->second;
}

EngineContexts::Context EngineContexts::find(const std::string& tag, CommEngine engine,
                                             HcclResult missing) const {
  const sim::LockGuard guard(mutex_);
  return look_up({tag, engine}, missing);
}

void EngineContexts::destroy(const std::string& tag, CommEngine engine) {
  const sim::LockGuard guard(mutex_);
  release(engine, look_up({tag, engine}, HCCL_E_PARA).address);
  blocks_.erase({tag, engine});
}

void EngineContexts::copy(const std::string& tag, CommEngine engine, std::uint64_t offset,
                          const void* from, std::uint64_t bytes) {
  const sim::LockGuard guard(mutex_);
  const Context block = look_up({tag, engine}, HCCL_E_NOT_FOUND);
  if (offset > block.bytes || bytes > block.bytes - offset) {
    fail(HCCL_E_PARA, "{} bytes at {} pass the end of context \"{}\", which has {}", bytes, offset,
         tag, block.bytes);
  }
  auto* const to = static_cast<std::byte*>(block.address) + offset;
  if (on_host(engine)) {
    std::memcpy(to, from, bytes);
  } else if (aclrtMemcpy(to, bytes, from, bytes, ACL_MEMCPY_HOST_TO_DEVICE) != ACL_SUCCESS) {
    fail(HCCL_E_RUNTIME, "the context could not be written: {}", aclGetRecentErrMsg());
  }
}

}  // namespace hccl
