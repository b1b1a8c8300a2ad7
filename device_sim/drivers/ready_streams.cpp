// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/ready_streams.h"

#include "device_sim/base/mutex.h"

namespace sim {

void ReadyStreams::add(Stream& stream) {
  const sim::LockGuard guard(mutex_);
  Entry& entry = entries_[{stream.id(), &stream}];
  if (!entry.stream) entry = {Ref<Stream>::share(&stream), false, {stream.id(), false, ""}};
}

void ReadyStreams::forget(Stream& stream) {
  const sim::LockGuard guard(mutex_);
  entries_.erase({stream.id(), &stream});
}

bool ReadyStreams::empty() const {
  const sim::LockGuard guard(mutex_);
  return entries_.empty();
}

// Only its owner may look into a stream, so this owns each of them for a moment.
void ReadyStreams::look_at_steps() {
  std::vector<Ref<Stream>> unseen;
  {
    const sim::LockGuard guard(mutex_);
    for (const auto& [key, entry] : entries_) {
      if (!entry.seen) unseen.push_back(entry.stream);
    }
  }
  for (const Ref<Stream>& stream : unseen) {
    if (!stream->try_own()) continue;
    const Op* const op = stream->head();
    const bool copies = op && (op->kind == OpKind::copy || op->kind == OpKind::fill);
    const char* const step = op ? name(op->kind) : "nothing";
    const std::uint64_t number = stream->retired();
    stream->yield();
    const sim::LockGuard guard(mutex_);
    const auto it = entries_.find({stream->id(), stream.get()});
    if (it == entries_.end()) continue;
    it->second.seen = true;
    it->second.candidate = {stream->id(), copies, step, number};
  }
}

Ref<Stream> ReadyStreams::take(Phase phase) {
  if (decider_.looks_at_steps()) look_at_steps();
  const sim::LockGuard guard(mutex_);
  if (entries_.empty()) return {};
  candidates_.clear();
  std::uint64_t submitted = 0;
  for (const auto& [key, entry] : entries_) {
    candidates_.push_back(entry.candidate);
    submitted += entry.stream->submitted();
  }
  const Actor actor = decider_.decide(
      {phase != Phase::blocked, phase == Phase::arriving, candidates_, kHost}, submitted);
  if (actor == kHost) return {};
  const auto it = entries_.lower_bound({static_cast<std::uint32_t>(actor), nullptr});
  Ref<Stream> stream = std::move(it->second.stream);
  entries_.erase(it);
  return stream;
}

}  // namespace sim
