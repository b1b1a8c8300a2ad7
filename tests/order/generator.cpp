// SPDX-License-Identifier: Apache-2.0
#include "tests/order/generator.h"

#include <algorithm>

namespace ordertest {

Program Generator::make(unsigned percent) {
  left_ = percent;
  start();
  const int acts = 4 + below(40);
  for (int i = 0; i < acts; ++i) act();
  shuffle();
  return program_;
}

void Generator::start() {
  program_ = {};
  program_.hosts = chance(50) ? 1 : 2 + below(2);
  program_.streams = 1 + below(8);
  events_ = 1 + below(4);
  hot_ = static_cast<std::size_t>(below(static_cast<int>(kBufferSize * kHostFrom / kWordSize)));
  alive_.clear();
  for (int i = 0; i < program_.streams; ++i) alive_.push_back(i);
  ended_by_.assign(alive_.size(), -1);
  words_.assign(alive_.size(), 0);
  notifies_.clear();
  counters_ = 0;
  syncs_ = 0;
}

void Generator::act() {
  const int choice = below(24);
  if (choice >= 22) return row();
  if (choice < 15) return work();
  if (choice < 19) return stray();
  if (choice < 20) return turn_over_streams();
  touch_nothing();
}

// A row of ops that only count.
void Generator::touch_nothing() {
  const Call call = item(What::op, any_stream());
  for (int i = 1 + below(4); i > 0; --i) put(call);
}

// Ops of one stream on the same bytes, each in its way: what comes later must not hide what was
// before.
void Generator::row() {
  const int stream = any_stream();
  const bool hot = chance(60);
  for (int i = 2 + below(3); i > 0; --i) {
    Call call = item(What::op, stream);
    const How way = static_cast<How>(below(static_cast<int>(kHows)));
    call.touches = {hot ? Touch{hot_ * kWordSize, kWordSize, way} : touch(0, way)};
    place(std::move(call));
  }
}

// Something that touches memory.
void Generator::work() {
  const int choice = below(20);
  Call call = item(What::op, any_stream());
  call.touches = touches(0, false);
  if (choice < 3) {
    call.what = What::host_access;
    call.stream = -1;
    call.touches = touches(0, true);
  } else if (choice == 3) {
    call.what = What::free;
    call.stream = -1;
    call.object = below(kFreeable);
    call.touches = {{static_cast<std::size_t>(call.object) * kBufferSize, kBufferSize, How::write}};
  } else if (choice < 6) {
    call.what = What::callback;
    call.blocking = chance(60);
    call.touches = touches(kFreeable, true);
  }
  place(std::move(call));
}

// Adds order that no access may need.
void Generator::stray() {
  const int from = any_stream();
  const int to = any_stream();
  switch (below(8)) {
    case 0:
      put(item(What::record, from, below(events_)));
      break;
    case 1:
      put(item(What::wait, to, below(events_)));
      break;
    case 2:
      synchronize(any_host(), from, -1);
      break;
    case 3:
      tell(any_host(), any_host());
      break;
    case 4:
      for (int row = 1 + below(4); row > 0; --row) {
        Call callback = item(What::callback, from);
        callback.blocking = true;
        put(callback);
      }
      break;
    case 5:
    case 6:
      put_word(What::write_word, from, from, ++words_[static_cast<std::size_t>(from)]);
      break;
    default:
      if (from != to) order_number(from, item(What::op, to));
  }
}

void Generator::turn_over_streams() {
  if (alive_count() > 1 && chance(50)) {
    const int gone = any_stream();
    std::erase(alive_, gone);
    put(item(What::destroy, gone));
    ended_by_[static_cast<std::size_t>(gone)] = program_.calls.back().host;
    return;
  }
  const int fresh = static_cast<int>(ended_by_.size());
  ended_by_.push_back(-1);
  words_.push_back(0);
  alive_.push_back(fresh);
  put(item(What::create, fresh));
}

Call Generator::item(What what, int stream, int object, std::uint64_t value) {
  Call call;
  call.what = what;
  call.host = any_host();
  call.stream = stream;
  call.object = object;
  call.value = value;
  return call;
}

How Generator::how(bool plain) {
  if (plain || chance(60)) return chance(45) ? How::write : How::read;
  constexpr How kOthers[] = {How::sum, How::max, How::set_word, How::wait_word};
  return kOthers[below(4)];
}

// The addresses of words are multiples of their size, in device memory.
Touch Generator::touch(int first_buffer, How how) {
  const int words = static_cast<int>(kBufferSize / kWordSize);
  const bool may_be_hot = first_buffer * words <= static_cast<int>(hot_);
  if (may_be_hot && chance(25)) return {hot_ * kWordSize, kWordSize, how};
  if (of_a_word(how)) {
    const int word = first_buffer * words + below((kHostFrom - first_buffer) * words);
    return {static_cast<std::size_t>(word) * kWordSize, kWordSize, how};
  }
  const int buffer = first_buffer + below(kBuffers - first_buffer);
  const int begin = chance(40) ? 0 : below(static_cast<int>(kBufferSize));
  const int most = static_cast<int>(kBufferSize) - begin;
  const int size = chance(40) ? most : 1 + below(most);
  return {static_cast<std::size_t>(buffer) * kBufferSize + static_cast<std::size_t>(begin),
          static_cast<std::size_t>(size), how};
}

std::vector<Touch> Generator::touches(int first_buffer, bool plain) {
  std::vector<Touch> all;
  for (int i = 1 + below(3); i > 0; --i) all.push_back(touch(first_buffer, how(plain)));
  return all;
}

// Its bytes are touched where that races with nothing, or a race is to be left.
void Generator::put_word(What what, int stream, int word, std::uint64_t value) {
  Call call = item(what, stream, word, value);
  const std::size_t words = kHostFrom * kBufferSize / kWordSize;
  const How how = what == What::write_word ? How::set_word : How::wait_word;
  call.touches = {{static_cast<std::size_t>(word) * 11 % words * kWordSize, kWordSize, how}};
  put(std::move(call));
  if (races(program_.calls.size() - 1) && !chance(left_)) program_.calls.back().touches.clear();
}

// Tries one way of ordering after the other; the last resort orders everything.
void Generator::place(Call call) {
  constexpr int kTries = 12;
  std::vector<bool> left;
  for (int i = 0; i <= kTries; ++i) {
    put(call);
    const std::size_t self = program_.calls.size() - 1;
    const Oracle oracle(program_);
    std::vector<Oracle::Race> races = oracle.races_of(self);
    left.resize(self, false);
    std::erase_if(races, [&](const Oracle::Race& race) {
      if (i == 0 && chance(left_)) left[race.first] = true;
      return left[race.first];
    });
    if (races.empty()) return;
    program_.calls.pop_back();
    if (i + 1 == kTries) {
      tell_everything(call);
    } else {
      order_behind(races[static_cast<std::size_t>(below(static_cast<int>(races.size())))].first,
                   call);
    }
  }
}

void Generator::order_behind(std::size_t earlier, const Call& later) {
  const Call before = program_.calls[earlier];
  if (!is_item(before)) {
    tell(before.host, later.host);
    return;
  }
  const int ended_by = ended_by_[static_cast<std::size_t>(before.stream)];
  if (ended_by >= 0) return tell(ended_by, later.host);
  if (before.what == What::callback && !before.blocking) {
    Call callback = item(What::callback, before.stream);  // stands after the first
    callback.blocking = true;
    put(callback);
  }
  if (is_item(later) && chance(75)) return order_item(before.stream, later);
  const int host = chance(80) ? later.host : any_host();
  synchronize(host, chance(85) ? before.stream : -1, -1);
  tell(host, later.host);
}

void Generator::order_item(int from, const Call& later) {
  if (chance(30)) return order_number(from, later);
  const int event = below(events_);
  put(item(What::record, from, event));
  if (chance(15)) {
    synchronize(later.host, -1, event);
  } else {
    put(item(What::wait, later.stream, event));
  }
}

// By a notify, a word or a counter.
void Generator::order_number(int from, const Call& later) {
  const int choice = below(3);
  if (choice == 0) {
    order_by_notify(from, later.stream);
  } else if (choice == 1) {
    const std::uint64_t value = ++words_[static_cast<std::size_t>(from)];
    put_word(What::write_word, from, from, value);
    put_word(What::word_wait, later.stream, from, value);
  } else {
    const int counter = counters_++;
    put(item(What::add, from, counter));
    for (int more = below(3); more > 0; --more) put(item(What::add, any_stream(), counter));
    put(item(What::counter_wait, later.stream, counter));
  }
}

// With one that may be recorded again, else a fresh one.
void Generator::order_by_notify(int from, int to) {
  const int fresh = static_cast<int>(notifies_.size());
  const int notify = below(fresh + 1);
  const std::uint64_t use = notify == fresh ? 1 : notifies_[static_cast<std::size_t>(notify)] + 1;
  put(item(What::notify, from, notify, use));
  put(item(What::notify_wait, to, notify, use));
  if (notify != fresh && Oracle(program_).well_formed()) {
    ++notifies_[static_cast<std::size_t>(notify)];
    return;
  }
  notifies_.push_back(1);
  for (std::size_t i = program_.calls.size() - 2; i < program_.calls.size(); ++i) {
    program_.calls[i].object = fresh;
    program_.calls[i].value = 1;
  }
}

// Calls of other threads may come between the begin and the end.
void Generator::synchronize(int host, int stream, int event) {
  Call call = item(What::sync_begin, stream, event, ++syncs_);
  call.host = host;
  put(call);
  if (program_.hosts > 1 && chance(50)) {
    for (int more = below(4); more > 0; --more) {
      Call meanwhile = item(chance(50) ? What::record : What::wait, any_stream(), below(events_));
      meanwhile.host = (host + 1) % program_.hosts;
      put(meanwhile);
    }
  }
  call.what = What::sync_end;
  put(call);
}

void Generator::tell(int from, int to) {
  if (from == to) return;
  Call call;
  call.what = What::tell;
  call.host = from;
  call.other = to;
  put(call);
}

void Generator::tell_everything(const Call& later) {
  for (const int stream : alive_) {
    Call callback = item(What::callback, stream);
    callback.blocking = true;
    put(callback);
  }
  synchronize(later.host, -1, -1);
  for (int host = 0; host < program_.hosts; ++host) tell(host, later.host);
}

// Exchanges neighbours in different streams if the program keeps its meaning: waits for numbers
// move before the changes that they wait for, and streams run far apart.
void Generator::shuffle() {
  std::vector<Call>& calls = program_.calls;
  const auto event_of = [](const Call& call) {
    return call.what == What::record || call.what == What::wait ? call.object : -1;
  };
  for (std::size_t i = calls.size() * static_cast<std::size_t>(below(20)); i > 0; --i) {
    if (calls.size() < 2) return;
    const auto at = static_cast<std::size_t>(below(static_cast<int>(calls.size()) - 1));
    Call& a = calls[at];
    Call& b = calls[at + 1];
    const bool same_event = event_of(a) >= 0 && event_of(a) == event_of(b);
    if (is_item(a) && is_item(b) && a.stream != b.stream && !same_event) std::swap(a, b);
  }
}

namespace {

bool is_edge(const Call& call) {
  switch (call.what) {
    case What::wait:
    case What::notify_wait:
    case What::word_wait:
    case What::counter_wait:
    case What::sync_end:
    case What::tell:
    case What::record:
      return true;
    case What::callback:
      return call.blocking;
    default:
      return false;
  }
}

// The record too early, anything else too late.
Program displaced(const Program& clean, std::size_t edge) {
  Program program = clean;
  const bool early = clean.calls[edge].what == What::record;
  const std::size_t neighbour = early ? edge - 1 : edge + 1;
  if (neighbour >= clean.calls.size()) return without(clean, edge);
  Call& moved = program.calls[edge];
  Call& other = program.calls[neighbour];
  if (!is_item(moved) || !is_item(other)) return without(clean, edge);
  std::swap(moved, other);
  return program;
}

// A bug that counts as one however host threads may talk to each other.
bool is_error(const Oracle& oracle) {
  return std::none_of(oracle.races().begin(), oracle.races().end(), [&](const auto& race) {
    return oracle.host_may_have_known(race.first, race.second) ||
           oracle.host_may_have_known(race.second, race.first);
  });
}

}  // namespace

std::optional<Program> Generator::with_bug(const Program& clean, bool certain) {
  std::vector<std::size_t> edges;
  for (std::size_t i = 0; i < clean.calls.size(); ++i) {
    if (is_edge(clean.calls[i])) edges.push_back(i);
  }
  for (std::size_t i = edges.size(); i > 1; --i) {
    std::swap(edges[i - 1], edges[static_cast<std::size_t>(below(static_cast<int>(i)))]);
  }
  for (const std::size_t edge : edges) {
    Program program = without(clean, edge);
    if (clean.calls[edge].what == What::callback && chance(80)) {
      program = clean;  // it only stops to block
      program.calls[edge].blocking = false;
    } else if (chance(30)) {
      program = displaced(clean, edge);
    }
    const Oracle oracle(program);
    if (!oracle.well_formed() || oracle.races().empty() || is_error(oracle) != certain) continue;
    planted_ = clean.calls[edge];
    return program;
  }
  return std::nullopt;
}

}  // namespace ordertest
