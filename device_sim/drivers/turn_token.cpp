// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/turn_token.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/base/parker.h"
#include "device_sim/base/per_thread.h"
#include "device_sim/streams/stream.h"

namespace sim {
namespace {

constexpr std::chrono::milliseconds kTurnTokenPatience{10};

std::uint64_t self() { return static_cast<std::uint64_t>(pthread_self()); }

long numbers_of_threads() {
  long numbers = 0;
  return std::ifstream("/proc/sys/kernel/pid_max") >> numbers && numbers > 0 ? numbers : 1L << 22;
}

}  // namespace

/// Informs the turn tokens that a thread has used when the thread ends.
struct TurnToken::Farewell {
  std::vector<std::weak_ptr<TurnToken>> turn_tokens;
  ~Farewell() {
    for (const auto& known : turn_tokens) {
      if (const auto turn_token = known.lock()) turn_token->forget(self());
    }
  }
};

TurnToken::TurnToken(std::uint64_t seed) : random_(seed), order_(numbers_of_threads()) {}

TurnToken::Player& TurnToken::me() {
  const auto [it, first] = players_.try_emplace(self());
  if (first) {
    it->second.parker = &Parker::mine();
    it->second.order = order_.of(syscall(SYS_gettid), getpid());
    auto& turn_tokens = per_thread<Farewell>().turn_tokens;
    std::erase_if(turn_tokens, [](const auto& turn_token) { return turn_token.expired(); });
    turn_tokens.push_back(weak_from_this());
  }
  return it->second;
}

void TurnToken::forget(std::uint64_t thread) {
  const sim::LockGuard guard(mutex_);
  const auto it = players_.find(thread);
  if (it == players_.end()) return;
  asking_.erase(it->second.order);
  const bool held = holder_ == &it->second;
  players_.erase(it);
  if (held) pass_on();
}

void TurnToken::ask(Player& player, bool unsure) {
  player.stream = nullptr;
  player.dozing = false;
  player.asking = true;
  player.unsure = unsure;
  asking_[player.order] = &player;
}

// True when real time decided the moment at which one of the requesting threads came.
bool TurnToken::settle_unsure() {
  bool any = false;
  for (const auto& [order, player] : asking_) {
    any |= player->unsure;
    player->unsure = false;
  }
  return any;
}

TurnToken::Player& TurnToken::pick(Player* with) {
  const std::size_t count = asking_.size() + (with ? 1 : 0);
  const std::size_t index = count > 1 ? random_() % count : 0;
  if (index == asking_.size()) return *with;
  return *std::next(asking_.begin(), static_cast<std::ptrdiff_t>(index))->second;
}

void TurnToken::hand_to(Player& player) {
  asking_.erase(player.order);
  player.dozing = false;
  player.asking = false;
  player.unsure = false;
  holder_ = &player;
  inside_ = true;
  player.parker->unpark();
}

void TurnToken::pass_on() {
  holder_ = nullptr;
  if (!asking_.empty()) hand_to(pick(nullptr));
}

void TurnToken::await(Player& player) {
  while (holder_ != &player) {
    const Deadline limit = inside_ ? Deadline::in(kTurnTokenPatience) : stolen_at_;
    mutex_.unlock();
    player.parker->park(limit);
    mutex_.lock();
    if (holder_ == &player || inside_ || !stolen_at_.passed()) continue;
    if (extension_.more()) {
      stolen_at_ = LoadAwareDeadline::next_check();
      continue;
    }
    settle_unsure();  // all that could come have come by now
    pass_on();
  }
  inside_ = true;
}

bool TurnToken::enter() {
  const sim::LockGuard guard(mutex_);
  Player& player = me();
  bool real_time = false;
  if (!holder_) {
    hand_to(player);
  } else if (holder_ != &player) {
    ask(player, true);
  } else if (!asking_.empty()) {
    real_time = settle_unsure();
    Player& chosen = pick(&player);
    if (&chosen != &player) {
      ask(player, false);
      hand_to(chosen);
    }
  }
  await(player);
  return real_time;
}

void TurnToken::go_out() {
  inside_ = false;
  stolen_at_ = Deadline::in(kTurnTokenPatience);
  extension_ = LoadAwareDeadline(kTurnTokenPatience);
  rouse();
}

void TurnToken::out() {
  const sim::LockGuard guard(mutex_);
  if (holder_ != &me()) return;
  go_out();
}

bool TurnToken::back() {
  const sim::LockGuard guard(mutex_);
  const auto it = players_.find(self());
  if (it == players_.end() || holder_ != &it->second) return false;
  inside_ = true;
  return true;
}

bool TurnToken::sleep(const Stream& stream, std::uint64_t target) {
  const sim::LockGuard guard(mutex_);
  Player& player = me();
  player.stream = &stream;
  player.target = target;
  if (holder_ != &player) return false;
  const bool real_time = asking_.size() > 1 && settle_unsure();
  pass_on();
  return real_time;
}

void TurnToken::resume() {
  const sim::LockGuard guard(mutex_);
  Player& player = me();
  player.stream = nullptr;
  player.dozing = false;
  if (!holder_) {
    hand_to(player);
  } else if (holder_ != &player && !player.asking) {
    ask(player, true);
  }
  await(player);
}

bool TurnToken::mine() const {
  const sim::LockGuard guard(mutex_);
  const auto it = players_.find(self());
  return it != players_.end() && holder_ == &it->second;
}

bool TurnToken::take_if_free() {
  const sim::LockGuard guard(mutex_);
  Player& player = me();
  if (!holder_) {
    holder_ = &player;
    go_out();
  }
  return holder_ == &player;
}

bool TurnToken::give_up() {
  const sim::LockGuard guard(mutex_);
  if (holder_ != &me()) return false;
  const bool real_time = asking_.size() > 1 && settle_unsure();
  pass_on();
  return real_time;
}

bool TurnToken::called() const {
  const sim::LockGuard guard(mutex_);
  const auto it = players_.find(self());
  return it != players_.end() && (holder_ == &it->second || it->second.asking);
}

// A holder outside may not come back.
void TurnToken::rouse() {
  for (auto& [order, player] : asking_) {
    if (std::exchange(player->dozing, false)) player->parker->unpark();
  }
}

template <class Which>
void TurnToken::wake(Which which) {
  const sim::LockGuard guard(mutex_);
  for (auto& [thread, player] : players_) {
    if (!player.stream || !which(player)) continue;
    ask(player, false);
    player.dozing = true;
  }
  if (!holder_) pass_on();
  if (!inside_) rouse();
}

void TurnToken::wake_all() {
  wake([](const Player&) { return true; });
}

void TurnToken::wake_reached() {
  wake([](const Player& player) { return player.stream->retired() >= player.target; });
}

bool TurnToken::held() const {
  const sim::LockGuard guard(mutex_);
  return holder_ != nullptr;
}

bool TurnToken::is_elsewhere(std::uint64_t thread) const {
  const sim::LockGuard guard(mutex_);
  const auto it = players_.find(thread);
  if (it == players_.end()) return true;
  const Player& player = it->second;
  return holder_ != &player && !player.asking && !player.stream;
}

}  // namespace sim
