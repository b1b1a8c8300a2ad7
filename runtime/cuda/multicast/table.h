// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cuda::multicast {

/// Offsets and sizes are multiples of this.
inline constexpr std::uint64_t kGranularity = std::uint64_t{2} << 20;
inline constexpr std::uint32_t kMostDevices = 64;
inline constexpr std::uint32_t kMostBindings = 2048;
inline constexpr std::uint32_t kMostHolders = 128;

/// A piece of a device's memory that was bound.
struct Binding {
  std::atomic<std::uint32_t>
      live;  // set last, so that a process that dies leaves nothing half done
  std::int32_t device;
  std::uint64_t offset;  // in the object
  std::uint64_t size;
  std::uint64_t memory;  // its name in all processes that have the object
  std::uint64_t memory_offset;
  std::uint64_t memory_size;
  // The range of the call that made it: a call over several mappings makes several bindings, which
  // one unbind ends.
  std::uint64_t call_offset;
  std::uint64_t call_size;
};

/// A process that has the object. While it lives it also holds a lock on the byte of its slot.
struct Holder {
  std::uint32_t used;
  std::int32_t process;
  std::uint32_t added;  // how many devices
};

/// A multicast object as the processes share it: plain numbers in a file that they all map. All of
/// it is read and written under the file's lock, except where it says otherwise.
struct Table {
  static constexpr std::uint64_t kMagic = 0x54534143494d4341;  // "ACMICAST"
  static constexpr std::uint32_t kVersion = 2;

  std::uint64_t magic;  // these two have the same offsets in every version
  std::uint32_t version;
  std::uint32_t team_size;
  std::uint64_t size;
  std::uint64_t handle_types;
  std::uint64_t name;                  // random: identifies the object
  std::atomic<std::uint32_t> members;  // how many were added; waited for without the lock
  std::atomic<std::uint32_t> changes;  // of bindings; read without the lock
  std::int32_t lost_process;           // died before its device was added, so the team stays open
  std::int32_t member[kMostDevices];   // in the order of their addition
  Holder holders[kMostHolders];
  Binding bindings[kMostBindings];
};

}  // namespace cuda::multicast
