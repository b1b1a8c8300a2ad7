// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "device_sim/base/mutex.h"
#include "device_sim/base/owned_fd.h"
#include "runtime/cuda/multicast/team.h"

namespace cuda {

/// The file behind a multicast object, which all processes map that have it. Each has a slot in the
/// table and a lock on the byte of that slot, which the system takes away when the process ends, so
/// the others see that. One more lock keeps the table for one at a time.
class TeamFile {
 public:
  /// A new object. Raises CUDA_ERROR_INVALID_VALUE for properties that make none.
  static std::unique_ptr<TeamFile> create(const multicast::Properties& properties);
  /// That of another process. Null when the file is none.
  static std::unique_ptr<TeamFile> open(sim::OwnedFd file);
  /// The object's number in a file; 0 when it is none.
  static std::uint64_t name_in(int file);
  ~TeamFile();
  TeamFile(const TeamFile&) = delete;
  TeamFile& operator=(const TeamFile&) = delete;

  /// Calls `body(Team&)` while no other thread or process reads or writes the table.
  template <class Body>
  auto locked(Body&& body) {
    const sim::LockGuard guard(mutex_);
    const FileLock whole(*this);
    multicast::Team team(*table_);
    return body(team);
  }
  const multicast::Table& table() const noexcept { return *table_; }
  const sim::OwnedFd& file() const noexcept { return file_; }
  std::uint32_t slot() const noexcept { return slot_; }

  /// Adds a device, by the machine's number, and wakes the threads that wait for the team.
  void add(int device);
  /// Returns once the team is complete. The caller must not hold a lock. Raises
  /// CUDA_ERROR_ILLEGAL_STATE if the team can never be complete.
  void wait_until_complete(const char* call);

 private:
  explicit TeamFile(sim::OwnedFd file);
  void enter();
  bool lock_byte(std::int64_t byte, short type, bool wait) const;
  bool is_locked(std::int64_t byte) const;
  void look_for_the_dead();
  void require_hope() const;

  /// The table's lock among processes. Threads of this one have the mutex.
  class FileLock {
   public:
    explicit FileLock(const TeamFile& file);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

   private:
    const TeamFile& file_;
  };

  const sim::OwnedFd file_;  // sent to other processes
  sim::OwnedFd own_;         // opened by this process alone: locks belong to it
  multicast::Table* table_ = nullptr;
  std::uint32_t slot_ = multicast::kMostHolders;
  sim::Mutex mutex_;
};

}  // namespace cuda
