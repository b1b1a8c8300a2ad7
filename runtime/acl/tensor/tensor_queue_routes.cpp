// SPDX-License-Identifier: Apache-2.0
// Queues: the routes between them.
#include <algorithm>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/tensor/tensor_queue.h"

namespace acl {

void Queues::check_route(const QueueRouteList& bound, const QueueRoute& route) const {
  find(route.source, "the source of a route");
  find(route.destination, "the destination of a route");
  // Buffers on a ring of routes would never come to rest.
  std::vector<std::uint32_t> reached{route.destination};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (reached[i] == route.source) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "the route from queue {} to queue {} would close a cycle",
           route.source, route.destination);
    }
    for (const QueueRoute& next : bound) {
      const bool known =
          std::find(reached.begin(), reached.end(), next.destination) != reached.end();
      if (next.source == reached[i] && !known) reached.push_back(next.destination);
    }
  }
}

void Queues::bind(QueueRouteList& routes) {
  const sim::LockGuard guard(mutex_);
  QueueRouteList bound = routes_;
  for (const QueueRoute& route : routes) {
    check_route(bound, route);
    const bool there = std::any_of(bound.begin(), bound.end(),
                                   [&](const QueueRoute& other) { return other.same_way(route); });
    if (there) continue;
    bound.push_back(route);
    bound.back().status = ACL_TDT_QUEUE_ROUTE_BIND;
  }
  routes_ = std::move(bound);
  for (QueueRoute& route : routes) route.status = ACL_TDT_QUEUE_ROUTE_BIND;
  find_ways();
  pump();
}

void Queues::unbind(QueueRouteList& routes) {
  const sim::LockGuard guard(mutex_);
  QueueRouteList bound = routes_;
  for (const QueueRoute& route : routes) {
    const auto it = std::find_if(bound.begin(), bound.end(),
                                 [&](const QueueRoute& other) { return other.same_way(route); });
    if (it == bound.end()) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "the route from queue {} to queue {} is not bound",
           route.source, route.destination);
    }
    bound.erase(it);
  }
  routes_ = std::move(bound);
  for (QueueRoute& route : routes) route.status = ACL_TDT_QUEUE_ROUTE_UNBIND;
  find_ways();
  pump();
}

QueueRouteList Queues::query(const QueueRouteQuery& query) {
  const sim::LockGuard guard(mutex_);
  QueueRouteList found;
  std::copy_if(
      routes_.begin(), routes_.end(), std::back_inserter(found), [&](const QueueRoute& route) {
        if (query.mode == ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL) {
          return route.status == ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL;
        }
        return (query.mode == ACL_TDT_QUEUE_ROUTE_QUERY_DST || route.source == query.source) &&
               (query.mode == ACL_TDT_QUEUE_ROUTE_QUERY_SRC ||
                route.destination == query.destination);
      });
  return found;
}

void Queues::find_ways() {
  ways_.clear();
  for (const QueueRoute& route : routes_) {
    if (route.status != ACL_TDT_QUEUE_ROUTE_BIND) continue;
    const sim::Ref<TensorQueue> source = find(route.source);
    auto it = std::find_if(ways_.begin(), ways_.end(),
                           [&](const Way& way) { return way.source == source; });
    if (it == ways_.end()) it = ways_.insert(it, Way{source, {}});
    it->destinations.push_back(find(route.destination));
  }
}

void Queues::pump() {
  for (bool moved = true; moved;) {
    moved = false;
    // One step of each in turn, so that several sources share a destination.
    for (Way& way : ways_) moved |= advance(way);
  }
}

bool Queues::advance(Way& way) {
  if (way.source->buffers.empty()) return false;
  const bool room = std::none_of(way.destinations.begin(), way.destinations.end(),
                                 [](const auto& queue) { return queue->buffers.full(); });
  if (!room) return false;
  std::vector<sim::Ref<Buffer>> copies;
  for (std::size_t i = 1; i < way.destinations.size(); ++i) {
    copies.push_back(buffers().refer(*way.source->buffers.front()));
  }
  copies.push_back(way.source->buffers.pop());
  for (const auto& queue : way.destinations) {
    queue->buffers.push(std::move(copies.back()));
    copies.pop_back();
  }
  return true;
}

}  // namespace acl
