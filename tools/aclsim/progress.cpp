// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/progress.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "tools/replay/naming.h"

namespace aclsim {
namespace {

std::atomic<bool> interrupted{false};

}  // namespace

Progress::Progress(Style style, std::uint64_t total)
    : style_(style), terminal_(::isatty(STDERR_FILENO) != 0), total_(total) {
  next_ = began_ + std::chrono::seconds(terminal_ || style == Style::json ? 1 : 10);
}

Progress::~Progress() {
  if (shown_ && terminal_ && style_ == Style::automatic) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(std::uint64_t done, std::int64_t virtual_ns) {
  if (style_ == Style::quiet) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  const bool often = terminal_ || style_ == Style::json;
  next_ = now + (often ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000));
  const double seconds = std::chrono::duration<double>(now - began_).count();
  shown_ = true;
  std::fputs(line(done, virtual_ns, seconds).c_str(), stderr);
}

std::string Progress::line(std::uint64_t done, std::int64_t virtual_ns, double seconds) const {
  const double share = total_ == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total_);
  const double rate = static_cast<double>(done) / seconds;
  if (style_ == Style::json) {
    return fmt::format(
        "{{\"done\": {}, \"total\": {}, \"virtual_ns\": {}, \"ops_per_s\": {:.0f}}}\n", done,
        total_, virtual_ns, rate);
  }
  const auto filled = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * 20);
  const double left = rate > 0 ? static_cast<double>(total_ - std::min(done, total_)) / rate : 0;
  const std::string text = fmt::format("[{}{}] {:3.0f} %  {:.1f} Mops/s  virtual {}  ETA {}:{:02}",
                                       std::string(filled, '#'), std::string(20 - filled, '.'),
                                       share * 100, rate / 1e6, replay::time_text(virtual_ns),
                                       static_cast<int>(left) / 60, static_cast<int>(left) % 60);
  return terminal_ ? "\r" + text + "\x1b[K" : text + "\n";
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
