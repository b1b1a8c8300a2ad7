// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/decider.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "device_sim/base/error.h"
#include "device_sim/base/files.h"
#include "device_sim/sharing/lost_output.h"

namespace sim {
namespace {

constexpr std::uint64_t kMostSteps = 1 << 14;  // in a row, before the host goes on regardless
constexpr std::uint64_t kMostPolls = 64;       // before a host that only polls is made to wait
constexpr std::uint64_t kMostTurns = 1 << 12;  // in a row, before any host is made to wait

OwnedFd open_record(const std::string& path) {
  if (path.empty()) return {};
  OwnedFd file(open_output(path, O_WRONLY | O_CREAT | O_TRUNC));
  if (file) return file;
  throw MachineError(Error::invalid_argument, "run.decisions: '" + path + "' cannot be written (" +
                                                  output_error(errno) + ")");
}

std::string name_of(Actor actor) { return actor == kHost ? "host" : std::to_string(actor); }

}  // namespace

Decider::Decider(const StrategySpec& spec, std::uint64_t seed, const std::string& record,
                 PlaceOf place_of)
    : strategy_(make_strategy(spec, seed)),
      path_(record),
      place_of_(std::move(place_of)),
      record_(open_record(record)) {}

bool Decider::looks_at_steps() const noexcept { return record_ || strategy_->looks_at_steps(); }

// A host that polls whether something is done would wait for ever if it were always its turn, even
// more so if each poll enqueues something.
bool Decider::has_had_enough(std::uint64_t submitted) {
  if (submitted != submitted_) {
    submitted_ = submitted;
    polls_ = 0;
  }
  if (polls_ < kMostPolls && turns_ < kMostTurns) return false;
  polls_ = 0;
  return true;
}

Actor Decider::decide(Decision decision, std::uint64_t submitted) {
  if (decision.first) steps_here_ = 0;
  if (decision.host && steps_here_ >= kMostSteps) return kHost;
  if (decision.host && has_had_enough(submitted)) decision.host = false;
  decision.plain = plain_.expected(decision);
  Actor chosen = decision.plain;
  if (decision.ready.size() + (decision.host ? 1 : 0) > 1) {
    ++decisions_;
    chosen = strategy_->choose(decision);
    if (record_ && chosen != decision.plain) note(decision, chosen);
  }
  plain_.follow(chosen);
  if (chosen == kHost) {
    ++polls_;
    ++turns_;
  } else {
    turns_ = 0;
    ++steps_here_;
  }
  return chosen;
}

// ---- the record ----

void Decider::note(const Decision& decision, Actor chosen) {
  ++departures_;
  const auto it = std::find_if(decision.ready.begin(), decision.ready.end(),
                               [&](const Candidate& c) { return c.stream == chosen; });
  std::string line = std::to_string(decisions_) + "=" + name_of(chosen) + "  # ";
  if (it != decision.ready.end()) {
    line += std::string(it->step) + " ";
    const std::string place = place_of_ ? place_of_(it->stream, it->number) : std::string();
    if (!place.empty()) line += "(" + place + ") ";
  }
  write(line + "instead of " + name_of(decision.plain) + "\n");
}

void Decider::finish() {
  if (!record_) return;
  write("# " + std::to_string(decisions_) + " decisions, " + std::to_string(departures_) +
        " departures from the plain order\n");
  record_.reset();
}

// A full disk also shows as a record without its last line.
void Decider::write(const std::string& line) {
  const int error = incomplete_ ? 0 : write_all(record_.get(), line);
  if (error == 0) return;
  incomplete_ = true;  // decisions are taken as before
  const std::string what = path_ + ": " + output_error(error);
  std::fputs(("aclsim: decisions: " + what + "; no more of them are written\n").c_str(), stderr);
  report_lost_output(what);
}

}  // namespace sim
