// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/ranks/process.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/base/error.h"

namespace asio = boost::asio;

namespace fabric {
namespace {

struct OfProcess {
  sim::Mutex mutex;
  std::weak_ptr<Process> current GUARDED_BY(mutex);
  pid_t pid GUARDED_BY(mutex) = 0;
};

OfProcess& of_this_process() {
  static auto* const place = new OfProcess;  // used until the process exits
  return *place;
}

Bytes metadata_of(const ProcessId& id) { return {id.begin(), id.end()}; }

/// Imports the file that the process of the card exports under `key`.
sim::OwnedFd file_of(const ProcessCard& card, sim::IpcKey key, SharedKind kind) {
  sim::IpcObject object = sim::IpcBroker::import_object(key);
  if (object.kind != static_cast<std::uint32_t>(kind) || object.metadata != metadata_of(card.id)) {
    throw sim::IpcError(sim::IpcStatus::foreign,
                        "process " + std::to_string(card.pid) + " of this host is another one");
  }
  return std::move(object.file);
}

}  // namespace

void ProcessCard::pack(Writer& writer) const {
  writer.raw(id).number(pid).number(page).number(event);
}

ProcessCard ProcessCard::unpack(Reader& reader) {
  ProcessCard card;
  reader.fill(card.id);
  card.pid = reader.number<pid_t>();
  card.page = reader.number<sim::IpcKey>();
  card.event = reader.number<sim::IpcKey>();
  return card;
}

// All members belong to the I/O thread.
struct Process::Waiting : std::enable_shared_from_this<Waiting> {
  Waiting(std::shared_ptr<IoThread> thread, const sim::OwnedFd& event)
      : io(std::move(thread)), own(event.duplicate()), descriptor(io->context()) {
    descriptor.assign(own.get());
  }
  ~Waiting() { descriptor.release(); }

  void next() {
    if (stopped) return;
    descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                          [self = shared_from_this()](const boost::system::error_code& error) {
                            if (error) return;
                            std::uint64_t count = 0;
                            [[maybe_unused]] const ssize_t got =
                                read(self->own.get(), &count, sizeof count);
                            if (const std::shared_ptr<Process> rung = self->process.lock()) {
                              rung->tell();
                            }
                            self->next();
                          });
  }

  const std::shared_ptr<IoThread> io;
  const sim::OwnedFd own;
  asio::posix::stream_descriptor descriptor;
  std::weak_ptr<Process> process;
  bool stopped = false;
};

std::shared_ptr<Process> Process::mine() {
  OfProcess& place = of_this_process();
  const sim::LockGuard guard(place.mutex);
  std::shared_ptr<Process> current = place.current.lock();
  if (!current || place.pid != getpid()) {
    current.reset(new Process);
    current->waiting_->process = current;
    current->io_->post([waiting = current->waiting_] { waiting->next(); });
    place.current = current;
    place.pid = getpid();
  }
  return current;
}

Process::Process() : io_(IoThread::of_process()) {
  sim::OwnedFd event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event) throw FabricError(Status::broken, "no descriptor is left for an event");
  doorbell_ = std::make_shared<Doorbell>(std::make_shared<ProcessPage>(), std::move(event));
  fill_random(card_.id);
  card_.pid = getpid();
  // Any process of the same user may import these objects: they hold only doorbell and presence
  // words.
  const auto share = [this](SharedKind kind, const sim::OwnedFd& file) {
    const sim::IpcKey key = broker_.export_object(
        {static_cast<std::uint32_t>(kind), metadata_of(card_.id), file.duplicate()});
    broker_.allow_everybody(key);
    return key;
  };
  card_.page = share(SharedKind::page, doorbell_->page()->file());
  card_.event = share(SharedKind::event, doorbell_->event());
  waiting_ = std::make_shared<Waiting>(io_, doorbell_->event());
}

Process::~Process() {
  io_->post([waiting = waiting_] {
    waiting->stopped = true;
    waiting->descriptor.cancel();
  });
}

Process::Listener Process::listen(std::function<void()> heard) {
  const sim::LockGuard guard(listeners_mutex_);
  listeners_[++last_listener_] = std::move(heard);
  return last_listener_;
}

void Process::forget(Listener listener) {
  const sim::LockGuard guard(listeners_mutex_);
  listeners_.erase(listener);
}

void Process::tell() {
  const sim::LockGuard guard(listeners_mutex_);
  for (const auto& [listener, heard] : listeners_) heard();
}

std::size_t Process::take_slot() {
  const sim::LockGuard guard(slots_mutex_);
  const auto free = std::find(slots_taken_.begin(), slots_taken_.end(), false);
  if (free == slots_taken_.end()) {
    throw FabricError(Status::broken, "this process is in " + std::to_string(slots_taken_.size()) +
                                          " groups of ranks; that is the most");
  }
  *free = true;
  return static_cast<std::size_t>(free - slots_taken_.begin());
}

void Process::give_slot(std::size_t slot) {
  const sim::LockGuard guard(slots_mutex_);
  slots_taken_[slot] = false;
}

std::shared_ptr<PeerProcess> PeerProcess::reach(const ProcessCard& card, std::string* why) {
  try {
    // The descriptor is opened first: if the process answers below, the descriptor belongs to it.
    sim::OwnedFd handle(static_cast<int>(syscall(SYS_pidfd_open, card.pid, 0)));
    auto page = std::make_shared<ProcessPage>(file_of(card, card.page, SharedKind::page));
    auto doorbell =
        std::make_shared<Doorbell>(std::move(page), file_of(card, card.event, SharedKind::event));
    return std::make_shared<PeerProcess>(card, std::move(doorbell), std::move(handle));
  } catch (const sim::IpcError& error) {
    if (why) *why = error.what();
    return nullptr;
  }
}

}  // namespace fabric
