// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/symmetric_memory.h"

#include <span>

#include "runtime/fabric/base/bytes.h"
#include "runtime/fabric/base/identity.h"
#include "runtime/shmem/base/error.h"
#include "runtime/shmem/links/mpi.h"

namespace shmem {
namespace {

std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

void require(aclError code, const char* what) {
  if (code == ACL_SUCCESS) return;
  const char* const text = aclGetRecentErrMsg();
  fail(ACLSHMEM_MALLOC_FAILED, "{} failed: {}", what, text ? text : "no reason is given");
}

aclrtDrvMemHandle allocate(const MemoryKind& sort, std::size_t bytes) {
  aclrtPhysicalMemProp prop{};
  prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  prop.memAttr = sort.of_host ? ACL_DDR_MEM_HUGE : ACL_HBM_MEM_HUGE;
  prop.location.id = sort.of_host ? 0 : static_cast<std::uint32_t>(sort.device);
  prop.location.type = sort.of_host ? ACL_MEM_LOCATION_TYPE_HOST : ACL_MEM_LOCATION_TYPE_DEVICE;
  aclrtDrvMemHandle handle = nullptr;
  require(aclrtMallocPhysical(&handle, bytes, &prop, 0), "the allocation of the symmetric heap");
  return handle;
}

}  // namespace

acl::embedding::Runtime& embedding() {
  acl::embedding::Runtime* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  if (!runtime) {
    fail(ACLSHMEM_INNER_ERROR,
         "libascendcl does not serve this libshmem: it is of another version, or has no runtime "
         "here");
  }
  return *runtime;
}

SymmetricMemory::SymmetricMemory(fabric::Group& group, const MemoryKind& sort, std::size_t bytes,
                                 fabric::Moment end)
    : bytes_(round_up(bytes, ACLSHMEM_PAGE_SIZE)), blocks_(static_cast<std::size_t>(group.size())) {
  try {
    Block& mine = blocks_[static_cast<std::size_t>(group.rank())];
    mine.handle = allocate(sort, bytes_);
    reserve();
    map(mine);
    import_others(group, sort, end);
    tell(group.rank());
  } catch (...) {
    release();
    throw;
  }
}

SymmetricMemory::~SymmetricMemory() { release(); }

// A reservation can hold memory of one process only, so each PE has its own. The first reservation
// finds an address range that is large enough for all.
void SymmetricMemory::reserve() {
  void* base = nullptr;
  std::uintptr_t first = 0;
  for (const std::size_t rounding : {ACLSHMEM_HEAP_ALIGNMENT_SIZE, ACLSHMEM_PAGE_SIZE}) {
    stride_ = round_up(bytes_, rounding);
    // each block begins at a multiple of the alignment
    const std::size_t all = stride_ * blocks_.size() + rounding;
    if (aclrtReserveMemAddress(&base, all, 0, nullptr, 1) == ACL_SUCCESS) {
      first = round_up(reinterpret_cast<std::uintptr_t>(base), rounding);
      break;
    }
    base = nullptr;
  }
  if (!base) {
    fail(ACLSHMEM_MALLOC_FAILED, "no addresses are left for {} heaps of {} bytes", blocks_.size(),
         bytes_);
  }
  aclrtReleaseMemAddress(base);
  auto* at = reinterpret_cast<std::byte*>(first);
  for (Block& block : blocks_) {
    void* reserved = nullptr;
    require(aclrtReserveMemAddress(&reserved, stride_, 0, at, 1), "the reservation of addresses");
    block.begin = static_cast<std::byte*>(reserved);
    if (block.begin != at) {
      fail(ACLSHMEM_MALLOC_FAILED, "the addresses of {} heaps are not in one range",
           blocks_.size());
    }
    at += stride_;
  }
}

void SymmetricMemory::map(Block& block) {
  require(aclrtMapMem(block.begin, bytes_, 0, block.handle, 0), "the mapping of a heap");
  block.mapped = true;
  block.engine = static_cast<std::byte*>(embedding().engine(block.begin));
}

void SymmetricMemory::import_others(fabric::Group& group, const MemoryKind& sort,
                                    fabric::Moment end) {
  const auto me = static_cast<std::size_t>(group.rank());
  std::uint64_t key = 0;
  require(aclrtMemExportToShareableHandle(blocks_[me].handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &key),
          "the export of the heap");
  std::int32_t pid = 0;
  require(aclrtDeviceGetBareTgid(&pid), "the number of the process");
  blocks_[me].file = fabric::random_number();
  fabric::StoreCollectives collectives = group.collectives(sort.name);
  const auto is_remote = [&](std::size_t pe) {
    return group.peer(static_cast<int>(pe)).locality == fabric::Locality::remote;
  };
  const auto cards = collectives.allgather(fabric::Writer()
                                               .number(key)
                                               .number(pid)
                                               .number(blocks_[me].file)
                                               .number(std::uint8_t{embedding().listened()})
                                               .take(),
                                           end);
  checked_everywhere_ = true;
  std::vector<std::uint64_t> keys;
  std::vector<std::int32_t> pids;
  for (std::size_t pe = 0; pe < cards.size(); ++pe) {
    fabric::Reader reader(cards[pe]);
    keys.push_back(reader.number<std::uint64_t>());
    const auto of_pe = reader.number<std::int32_t>();
    if (!is_remote(pe)) pids.push_back(of_pe);
    blocks_[pe].file = reader.number<std::uint64_t>();
    const bool tells = reader.number<std::uint8_t>() != 0;
    checked_everywhere_ = checked_everywhere_ && tells && !is_remote(pe);
  }
  require(aclrtMemSetPidToShareableHandle(key, pids.data(), pids.size()), "sharing the heap");
  collectives.barrier(end);  // now all may import
  for (std::size_t pe = 0; pe < blocks_.size(); ++pe) {
    if (pe == me || is_remote(pe)) continue;
    require(aclrtMemImportFromShareableHandle(keys[pe], sort.device, &blocks_[pe].handle),
            "the import of another PE's heap");
    map(blocks_[pe]);
  }
  collectives.barrier(end);  // now all have imported
}

void SymmetricMemory::tell(int me) const {
  for (std::size_t pe = 0; pe < blocks_.size(); ++pe) {
    const Block& block = blocks_[pe];
    if (!block.mapped) continue;
    embedding().tell_shared(block.begin, bytes_, block.file, 0, static_cast<int>(pe) == me,
                            !has_mpi());
  }
}

void SymmetricMemory::release() noexcept {
  for (Block& block : blocks_) {
    if (block.engine) embedding().tell_unshared(block.begin, bytes_);
    if (block.mapped) aclrtUnmapMem(block.begin);
    if (block.handle) aclrtFreePhysical(block.handle);
    if (block.begin) aclrtReleaseMemAddress(block.begin);
    block = {};
  }
}

int SymmetricMemory::owner_of(const void* address) const noexcept {
  const std::size_t distance = reinterpret_cast<std::uintptr_t>(address) -
                               reinterpret_cast<std::uintptr_t>(blocks_.front().begin);
  const std::size_t pe = distance / stride_;
  return pe < blocks_.size() && distance % stride_ < bytes_ ? static_cast<int>(pe) : -1;
}

}  // namespace shmem
