// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/multimem.h"

#include "runtime/cuda/base/error.h"
#include "runtime/cuda/driver/address_space.h"

namespace cuda::multimem {
namespace {

/// The last binding that this thread has looked up.
struct Known {
  CUdeviceptr begin = 0;
  std::size_t size = 0;
  std::uint64_t epoch = 0;    // of mappings
  std::uint32_t changes = 0;  // of bindings
  std::shared_ptr<const Mapping> mapping;
  std::vector<MemoryRef> memory;
  std::vector<std::byte*> first;  // of each replica
  std::vector<std::byte*> answer;

  bool holds(CUdeviceptr address, std::size_t bytes) const {
    const std::size_t inner = address - begin;
    return inner < size && bytes <= size - inner && epoch == address_space::epoch() &&
           changes == mapping->handle->multicast->changes();
  }
};

MappedPart require_multicast(CUdeviceptr address, std::size_t size) {
  const auto parts = address_space::parts(address, size, "address");
  if (parts.size() != 1 || !parts[0].mapping->handle->multicast) {
    refuse("{:#x} and {} bytes lie in no mapping of a multicast object", address, size);
  }
  return parts[0];
}

void require_bound(const ReplicatedSegment& piece) {
  if (piece.unbound.empty() && !piece.replicas.empty()) return;
  fail(CUDA_ERROR_ILLEGAL_ADDRESS,
       "device {} of the team has no memory bound at offset {} of the multicast object",
       piece.unbound.empty() ? -1 : piece.unbound[0], piece.offset);
}

// The whole binding around the address, as far as granules go in which nothing changes.
void look_up(Known& known, CUdeviceptr address, std::size_t size) {
  const MappedPart part = require_multicast(address, size);
  MulticastObject& object = *part.mapping->handle->multicast;
  const std::size_t granule = part.offset / multicast::kGranularity * multicast::kGranularity;
  known = Known();
  known.epoch = address_space::epoch();
  known.changes = object.changes();
  const auto pieces = object.resolve(granule, multicast::kGranularity);
  require_bound(pieces.front());
  if (pieces.size() != 1 || part.offset + size > granule + multicast::kGranularity) {
    refuse("{} bytes at {:#x} pass the end of what a device bound there", size, address);
  }
  known.mapping = part.mapping;
  known.begin = part.mapping->begin + granule;
  known.size = multicast::kGranularity;
  for (const Replica& replica : pieces.front().replicas) {
    known.memory.push_back(replica.memory);
    known.first.push_back(replica.memory->bytes() + replica.offset);
  }
  known.answer.resize(known.first.size());
}

}  // namespace

const std::vector<std::byte*>& targets(CUdeviceptr address, std::size_t size) {
  thread_local Known known;
  if (!known.mapping || !known.holds(address, size)) look_up(known, address, size);
  const std::size_t inner = address - known.begin;
  for (std::size_t i = 0; i < known.first.size(); ++i) known.answer[i] = known.first[i] + inner;
  return known.answer;
}

std::vector<ReplicatedSegment> pieces(CUdeviceptr address, std::size_t size) {
  const MappedPart part = require_multicast(address, size);
  auto found = part.mapping->handle->multicast->resolve(part.offset, part.size);
  for (const ReplicatedSegment& piece : found) require_bound(piece);
  return found;
}

}  // namespace cuda::multimem
