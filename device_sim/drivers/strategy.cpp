// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/strategy.h"

#include <algorithm>
#include <random>
#include <set>
#include <unordered_map>

namespace sim {
namespace {

bool is_ready(const Decision& decision, Actor actor) {
  if (actor == kHost) return decision.host;
  return std::any_of(decision.ready.begin(), decision.ready.end(),
                     [&](const Candidate& c) { return c.stream == actor; });
}

/// Numbers that are the same for a seed on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}
  std::uint64_t below(std::uint64_t bound) { return bits_() % bound; }
  std::uint64_t bits() { return bits_(); }

 private:
  std::mt19937_64 bits_;
};

/// Chooses between the host and the streams at random. Some bugs show when the host runs ahead,
/// others when it is held back, so the host's share of the choices differs from seed to seed.
class HostShare {
 public:
  explicit HostShare(Dice& dice) {
    static constexpr std::uint64_t kShares[] = {2, 8, 20, 32, 48, 60};
    share_ = kShares[dice.below(std::size(kShares))];
  }
  bool host(Dice& dice) const { return dice.below(64) < share_; }

 private:
  std::uint64_t share_;
};

class RandomWalk final : public Strategy {
 public:
  explicit RandomWalk(std::uint64_t seed) : dice_(seed) {}
  Actor choose(const Decision& decision) override {
    if (decision.host && share_.host(dice_)) return kHost;
    return decision.ready[dice_.below(decision.ready.size())].stream;
  }

 private:
  Dice dice_;
  HostShare share_{dice_};
};

class SlowCopy final : public Strategy {
 public:
  explicit SlowCopy(std::uint64_t seed) : dice_(seed) {}
  bool looks_at_steps() const noexcept override { return true; }
  Actor choose(const Decision& decision) override {
    const auto quick = std::count_if(decision.ready.begin(), decision.ready.end(),
                                     [](const Candidate& c) { return !c.copies; });
    if (decision.host && (quick == 0 || share_.host(dice_))) return kHost;
    if (quick == 0) return decision.ready[dice_.below(decision.ready.size())].stream;
    auto skip = dice_.below(static_cast<std::uint64_t>(quick));
    for (const Candidate& candidate : decision.ready) {
      if (!candidate.copies && skip-- == 0) return candidate.stream;
    }
    return kHost;
  }

 private:
  Dice dice_;
  HostShare share_{dice_};
};

class Eager final : public Strategy {
 public:
  explicit Eager(std::uint64_t seed) : dice_(seed) {}
  Actor choose(const Decision& decision) override {
    return decision.ready[dice_.below(decision.ready.size())].stream;
  }

 private:
  Dice dice_;
};

/// A number for each actor, drawn when it is first seen.
class Draws {
 public:
  explicit Draws(Dice& dice) : dice_(dice) { of(kHost); }
  std::uint64_t& of(Actor actor) {
    const auto [it, fresh] = numbers_.try_emplace(actor, 0);
    if (fresh) it->second = (dice_.bits() >> 1) | kDrawn;
    return it->second;
  }
  static constexpr std::uint64_t kDrawn = std::uint64_t{1} << 32;  // no draw is smaller

 private:
  Dice& dice_;
  std::unordered_map<Actor, std::uint64_t> numbers_;
};

/// Distinct places among the first `steps` decisions.
std::set<std::uint64_t> draw_places(Dice& dice, std::uint64_t count, std::uint64_t steps) {
  std::set<std::uint64_t> places;
  while (places.size() < std::min(count, steps)) places.insert(1 + dice.below(steps));
  return places;
}

// Burckhardt et al., "A randomised scheduler with probabilistic guarantees of finding bugs", 2010.
class Pct final : public Strategy {
 public:
  Pct(std::uint64_t seed, const StrategySpec& spec)
      : dice_(seed), changes_(draw_places(dice_, spec.depth - 1, spec.steps)) {}
  Actor choose(const Decision& decision) override {
    if (changes_.count(++decisions_) != 0) priorities_.of(most_urgent(decision)) = next_low_--;
    return most_urgent(decision);
  }

