// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/findings/findings.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "device_sim/base/mutex.h"

namespace acl {
namespace {

bool same_place(const order::OpInfo& a, const order::OpInfo& b) {
  return a.site == b.site && std::string_view(a.what) == b.what;
}

/// A race has no direction: which of the two came first is a matter of chance.
bool same_race(const order::Finding& a, const order::Finding& b) {
  return a.rule == order::Rule::race && a.other && b.other && same_place(a.op_info, *b.other) &&
         same_place(*a.other, b.op_info);
}

bool same(const order::Finding& a, const order::Finding& b) {
  if (a.rule != b.rule || a.level != b.level) return false;
  if (same_race(a, b)) return true;
  if (!same_place(a.op_info, b.op_info) || a.other.has_value() != b.other.has_value()) return false;
  return !a.other || same_place(*a.other, *b.other);
}

// Equal texts may have several addresses, so they are compared, not hashed.
std::size_t hash_of(const order::Finding& finding) {
  std::uint64_t hash =
      static_cast<std::uint64_t>(finding.rule) * 4 + static_cast<std::uint64_t>(finding.level);
  std::uint64_t one = finding.op_info.site, other = finding.other ? finding.other->site : 0;
  if (finding.rule == order::Rule::race && one > other) std::swap(one, other);
  for (const std::uint64_t site : {one, other}) {
    hash = (hash ^ site) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

/// A wait after which operations race has the level and the repair of its rule.
void make_full(order::Finding& finding) {
  finding.without_race = false;
  finding.level = order::info(finding.rule).level;
  finding.repair = {};
}

/// Counts the finding, if the row does not count this execution of its operation yet: one execution
/// may conflict with several others from the same place.
void count_again(order::Finding& row, const order::Finding& finding, std::uint64_t times) {
  const bool exchanged = !same_place(row.op_info, finding.op_info);
  const order::OpInfo& it = exchanged && finding.other ? *finding.other : finding.op_info;
  const order::OpInfo* const other = exchanged       ? &finding.op_info
                                     : finding.other ? &*finding.other
                                                     : nullptr;
  row.both_ways |= exchanged;
  row.streams_vary |= it.stream != row.op_info.stream;
  row.other_streams_vary |= other && row.other && other->stream != row.other->stream;
  row.last = finding.last;
  if (it.called != 0 && it.called == row.counted) return;
  row.counted = it.called;
  row.times += times;
}

/// The race is with a write that came after the read. Once the program orders the two, the bytes
/// are written.
bool explains(const order::Finding& race, const order::Finding& read) {
  if (!race.other || !overlap(race.where, read.where)) return false;
  const order::OpInfo& first = race.other_waited ? race.op_info : *race.other;
  const order::OpInfo& op = read.op_info;
  return first.site == op.site && first.stream == op.stream && first.thread == op.thread;
}

}  // namespace

const order::Finding* Findings::UnwrittenReads::add(order::Finding&& finding, std::uint64_t times) {
  bool known_place = false;
  for (order::Finding& known : reads_) {
    if (!same(known, finding)) continue;
    known_place = true;
    const bool same_bytes =
        known.where.begin == finding.where.begin && known.where.size == finding.where.size;
    if (!same_bytes) continue;
    count_again(known, finding, times);
    return nullptr;
  }
  finding.times = times;
  finding.counted = finding.op_info.called;
  reads_.push_back(std::move(finding));
  return known_place ? nullptr : &reads_.back();
}

bool Findings::UnwrittenReads::withdraw(const order::Finding& race) {
  return std::erase_if(reads_, [&](const order::Finding& read) { return explains(race, read); }) !=
         0;
}

const order::Finding* Findings::Distinct::add(order::Finding&& finding, std::uint64_t times) {
  if (finding.rule == order::Rule::unwritten_read && !unwritten_.full()) [[unlikely]] {
    return unwritten_.add(std::move(finding), times);
  }
  const std::size_t hash = hash_of(finding);
  const auto [first, last] = by_hash_.equal_range(hash);
  const auto known =
      std::find_if(first, last, [&](const auto& row) { return same(rows_[row.second], finding); });
  if (known != last) {
    count_again(rows_[known->second], finding, times);
    return nullptr;
  }
  if (rows_.size() >= kMost) return nullptr;
  if (finding.without_race) ++without_race_;
  finding.times = times;
  finding.counted = finding.op_info.called;
  by_hash_.emplace(hash, rows_.size());
  return &rows_.emplace_back(std::move(finding));
}

bool Findings::Distinct::withdraw_deadlock(std::uint64_t site) {
  const auto taken_back = [site](const order::Finding& row) {
    return row.rule == order::Rule::deadlock && row.op_info.site == site;
  };
  if (std::erase_if(rows_, taken_back) == 0) return false;
  index();
  return true;
}

void Findings::Distinct::index() {
  by_hash_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i) by_hash_.emplace(hash_of(rows_[i]), i);
}

bool Findings::Distinct::raise(const order::RacedOps& raced) {
  if (without_race_ == 0) return false;
  const std::size_t before = without_race_;
  for (order::Finding& row : rows_) {
    if (!row.without_race || !raced.follow(row)) continue;
    make_full(row);
    --without_race_;
  }
  if (without_race_ == before) return false;
  // A raised finding may be the same as another one now.
  std::vector<order::Finding> raised = std::exchange(rows_, {});
  for (order::Finding& row : raised) {
    const auto known = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const order::Finding& one) { return same(one, row); });
    if (known == rows_.end()) {
      rows_.push_back(std::move(row));
    } else {
      known->times += row.times;
      known->last = std::max(known->last, row.last);
    }
  }
  index();
  return true;
}

