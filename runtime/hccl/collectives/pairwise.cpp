// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/collectives/pairwise.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/hccl/base/error.h"

namespace hccl {
namespace {

bool alike(const Call& a, const Call& b) { return a.type == b.type && a.count == b.count; }

}  // namespace

Pairwise::Pairwise(const Communicator& communicator, embedded::Caller caller, const char* name,
                   std::vector<PairItem> items)
    : RankOperation(communicator, caller), name_(name), items_(std::move(items)) {
  require_partners();
}

std::vector<const PairItem*> Pairwise::to_self(bool sends) const {
  std::vector<const PairItem*> found;
  for (const PairItem& item : items_) {
    if (item.peer == links_->me() && item.sends == sends) found.push_back(&item);
  }
  return found;
}

void Pairwise::require_partners() const {
  const auto sends = to_self(true);
  const auto receives = to_self(false);
  if (sends.size() != receives.size()) {
    fail(HCCL_E_PARA,
         "rank {} sends itself {} times and receives from itself {} times in one batch",
         links_->me(), sends.size(), receives.size());
  }
  for (std::size_t i = 0; i < sends.size(); ++i) {
    if (alike(sends[i]->call, receives[i]->call)) continue;
    fail(HCCL_E_PARA, "rank {} sends itself {} and receives {}", links_->me(),
         sends[i]->call.text(), receives[i]->call.text());
  }
}

std::size_t Pairwise::bytes() const noexcept {
  std::size_t bytes = 0;
  for (const PairItem& item : items_) bytes += item.bytes;
  return bytes;
}

std::vector<embedded::Range> Pairwise::ranges() const {
  std::vector<embedded::Range> ranges;
  for (const PairItem& item : items_) {
    ranges.push_back({item.buffer.address(), item.bytes, item.sends, !item.sends});
  }
  return ranges;
}

std::vector<int> Pairwise::peers() const {
  std::vector<int> devices;
  for (const PairItem& item : items_) {
    if (const auto device = links_->device_of(item.peer)) devices.push_back(*device);
  }
  return devices;
}

std::unique_ptr<RankOperation::Run> Pairwise::make_run() {
  auto run = std::make_unique<PairRun>();
  for (const PairItem& item : items_) {
    Step step;
    step.done = item.peer == links_->me();
    if (!step.done) {
      step.number = item.sends ? links_->next_send(item.peer) : links_->next_receive(item.peer);
    }
    run->steps.push_back(step);
  }
  return run;
}

// Each direction between two ranks is a group of its own. The addresses of boards are further apart
// than the offsets used here.
std::vector<embedded::Rendezvous> Pairwise::rendezvous_of(const Run& run) const {
  const auto& steps = static_cast<const PairRun&>(run).steps;
  const auto ranks = static_cast<std::uint64_t>(links_->ranks());
  std::vector<embedded::Rendezvous> all;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const PairItem& item = items_[i];
    if (item.peer == links_->me() || links_->is_remote(item.peer)) continue;
    const auto from = static_cast<std::uint64_t>(item.sends ? links_->me() : item.peer);
    const auto to = static_cast<std::uint64_t>(item.sends ? item.peer : links_->me());
    const std::uint64_t channel = 1 + from * ranks + to;
    embedded::Rendezvous rendezvous{links_->id_here() + channel, steps[i].number, 2};
    if (!links_->is_here(item.peer)) {
      rendezvous.streams = 1;
      rendezvous.own_key = key_of(channel, steps[i].number, links_->me());
      rendezvous.other_keys = {key_of(channel, steps[i].number, item.peer)};
    }
    all.push_back(std::move(rendezvous));
  }
  return all;
}

std::string Pairwise::text(const Run& run) const {
  const auto& steps = static_cast<const PairRun&>(run).steps;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (steps[i].done) continue;
    const PairItem& item = items_[i];
    return fmt::format("{} as {} {} {} rank {}", called(item.call), item.sends ? "send" : "receive",
                       steps[i].number + 1, item.sends ? "to" : "from", item.peer);
  }
  return name_;
}