 private:
  Actor most_urgent(const Decision& decision) {
    Actor best = decision.host ? kHost : decision.ready[0].stream;
    for (const Candidate& candidate : decision.ready) {
      if (priorities_.of(candidate.stream) > priorities_.of(best)) best = candidate.stream;
    }
    return best;
  }

  Dice dice_;
  const std::set<std::uint64_t> changes_;
  Draws priorities_{dice_};
  std::uint64_t next_low_ = Draws::kDrawn - 1;
  std::uint64_t decisions_ = 0;
};

/// The actors in a circular order that the seed decides.
class Round {
 public:
  explicit Round(Dice& dice) : places_(dice) {}
  /// The next actor after that one who can go on; the actor itself comes last.
  Actor next(Actor actor, const Decision& decision) {
    const std::uint64_t from = places_.of(actor);
    Actor best = actor;
    std::uint64_t nearest = ~std::uint64_t{0};
    const auto consider = [&](Actor other) {
      const std::uint64_t distance = places_.of(other) - from - 1;  // goes around
      if (distance <= nearest) best = other, nearest = distance;
    };
    if (decision.host) consider(kHost);
    for (const Candidate& candidate : decision.ready) consider(candidate.stream);
    return best;
  }

 private:
  Draws places_;
};

class RoundRobin final : public Strategy {
 public:
  RoundRobin(std::uint64_t seed, const StrategySpec& spec) : dice_(seed), quantum_(spec.steps) {}
  Actor choose(const Decision& decision) override {
    if (!is_ready(decision, current_) || left_ == 0) {
      current_ = round_.next(current_, decision);
      left_ = quantum_ != 0 ? quantum_ : 1 + quanta_.of(current_) % 8;
    }
    --left_;
    return current_;
  }

 private:
  Dice dice_;
  Round round_{dice_};
  Draws quanta_{dice_};
  const std::uint64_t quantum_;  // 0: each actor has its own
  Actor current_ = kHost;
  std::uint64_t left_ = 0;
};

// Emmi, Qadeer, Rakamaric, "Delay-bounded scheduling", 2011: a deterministic order, and a few
// decisions at which the next actor is passed over.
class Delays final : public Strategy {
 public:
  Delays(std::uint64_t seed, const StrategySpec& spec)
      : dice_(seed), delays_(draw_places(dice_, spec.depth, spec.steps)) {}
  Actor choose(const Decision& decision) override {
    const bool delayed = delays_.count(++decisions_) != 0;
    if (delayed || !is_ready(decision, current_)) current_ = round_.next(current_, decision);
    return current_;
  }

 private:
  Dice dice_;
  const std::set<std::uint64_t> delays_;
  Round round_{dice_};
  Actor current_ = kHost;
  std::uint64_t decisions_ = 0;
};

class Replay final : public Strategy {
 public:
  explicit Replay(std::vector<Departure> departures) {
    for (const Departure& d : departures) departures_.emplace(d.decision, d.actor);
  }
  Actor choose(const Decision& decision) override {
    const auto it = departures_.find(++decisions_);
    const bool departs = it != departures_.end() && is_ready(decision, it->second);
    return departs ? it->second : decision.plain;
  }

 private:
  std::unordered_map<std::uint64_t, Actor> departures_;
  std::uint64_t decisions_ = 0;
};

}  // namespace

Actor PlainOrder::expected(const Decision& decision) {
  if (decision.first && decision.host) current_ = kHost;
  if (is_ready(decision, current_)) return current_;
  return decision.host ? kHost : decision.ready[0].stream;
}

std::unique_ptr<Strategy> make_strategy(const StrategySpec& spec, std::uint64_t seed) {
  using Kind = StrategySpec::Kind;
  switch (spec.kind) {
    case Kind::random:
      return std::make_unique<RandomWalk>(seed);
    case Kind::pct:
      return std::make_unique<Pct>(seed, spec);
    case Kind::round_robin:
      return std::make_unique<RoundRobin>(seed, spec);
    case Kind::delays:
      return std::make_unique<Delays>(seed, spec);
    case Kind::slow_copy:
      return std::make_unique<SlowCopy>(seed);
    case Kind::eager:
      return std::make_unique<Eager>(seed);
    case Kind::lazy:
    case Kind::replay:
      break;
  }
  return std::make_unique<Replay>(spec.departures);
}

}  // namespace sim
