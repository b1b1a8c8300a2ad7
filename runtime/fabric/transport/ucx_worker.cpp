// SPDX-License-Identifier: Apache-2.0
#if ACLSIM_HAVE_UCX
#include "runtime/fabric/transport/ucx_worker.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/base/error.h"
#include "runtime/fabric/transport/message.h"
#include "runtime/fabric/transport/ucx_messages.h"

namespace asio = boost::asio;

namespace fabric {
namespace {

struct OfProcess {
  sim::Mutex mutex;
  std::weak_ptr<UcxWorker> current GUARDED_BY(mutex);
  UcxCore core GUARDED_BY(mutex);
  std::atomic<pid_t> pid{0};  // of the process that made `core`
  std::atomic<bool> exiting{false};
};

OfProcess& of_this_process() {
  static auto* const place = new OfProcess;  // used until the process exits
  return *place;
}

// UCX's own handler runs after this one: no thread may be inside UCX then, nor enter it later. A
// forked child, in which the locks may be held by threads of its parent, only sets the mark.
void stop_at_exit() {
  OfProcess& place = of_this_process();
  place.exiting = true;
  if (place.pid != getpid()) return;
  std::shared_ptr<UcxWorker> current;
  {
    const sim::LockGuard guard(place.mutex);
    current = place.current.lock();
  }
  if (current) current->poll();  // waits until the last thread has left UCX
}

void make_context(UcxCore& core) {
  ucp_config_t* config = nullptr;
  require_ucx(ucx().ucp_config_read(nullptr, nullptr, &config), "its settings");
  // Memory that both sides map has a transport of its own. Transports other than TCP pin the memory
  // that they reach, which would be the memory of a whole device.
  ucs_status_t status = UCS_OK;
  if (!getenv("UCX_TLS")) status = ucx().ucp_config_modify(config, "TLS", "tcp,self");
  ucp_params_t params{};
  params.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED;
  params.features = UCP_FEATURE_RMA | UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
  params.mt_workers_shared = 0;
  if (status == UCS_OK) {
    status = ucx().ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &core.context);
  }
  ucx().ucp_config_release(config);
  require_ucx(status, "its context");
}

void make_worker(UcxCore& core) {
  ucp_worker_params_t params{};
  params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  params.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  require_ucx(ucx().ucp_worker_create(core.context, &params, &core.worker), "its worker");
  require_ucx(ucx().ucp_worker_get_efd(core.worker, &core.event), "its worker's event");
  ucp_address_t* address = nullptr;
  std::size_t bytes = 0;
  require_ucx(ucx().ucp_worker_get_address(core.worker, &address, &bytes), "its address");
  const auto* const begin = reinterpret_cast<const std::byte*>(address);
  core.address.assign(begin, begin + bytes);
  ucx().ucp_worker_release_address(core.worker, address);
}

void make_core(OfProcess& place) REQUIRES(place.mutex) {
  if (place.core.worker && place.pid == getpid()) return;
  if (place.core.context) {
    throw FabricError(Status::broken,
                      place.pid == getpid()
                          ? "UCX could not be started in this process"
                          : "a forked child cannot use UCX, which its parent has used; start a "
                            "program instead");
  }
  place.pid = getpid();
  UcxVariables variables;
  // UCX cuts longer messages into segments of this size. Its default of 8 KiB would cause many
  // system calls. The receiver needs the same size. A chunk of a large put has to fit.
  if (!getenv("UCX_TCP_TX_SEG_SIZE") && !getenv("UCX_TCP_RX_SEG_SIZE")) {
    variables.set("UCX_TCP_TX_SEG_SIZE", "128k");
    variables.set("UCX_TCP_RX_SEG_SIZE", "128k");
  }
  make_context(place.core);
  make_worker(place.core);
  std::atexit(stop_at_exit);
}

}  // namespace

void require_ucx(ucs_status_t status, const char* what) {
  if (status == UCS_OK) return;
  throw FabricError(Status::broken, std::string("UCX refuses ") + what + ": " + text_of(status));
}

// ---- the I/O thread's part ----

/// The I/O thread stays away for kAway, then checks whether a thread still polls. While one does,
/// the time doubles up to kLongAway, because each check takes a processor from the polling thread.
constexpr std::chrono::microseconds kAway{400};
constexpr std::chrono::microseconds kLongAway{2000};

struct UcxWorker::Event : std::enable_shared_from_this<Event> {
  Event(std::shared_ptr<IoThread> thread, int event)
      : io(std::move(thread)), own(dup(event)), descriptor(io->context()), timer(io->context()) {
    descriptor.assign(own.get());
  }
  ~Event() {
    if (descriptor.is_open()) descriptor.release();
  }

