// SPDX-License-Identifier: Apache-2.0
// Transfers, signals and barriers as ops of a stream.
#include <cstring>
#include <optional>
#include <utility>

#include "runtime/shmem/base/error.h"
#include "runtime/shmem/pe/compare.h"
#include "runtime/shmem/pe/transfer.h"

namespace shmem {
namespace {

using acl::embedding::Caller;
using acl::embedding::Next;
using acl::embedding::Operation;
using acl::embedding::Range;

void submit(Caller caller, Pe& me, aclrtStream stream, std::shared_ptr<Operation> operation) {
  const auto error =
      embedding().submit(caller, stream ? stream : me.stream(), std::move(operation));
  if (!stream) me.enqueued();
  if (error) fail(ACLSHMEM_INNER_ERROR, "{}", error.text);
}

/// The base of ops; keeps the PE alive.
class PeOperation : public Operation {
 public:
  PeOperation(std::shared_ptr<Pe> me, const char* name) : me_(std::move(me)), name_(name) {}
  const char* name() const noexcept override { return name_; }
  acl::embedding::Error expired(std::uint64_t, const std::vector<std::uint64_t>&) override {
    return {ACL_ERROR_RT_WAIT_TIMEOUT, "another PE did not come in time"};
  }

 protected:
  Next failed(const std::string& text) const {
    return Next::fail({ACL_ERROR_RT_INTERNAL_ERROR, text});
  }
  const std::shared_ptr<Pe> me_;

 private:
  const char* const name_;
};

class Copy final : public PeOperation {
 public:
  struct Ends {
    std::byte* to;
    const std::byte* from;
    std::size_t bytes;
  };
  Copy(std::shared_ptr<Pe> me, const char* name, Ends ends, std::vector<Range> ranges, int target,
       std::uint64_t key = 0)
      : PeOperation(std::move(me), name),
        ends_(ends),
        ranges_(std::move(ranges)),
        target_(target),
        key_(key) {}
  std::size_t bytes() const noexcept override { return ends_.bytes; }
  std::vector<Range> ranges() const override { return ranges_; }
  acl::embedding::FlagUse flag(std::uint64_t) override { return me_->published().setting(key_); }
  Next step(std::uint64_t) override {
    if (ends_.bytes > 0) std::memmove(ends_.to, ends_.from, ends_.bytes);
    me_->waiter().wake(target_);
    return Next::done();
  }

 private:
  const Ends ends_;
  const std::vector<Range> ranges_;
  const int target_;
  const std::uint64_t key_;
};

class Change final : public PeOperation {
 public:
  Change(std::shared_ptr<Pe> me, std::byte* word, const SignalSpec& signal, int pe,
         std::uint64_t key)
      : PeOperation(std::move(me), "shmem signal"),
        word_(word),
        signal_(signal),
        pe_(pe),
        key_(key) {}
  acl::embedding::FlagUse flag(std::uint64_t) override { return me_->published().setting(key_); }
  Next step(std::uint64_t) override {
    change_word(word_, signal_);
    me_->waiter().wake(pe_);
    return Next::done();
  }

 private:
  std::byte* const word_;
  const SignalSpec signal_;
  const int pe_;
  const std::uint64_t key_;
};

class WaitForWord final : public PeOperation {
 public:
  struct Condition {
    const std::byte* word;
    int cmp;
    std::int32_t value;
  };
  /// `offset`: of the word in the block; kElsewhere: it is in none. `stream`: its number.
  WaitForWord(std::shared_ptr<Pe> me, Condition until, std::size_t offset, std::uint64_t stream)
      : PeOperation(std::move(me), "shmem wait"), until_(until), offset_(offset), stream_(stream) {}
  acl::embedding::FlagUse flag(std::uint64_t) override { return me_->published().taking(); }
  Next step(std::uint64_t) override {
    if (holds()) return Next::done(took());
    if (const auto loss = me_->loss()) return failed(*loss);
    const auto signal = embedding().make_signal();
    me_->waiter().sleep(signal);
    return holds() ? Next::done(took()) : Next::wait(signal);
  }

