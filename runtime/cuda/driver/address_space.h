// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "cuda/cuda_multicast.h"
#include "runtime/cuda/driver/handles.h"
#include "runtime/cuda/driver/machine.h"

namespace cuda {

/// Who may do what with a mapping: by device, -1 for the host.
using AccessTable = std::map<int, CUmemAccess_flags>;

struct Mapping {
  CUdeviceptr begin = 0;
  std::size_t size = 0;
  HandleRef handle;
  AccessTable access;

  CUmemAccess_flags access_of(int device) const {
    const auto it = access.find(device);
    return it == access.end() ? CU_MEM_ACCESS_FLAGS_PROT_NONE : it->second;
  }
};

/// Part of a range of addresses that lies in one mapping.
struct MappedPart {
  std::shared_ptr<const Mapping> mapping;
  std::size_t offset = 0;  // in what is mapped
  std::size_t size = 0;
};

/// Addresses that the program reserved and mapped through the CUDA interface. Memory is mapped with
/// ACL, so both interfaces find it; a multicast object has no memory, so its addresses stay closed.
namespace address_space {

CUdeviceptr reserve(std::size_t size, std::size_t alignment, CUdeviceptr wanted);
void release(CUdeviceptr begin, std::size_t size);

/// Waits for the team first, where the handle is a multicast object.
void map(Caller caller, CUdeviceptr begin, std::size_t size, std::size_t offset,
         CUmemGenericAllocationHandle handle);
void unmap(CUdeviceptr begin, std::size_t size);
void set_access(CUdeviceptr begin, std::size_t size, const CUmemAccessDesc* desc,
                std::size_t count);
CUmemAccess_flags access(CUdeviceptr address, const CUmemLocation& location);

/// The mapping that holds the address; null where there is none.
std::shared_ptr<const Mapping> find(CUdeviceptr address);
/// The mappings behind a range, in order. Empty when none is at its start; refuses a range that
/// passes the end of what is mapped.
std::vector<MappedPart> parts(CUdeviceptr begin, std::size_t size, const char* argument);
/// Whether the address is reserved here.
bool reserved(CUdeviceptr address);
/// Moves with every change, so that look-ups can be kept.
std::uint64_t epoch() noexcept;

}  // namespace address_space
}  // namespace cuda