  void next() {
    if (stopped || away) return;
    descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                          [self = shared_from_this()](const boost::system::error_code& error) {
                            if (!error && !self->away) self->serve();
                          });
  }

  void serve() {
    const auto served = worker.lock();
    if (served && served->pollers_ > 0) return stay_away(kAway);
    if (served) served->drive();
    next();
  }

  /// Otherwise each event would wake this thread, even if a polling thread has handled it.
  void stay_away(std::chrono::microseconds time) {
    if (stopped) return;
    away_for = time;
    if (!away.exchange(true)) descriptor.release();
    timer.expires_after(time);
    timer.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
      if (!error && !self->stopped) self->look();
    });
  }

  void look() {
    const auto served = worker.lock();
    const std::uint64_t begun = served ? served->rows_.load() : rows;
    if (std::exchange(rows, begun) != begun || (served && served->pollers_ > 0)) {
      return stay_away(std::min(2 * away_for, kLongAway));
    }
    away = false;
    descriptor.assign(own.get());
    serve();
  }

  const std::shared_ptr<IoThread> io;
  const sim::OwnedFd own;
  asio::posix::stream_descriptor descriptor;
  asio::steady_timer timer;
  std::weak_ptr<UcxWorker> worker;
  std::uint64_t rows = 0;
  std::chrono::microseconds away_for{kAway};
  std::atomic<bool> away{false};  // the timer checks instead of the descriptor
  bool stopped = false;
};

std::shared_ptr<UcxWorker> UcxWorker::of_process(const std::shared_ptr<Process>& process) {
  OfProcess& place = of_this_process();
  const sim::LockGuard guard(place.mutex);
  std::shared_ptr<UcxWorker> current = place.current.lock();
  if (current && place.pid == getpid()) return current;
  make_core(place);
  current.reset(new UcxWorker(process, place.core));
  current->start();
  place.current = current;
  return current;
}

UcxWorker::UcxWorker(const std::shared_ptr<Process>& process, const UcxCore& core)
    : process_(process), io_(process->io()), core_(core) {}

void UcxWorker::start() {
  const auto listen = [this](unsigned id, ucp_am_recv_callback_t called) {
    ucp_am_handler_param_t param{};
    param.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                       UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG;
    param.id = id;
    param.flags = UCP_AM_FLAG_WHOLE_MSG;
    param.cb = called;
    param.arg = this;
    require_ucx(ucx().ucp_worker_set_am_recv_handler(core_.worker, &param), "a handler");
  };
  event_ = std::make_shared<Event>(io_, core_.event);
  event_->worker = weak_from_this();
  with([&] {
    assert_within();
    listen(kRequests, on_message);
    listen(kAnswer, on_answer);
    listen(kPut, on_put);
    kick();
  });
  io_->post([event = event_] { event->next(); });
}

UcxWorker::~UcxWorker() {
  if (event_) {
    io_->post([event = event_] {
      event->stopped = true;
      boost::system::error_code ignored;
      if (!event->away) event->descriptor.cancel(ignored);
      event->timer.cancel();
    });
  }
  const sim::LockGuard guard(mutex_);
  if (stopped()) return;
  for (const unsigned id : {kRequests, kAnswer, kPut}) {  // UCX calls no handler after this
    ucp_am_handler_param_t param{};
    param.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB;
    param.id = id;
    ucx().ucp_worker_set_am_recv_handler(core_.worker, &param);
  }
}

bool UcxWorker::stopped() noexcept { return of_this_process().exiting; }

void UcxWorker::kick() {
  if (event_->away || std::exchange(kicked_, true)) return;
  io_->post([self = weak_from_this()] {
    const std::shared_ptr<UcxWorker> worker = self.lock();
    if (worker) worker->drive();
  });
}

// Called by the I/O thread. The number of turns is limited because the thread serves others too.
void UcxWorker::drive() {
  constexpr int kTurns = 64;
  {
    const sim::LockGuard guard(mutex_);
    kicked_ = false;
  }
  if (pollers_ > 0 && !event_->away) return event_->stay_away(kAway);
  for (int turn = 0; turn < kTurns; ++turn) {
    if (poll()) continue;
    bool armed = true;
    if (!with([&] { armed = ucx().ucp_worker_arm(core_.worker) != UCS_ERR_BUSY; }) || armed) return;
  }
  with([&] {
    assert_within();
    kick();
  });
}

// Polls once: a polling thread checks the received data before it asks for more, which is a system
// call.
bool UcxWorker::poll() {
  bool came = false;
  with([&] { came = ucx().ucp_worker_progress(core_.worker) != 0; });
  return came;
}

