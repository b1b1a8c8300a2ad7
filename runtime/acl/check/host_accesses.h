// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <unordered_map>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/group_reports.h"
#include "runtime/acl/check/memory_lives.h"
#include "runtime/acl/check/read_checks.h"

namespace acl {

/// Accesses of host threads that calls and annotations report, and annotations that order threads.
class HostAccesses {
 public:
  HostAccesses(Runtime& runtime, CheckLock& lock, Actors& actors, UnknownWriters& unknown_writers,
               HostMemoryInUse& host_memory, GroupReports& group, MemoryLives& memory_lives,
               ReadChecks& read_checks)
      : runtime_(runtime),
        lock_(lock),
        actors_(actors),
        engine_(actors.engine()),
        unknown_writers_(unknown_writers),
        host_memory_(host_memory),
        group_(group),
        memory_lives_(memory_lives),
        read_checks_(read_checks) {}

  void accessed(const sim::MemoryRange& range) EXCLUDES(check_lock);
  void copied(std::span<const sim::MemoryRange> ranges) EXCLUDES(check_lock);
  void copying_to_host(Stream& stream, std::span<const sim::MemoryRange> ranges)
      EXCLUDES(check_lock);
  bool settled(std::span<const sim::MemoryRange> ranges) EXCLUDES(check_lock);
  void writes_anywhere() EXCLUDES(check_lock);
  void released(const void* object) EXCLUDES(check_lock);
  void acquired(const void* object) EXCLUDES(check_lock);
  void clear() REQUIRES(check_lock) { annotations_.clear(); }

 private:
  void access(std::span<const order::Access> accesses) REQUIRES(check_lock);

  Runtime& runtime_;
  CheckLock& lock_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  UnknownWriters& unknown_writers_;
  HostMemoryInUse& host_memory_;
  GroupReports& group_;
  MemoryLives& memory_lives_;
  ReadChecks& read_checks_;
  // The clock of the last release of each object.
  std::unordered_map<const void*, order::VectorClock> annotations_ GUARDED_BY(check_lock);
};

}  // namespace acl
