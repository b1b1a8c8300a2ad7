// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/hub.h"

#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/base/error.h"

namespace fabric {
namespace {

std::string rank_text(int rank, const std::string& description) {
  return "rank " + std::to_string(rank) + " (" + description + ")";
}

}  // namespace

// A size that contradicts the first one is reported by the ranks, which compare all parameters.
void Hub::require_inside(const RankPlace& place, const std::string& description) {
  const auto outside = [&](int ranks) { return ranks != 0 && place.rank >= ranks; };
  const bool valid = place.rank >= 0 && place.ranks >= 0 && !outside(place.ranks);
  if (valid && !outside(ranks_)) {
    if (ranks_ == 0) ranks_ = place.ranks;
    return;
  }
  const int ranks = ranks_ != 0 ? ranks_ : place.ranks;
  std::string text = rank_text(place.rank, description) + " is outside of the group";
  if (ranks > 0) text += ", which has the ranks 0 to " + std::to_string(ranks - 1);
  throw FabricError(Status::refused, text);
}

Hub::Member Hub::join(const RankPlace& place, const std::string& description,
                      OnDeparture on_departure) {
  const int rank = place.rank;
  std::vector<Departure> losses;
  Member member = 0;
  {
    const sim::LockGuard guard(mutex_);
    require_inside(place, description);
    for (const auto& [id, present] : members_) {
      if (present.rank != rank) continue;
      throw FabricError(Status::refused, rank_text(rank, present.description) +
                                             " has joined already; this one is " + description);
    }
    if (left_.count(rank) != 0) {
      throw FabricError(Status::closed,
                        "rank " + std::to_string(rank) + " has left, and the others have not yet");
    }
    member = ++last_member_;
    members_[member] = {rank, description, on_departure};
    losses = losses_;
  }
  for (const Departure& loss : losses) on_departure(loss);
  return member;
}

void Hub::leave(Member member) { depart(member, true, "left"); }
void Hub::lose(Member member, const std::string& why) { depart(member, false, why); }

void Hub::depart(Member member, bool orderly, const std::string& why) {
  Departure departure;
  std::vector<OnDeparture> others;
  {
    const sim::LockGuard guard(mutex_);
    const auto it = members_.find(member);
    if (it == members_.end()) return;
    departure = {it->second.rank, orderly,
                 rank_text(it->second.rank, it->second.description) + " " + why};
    members_.erase(it);
    if (orderly) {
      left_.insert(departure.rank);
    } else {
      losses_.push_back(departure);
    }
    for (const auto& [id, present] : members_) others.push_back(present.on_departure);
  }
  for (const OnDeparture& other : others) other(departure);
}

Hub::Calls Hub::calls_for(std::vector<KeyTable::Answer> answers) {
  Calls calls;
  for (KeyTable::Answer& answer : answers) {
    const auto it = waiting_.find(answer.ticket);
    calls.emplace_back(std::move(it->second), std::move(answer.values));
    waiting_.erase(it);
  }
  return calls;
}

void Hub::set(const std::string& key, Bytes value) {
  Calls calls;
  {
    const sim::LockGuard guard(mutex_);
    calls = calls_for(table_.set(key, std::move(value)));
  }
  for (auto& [call, values] : calls) call(std::move(values));
}

std::int64_t Hub::add(const std::string& key, std::int64_t amount) {
  Calls calls;
  std::int64_t sum = 0;
  {
    const sim::LockGuard guard(mutex_);
    KeyTable::Sum added = table_.add(key, amount);
    sum = added.value;
    calls = calls_for(std::move(added.answers));
  }
  for (auto& [call, values] : calls) call(std::move(values));
  return sum;
}

bool Hub::remove(const std::string& key) {
  const sim::LockGuard guard(mutex_);
  return table_.remove(key);
}

KeyTable::Ticket Hub::get(std::vector<std::string> keys, OnAnswer on_answer) {
  KeyTable::Values values;
  {
    const sim::LockGuard guard(mutex_);
    auto result = table_.get(std::move(keys));
    if (const auto* const ticket = std::get_if<KeyTable::Ticket>(&result)) {
      waiting_[*ticket] = std::move(on_answer);
      return *ticket;
    }
    values = std::move(std::get<KeyTable::Values>(result));
  }
  on_answer(std::move(values));
  return 0;
}

std::vector<std::string> Hub::cancel(KeyTable::Ticket ticket) {
  const sim::LockGuard guard(mutex_);
  waiting_.erase(ticket);
  return table_.cancel(ticket);
}

std::size_t Hub::members() const {
  const sim::LockGuard guard(mutex_);
  return members_.size();
}

bool Hub::was_joined() const {
  const sim::LockGuard guard(mutex_);
  return last_member_ != 0;
}

void Hub::set_flush(std::function<void()> flush) {
  const sim::LockGuard guard(mutex_);
  flush_ = std::move(flush);
}

void Hub::flush() const {
  std::function<void()> flush;
  {
    const sim::LockGuard guard(mutex_);
    flush = flush_;
  }
  if (flush) flush();
}

}  // namespace fabric
