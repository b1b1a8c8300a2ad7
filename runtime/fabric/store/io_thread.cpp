// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/io_thread.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <thread>
#include <utility>

#include "device_sim/base/mutex.h"

namespace asio = boost::asio;

namespace fabric {

struct IoThread::Running {
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> keep{context.get_executor()};
  std::thread thread;
};

namespace {

struct OfProcess {
  sim::Mutex mutex;
  std::weak_ptr<IoThread> current GUARDED_BY(mutex);
  pid_t pid GUARDED_BY(mutex) = 0;
};

// Never destroyed: stores that live until the process exits use it.
OfProcess& of_this_process() {
  static auto* const place = new OfProcess;
  return *place;
}

}  // namespace

std::shared_ptr<IoThread> IoThread::of_process() {
  OfProcess& place = of_this_process();
  const sim::LockGuard guard(place.mutex);
  std::shared_ptr<IoThread> current = place.current.lock();
  if (!current || place.pid != getpid()) {
    current.reset(new IoThread);
    place.current = current;
    place.pid = getpid();
  }
  return current;
}

IoThread::IoThread() : running_(std::make_shared<Running>()) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are left to the program's own threads
  running_->thread = std::thread([running = running_] { running->context.run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

IoThread::~IoThread() {
  running_->context.stop();
  if (is_this_thread()) {
    running_->thread
        .detach();  // the last reference was held by work of this thread, which ends after it
  } else {
    running_->thread.join();
  }
}

void IoThread::post(std::function<void()> work) { asio::post(running_->context, std::move(work)); }

void IoThread::drain() {
  if (is_this_thread()) return;
  // The first pass is for the posted work, the second for the writes that it starts, the third for
  // writes that had to wait for these.
  for (int turn = 0; turn < 3; ++turn) {
    std::promise<void> reached;
    post([&reached] { reached.set_value(); });
    reached.get_future().wait();
  }
}

bool IoThread::is_this_thread() const noexcept {
  return running_->thread.get_id() == std::this_thread::get_id();
}

asio::io_context& IoThread::context() noexcept { return running_->context; }

}  // namespace fabric
