// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace fabric {

/// The thread of this process that connections, stores and doorbells are served by. It runs while
/// somebody holds it, and takes no signals of the program's.
class IoThread {
 public:
  /// The one of this process. A forked child gets another.
  static std::shared_ptr<IoThread> of_process();
  ~IoThread();
  IoThread(const IoThread&) = delete;
  IoThread& operator=(const IoThread&) = delete;

  void post(std::function<void()> work);
  /// Waits until what was posted before has run, and what connections were to send is with the
  /// system, if that takes it. In the thread itself it does nothing.
  void drain();
  bool is_this_thread() const noexcept;
  boost::asio::io_context& context() noexcept;

 private:
  IoThread();
  struct Running;
  std::shared_ptr<Running> running_;
};

}  // namespace fabric
