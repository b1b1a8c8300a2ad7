// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/local_store.h"

#include <new>
#include <utility>

namespace fabric {
namespace {

class LocalStore final : public Store {
 public:
  LocalStore(std::shared_ptr<Hub> hub, const RankPlace& place, const std::string& description,
             Timekeeper& timekeeper)
      : hub_(std::move(hub)), calls_(std::make_shared<Calls>(timekeeper)) {
    member_ = hub_->join(place, description, [calls = calls_](const Departure& departure) {
      calls->departed(departure);
    });
  }
  ~LocalStore() override {
    try {
      hub_->lose(member_, "ended without leaving the communicator");
    } catch (const std::bad_alloc&) {
      // The others run into their time limits.
    }
  }

  void set(const std::string& key, Bytes value) override {
    calls_->check();
    hub_->set(key, std::move(value));
  }
  std::int64_t add(const std::string& key, std::int64_t amount) override {
    calls_->check();
    return hub_->add(key, amount);
  }
  bool remove(const std::string& key) override {
    calls_->check();
    return hub_->remove(key);
  }

  using Store::get;
  KeyTable::Values get(const std::vector<std::string>& keys, Moment end) override {
    const std::uint64_t call = calls_->begin();
    KeyTable::Ticket ticket = 0;
    try {
      ticket = hub_->get(keys, [calls = calls_, call](KeyTable::Values values) {
        calls->deliver(call, {.kind = Reply::Kind::values, .values = std::move(values)});
      });
      if (auto reply = calls_->await(call, end)) return std::move(reply->values);
    } catch (const FabricError&) {
      if (ticket != 0) hub_->cancel(ticket);
      calls_->drop(call);
      throw;
    }
    std::vector<std::string> missing = hub_->cancel(ticket);
    if (missing.empty()) return std::move(calls_->await(call, kNever)->values);
    calls_->drop(call);
    const std::string first = missing.front();
    throw StoreTimeout(std::move(missing), "nobody has set '" + first + "' in time");
  }

  void leave() override {
    hub_->leave(member_);
    hub_->flush();
  }
  void give_up(const std::string& why) override {
    hub_->lose(member_, why);
    hub_->flush();
  }
  void fail(const FabricError& why) override { calls_->fail(why); }
  bool is_local() const noexcept override { return true; }
  void on_departure(Hub::OnDeparture tell) override { calls_->on_departure(std::move(tell)); }
  Timekeeper& timekeeper() const noexcept override { return calls_->timekeeper(); }

 private:
  const std::shared_ptr<Hub> hub_;
  const std::shared_ptr<Calls> calls_;
  Hub::Member member_ = 0;
};

}  // namespace

std::unique_ptr<Store> make_local_store(std::shared_ptr<Hub> hub, const RankPlace& place,
                                        const std::string& description, Timekeeper& timekeeper) {
  return std::make_unique<LocalStore>(std::move(hub), place, description, timekeeper);
}

}  // namespace fabric
