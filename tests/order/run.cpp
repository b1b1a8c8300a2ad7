// SPDX-License-Identifier: Apache-2.0
#include "tests/order/run.h"

#include <algorithm>

namespace ordertest {
namespace {

constexpr std::uintptr_t kRunDeviceBase = 0x100000;
constexpr std::uintptr_t kRunHostBase = 0x900000;

// Changes and waits of one number share a key.
What changes_of(What what) {
  if (what == What::notify_wait) return What::notify;
  if (what == What::word_wait) return What::write_word;
  return what == What::counter_wait ? What::add : what;
}

std::uint64_t adds_of(const Program& program, int counter) {
  return static_cast<std::uint64_t>(std::count_if(
      program.calls.begin(), program.calls.end(),
      [&](const Call& call) { return call.what == What::add && call.object == counter; }));
}

}  // namespace

order::Access access(std::uintptr_t begin, std::size_t size, How how) {
  order::Access made{begin, size, how != How::read && how != How::wait_word};
  if (of_a_word(how)) made.kind = order::AccessKind::atomic;
  if (how == How::sum || how == How::max) {
    made.kind = order::AccessKind::reduction;
    made.reduction = how == How::sum ? 1 : 2;
  }
  return made;
}

Run::Run(const Program& program, Pace pace, std::uint64_t seed)
    : program_(program),
      random_(seed),
      engine_([this](order::Finding&& finding) { found_.push_back(std::move(finding)); }),
      over_(program.calls.size(), false) {
  for (int i = 0; i < program.hosts; ++i) hosts_.push_back(engine_.add_host());
  for (int i = 0; i < program.streams; ++i) open_stream(i, engine_.add_stream());
  for (std::size_t i = 0; i < program_.calls.size(); ++i) {
    advance(pace);
    issue(i);
    end_hosts(i);
  }
  while (step()) {
  }
  tell_quiet();
  tell_batched();
  for (const Stream& s : streams_) {
    if (!s.items.empty()) {
      stuck_ = to_text(call(s.items.front().call));
    } else if (s.actor != ~order::Actor{0} && engine_.now(s.actor).count != engine_.last(s.actor)) {
      stuck_ = "an item that is over, in the engine";
    }
  }
}

// A server is a host thread that the engine hears of only where there are callbacks.
void Run::open_stream(int index, order::Actor actor) {
  if (streams_.size() <= static_cast<std::size_t>(index)) {
    streams_.resize(static_cast<std::size_t>(index) + 1);
  }
  Stream& s = streams_[static_cast<std::size_t>(index)];
  s.actor = actor;
  const bool served = std::any_of(program_.calls.begin(), program_.calls.end(), [&](const Call& c) {
    return c.what == What::callback && c.stream == index;
  });
  if (served) s.server = engine_.add_host();
}

// Those whose last call it was, some of them.
void Run::end_hosts(std::size_t index) {
  for (int host = 0; host < program_.hosts; ++host) {
    const auto is_by = [&](const Call& c) { return c.host == host || c.other == host; };
    if (!is_by(call(index)) || random_() % 2 != 0) continue;
    const auto next = program_.calls.begin() + static_cast<std::ptrdiff_t>(index) + 1;
    if (std::any_of(next, program_.calls.end(), is_by)) continue;
    tell_quiet();
    engine_.end_host(hosts_[static_cast<std::size_t>(host)]);
  }
}

void Run::advance(Pace pace) {
  if (pace == Pace::lazy) return;
  std::uint64_t steps = pace == Pace::eager ? ~std::uint64_t{0} : random_() % 4;
  while (steps-- > 0 && step()) {
  }
}

order::OpInfo Run::op_info(std::size_t index) const {
  order::OpInfo op_info;
  op_info.what = "call";
  op_info.site = index + 1;
  op_info.called = static_cast<std::uint32_t>(index + 1);
  op_info.device = 0;
  if (call(index).stream >= 0) op_info.stream = static_cast<std::uint32_t>(call(index).stream);
  return op_info;
}

std::vector<order::Access> Run::accesses(const Call& c) {
  std::vector<order::Access> all;
  for (const Touch& touch : c.touches) {
    const bool in_host = touch.begin >= kBufferSize * kHostFrom;
    const std::uintptr_t base = in_host ? kRunHostBase : kRunDeviceBase;
    all.push_back(access(base + touch.begin, touch.size, touch.how));
    all.back().host = in_host;
  }
  return all;
}

void Run::issue(std::size_t index) {
  const Call& c = call(index);
  if (concerns_batched(c)) tell_batched();
  const bool may_come_first = c.what == What::callback && engine_.is_blocked(stream(c).actor);
  if (!may_come_first) tell_quiet();
  if (is_item(c)) return issue_item(index);
  order::OpInfo host_op_info = op_info(index);
  host_op_info.stream = order::OpInfo::kNoStream;
  switch (c.what) {
    case What::host_access:
      engine_.host_access(host(c), host_op_info, accesses(c));
      break;
    case What::sync_begin:
      begin_sync(index);
      break;
    case What::sync_end:
      end_sync(index);
      break;
    case What::free:
      engine_.free(host(c), host_op_info, accesses(c)[0]);
      break;
    case What::tell: {
      order::VectorClock told;
      engine_.release(host(c), told);
      engine_.acquire(hosts_[static_cast<std::size_t>(c.other)], told);
      break;
    }
    case What::create:
      open_stream(c.stream, engine_.add_stream(host(c)));
      break;
    case What::destroy:
      destroy(index);
      break;
    default:
      break;
  }
}

void Run::issue_item(std::size_t index) {
  const Call& c = call(index);
  Stream& s = stream(c);
  Item item{index};
  switch (c.what) {
    case What::op:
      issue_op(index);
      break;
    case What::record: {
      const auto node = std::make_shared<order::Node>();
      engine_.record(s.actor, host(c), op_info(index), *node, node);
      events_[c.object] = {node, index};
      break;
    }
    case What::wait: {
      const auto event = events_.find(c.object);
      if (event == events_.end()) return;
      engine_.wait(s.actor, host(c), op_info(index), *event->second.first, event->second.first);
      item.needs = event->second.second;
      break;
    }
    case What::callback:
      item.completion_id = engine_.call(s.actor, host(c), op_info(index), c.blocking);
      break;
    default:
      issue_number(index, item);
      break;
  }
  s.items.push_back(item);
}

// Reports the first one of consecutive ops without accesses. The others are counted when
// another event concerns the stream or the host.
void Run::issue_op(std::size_t index) {
  const Call& c = call(index);
  const order::Actor actor = stream(c).actor;
  if (c.touches.empty() && row_ && row_->stream == c.stream && row_->host == c.host) {
    ++row_->more;
  } else if (c.touches.empty() && engine_.goes_on(actor, host(c))) {
    if (!engine_.is_blocked(actor)) row_ = Row{c.stream, c.host, 0};
  } else {
    engine_.op(actor, host(c), op_info(index), accesses(c));
  }
}

bool Run::concerns_batched(const Call& c) const {
  if (!row_) return false;
  if (c.what == What::op && c.touches.empty() && c.stream == row_->stream) {
    return c.host != row_->host;
  }
  return c.host == row_->host || c.other == row_->host || c.stream == row_->stream ||
         c.what == What::sync_begin;
}

void Run::tell_batched() {
  if (row_ && row_->more != 0) {
    engine_.went_on(streams_[static_cast<std::size_t>(row_->stream)].actor, row_->more);
  }
  row_.reset();
}

void Run::issue_number(std::size_t index, Item& item) {
  const Call& c = call(index);
  auto& variable = numbers_[{changes_of(c.what), c.object}];
  if (!variable) variable = std::make_shared<order::Variable>();
  const order::Actor actor = stream(c).actor;
  const bool waits = changes_of(c.what) != c.what;
  if (waits) {
    const std::uint64_t least = c.what == What::counter_wait ? adds_of(program_, c.object)
                                : c.what == What::word_wait  ? c.value
                                                             : 1;
    item.completion_id = engine_.wait_for(
        actor, host(c), op_info(index), variable,
        [least](std::uint64_t value) { return value >= least; }, c.what == What::notify_wait,
        accesses(c));
    return;
  }
  const bool adds = c.what == What::add;
  const std::uint64_t set = c.what == What::notify ? 1 : c.value;
  item.completion_id = engine_.change(
      actor, host(c), op_info(index), variable,
      [=](std::uint64_t value) { return adds ? value + 1 : set; }, adds, accesses(c));
}

void Run::begin_sync(std::size_t index) {
  const Call& c = call(index);
  Sync& sync = syncs_[c.value];
  if (c.stream < 0 && c.object >= 0) {
    const auto event = events_.find(c.object);
    if (event == events_.end()) return;
    sync.node = event->second.first;
    sync.needs = {event->second.second};
    return;
  }
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const bool dead = streams_[i].actor == ~order::Actor{0};
    if (dead || (c.stream >= 0 && static_cast<int>(i) != c.stream)) continue;
    sync.streams.emplace_back(static_cast<int>(i), engine_.issued(streams_[i].actor));
    if (!streams_[i].items.empty()) sync.needs.push_back(streams_[i].items.back().call);
  }
}

