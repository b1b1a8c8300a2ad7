// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/thread.h"

#include <pthread.h>
#include <signal.h>

#include <string>
#include <system_error>
#include <utility>

#include "device_sim/base/error.h"
#include "device_sim/base/own_thread.h"

namespace sim {
namespace {

/// Blocks all signals for a scope; a thread inherits that.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

std::thread start(std::function<void()> body) {
  try {
    return make_own_thread(std::move(body));
  } catch (const std::system_error& error) {
    throw MachineError(Error::no_thread,
                       std::string(describe(Error::no_thread)) + ": " + error.code().message());
  }
}

}  // namespace

std::thread start_thread(Signals signals, std::function<void()> body) {
  if (signals == Signals::handled) return start(std::move(body));
  const SignalsBlocked here;
  return start(std::move(body));
}

}  // namespace sim