 private:
  bool holds() const noexcept {
    return compare(load<std::int32_t>(until_.word), until_.cmp, until_.value);
  }
  /// Reports the changes of the word.
  std::uint64_t took() const {
    if (offset_ == kElsewhere) return 0;
    return me_->published().took(stream_, offset_, sizeof(std::int32_t), [&](std::uint64_t bits) {
      return compare(static_cast<std::int32_t>(bits), until_.cmp, until_.value);
    });
  }
  const Condition until_;
  const std::size_t offset_;
  const std::uint64_t stream_;
};

/// A step of an op that waits until transfers to PEs on other hosts have arrived.
class ArrivalStep {
 public:
  /// `begin`: called once; issues the transfers, and returns null if they have arrived already.
  template <class Begin>
  std::optional<Next> step(Pe& me, Begin begin) {
    if (!arrival_) arrival_ = begin();
    if (!arrival_->done()) {
      const auto signal = embedding().make_signal();
      me.waiter().sleep(signal);
      if (!arrival_->done()) return Next::wait(signal);
    }
    const bool lost = std::exchange(arrival_, nullptr)->failed();
    if (!lost) return std::nullopt;
    return Next::fail({ACL_ERROR_RT_INTERNAL_ERROR,
                       me.loss().value_or("the way to a PE of another host was lost")});
  }

 private:
  std::shared_ptr<const Arrival> arrival_;
};

/// An operation on the memory of a PE on another host.
class RemoteOperation final : public PeOperation {
 public:
  RemoteOperation(std::shared_ptr<Pe> me, const Task& task, RemoteWork work,
                  std::vector<Range> ranges)
      : PeOperation(std::move(me), task.name),
        bytes_(task.bytes),
        work_(std::move(work)),
        ranges_(std::move(ranges)) {}
  std::size_t bytes() const noexcept override { return bytes_; }
  std::vector<Range> ranges() const override { return ranges_; }
  std::uint64_t enqueued() override {
    begun_ = false;
    return 0;
  }
  Next step(std::uint64_t) override {
    if (!begun_ && work_.behind_all) {
      if (auto late = landing_.step(*me_, [&] { return me_->connections().flush(work_.pe); }))
        return *late;
    }
    const auto begin = [&] {
      begun_ = true;
      work_.begin(me_->connections());
      return me_->connections().flush(work_.pe);
    };
    if (auto late = landing_.step(*me_, begin)) return *late;
    return Next::done();
  }

 private:
  const std::size_t bytes_;
  const RemoteWork work_;
  const std::vector<Range> ranges_;
  bool begun_ = false;
  ArrivalStep landing_;
};

class Barrier final : public PeOperation {
 public:
  Barrier(std::shared_ptr<Pe> me, int team)
      : PeOperation(std::move(me), "shmem barrier"), team_(team) {}
  // Taken again with each launch of a captured graph.
  std::uint64_t enqueued() override {
    try {
      passage_ = me_->begin_barrier(team_);
      notified_ = false;
      quiet_ = !me_->connections().any();
    } catch (const std::exception& error) {
      trouble_ = error.what();
    }
    return 0;
  }
  // Only barriers of one round are reported: a second round would have to report the order that the
  // first one has made.
  std::vector<acl::embedding::Rendezvous> rendezvous(std::uint64_t) override {
    if (!passage_.has_one_round()) {
      me_->published().lost();
      return {};
    }
    return me_->published().rendezvous(passage_.round());
  }
  Next step(std::uint64_t) override {
    if (!trouble_.empty()) return failed(trouble_);
    if (!quiet_) {
      if (auto late = landing_.step(*me_, [&] { return me_->connections().flush_all(); }))
        return *late;
      quiet_ = true;
    }
    while (true) {
      if (!std::exchange(notified_, true)) {
        me_->tell(passage_);
      }
      if (passage_.round_is_over()) {
        if (!passage_.advance()) return Next::done();
        notified_ = false;
        continue;
      }
      if (const auto loss = me_->loss()) return failed(*loss);
      const auto signal = embedding().make_signal();
      me_->waiter().sleep(signal);
      if (!passage_.round_is_over()) return Next::wait(signal, limit_ns());
    }
  }
  acl::embedding::Error expired(std::uint64_t, const std::vector<std::uint64_t>&) override {
    try {
      me_->barrier_failed(passage_, Waiter::Outcome::timed_out);
    } catch (const std::exception& error) {
      return {ACL_ERROR_RT_WAIT_TIMEOUT, error.what()};
    }
  }

