// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/wait_graph.h"

#include <algorithm>

#include "device_sim/streams/signal.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/graph/launched_control.h"
#include "runtime/acl/graph/model_run.h"
#include "runtime/acl/memory/value_word.h"
#include "runtime/order/engine/cycle.h"

namespace acl {
namespace {

const SyncObjects::Attached* attached_to(const sim::WaitPoint& point) {
  return static_cast<const SyncObjects::Attached*>(point.attached.get());
}

/// The number that the stream waits for is in device memory: each such wait has a word of its own,
/// whose id is the address.
std::uintptr_t address_of(const RestingStream& resting) {
  const auto* const word = dynamic_cast<const sim::Word*>(resting.wait.point.get());
  if (!word || resting.wait.kind != sim::OpKind::word_wait) return 0;
  return word->watched() && !word->attached && word->id() != 0 ? word->id() : 0;
}

enum class Waited { notify, value, function, event };

Waited waited_by(std::string_view wait) {
  const auto names = [wait](std::string_view word) { return wait.find(word) != wait.npos; };
  if (names("NOTIFY") || names("notify")) return Waited::notify;
  if (names("VALUE")) return Waited::value;
  return names("callback") || names("function") ? Waited::function : Waited::event;
}

}  // namespace

std::string_view repair_of_wait(std::string_view wait) {
  switch (waited_by(wait)) {
    case Waited::notify:
      return "record the notify (aclrtRecordNotify, aclrtCntNotifyRecord) once for this wait, on a "
             "stream that is not ordered after it";
    case Waited::value:
      return "write the value that the wait tests for (aclrtValueWrite), from a stream that is not "
             "ordered after it, or from the host before the call";
    case Waited::function:
      return "call aclrtProcessReport (aclrtProcessHostFunc) in the subscribed thread until all "
             "have run";
    case Waited::event:
      break;
  }
  return "record the event that the wait is for, on a stream that is not ordered after it, before "
         "the call";
}

std::string_view end_of_wait(std::string_view wait) {
  switch (waited_by(wait)) {
    case Waited::notify:
      return "a record of the notify";
    case Waited::value:
      return "a write of a value that the wait tests for";
    case Waited::function:
      return "a call of aclrtProcessReport (aclrtProcessHostFunc) in the subscribed thread";
    case Waited::event:
      break;
  }
  return "a record of the event";
}

void WaitGraph::add_actor(order::Actor actor, std::vector<std::uint32_t>& streams) {
  for (const RestingStream& one : machine_.resting) {
    const std::uint32_t id = one.stream->id();
    if (actors_.is_known(id) && actors_.actor(id) == actor) streams.push_back(id);
  }
}

void WaitGraph::add_changers(const order::Variable& variable, std::vector<std::uint32_t>& streams) {
  for (const order::Epoch& change : engine_.deadlocks().changes_of(variable)) {
    add_actor(change.actor, streams);
  }
}

// The launch of a graph waits for its streams, and a stream of a graph has the tasks of the graph.
// A function that waits blocks its stream.
std::vector<std::uint32_t> WaitGraph::ended_by(const RestingStream& resting) {
  std::vector<std::uint32_t> streams;
  const sim::WaitPoint* const point = resting.wait.point.get();
  if (!point) {
    for (const HostWaitView& host : hosts_) {
      if (host.serves == resting.stream->id() + 1 && host.core) streams.push_back(host.stream);
    }
    return streams;
  }
  if (const auto* const launch = dynamic_cast<const ModelLaunch*>(resting.wait.control.get())) {
    for (const auto& branch : launch->model().branches()) {
      const sim::Stream& core = branch->stream->core();
      if (&core != resting.stream.get() && !core.drained()) streams.push_back(core.id());
    }
    return streams;
  }
  if (const std::uintptr_t address = address_of(resting)) {
    add_changers(*engine_.word(address), streams);
  } else if (const auto* const at = attached_to(*point); at && at->variable) {
    add_changers(*at->variable, streams);
  }
  if (const auto producer = point->producer()) streams.push_back(producer->id());
  if (const auto* const word = dynamic_cast<const sim::Word*>(point)) {
    if (const auto changer = word->changer()) streams.push_back(changer->id());
  }
  std::sort(streams.begin(), streams.end());
  streams.erase(std::unique(streams.begin(), streams.end()), streams.end());
  return streams;
}

// Tasks of a graph are known by their completion ids, and the operation that blocks another stream
// by the queue of that stream in the engine.
order::OpInfo WaitGraph::head_of(const RestingStream& resting) {
  const std::uint32_t id = resting.stream->id();
  order::OpInfo what;
  if (const GraphOps::Captured* const from = graph_ops_.find(resting.wait.completion_id)) {
    what = from->op_info;
    what.in_graph = true;
  } else if (actors_.is_known(id) && engine_.is_blocked(actors_.actor(id))) {
    const auto& queue = engine_.queues()[actors_.actor(id)];
    if (!queue.empty()) what = queue.front().info();
  }
  if (!*what.what) what.what = resting.wait.point ? sim::name(resting.wait.kind) : "host function";
  what.stream = id;
  what.device = static_cast<std::int16_t>(runtime_.logical(resting.stream->device()));
  return what;
}

order::OpInfo WaitGraph::running_in(std::uint32_t stream_id) {
  order::OpInfo what;
  what.what = "task";
  what.stream = stream_id;
  for (const MovingStream& moving : machine_.moving) {
    if (moving.id != stream_id) continue;
    what.device = static_cast<std::int16_t>(runtime_.logical(moving.device));
    if (!moving.kernel) break;
    what.what = moving.kernel;
    what.site = kernels_.site_of(moving.kernel);
  }
  return what;
}

WaitGraph::Chain WaitGraph::chain(std::uint32_t stream_id) {
  Chain found;
  order::WaitsFor edges;
  std::vector<std::uint32_t> reached{stream_id};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const RestingStream* const at = machine_.find(reached[i]);
    if (!at) continue;
    const std::vector<std::uint32_t> next = ended_by(*at);
    edges[reached[i]] = next;
    for (const std::uint32_t other : next) {
      if (std::find(reached.begin(), reached.end(), other) == reached.end()) {
        reached.push_back(other);
      }
    }
  }
  std::vector<std::uint32_t> way = order::shortest_cycle(edges, reached);
  found.cycle = !way.empty();
  if (!found.cycle) {
    way.push_back(stream_id);
    for (auto at = edges.find(stream_id); at != edges.end() && !at->second.empty();
         at = edges.find(way.back())) {
      way.push_back(at->second.front());
    }
  }
  for (const std::uint32_t id : way) {
    const RestingStream* const at = machine_.find(id);
    // The launch of a graph is no wait of its own: the tasks of the graph are.
    const bool leads = at && dynamic_cast<const ModelLaunch*>(at->wait.control.get());
    if (leads && id != way.back()) continue;
    found.waits.push_back(at ? head_of(*at) : running_in(id));
  }
  const RestingStream* const last = machine_.find(way.back());
  found.runs = !last || (last->wait.in_call && !found.cycle && ended_by(*last).empty());
  if (const auto* const control =
          last ? dynamic_cast<const LaunchedControl*>(last->wait.control.get()) : nullptr) {
    found.ranks = control->waits_for();
  }
  if (const std::uintptr_t address = last ? address_of(*last) : 0) {
    found.address = address;
    found.value = static_cast<const sim::Word&>(*last->wait.point).value();
  }
  return found;
}

bool WaitGraph::is_closed(const RestingStream& resting) {
  if (others_may_end(resting.wait)) return false;
  const sim::Control* const control = resting.wait.control.get();
  if (dynamic_cast<const LaunchedControl*>(control)) return false;
  if (resting.wait.kind == sim::OpKind::control || !resting.wait.point) return true;
  if (const std::uintptr_t address = address_of(resting)) {
    const auto in = runtime_.memory().find(reinterpret_cast<const void*>(address));
    return in && !unknown_writers_.is_shared(*in);
  }
  const auto* const word = dynamic_cast<const sim::Word*>(resting.wait.point.get());
  if (word && word->watched()) return false;
  // A signal that the checker does not know is one of another library.
  return word || resting.wait.point->attached || resting.wait.point->producer();
}

}  // namespace acl
