// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "cuda/cuda_multicast.h"
#include "device_sim/base/mutex.h"
#include "runtime/cuda/driver/physical_memory.h"
#include "runtime/cuda/driver/team_file.h"

namespace cuda {

class Machine;

/// One destination of a store to a multicast object.
struct Replica {
  int device = -1;  // as this process counts; -1: it has not this device
  MemoryRef memory;
  std::size_t offset = 0;
};

struct ReplicatedSegment {
  std::size_t offset = 0;  // in the object
  std::size_t size = 0;
  std::vector<Replica> replicas;  // in the order in which devices were added
  std::vector<int> unbound;       // devices of the team without memory here
};

/// A multicast object, as this process has it. Handles and mappings share it.
class MulticastObject {
 public:
  static std::shared_ptr<MulticastObject> create(const CUmulticastObjectProp& prop);
  /// That behind a file that another process, or this one, exported. Null when it is none.
  static std::shared_ptr<MulticastObject> import(sim::OwnedFd file);
  ~MulticastObject();
  MulticastObject(const MulticastObject&) = delete;
  MulticastObject& operator=(const MulticastObject&) = delete;

  std::uint64_t size() const noexcept { return file_->table().size; }
  std::uint64_t handle_types() const noexcept { return file_->table().handle_types; }
  std::uint64_t name() const noexcept { return file_->table().name; }
  const sim::OwnedFd& file() const noexcept { return file_->file(); }
  /// Moves with every bind and unbind.
  std::uint32_t changes() const noexcept { return file_->table().changes.load(); }

  void add(int device);
  void wait_until_complete(const char* call) { file_->wait_until_complete(call); }
  /// `device`: where the caller says that the memory is, or -1. `call`: as in Team::bind.
  void bind(std::size_t offset, const MemoryRef& memory, std::size_t memory_offset,
            std::size_t size, int device, const multicast::Range& call = {});
  void unbind(int device, std::size_t offset, std::size_t size);
  bool has(int device);

  /// The destinations of a store to the range. Maps memory of other processes when it is first
  /// needed.
  std::vector<ReplicatedSegment> resolve(std::size_t offset, std::size_t size);
  /// For reports: "devices 0, 1, 2".
  std::string team();

 private:
  explicit MulticastObject(std::unique_ptr<TeamFile> file);
  MemoryRef memory_of(std::uint64_t name, int device, std::uint64_t size) REQUIRES(mutex_);

  const std::unique_ptr<TeamFile> file_;
  sim::Mutex mutex_;
  // Bound by this process: a binding holds its memory.
  std::multimap<std::uint64_t, MemoryRef> bound_ GUARDED_BY(mutex_);
  std::map<std::uint64_t, MemoryRef> imported_ GUARDED_BY(mutex_);  // bound by others
  std::uint32_t pruned_at_ GUARDED_BY(mutex_) = 0;                  // changes of the table then
};

using MulticastRef = std::shared_ptr<MulticastObject>;

/// The machine, for every call of the multicast interface. Raises CUDA_ERROR_NOT_SUPPORTED if
/// multicast is switched off.
Machine& machine_with_multicast();
/// Raises the errors that cuMulticastGetGranularity and cuMulticastCreate share: the errors of all
/// members but the size.
void require_multicast(const CUmulticastObjectProp& prop);

}  // namespace cuda
