// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace fabric {

/// The thread of this process that serves connections, stores and doorbells. It runs as long as a
/// caller holds it, and blocks all signals.
class IoThread {
 public:
  /// Returns the thread of the calling process. A forked child gets a new one.
  static std::shared_ptr<IoThread> of_process();
  ~IoThread();
  IoThread(const IoThread&) = delete;
  IoThread& operator=(const IoThread&) = delete;

  void post(std::function<void()> work);
  /// Returns when all work posted before has run and all data of connections has been passed to the
  /// system, if the system accepts it. Has no effect when called by the thread itself.
  void drain();
  bool is_this_thread() const noexcept;
  boost::asio::io_context& context() noexcept;

 private:
  IoThread();
  struct Running;
  std::shared_ptr<Running> running_;
};

}  // namespace fabric
