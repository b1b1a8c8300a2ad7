// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/cuda/multicast/table.h"

namespace cuda::multicast {

/// The properties of an object; see cuMulticastCreate.
struct Properties {
  std::uint32_t team_size = 0;
  std::uint64_t size = 0;
  std::uint64_t handle_types = 0;
};

/// Memory that is to be bound.
struct Memory {
  std::uint64_t name = 0;
  std::uint64_t size = 0;
  int device = -1;
  bool shareable = false;
};

/// A range of the object.
struct Range {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// The location of a byte of the object on one device.
struct Target {
  int device = -1;
  std::uint64_t memory = 0;
  std::uint64_t offset = 0;

  friend bool operator==(const Target&, const Target&) = default;
};

/// Part of a range in which every device has one place.
struct Segment {
  std::uint64_t offset = 0;  // in the object
  std::uint64_t size = 0;
  std::vector<Target> targets;  // in the order in which devices were added
  std::vector<int> unbound;     // members without memory here
};

/// The rules of a multicast object: the devices of the team and the bindings of memory. Uses no
/// process and no device. The caller holds the lock of the table. Errors are raised as cuda::Error
/// and leave the table unchanged.
class Team {
 public:
  explicit Team(Table& table) : table_(table) {}
  /// Makes a table of zeros an object. Refuses properties that make none.
  static void start(Table& table, const Properties& properties, std::uint64_t name);

  const Table& table() const noexcept { return table_; }
  std::uint64_t size() const noexcept { return table_.size; }
  bool complete() const noexcept { return table_.members.load() == table_.team_size; }
  bool has(int device) const noexcept;
  std::vector<int> members() const;

  /// The device joins for the object's lifetime; `holder` is the slot of the process that adds it.
  void add(int device, std::uint32_t holder);
  /// The team must be complete. `call`: the range of the whole call, if it makes several bindings.
  void bind(std::uint64_t offset, const Memory& memory, std::uint64_t memory_offset,
            std::uint64_t size, const Range& call = {});
  /// Ends the bindings that a call with exactly these values made; returns the names of their
  /// memory.
  std::vector<std::uint64_t> unbind(int device, std::uint64_t offset, std::uint64_t size);

  /// The memory of each part of [offset, offset + size).
  std::vector<Segment> pieces(std::uint64_t offset, std::uint64_t size) const;
  /// Names of everything that is bound.
  std::vector<std::uint64_t> bound_memory() const;

  // --- processes ---
  std::uint32_t take_slot(std::int32_t process);
  void give_slot(std::uint32_t holder) noexcept;
  /// The process behind the slot has died. True when the team can never be complete now.
  bool holder_died(std::uint32_t holder) noexcept;
  /// The missing devices: "2 of 4 devices were added (0, 3); ..."
  std::string missing() const;

 private:
  void require_range(std::uint64_t offset, std::uint64_t size, const char* what) const;
  void require_member(const Memory& memory) const;
  void require_free(int device, std::uint64_t offset, std::uint64_t size) const;

  Table& table_;
};

}  // namespace cuda::multicast
