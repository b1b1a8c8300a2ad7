// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "acl/acl_tdt_queue.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// A value that a program builds up through calls, from any thread.
template <class T>
struct Described : sim::RefCounted<Described<T>> {
  Described() = default;
  explicit Described(T initial) : value(std::move(initial)) {}
  T get() const {
    const sim::LockGuard guard(mutex);
    return value;
  }
  mutable sim::Mutex mutex;
  T value GUARDED_BY(mutex){};
};

struct QueueAttributes {
  static constexpr std::size_t kMaxName = 128;  // with the closing zero
  static constexpr std::uint32_t kMinDepth = 2;
  static constexpr std::uint32_t kMaxDepth = 8192;
  std::array<char, kMaxName> name{};
  std::uint32_t depth = kMinDepth;
};

/// Buffers that come into queue `source` move on to queue `destination`.
struct QueueRoute {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::int32_t status = ACL_TDT_QUEUE_ROUTE_UNBIND;

  bool same_way(const QueueRoute& other) const noexcept {
    return source == other.source && destination == other.destination;
  }
};

using QueueRouteList = std::vector<QueueRoute>;

struct QueueRouteQuery {
  std::optional<acltdtQueueRouteQueryMode> mode;
  std::optional<std::uint32_t> source;
  std::optional<std::uint32_t> destination;
};

/// The descriptions that programs make for queues: attributes, routes, lists of routes, queries.
class QueueDescriptions final : public Section {
 public:
  explicit QueueDescriptions(Runtime&) {}

  HandleTable<Described<QueueAttributes>, HandleKind::queue_attributes> attributes;
  HandleTable<Described<QueueRoute>, HandleKind::queue_route> routes;
  HandleTable<Described<QueueRouteList>, HandleKind::queue_route_list> lists;
  HandleTable<Described<QueueRouteQuery>, HandleKind::queue_route_query> queries;

  void reset() override {
    clear(attributes);
    clear(routes);
    clear(lists);
    clear(queries);
  }
  std::size_t live_handles() const override {
    return attributes.count() + routes.count() + lists.count() + queries.count();
  }

 private:
  template <class Table>
  static void clear(Table& table) {
    table.for_each([&](const typename Table::Pin& pin) { table.remove(pin); });
  }
};

}  // namespace acl
