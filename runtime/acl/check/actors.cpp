// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/actors.h"

#include <utility>

namespace acl {

Actors::Actors(order::Engine::Report report, order::Engine::BegunCalls begun_calls,
               order::EngineObserver* observer)
    : engine_(std::move(report), observer) {
  engine_.set_begun_calls(std::move(begun_calls));
}

void Actors::restart() {
  engine_.restart();
  stream_actors_.clear();
}

void Actors::register_actor(CheckThread& thread) {
  thread.generation = generation();
  thread.actor = thread_state().of_crew ? engine_.add_crew() : engine_.add_host();
}

void Actors::host_ends() {
  CheckThread& thread = check_thread();
  if (thread.generation == generation()) engine_.end_host(thread.actor);
  thread.generation = 0;
}

order::Actor Actors::actor(std::uint32_t stream_id) {
  if (stream_id >= stream_actors_.size()) stream_actors_.resize(stream_id + 1, 0);
  order::Actor& kept = stream_actors_[stream_id];
  if (kept == 0) kept = engine_.add_stream() + 1;
  return kept - 1;
}

order::Actor Actors::register_actor(const Stream& stream) {
  const std::uint32_t id = stream.id();
  if (id >= stream_actors_.size()) stream_actors_.resize(id + 1, 0);
  const order::Actor made = engine_.add_stream(host());
  stream_actors_[id] = made + 1;
  return made;
}

order::Finding Actors::without_order(order::Rule rule, order::Epoch earlier) const {
  return order::Finding(engine_.any_host_covers(earlier) ? order::Rule::host_threads_only : rule);
}

order::OpInfo Actors::op_info_in_order_of(const Stream& stream) const {
  order::OpInfo what = host_op_info();
  what.stream = stream.id();
  what.device = static_cast<std::int16_t>(stream.logical_device());
  return what;
}

}  // namespace acl
