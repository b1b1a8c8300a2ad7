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

/// The access rights of each device to a mapping; -1 is the host.
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

/// The part of an address range that is inside one mapping.
struct MappedPart {
  std::shared_ptr<const Mapping> mapping;
  std::size_t offset = 0;  // in the mapping, in bytes
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

/// The mapping that contains the address; null if no mapping contains it.
std::shared_ptr<const Mapping> find(CUdeviceptr address);
/// The mappings of a range, in address order. Empty if nothing is mapped at its start. Raises an
/// error if the range continues beyond the mapped addresses.
std::vector<MappedPart> parts(CUdeviceptr begin, std::size_t size, const char* argument);
/// Whether the address is reserved here.
bool reserved(CUdeviceptr address);
/// Moves with every change, so that look-ups can be kept.
std::uint64_t epoch() noexcept;

}  // namespace address_space
}  // namespace cuda