void Run::end_sync(std::size_t index) {
  const Call& c = call(index);
  const Sync sync = syncs_[c.value];
  run_until_over(sync.needs);
  bool advanced = sync.node && engine_.synchronized(host(c), *sync.node);
  for (const auto& [number, issued] : sync.streams) {
    advanced |=
        engine_.synchronized(host(c), streams_[static_cast<std::size_t>(number)].actor, issued);
  }
  learnt_[index] = advanced;
}

void Run::destroy(std::size_t index) {
  const Call& c = call(index);
  Stream& s = stream(c);
  if (!s.items.empty()) run_until_over({s.items.back().call});
  engine_.synchronized(host(c), s.actor, engine_.issued(s.actor));
  engine_.end_stream(s.actor);
  s.actor = ~order::Actor{0};
}

void Run::run_until_over(const std::vector<std::size_t>& needs) {
  for (const std::size_t need : needs) {
    while (!over(need) && step()) {
    }
    if (!over(need)) stuck_ = to_text(call(need));
  }
  tell_quiet();
}

bool Run::can_step(const Stream& s) const {
  if (!s.calls.empty()) return true;
  if (s.items.empty() || s.called) return false;
  const Item& item = s.items.front();
  if (!over(item.needs)) return false;
  const Call& c = call(item.call);
  if (changes_of(c.what) == c.what) return true;
  const auto number = values_.find({changes_of(c.what), c.object});
  const std::uint64_t value = number == values_.end() ? 0 : number->second;
  if (c.what == What::notify_wait) return value != 0;
  return value >= (c.what == What::counter_wait ? adds_of(program_, c.object) : c.value);
}

