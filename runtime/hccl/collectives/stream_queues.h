// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "acl/acl_base.h"
#include "runtime/hccl/board/call.h"
#include "runtime/hccl/links/links.h"

namespace hccl {

/// A collective that was enqueued and has not ended.
struct QueuedCollective {
  std::shared_ptr<Links> links;
  std::uint64_t number = 0;
  Call call{};
  const Site* site = nullptr;
  bool sleeps = false;  // it waits for other ranks
};

/// The place of a collective in the queue of its stream, after all collectives that were enqueued
/// before and have not ended. It is used if the process has several communicators, because then two
/// ranks can deadlock: each has enqueued the collectives of two communicators in the opposite
/// order. A collective that begins to wait publishes this on the boards of the communicators whose
/// collectives are queued after it (`Held`). A collective that waits for a rank which is held back
/// by a collective queued after itself has found such a deadlock.
///
/// Places are local to the process. Any thread. The order of two threads that enqueue on one stream
/// is up to them.
class QueuePlace {
 public:
  QueuePlace(aclrtStream stream, QueuedCollective collective);
  ~QueuePlace();
  QueuePlace(const QueuePlace&) = delete;
  QueuePlace& operator=(const QueuePlace&) = delete;

  /// The collective begins to wait for other ranks: publishes this to the ranks of the collectives
  /// that are queued after it.
  void sleep();
  /// The collective waits for rank `awaited`. If that rank is held back by a collective that is
  /// queued after this one, returns the communicator of that collective and the text of the
  /// deadlock.
  struct Cycle {
    std::shared_ptr<Links> other;
    std::string text;
    bool reported = false;  // another rank of the process has reported it
  };
  std::optional<Cycle> cycle(int awaited) const;

 private:
  using Queue = std::list<QueuedCollective>;
  const aclrtStream stream_;
  Queue::iterator place_;
};

}  // namespace hccl
