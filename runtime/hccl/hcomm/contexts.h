// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "hccl/hccl_types.h"
#include "hcomm/hcomm_res_defs.h"

#include "device_sim/base/mutex.h"

namespace hccl {

/// Blocks of memory that a communicator keeps by tag and engine: on the host for CPU, CPU_TS and
/// CCU, on the device for the other engines. They are zeroed, and live as long as this object. Any
/// thread.
class EngineContexts {
 public:
  struct Context {
    void* address = nullptr;
    std::uint64_t bytes = 0;
  };
  EngineContexts() = default;
  ~EngineContexts();
  EngineContexts(const EngineContexts&) = delete;
  EngineContexts& operator=(const EngineContexts&) = delete;

  /// Raises HCCL_E_PARA if the context exists, HCCL_E_MEMORY.
  void* create(const std::string& tag, CommEngine engine, std::uint64_t bytes);
  /// Raise `missing` if the context does not exist.
  Context find(const std::string& tag, CommEngine engine, HcclResult missing) const;
  void destroy(const std::string& tag, CommEngine engine);
  /// Raises HCCL_E_NOT_FOUND; HCCL_E_PARA for bytes beyond the end.
  void copy(const std::string& tag, CommEngine engine, std::uint64_t offset, const void* from,
            std::uint64_t bytes);

 private:
  using Key = std::pair<std::string, CommEngine>;
  Context look_up(const Key& key, HcclResult missing) const REQUIRES(mutex_);

  mutable sim::Mutex mutex_;
  std::map<Key, Context> blocks_ GUARDED_BY(mutex_);
};

}  // namespace hccl
