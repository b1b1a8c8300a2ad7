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

/// Its place in the queue of its stream, behind what was enqueued there before and has not ended.
/// Kept where the process has several communicators, by which two ranks can wait for each other:
/// one has their collectives in one order, the other in the other. So who sleeps shows the ranks of
/// those communicators whose collectives stand behind it that they do (`Held`), and whoever waits
/// for a rank that stands behind what stands behind itself knows that neither goes on.
///
/// Of one process; any thread. Two threads that enqueue on one stream do so in an order of their
/// own.
class QueuePlace {
 public:
  QueuePlace(aclrtStream stream, QueuedCollective collective);
  ~QueuePlace();
  QueuePlace(const QueuePlace&) = delete;
  QueuePlace& operator=(const QueuePlace&) = delete;

  /// It waits for other ranks from here on: shows that to those that the collectives behind it
  /// meet.
  void sleep();
  /// It waits for that rank. Where that one stands behind a collective that stands behind this one:
  /// the communicator of that collective, and what every rank is to be told.
  struct Cycle {
    std::shared_ptr<Links> other;
    std::string text;
    bool told = false;  // by another rank of the process
  };
  std::optional<Cycle> cycle(int awaited) const;

 private:
  using Queue = std::list<QueuedCollective>;
  const aclrtStream stream_;
  Queue::iterator place_;
};

}  // namespace hccl