 private:
  std::uint64_t limit_ns() const {
    return static_cast<std::uint64_t>(
        std::chrono::nanoseconds(me_->spec().control_timeout).count());
  }
  const int team_;
  Arrivals::Passage passage_;
  bool notified_ = false;
  bool quiet_ = true;
  ArrivalStep landing_;
  std::string trouble_;
};

/// The ranges of elements with a stride, one by one; nothing if there are too many.
void append(std::vector<Range>& ranges, const void* begin, const Elements& elements, bool written) {
  constexpr std::size_t kMost = 1024;
  const std::ptrdiff_t stride = written ? elements.to_stride : elements.from_stride;
  if (!begin) return;
  const bool together = stride == 1;
  if (!together && elements.count > kMost) return;
  const std::size_t bytes = together ? elements.bytes * elements.count : elements.bytes;
  for (std::size_t i = 0; i < (together ? 1 : elements.count); ++i) {
    const std::size_t at = i * elements.bytes * static_cast<std::size_t>(stride);
    ranges.push_back({static_cast<const std::byte*>(begin) + at, bytes, !written, written});
  }
}

class Piece final : public PeOperation {
 public:
  Piece(std::shared_ptr<Pe> me, const Task& task, std::function<void()> work)
      : PeOperation(std::move(me), task.name),
        bytes_(task.bytes),
        key_(task.key),
        second_key_(task.second_key),
        work_(std::move(work)) {
    append(ranges_, task.read, task.elements, false);
    append(ranges_, task.written, task.elements, true);
  }
  std::size_t bytes() const noexcept override { return bytes_; }
  std::vector<Range> ranges() const override { return ranges_; }
  acl::embedding::FlagUse flag(std::uint64_t) override {
    return me_->published().setting(key_, second_key_);
  }
  Next step(std::uint64_t) override {
    work_();
    return Next::done();
  }

 private:
  const std::size_t bytes_;
  const std::uint64_t key_, second_key_;
  std::vector<Range> ranges_;
  const std::function<void()> work_;
};

class Until final : public PeOperation {
 public:
  Until(std::shared_ptr<Pe> me, const char* name, std::shared_ptr<acl::embedding::Signal> end)
      : PeOperation(std::move(me), name), end_(std::move(end)) {}
  Next step(std::uint64_t) override { return end_->done() ? Next::done() : Next::wait(end_); }

 private:
  const std::shared_ptr<acl::embedding::Signal> end_;
};

class Quiet final : public PeOperation {
 public:
  using PeOperation::PeOperation;
  Next step(std::uint64_t) override {
    if (!me_->connections().any()) return Next::done();
    const auto late = landing_.step(*me_, [&] { return me_->connections().flush_all(); });
    return late ? *late : Next::done();
  }