std::vector<order::Finding> Findings::Distinct::rows() const {
  std::vector<order::Finding> all = rows_;
  for (const order::Finding& read : unwritten_.rows()) {
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const order::Finding& row) { return same(row, read); });
    if (known == all.end()) {
      all.push_back(read);
    } else {
      known->times += read.times;
      known->last = std::max(known->last, read.last);
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const order::Finding& a, const order::Finding& b) {
    return a.when < b.when;
  });
  return all;
}

Findings::Findings(const std::string& group_mailbox, order::Level least)
    : least_(least),
      early_(group_mailbox.empty() ? nullptr : std::make_unique<EarlyReport>(group_mailbox)) {}

void Findings::add(order::Finding&& finding, std::uint64_t times) {
  finding.last = now();
  if (finding.when == 0) finding.when = finding.last;
  const sim::LockGuard guard(mutex_);
  if (finding.rule == order::Rule::race) [[unlikely]]
    withdraw_explained(finding);
  if (finding.without_race) [[unlikely]] {
    if (raced_.follow(finding)) make_full(finding);
  } else {
    raise_waits(finding);
  }
  if (finding.rule == expected_) {
    met_.add(std::move(finding), times);
    return;
  }
  occurrences_[static_cast<std::size_t>(finding.level)] += times;
  const order::Finding* const fresh = findings_.add(std::move(finding), times);
  if (fresh && early_ && fresh->level >= least_) early_->add(*fresh);
}

void Findings::raise_waits(const order::Finding& race) {
  raced_.add(race);
  met_.raise(raced_);
  if (findings_.raise(raced_)) send_anew();
}

std::vector<order::Finding> Findings::rows() const {
  std::vector<order::Finding> all = findings_.rows();
  std::erase_if(all, [this](const order::Finding& row) { return row.level < least_; });
  return all;
}

void Findings::withdraw_explained(const order::Finding& race) {
  met_.withdraw(race);
  if (findings_.withdraw(race)) send_anew();
}

bool Findings::withdraw_deadlock(std::uint64_t site) {
  const sim::LockGuard guard(mutex_);
  const bool expected = met_.withdraw_deadlock(site);
  if (!findings_.withdraw_deadlock(site)) return expected;
  send_anew();
  return true;
}

// The findings that were sent early, without those taken back.
void Findings::send_anew() {
  if (!early_) return;
  early_->clear();
  for (const order::Finding& finding : rows()) early_->add(finding);
}

void Findings::again(const order::Finding& finding) {
  const sim::LockGuard guard(mutex_);
  if (finding.rule != expected_) ++occurrences_[static_cast<std::size_t>(finding.level)];
}

std::size_t Findings::count(order::Level at_least) const {
  const sim::LockGuard guard(mutex_);
  const auto all = rows();
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [&](const order::Finding& f) { return f.level >= at_least; }));
}

std::uint64_t Findings::occurrences(order::Level at_least) const {
  const sim::LockGuard guard(mutex_);
  return std::accumulate(occurrences_.begin() + static_cast<std::ptrdiff_t>(at_least),
                         occurrences_.end(), std::uint64_t{0});
}

std::vector<order::Finding> Findings::all() const {
  const sim::LockGuard guard(mutex_);
  return rows();
}

std::vector<order::Finding> Findings::since(order::Level at_least, std::uint64_t& mark) {
  std::vector<order::Finding> found = all();
  std::erase_if(found, [&](const order::Finding& finding) {
    return finding.level < at_least || finding.last <= mark;
  });
  mark = now();
  return found;
}

void Findings::clear() {
  const sim::LockGuard guard(mutex_);
  findings_ = {};
  met_ = {};
  raced_.clear();
  expected_.reset();
  if (early_) early_->clear();
}

void Findings::reported() {
  const sim::LockGuard guard(mutex_);
  if (early_) early_->finish();
}

bool Findings::expect(order::Rule rule) {
  const sim::LockGuard guard(mutex_);
  if (expected_) return false;
  expected_ = rule;
  return true;
}

std::optional<std::size_t> Findings::end_expecting() {
  const sim::LockGuard guard(mutex_);
  if (!expected_) return std::nullopt;
  expected_.reset();
  return std::exchange(met_, {}).rows().size();
}

}  // namespace acl
