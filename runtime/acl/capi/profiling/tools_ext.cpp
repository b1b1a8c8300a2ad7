// SPDX-License-Identifier: Apache-2.0
// mstx/ms_tools_ext.h: marks, ranges and domains, and the blocks of programs' own memory pools.
#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "device_sim/base/mutex.h"
#include "mstx/ms_tools_ext.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/profiling/ranges.h"

using namespace acl;

namespace {

constexpr std::size_t kLongest = 255;
constexpr std::uint64_t kToolId = 0xAC1;

struct OpenRange {
  std::uint64_t domain;
  std::string name;
  aclrtStream stream;
};
struct NamedMemory {
  std::uint64_t domain;
  const void* begin;
  std::size_t size;
  std::uint64_t heap = 0;  // of a block
};

/// The objects that the program has named. Handles are numbers that are never used again; domain 0:
/// default.
class ToolsExt final : public Section {
 public:
  explicit ToolsExt(Runtime&) {}
  void reset() override {
    const sim::LockGuard guard(mutex);
    domains.clear();
    ranges.clear();
    heaps.clear();
    blocks.clear();
  }
  sim::Mutex mutex;
  std::uint64_t last GUARDED_BY(mutex) = 0;
  std::map<std::uint64_t, std::string> domains GUARDED_BY(mutex);
  std::map<std::uint64_t, OpenRange> ranges GUARDED_BY(mutex);
  std::map<std::uint64_t, NamedMemory> heaps GUARDED_BY(mutex);
  std::map<std::uint64_t, NamedMemory> blocks GUARDED_BY(mutex);

  /// The block of the domain, or the end.
  std::map<std::uint64_t, NamedMemory>::iterator find_block(const mstxMemRegionRef_t& ref,
                                                            std::uint64_t domain) REQUIRES(mutex) {
    if (ref.refType == MSTX_MEM_REGION_REF_TYPE_HANDLE) {
      const auto found = blocks.find(reinterpret_cast<std::uintptr_t>(ref.handle));
      return found != blocks.end() && found->second.domain == domain ? found : blocks.end();
    }
    return std::find_if(blocks.begin(), blocks.end(), [&](const auto& block) {
      return block.second.begin == ref.pointer && block.second.domain == domain;
    });
  }
  /// Raises where the domain is not a live one.
  std::string prefix(std::uint64_t domain) {
    const sim::LockGuard guard(mutex);
    if (domain == 0) return {};
    const auto found = domains.find(domain);
    if (found == domains.end()) fail(ACL_ERROR_INVALID_PARAM, "domain is not a live one");
    return found->second + ": ";
  }
};

template <class Handle>
std::uint64_t number_of(Handle handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

template <class Handle>
Handle handle_of(std::uint64_t number) {
  return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(number));
}

std::string text_argument(const char* text, const char* argument) {
  require_input(text, argument);
  const std::size_t length = strnlen(text, kLongest + 1);
  if (length == 0 || length > kLongest) {
    fail(ACL_ERROR_INVALID_PARAM, "{} has {} bytes; expected 1 to {}", argument,
         length == 0 ? "no" : "too many", kLongest);
  }
  return {text, length};
}

void mark_stream(Runtime& runtime, aclrtStream stream, const std::string& name, const char* type) {
  if (stream) own_stream(runtime, stream)->submit(make_mark(name, type));
}

std::uint64_t tool_id() {
  std::uint64_t id = MSTX_TOOL_INVALID_ID;
  guarded("mstxGetToolId", [&](Runtime&) {
    if (watch::attention() != 0) id = kToolId;
  });
  return id;
}

void mark(const char* function, mstxDomainHandle_t domain, const char* message,
          aclrtStream stream) {
  guarded(function, [&](Runtime& runtime) {
    const std::string name =
        runtime.section<ToolsExt>().prefix(number_of(domain)) + text_argument(message, "message");
    mark_stream(runtime, stream, name, "MARK");
    runtime.section<Ranges>().mark(name);
  });
}

mstxRangeId range_start(const char* function, mstxDomainHandle_t domain, const char* message,
                        aclrtStream stream) {
  mstxRangeId id = 0;
  guarded(function, [&](Runtime& runtime) {
    auto& mine = runtime.section<ToolsExt>();
    const std::string name = mine.prefix(number_of(domain)) + text_argument(message, "message");
    mark_stream(runtime, stream, name, "RANGE_START");
    id = runtime.section<Ranges>().start(name);
    const sim::LockGuard guard(mine.mutex);
    mine.ranges[id] = {number_of(domain), name, stream};
  });
  return id;
}

void range_end(const char* function, mstxDomainHandle_t domain, mstxRangeId id) {
  guarded(function, [&](Runtime& runtime) {
    auto& mine = runtime.section<ToolsExt>();
    OpenRange range;
    mine.prefix(number_of(domain));
    {
      const sim::LockGuard guard(mine.mutex);
      const auto found = mine.ranges.find(id);
      if (found == mine.ranges.end() || found->second.domain != number_of(domain)) {
        fail(ACL_ERROR_INVALID_PARAM, "id is {}, which names no open range of the domain", id);
      }
      range = found->second;
      mine.ranges.erase(found);
    }
    runtime.section<Ranges>().stop(static_cast<std::uint32_t>(id));
    mark_stream(runtime, range.stream, range.name, "RANGE_END");
  });
}

mstxDomainHandle_t domain_create(const char* name) {
  std::uint64_t domain = 0;
  guarded("mstxDomainCreateA", [&](Runtime& runtime) {
    std::string text = text_argument(name, "name");
    auto& mine = runtime.section<ToolsExt>();
    const sim::LockGuard guard(mine.mutex);
    domain = ++mine.last;
    mine.domains[domain] = std::move(text);
  });
  return handle_of<mstxDomainHandle_t>(domain);
}

void domain_destroy(mstxDomainHandle_t domain) {
  guarded("mstxDomainDestroy", [&](Runtime& runtime) {
    auto& mine = runtime.section<ToolsExt>();
    const sim::LockGuard guard(mine.mutex);
    mine.domains.erase(number_of(domain));
  });
}

// ---- memory pools ----

void take_back(const std::vector<NamedMemory>& blocks) {
  auto* const listener = watch::listener();
  for (const NamedMemory& block : blocks) {
    if (listener) listener->block_taken_back(block.begin, block.size);
  }
}

void hand_out(const std::vector<NamedMemory>& blocks) {
  auto* const listener = watch::listener();
  for (const NamedMemory& block : blocks) {
    if (listener) listener->block_handed_out(block.begin, block.size);
  }
}

mstxMemHeapHandle_t heap_register(mstxDomainHandle_t domain, mstxMemHeapDesc_t const* desc) {
  std::uint64_t heap = 0;
  guarded("mstxMemHeapRegister", [&](Runtime& runtime) {
    auto& mine = runtime.section<ToolsExt>();
    mine.prefix(number_of(domain));
    const auto* const range = static_cast<const mstxMemVirtualRangeDesc_t*>(
        require_input(require_input(desc, "desc")->typeSpecificDesc, "desc: typeSpecificDesc"));
    if (desc->type != MSTX_MEM_TYPE_VIRTUAL_ADDRESS) {
      fail(ACL_ERROR_INVALID_PARAM, "desc: type is {}; expected 0", static_cast<int>(desc->type));
    }
    require_input(range->ptr, "desc: ptr");
    const sim::LockGuard guard(mine.mutex);
    heap = ++mine.last;
    mine.heaps[heap] = {number_of(domain), range->ptr, range->size};
  });
  return handle_of<mstxMemHeapHandle_t>(heap);
}

// The memory is the program's own again: no block of the pool is out or in any more.
void heap_unregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t handle) {
  guarded("mstxMemHeapUnregister", [&](Runtime& runtime) {
    auto& mine = runtime.section<ToolsExt>();
    const std::uint64_t heap = number_of(handle);
    std::vector<NamedMemory> whole;
    {
      const sim::LockGuard guard(mine.mutex);
      const auto found = mine.heaps.find(heap);
      if (found == mine.heaps.end() || found->second.domain != number_of(domain)) return;
      whole.push_back(found->second);
      mine.heaps.erase(found);
      std::erase_if(mine.blocks, [&](const auto& block) { return block.second.heap == heap; });
    }
    hand_out(whole);
  });
}

