// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/tensor/tensor_queue.h"

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

using Wait = sim::BoundedQueue<sim::Ref<Buffer>>::Wait;

namespace {

/// Why a wait for a queue ended without what it waited for.
[[noreturn]] void refuse(Wait why, const TensorQueue& queue, aclError code, const char* state) {
  if (why == Wait::closed) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "queue {} (\"{}\") was destroyed during the call", queue.id,
         queue.name);
  }
  fail(code, "queue {} (\"{}\") is {}", queue.id, queue.name, state);
}

}  // namespace

Buffers& Queues::buffers() { return runtime_.section<Buffers>(); }

// ---- queues ----

std::uint32_t Queues::create(int device, const QueueAttributes& attributes) {
  const sim::LockGuard guard(mutex_);
  const std::uint32_t id = ++last_id_;
  queues_.emplace(id, sim::make_ref<TensorQueue>(id, device, attributes));
  return id;
}

sim::Ref<TensorQueue> Queues::find(std::uint32_t id, const char* argument) const {
  const auto it = queues_.find(id);
  if (it == queues_.end()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, which is not a queue (destroyed, or never created)",
         argument, id);
  }
  return it->second;
}

void Queues::destroy(std::uint32_t id) {
  Dropped dropped;
  {
    const sim::LockGuard guard(mutex_);
    end(find(id), dropped);
    pump();  // a waiter for this destination may go on now
  }
  drop(dropped);
}

void Queues::end(const sim::Ref<TensorQueue>& queue, Dropped& dropped) {
  for (auto& buffer : queue->buffers.drain()) dropped.push_back(std::move(buffer));
  queue->buffers.close();
  queue->on_grant.notify_all();
  for (QueueRoute& route : routes_) {
    const bool concerned = route.source == queue->id || route.destination == queue->id;
    if (concerned) route.status = ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL;
  }
  queues_.erase(queue->id);
  find_ways();
}

void Queues::drop(const Dropped& dropped) {
  for (const auto& buffer : dropped) buffers().drop(buffer);
}

void Queues::device_ends(int device) {
  Dropped dropped;
  {
    const sim::LockGuard guard(mutex_);
    const auto all = queues_;
    for (const auto& [id, queue] : all) {
      if (queue->device == device) end(queue, dropped);
    }
    pump();
  }
  drop(dropped);
}

void Queues::reset() {
  Dropped dropped;
  {
    const sim::LockGuard guard(mutex_);
    const auto all = queues_;
    for (const auto& [id, queue] : all) end(queue, dropped);
    routes_.clear();
  }
  drop(dropped);
}

std::size_t Queues::live_handles() const {
  const sim::LockGuard guard(mutex_);
  return queues_.size();
}

// ---- buffers in and out ----

void Queues::enqueue(std::uint32_t id, const void* buffer, const sim::Deadline& deadline) {
  // Gives the buffer back unless the queue has taken it, however the wait ends.
  struct Taken {
    Buffers& buffers;
    sim::Ref<Buffer> buffer;
    ~Taken() {
      if (buffer) buffers.give(*buffer);
    }
  };
  Lock lock(mutex_);
  const sim::Ref<TensorQueue> queue = find(id);
  Taken taken{buffers(), buffers().take(buffer)};
  const Wait result = queue->buffers.for_room(lock, deadline, before_waiting(runtime_));
  if (result != Wait::ready) refuse(result, *queue, ACL_ERROR_RT_QUEUE_FULL, "full");
  queue->buffers.push(std::move(taken.buffer));
  pump();
}

sim::Ref<TensorQueue> Queues::with_item(Lock& lock, std::uint32_t id,
                                        const sim::Deadline& deadline) {
  sim::Ref<TensorQueue> queue = find(id);
  const Wait result = queue->buffers.for_item(lock, deadline, before_waiting(runtime_));
  if (result != Wait::ready) refuse(result, *queue, ACL_ERROR_RT_QUEUE_EMPTY, "empty");
  return queue;
}

sim::Ref<Buffer> Queues::pop(TensorQueue& queue) {
  sim::Ref<Buffer> buffer = queue.buffers.pop();
  pump();
  return buffer;
}

void* Queues::dequeue(std::uint32_t id, const sim::Deadline& deadline) {
  Lock lock(mutex_);
  const sim::Ref<Buffer> buffer = pop(*with_item(lock, id, deadline));
  buffers().give(*buffer);
  return buffer->handle;
}

std::size_t Queues::dequeue_data(std::uint32_t id, void* data, std::size_t size, void* user,
                                 std::size_t user_size, const sim::Deadline& deadline) {
  Dropped taken;
  std::size_t length = 0;
  {
    Lock lock(mutex_);
    const sim::Ref<TensorQueue> queue = with_item(lock, id, deadline);
    length = buffers().total_length(*queue->buffers.front());
    if (length > size) {
      fail(ACL_ERROR_INVALID_PARAM, "dataSize is {}, and the next buffer of queue {} has {} bytes",
           size, id, length);
    }
    taken.push_back(pop(*queue));
  }
  buffers().read(*taken.front(), data, user, user_size);
  drop(taken);
  return length;
}

// ---- permissions ----

void Queues::grant(std::uint32_t id, std::uint32_t permission) {
  const sim::LockGuard guard(mutex_);
  const sim::Ref<TensorQueue> queue = find(id);
  queue->granted = permission;
  queue->on_grant.notify_all();
}

std::uint32_t Queues::attach(std::uint32_t id, const sim::Deadline& deadline) {
  Lock lock(mutex_);
  const sim::Ref<TensorQueue> queue = find(id);
  sim::sleep_until(
      queue->on_grant, lock, deadline, [&] { return queue->granted || queue->buffers.closed(); },
      before_waiting(runtime_));
  if (queue->buffers.closed() || !queue->granted) {
    refuse(queue->buffers.closed() ? Wait::closed : Wait::timed_out, *queue,
           ACL_ERROR_RT_NO_PERMISSION, "not granted to this process");
  }
  return *queue->granted;
}

}  // namespace acl
