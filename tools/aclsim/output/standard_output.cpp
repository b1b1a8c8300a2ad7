// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/output/standard_output.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "device_sim/base/files.h"

namespace aclsim {
namespace {

constexpr std::size_t kBuffer = std::size_t{64} << 10;

std::string pending;  // used by one thread only, which writes the results
int failed_with = 0;
std::atomic<bool> not_told{false};

void ignore(int) {}

}  // namespace

StandardOutputError::StandardOutputError(int error)
    : text_(fmt::format("the standard output cannot be written ({})", sim::output_error(error))) {}

void put_out(std::string_view text) {
  pending.append(text);
  static const bool terminal = ::isatty(STDOUT_FILENO) != 0;
  if (terminal || pending.size() >= kBuffer) flush_out();
}

void flush_out() {
  const std::string text = std::exchange(pending, {});
  if (failed_with == 0) failed_with = sim::write_all(STDOUT_FILENO, text);
  if (failed_with != 0) throw StandardOutputError(failed_with);
}

void tell(std::string_view text) noexcept {
  if (sim::write_all(STDERR_FILENO, text) != 0) not_told = true;
}

bool told_all() noexcept { return !not_told; }

// exec resets a signal with a handler to its default action, but keeps an ignored signal ignored.
void let_writes_fail() {
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL) continue;
    action.sa_handler = ignore;
    ::sigaction(signal, &action, nullptr);
  }
}

// Otherwise a file of this tool could get the number of a closed standard file and receive output.
void fill_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) >= 0) continue;
    // Uses of the descriptor fail with EBADF, as before, and writes through /dev/stdout fail too.
    // The file gets the lowest free number, which is this one.
    [[maybe_unused]] const int opened =
        file == STDIN_FILENO ? ::open("/dev/null", O_WRONLY) : ::open("/dev/full", O_RDONLY);
  }
}

}  // namespace aclsim