// One step of some stream that can go on.
bool Run::step() {
  std::vector<Stream*> ready;
  for (Stream& s : streams_) {
    if (can_step(s)) ready.push_back(&s);
  }
  if (ready.empty()) return false;
  step(*ready[random_() % ready.size()]);
  return true;
}

void Run::step(Stream& s) {
  const bool stream_stands = s.items.empty() || s.called || !over(s.items.front().needs);
  if (!s.calls.empty() && (stream_stands || random_() % 2 == 0)) return serve(s);
  Item& item = s.items.front();
  const Call& c = call(item.call);
  const std::pair<What, int> key{changes_of(c.what), c.object};
  switch (c.what) {
    case What::notify:
      values_[key] = 1;
      break;
    case What::notify_wait:
      if (values_[key] == 0) return;
      values_[key] = 0;
      break;
    case What::write_word:
      values_[key] = c.value;
      break;
    case What::add:
      ++values_[key];
      break;
    case What::word_wait:
      if (values_[key] < c.value) return;
      break;
    case What::counter_wait:
      if (values_[key] < adds_of(program_, c.object)) return;
      break;
    case What::callback:
      s.calls.push_back(item);
      if (c.blocking) {
        s.called = true;
        return;
      }
      break;
    default:
      break;
  }
  if (item.completion_id != 0 && c.what != What::callback) {
    tell_quiet();
    engine_.happened(item.completion_id, false);
  }
  finish(s);
}

void Run::finish(Stream& s) {
  over_[s.items.front().call] = true;
  s.items.pop_front();
}

void Run::serve(Stream& s) {
  const Item item = s.calls.front();
  const Call& c = call(item.call);
  if (accesses(c).empty()) {
    quiet_.push_back({item.completion_id, s.server});
    s.calls.pop_front();
    if (!c.blocking) return;
    s.called = false;
    return finish(s);
  }
  tell_quiet();
  if (!s.serving) {
    engine_.call_begins(item.completion_id, s.server);
    s.serving = true;
    return;
  }
  engine_.host_access(s.server, op_info(item.call), accesses(c));
  engine_.call_ends(item.completion_id, s.server);
  s.serving = false;
  s.calls.pop_front();
  if (!c.blocking) return;
  engine_.happened(item.completion_id, false);
  s.called = false;
  finish(s);
}

// As in the checker, any other report to the engine reports these calls first.
void Run::tell_quiet() {
  engine_.called(quiet_);
  quiet_.clear();
}

}  // namespace ordertest
