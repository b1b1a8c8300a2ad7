// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device_sim/base/bounded_queue.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/tensor/buffer.h"
#include "runtime/acl/tensor/queue_description.h"

namespace acl {

/// A queue of buffers. Guarded by the lock of Queues.
struct TensorQueue : sim::RefCounted<TensorQueue> {
  TensorQueue(std::uint32_t id_, int device_, const QueueAttributes& attributes)
      : id(id_), device(device_), name(attributes.name.data()), buffers(attributes.depth) {}

  const std::uint32_t id;
  const int device;
  const std::string name;
  sim::BoundedQueue<sim::Ref<Buffer>> buffers;
  std::optional<std::uint32_t> granted;  // to this process
  sim::CondVar on_grant;
};

/// The queues of the process and the routes between them. Ids are never used twice.
///
/// No thread serves the routes: a route can move a buffer only after a call that put one into its
/// source, took one out of its destination, or bound or unbound a route, and that call moves it
/// before it returns (`pump`). A source with several destinations gives each of them the buffer
/// (references to the same data), when all of them have room.
class Queues final : public Section {
 public:
  explicit Queues(Runtime& runtime) : runtime_(runtime) {}

  std::uint32_t create(int device, const QueueAttributes& attributes);
  void destroy(std::uint32_t id);

  /// The buffer is the queue's from here on, unless this fails.
  void enqueue(std::uint32_t id, const void* buffer, const sim::Deadline& deadline);
  void* dequeue(std::uint32_t id, const sim::Deadline& deadline);
  /// The bytes of the next buffer; raises ACL_ERROR_INVALID_PARAM and leaves it in the queue when
  /// it has more than `size`.
  std::size_t dequeue_data(std::uint32_t id, void* data, std::size_t size, void* user,
                           std::size_t user_size, const sim::Deadline& deadline);

  void grant(std::uint32_t id, std::uint32_t permission);
  /// Waits for a grant; raises ACL_ERROR_RT_NO_PERMISSION when none comes in time.
  std::uint32_t attach(std::uint32_t id, const sim::Deadline& deadline);

  /// All of them or, when one cannot be, none; sets their status.
  void bind(QueueRouteList& routes);
  void unbind(QueueRouteList& routes);
  QueueRouteList query(const QueueRouteQuery& query);

  void device_ends(int device) override;
  void reset() override;
  std::size_t live_handles() const override;

 private:
  using Lock = sim::UniqueLock<sim::Mutex>;
  using Dropped = std::deque<sim::Ref<Buffer>>;
  struct Way {
    sim::Ref<TensorQueue> source;
    std::vector<sim::Ref<TensorQueue>> destinations;
  };

  sim::Ref<TensorQueue> find(std::uint32_t id, const char* argument = "qid") const REQUIRES(mutex_);
  sim::Ref<TensorQueue> with_item(Lock& lock, std::uint32_t id, const sim::Deadline& deadline)
      REQUIRES(mutex_);
  sim::Ref<Buffer> pop(TensorQueue& queue) REQUIRES(mutex_);
  void end(const sim::Ref<TensorQueue>& queue, Dropped& dropped) REQUIRES(mutex_);
  void check_route(const QueueRouteList& bound, const QueueRoute& route) const REQUIRES(mutex_);
  void find_ways() REQUIRES(mutex_);
  void pump() REQUIRES(mutex_);
  bool advance(Way& way) REQUIRES(mutex_);

  Buffers& buffers();
  void drop(const Dropped& dropped);

  Runtime& runtime_;
  mutable sim::Mutex mutex_;
  std::map<std::uint32_t, sim::Ref<TensorQueue>> queues_ GUARDED_BY(mutex_);
  std::uint32_t last_id_ GUARDED_BY(mutex_) = 0;
  QueueRouteList routes_ GUARDED_BY(mutex_);  // bound ones, and ones whose queue has gone
  std::vector<Way> ways_ GUARDED_BY(mutex_);  // the bound ones by source
};

}  // namespace acl