// A transfer from another host completes without the sender, so it cannot be part of a deadlock.
std::optional<RankOperation::Waits> Pairwise::waits(const Run& any) const {
  const auto& steps = static_cast<const PairRun&>(any).steps;
  Waits waits;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Step& step = steps[i];
    waits.progress +=
        static_cast<std::uint64_t>(step.shown) + static_cast<std::uint64_t>(step.done);
    if (step.done) continue;
    if (step.arrival) return std::nullopt;
    if (waits.ranks.empty()) waits.call = items_[i].call;
    const int peer = items_[i].peer;
    if (std::find(waits.ranks.begin(), waits.ranks.end(), peer) == waits.ranks.end())
      waits.ranks.push_back(peer);
  }
  return waits;
}

void Pairwise::copy_to_self() {
  const auto sends = to_self(true);
  const auto receives = to_self(false);
  for (std::size_t i = 0; i < sends.size(); ++i) {
    sends[i]->buffer.stage();
    std::byte* const to = receives[i]->buffer.engine();
    if (sends[i]->bytes != 0) std::memmove(to, sends[i]->buffer.engine(), sends[i]->bytes);
    receives[i]->buffer.unstage();
  }
}

Awaited Pairwise::advance(Run& any) {
  auto& run = static_cast<PairRun&>(any);
  if (!std::exchange(run.copied, true)) copy_to_self();
  Awaited awaits = Awaited::nothing();
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!run.steps[i].done && !advance(items_[i], run.steps[i]) && awaits.is_nothing()) {
      awaits = Awaited::rank(items_[i].peer);
    }
  }
  return awaits;
}

bool Pairwise::advance(const PairItem& item, Step& step) {
  return item.sends ? send(item, step) : receive(item, step);
}

bool Pairwise::send(const PairItem& item, Step& step) {
  const Delivery delivery(links_->boards(), links_->me(), item.peer, step.number);
  if (!step.shown) {
    if (!delivery.may_show()) return false;
    item.buffer.stage();
    delivery.entry().call = item.call;
    delivery.entry().site = site_;
    delivery.entry().from = item.buffer.ref();
    delivery.show();
    links_->show_send(item.peer, step.number);
    links_->wake_others();
    step.shown = true;
  }
  return step.done = delivery.received();
}

// A transfer from another host completes later; this rank is woken when the data has arrived.
bool Pairwise::fetch(const PairItem& item, const BufferRef& from, Step& step) {
  if (!links_->is_remote(item.peer)) {
    const StepScope copies(*this, kCopies, item.bytes, item.peer);
    std::memcpy(item.buffer.engine(), links_->locate(item.peer, from), item.bytes);
    return true;
  }
  if (!step.arrival) {
    step.arrival = std::make_shared<std::atomic<Links::Arrival>>(Links::Arrival::pending);
    links_->get(item.peer, from.at, {item.buffer.engine(), item.bytes});
    links_->flush(item.peer, step.arrival);
  }
  return *step.arrival == Links::Arrival::complete;
}

bool Pairwise::receive(const PairItem& item, Step& step) {
  const Delivery delivery(links_->boards(), item.peer, links_->me(), step.number);
  if (!delivery.is_next() || !delivery.shown()) return false;
  const SendEntry& entry = delivery.entry();
  if (!alike(entry.call, item.call)) {
    throw Mismatch{fmt::format("send {} from rank {} to rank {}: {}, but {}", step.number + 1,
                               item.peer, links_->me(), called(item.call),
                               called(item.peer, entry.call, entry.site))};
  }
  if (item.bytes != 0) {
    if (!fetch(item, entry.from, step)) return false;
    item.buffer.unstage();
  }
  delivery.receive();
  links_->show_received(item.peer);
  links_->wake_others();
  // The next receive may belong to another stream of this rank.
  links_->wake_own();
  return step.done = true;
}

}  // namespace hccl
