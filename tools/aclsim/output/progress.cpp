// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/output/progress.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <utility>

#include "tools/replay/results/naming.h"

namespace aclsim {
namespace {

std::atomic<bool> interrupted{false};

std::string json_line(std::uint64_t done, std::uint64_t total, std::int64_t virtual_ns,
                      double seconds) {
  return fmt::format("{{\"done\": {}, \"total\": {}, \"virtual_ns\": {}, \"ops_per_s\": {:.0f}}}\n",
                     done, total, virtual_ns, static_cast<double>(done) / seconds);
}

std::string bar(std::uint64_t done, std::uint64_t total, std::int64_t virtual_ns, double seconds,
                const std::string& unit) {
  const double rate = static_cast<double>(done) / seconds;
  std::string text = "\r";
  if (total != 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const auto filled = static_cast<std::size_t>(share * 20);
    text += fmt::format("[{}{}] {:3.0f} %  ", std::string(filled, '#'),
                        std::string(20 - filled, '.'), share * 100);
  }
  text += fmt::format("{:.1f} M{}/s", rate / 1e6, unit);
  if (virtual_ns >= 0) text += "  virtual " + replay::time_text(virtual_ns);
  if (total > done && rate > 0) {
    const auto left =
        static_cast<std::uint64_t>(std::ceil(static_cast<double>(total - done) / rate));
    text += fmt::format("  ETA {}:{:02}{}", left / 60, left % 60, unit == "B" ? " of reading" : "");
  }
  return text + "\x1b[K";
}

}  // namespace

Progress::Progress(Style style, std::string unit) : style_(style), unit_(std::move(unit)) {
  if (style == Style::automatic && ::isatty(STDERR_FILENO) == 0) style_ = Style::quiet;
}

Progress::~Progress() { hide(); }

void Progress::hide() {
  if (shown_ && style_ == Style::automatic) std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

void Progress::show(std::uint64_t done, std::uint64_t total, std::int64_t virtual_ns) {
  if (style_ == Style::quiet) return;
  const Clock::time_point now = Clock::now();
  if (began_ == Clock::time_point{}) {
    began_ = now;
    next_ = now + std::chrono::seconds(1);
  }
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - began_).count();
  const std::string text = style_ == Style::json ? json_line(done, total, virtual_ns, seconds)
                                                 : bar(done, total, virtual_ns, seconds, unit_);
  if (std::fputs(text.c_str(), stderr) >= 0 || style_ != Style::json) return;
  ::signal(SIGPIPE, SIG_DFL);  // the reader has ended: ends this process, as the run may be long
  ::raise(SIGPIPE);
}

Interrupts::Interrupts() {
  interrupted = false;
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
}

Interrupts::~Interrupts() { ::signal(SIGINT, SIG_DFL); }

bool Interrupts::asked() const { return interrupted; }

}  // namespace aclsim