void regions_register(mstxDomainHandle_t domain, mstxMemRegionsRegisterBatch_t const* batch) {
  guarded("mstxMemRegionsRegister", [&](Runtime& runtime) {
    require_input(batch, "desc");
    if (batch->regionCount == 0) return;
    const auto* const ranges = static_cast<const mstxMemVirtualRangeDesc_t*>(
        require_input(batch->regionDescArray, "desc: regionDescArray"));
    auto& mine = runtime.section<ToolsExt>();
    std::vector<NamedMemory> added;
    {
      const sim::LockGuard guard(mine.mutex);
      const auto heap = mine.heaps.find(number_of(batch->heap));
      if (heap == mine.heaps.end() || heap->second.domain != number_of(domain)) {
        fail(ACL_ERROR_INVALID_PARAM, "desc: heap is not a live one of the domain");
      }
      for (std::size_t i = 0; i < batch->regionCount; ++i) {
        added.push_back({number_of(domain), ranges[i].ptr, ranges[i].size, heap->first});
        mine.blocks[++mine.last] = added.back();
        if (batch->regionHandleArrayOut) {
          batch->regionHandleArrayOut[i] = handle_of<mstxMemRegionHandle_t>(mine.last);
        }
      }
    }
    hand_out(added);
  });
}

void regions_unregister(mstxDomainHandle_t domain, mstxMemRegionsUnregisterBatch_t const* batch) {
  guarded("mstxMemRegionsUnregister", [&](Runtime& runtime) {
    require_input(batch, "desc");
    if (batch->refCount != 0) require_input(batch->refArray, "desc: refArray");
    auto& mine = runtime.section<ToolsExt>();
    std::vector<NamedMemory> gone;
    {
      const sim::LockGuard guard(mine.mutex);
      for (std::size_t i = 0; i < batch->refCount; ++i) {
        const auto block = mine.find_block(batch->refArray[i], number_of(domain));
        if (block == mine.blocks.end()) continue;
        gone.push_back(block->second);
        mine.blocks.erase(block);
      }
    }
    take_back(gone);
  });
}

}  // namespace

extern "C" ACL_FUNC_VISIBILITY const mstxFunctions_* aclsimToolsExt(void) {
  static constexpr mstxFunctions_ functions = {
      &tool_id,        &mark,          &range_start,     &range_end,        &domain_create,
      &domain_destroy, &heap_register, &heap_unregister, &regions_register, &regions_unregister};
  return &functions;
}