 private:
  ArrivalStep landing_;
};

}  // namespace

void enqueue(Caller caller, Pe& me, const Task& task, std::function<void()> work) {
  submit(caller, me, nullptr,
         std::make_shared<Piece>(me.shared_from_this(), task, std::move(work)));
}

void enqueue_remote(Caller caller, Pe& me, const Task& task, RemoteWork work, aclrtStream stream,
                    std::vector<Range> ranges) {
  submit(caller, me, stream,
         std::make_shared<RemoteOperation>(me.shared_from_this(), task, std::move(work),
                                           std::move(ranges)));
}

Shown::Shown(Caller caller, Pe& me, const char* name) {
  if (!me.runtime().measured()) return;
  end_ = me.runtime().make_signal();
  submit(caller, me, nullptr, std::make_shared<Until>(me.shared_from_this(), name, end_));
}

Shown::~Shown() {
  if (end_) end_->complete();
}

void put_on_stream(Caller caller, void* to, const void* from, std::size_t bytes, int pe,
                   aclrtStream stream) {
  const auto me = Pe::get()->shared_from_this();
  const PeAddress target = me->remote(to, bytes, pe, "dst");
  const std::byte* const source = bytes > 0 ? me->local(from, bytes, false, "src") : nullptr;
  std::vector<Range> ranges{{from, bytes, true, false}};
  if (me->connections().is_remote(pe)) {
    RemoteWork work{pe, bytes > fabric::kCopiedPut, [=](Connections& connections) {
                      if (source) connections.put(pe, target.offset, {source, bytes});
                      connections.push(pe);
                    }};
    return enqueue_remote(caller, *me, {"shmem put", bytes}, std::move(work), stream,
                          std::move(ranges));
  }
  const std::uint64_t key = me->tell_change(target, pe, bytes, {}, stream);
  const Copy::Ends ends{target.here, source, bytes};
  if (void* const there = me->at(to, pe)) ranges.push_back({there, bytes, false, true});
  submit(caller, *me, stream, std::make_shared<Copy>(me, "shmem put", ends, ranges, pe, key));
}

void get_on_stream(Caller caller, void* to, const void* from, std::size_t bytes, int pe,
                   aclrtStream stream) {
  const auto me = Pe::get()->shared_from_this();
  const PeAddress source = me->remote(from, bytes, pe, "src");
  std::byte* const target = bytes > 0 ? me->local(to, bytes, true, "dst") : nullptr;
  std::vector<Range> ranges{{to, bytes, false, true}};
  if (me->connections().is_remote(pe)) {
    RemoteWork work{pe, true, [=](Connections& connections) {
                      if (target) connections.get(pe, source.offset, {target, bytes});
                    }};
    return enqueue_remote(caller, *me, {"shmem get", bytes}, std::move(work), stream,
                          std::move(ranges));
  }
  const Copy::Ends ends{target, source.here, bytes};
  if (void* const there = me->at(from, pe)) ranges.push_back({there, bytes, true, false});
  submit(caller, *me, stream,
         std::make_shared<Copy>(me, "shmem get", ends, ranges, me->spec().my_pe));
}

void signal_on_stream(Caller caller, const SignalSpec& signal, int pe, aclrtStream stream) {
  const auto me = Pe::get()->shared_from_this();
  const PeAddress word = signal_word(*me, signal, pe);
  if (me->connections().is_remote(pe)) {
    RemoteWork work{pe, false, [=, signal = signal](Connections& connections) {
                      change_remote_word(connections, pe, word, signal);
                    }};
    return enqueue_remote(caller, *me, {"shmem signal", sizeof(std::int32_t)}, std::move(work),
                          stream);
  }
  const std::uint64_t key =
      me->tell_change(word, pe, sizeof(std::int32_t), effect_of(signal), stream);
  submit(caller, *me, stream, std::make_shared<Change>(me, word.here, signal, pe, key));
}

void wait_on_stream(Caller caller, std::int32_t* word, int cmp, std::int32_t value,
                    aclrtStream stream) {
  require_comparison(cmp);
  const auto me = Pe::get()->shared_from_this();
  const std::byte* const at = me->local(word, sizeof *word, false, "sig_addr");
  acl::embedding::StreamInfo info;
  embedding().find_stream(stream ? stream : me->stream(), info);
  submit(caller, *me, stream,
         std::make_shared<WaitForWord>(me, WaitForWord::Condition{at, cmp, value},
                                       me->offset_of(word), info.id));
}

void quiet_on_stream(Caller caller, aclrtStream stream) {
  const auto me = Pe::get()->shared_from_this();
  submit(caller, *me, stream, std::make_shared<Quiet>(me, "shmem quiet"));
}

void barrier_on_stream(Caller caller, int team, aclrtStream stream) {
  const auto me = Pe::get()->shared_from_this();
  if (team == Teams::kInvalid) return;
  if (!me->teams().find(team)) fail(ACLSHMEM_INVALID_PARAM, "team {} does not exist", team);
  me->require_whole();
  submit(caller, *me, stream, std::make_shared<Barrier>(me, team));
}

}  // namespace shmem