UcxWorker::PutOff UcxWorker::take_put_off() {
  PutOff put_off;
  put_off.calls.swap(later_);
  put_off.rung = std::exchange(rung_, false);
  return put_off;
}

void UcxWorker::make_up(const PutOff& put_off) {
  for (const auto& call : put_off.calls) call();
  const std::shared_ptr<Process> process = put_off.rung ? process_.lock() : nullptr;
  if (process) process->tell();
}

// ---- messages ----

ucs_status_t UcxWorker::on_message(void* self, const void*, std::size_t, void* data,
                                   std::size_t bytes, const ucp_am_recv_param_t* about) {
  auto& worker = *static_cast<UcxWorker*>(self);
  worker.assert_within();
  if (about->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) return UCS_OK;  // peers never send these
  const ucp_ep_h back =
      about->recv_attr & UCP_AM_RECV_ATTR_FIELD_REPLY_EP ? about->reply_ep : nullptr;
  worker.execute_requests({static_cast<const std::byte*>(data), bytes}, back);
  return UCS_OK;
}

void UcxWorker::execute_requests(std::span<const std::byte> requests, ucp_ep_h back) {
  const auto find = [this](std::uint64_t key) REQUIRES(mutex_) { return memory_of(key); };
  const auto answered = [this, back](std::uint64_t number, std::uint64_t value) REQUIRES(mutex_) {
    if (back) answer(back, number, value);
  };
  if (execute(requests, find, answered)) rung_ = true;
}

std::span<std::byte> UcxWorker::memory_of(std::uint64_t key) const {
  const auto it = memories_.find(key);
  return it == memories_.end() ? std::span<std::byte>() : it->second;
}

// ---- chunks of large puts ----

// A chunk that is outside the memory is skipped, together with the requests that came with it.
ucs_status_t UcxWorker::on_put(void* self, const void* header, std::size_t header_bytes, void* data,
                               std::size_t bytes, const ucp_am_recv_param_t* about) {
  auto& worker = *static_cast<UcxWorker*>(self);
  worker.assert_within();
  PutHeader put;
  if (header_bytes < sizeof put || (about->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)) return UCS_OK;
  std::memcpy(&put, header, sizeof put);
  const std::span<std::byte> memory = worker.memory_of(put.key);
  if (put.offset > memory.size() || bytes > memory.size() - put.offset) return UCS_OK;
  std::memcpy(memory.data() + put.offset, data, bytes);
  const auto* const begin = static_cast<const std::byte*>(header);
  worker.execute_requests({begin + sizeof put, header_bytes - sizeof put}, nullptr);
  return UCS_OK;
}

ucs_status_t UcxWorker::on_answer(void* self, const void*, std::size_t, void* data,
                                  std::size_t bytes, const ucp_am_recv_param_t*) {
  auto& worker = *static_cast<UcxWorker*>(self);
  worker.assert_within();
  std::uint64_t values[2];  // number, value
  if (bytes != sizeof values) return UCS_OK;
  std::memcpy(values, data, bytes);
  const auto it = worker.expected_.find(values[0]);
  if (it == worker.expected_.end()) return UCS_OK;
  const Answered answered = std::move(it->second);
  worker.expected_.erase(it);
  answered(values[1]);
  return UCS_OK;
}

void UcxWorker::answer(ucp_ep_h back, std::uint64_t number, std::uint64_t value) {
  const std::uint64_t values[2] = {number, value};
  Bytes message(sizeof values);
  std::memcpy(message.data(), values, sizeof values);
  if (!send_message(back, kAnswer, std::move(message), false)) kick();
}

std::uint64_t UcxWorker::expect(Answered answered) {
  expected_.emplace(++last_expected_, std::move(answered));
  return last_expected_;
}

bool send_message(ucp_ep_h to, unsigned id, Bytes message, bool wants_answer) {
  auto kept = std::make_unique<Bytes>(std::move(message));
  ucp_request_param_t param{};
  param.op_attr_mask =
      UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS;
  param.flags = UCP_AM_SEND_FLAG_EAGER;
  if (wants_answer) param.flags |= UCP_AM_SEND_FLAG_REPLY;
  param.cb.send = [](void* request, ucs_status_t, void* bytes) {
    delete static_cast<Bytes*>(bytes);
    ucx().ucp_request_free(request);
  };
  param.user_data = kept.get();
  void* const sent = ucx().ucp_am_send_nbx(to, id, nullptr, 0, kept->data(), kept->size(), &param);
  if (!UCS_PTR_IS_PTR(sent)) return true;
  kept.release();  // NOLINT: the callback deletes it
  return false;
}

}  // namespace fabric
#endif
