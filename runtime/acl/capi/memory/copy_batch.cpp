// SPDX-License-Identifier: Apache-2.0
// Many copies in one call. Every chunk is checked before the first is copied or enqueued.
#include <cstring>
#include <vector>

#include "runtime/acl/base/runs.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/transfer.h"
#include "runtime/acl/watch/registry.h"

using namespace acl;

namespace {

struct Batch {
  void** dsts;
  std::size_t* dest_maxs;
  void** srcs;
  std::size_t* sizes;
  std::size_t count;
  aclrtMemcpyBatchAttr* attrs;
  std::size_t* starts;  // of the runs of chunks that share an attribute
  std::size_t runs;
};

void check_arrays(const Batch& batch) {
  require_input(batch.dsts, "dsts");
  require_input(batch.dest_maxs, "destMaxs");
  require_input(batch.srcs, "srcs");
  require_input(batch.sizes, "sizes");
  require_input(batch.attrs, "attrs");
  if (batch.count == 0) fail(ACL_ERROR_INVALID_PARAM, "numBatches is 0");
  check_runs(batch.starts, batch.runs, batch.count, "attrsIndexes");
}

bool fits(Runtime& runtime, const aclrtMemLocation& location, const MemoryLocation& place) {
  switch (location.type) {
    case ACL_MEM_LOCATION_TYPE_HOST:
    case ACL_MEM_LOCATION_TYPE_HOST_NUMA:
      return !place.on_device() || place.managed();
    case ACL_MEM_LOCATION_TYPE_DEVICE:
      return place.managed() ||
             (place.on_device() &&
              static_cast<std::uint32_t>(runtime.logical(place.device())) == location.id);
    case ACL_MEM_LOCATION_TYPE_UNREGISTERED:
      return place.pageable();
    case ACL_MEM_LOCATION_TYPE_MANAGED:
      return place.managed();
    default:
      return false;
  }
}

MemoryLocation locate_as_said(Runtime& runtime, const void* address, std::size_t size,
                              const char* argument, sim::Access wanted,
                              const aclrtMemLocation& location) {
  require_input(address, argument);
  const MemoryLocation place = locate(runtime, address, size, argument, wanted);
  if (!fits(runtime, location, place)) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "{} is {}, which does not lie where its attribute says (type {}, id {})", argument,
         address, static_cast<int>(location.type), location.id);
  }
  return place;
}

struct CopyChunk {
  void* dst;
  const void* src;
  std::size_t size;
  MemoryLocation to;
  MemoryLocation from;
};

CopyChunk check_chunk(Runtime& runtime, const Batch& batch, std::size_t i, std::size_t run) {
  CopyChunk chunk{batch.dsts[i], batch.srcs[i], batch.sizes[i], {}, {}};
  if (batch.dest_maxs[i] < chunk.size) {
    fail(ACL_ERROR_INVALID_PARAM, "sizes[{}] is {} and destMaxs[{}] {}; expected size <= destMax",
         i, chunk.size, i, batch.dest_maxs[i]);
  }
  chunk.to = locate_as_said(runtime, chunk.dst, chunk.size, "dst", sim::Access::read_write,
                            batch.attrs[run].dstLoc);
  chunk.from = locate_as_said(runtime, chunk.src, chunk.size, "src", sim::Access::read,
                              batch.attrs[run].srcLoc);
  require_access(runtime, chunk.to, chunk.from);
  return chunk;
}

/// The chunks that have bytes. `fail_index`, if not null, receives the index of a chunk that is
/// refused.
template <class Check>
std::vector<CopyChunk> check_chunks(Runtime& runtime, const Batch& batch, std::size_t* fail_index,
                                    Check&& check) {
  std::size_t unused = 0;
  std::size_t& index = fail_index ? *fail_index : unused;
  std::vector<CopyChunk> chunks;
  for_each_in_runs(batch.starts, batch.runs, batch.count, [&](std::size_t i, std::size_t run) {
    if (batch.sizes[i] == 0) return;
    index = i;
    chunks.push_back(check_chunk(runtime, batch, i, run));
    check(chunks.back());
  });
  index = SIZE_MAX;
  return chunks;
}

void copy_chunks(Runtime& runtime, const std::vector<CopyChunk>& chunks) {
  sim::Memory& memory = runtime.memory();
  for (const CopyChunk& chunk : chunks) {
    report_copy(chunk.dst, chunk.src, chunk.size);
    std::memmove(memory.engine(chunk.dst), memory.engine(chunk.src), chunk.size);
  }
}

void copy_batch(Runtime& runtime, const Batch& batch, std::size_t* fail_index) {
  check_arrays(batch);
  require_immediate_work(runtime);
  copy_chunks(runtime, check_chunks(runtime, batch, fail_index, [](const CopyChunk&) {}));
}

void copy_batch_async(Runtime& runtime, const Batch& batch, std::size_t* fail_index,
                      aclrtStream handle) {
  check_arrays(batch);
  Stream* const stream = own_stream(runtime, handle);
  bool in_call = false;
  const std::vector<CopyChunk> chunks =
      check_chunks(runtime, batch, fail_index, [&](const CopyChunk& chunk) {
        check_direction(ACL_MEMCPY_DEFAULT, chunk.to, chunk.from);
        in_call = in_call || happens_in_call(*stream, chunk.to, chunk.from);
      });
  if (in_call) {
    finish_stream(*stream);
    copy_chunks(runtime, chunks);
    return;
  }
  for (const CopyChunk& chunk : chunks) {
    stream->submit(
        sim::make_copy(chunk.dst, chunk.to.device(), chunk.src, chunk.from.device(), chunk.size));
  }
}

}  // namespace

extern "C" {

aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                          size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                          size_t numAttrs, size_t* failIndex) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_out(failIndex, "failIndex") = SIZE_MAX;
    copy_batch(runtime, {dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs},
               failIndex);
  });
}

aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                            size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                            size_t numAttrs) {
  return guarded(__func__, [&](Runtime& runtime) {
    copy_batch(runtime, {dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs},
               nullptr);
  });
}

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                               size_t numAttrs, size_t* failIndex, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_out(failIndex, "failIndex") = SIZE_MAX;
    copy_batch_async(runtime,
                     {dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs},
                     failIndex, stream);
  });
}

aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                 size_t* attrsIndexes, size_t numAttrs, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    copy_batch_async(runtime,
                     {dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs},
                     nullptr, stream);
  });
}

}  // extern "C"
