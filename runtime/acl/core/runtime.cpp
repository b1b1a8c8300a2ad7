// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/runtime.h"

#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <exception>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/core/state_callbacks.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/watch/host_wait.h"

namespace acl {

// ---- the one instance ----

namespace {

std::atomic<bool> forked{false};

void finish_at_exit() {
  Runtime* const runtime = Runtime::existing();
  if (!runtime) return;
  // Objects that kernels use may soon be destroyed: static objects, the main thread's stack.
  runtime->driver().close();
  runtime->sections().for_each([](Section& section) { section.at_exit(); });
  surroundings().at_exit(*runtime);
}

/// The end of this library comes after the static destructors and exit handlers of the program, and
/// of the libraries that use this one: they may still call ACL.
[[gnu::destructor]] void finish_after_program() {
  if (Runtime* const runtime = Runtime::existing()) surroundings().after_program(*runtime);
}

}  // namespace

Runtime& Runtime::make() {
  if (forked.load(std::memory_order_relaxed)) {
    fail(ACL_ERROR_RT_CONTEXT_NULL,
         "this process was forked from one that used ACL; devices do not survive fork, use exec");
  }
  static sim::Mutex mutex;
  // The reason of the first refusal. It stays, so that each later call fails in the same way.
  static std::string* refused GUARDED_BY(mutex) = nullptr;
  const sim::LockGuard guard(mutex);
  if (Runtime* const made = existing()) return *made;
  if (!refused) {
    try {
      const Config config = load_config();
      surroundings().prepare(config);
      auto* const runtime = new Runtime(config);
      surroundings().furnish(*runtime);
      instance_.store(runtime, std::memory_order_release);
      std::atexit(finish_at_exit);
      pthread_atfork(nullptr, nullptr, [] {
        forked.store(true);
        instance_.store(nullptr);
        watch::forget_all();
      });
      return *runtime;
    } catch (const std::exception& error) {
      const auto* const of_machine = dynamic_cast<const sim::MachineError*>(&error);
      if (of_machine && of_machine->error() == sim::Error::no_thread)
        throw;  // there may be one later
      refused = new std::string(error.what());
      notice(*refused);
    }
  }
  throw AclError(ACL_ERROR_INVALID_PARAM, "there is no machine: " + *refused);
}

Runtime::Runtime(const Config& config)
    : config_(config),
      system_(config.system),
      logical_(static_cast<std::size_t>(std::max(0, config.system.devices)), -1) {
  for (int i = visible_devices() - 1; i >= 0; --i) {
    logical_.at(static_cast<std::size_t>(config_.visible[static_cast<std::size_t>(i)])) = i;
  }
  for (int d = 0; d < config_.system.devices; ++d) devices_.push_back(std::make_unique<Device>());
  if (devices_.size() != 0 && memory().device(0).capacity() < config_.system.memory_bytes) {
    notice(
        fmt::format("this process may not reserve enough addresses (ulimit -v?): devices have "
                    "{} MiB instead of {}",
                    memory().device(0).capacity() >> 20, config_.system.memory_bytes >> 20));
  }
}

// ---- devices ----

int Runtime::physical(int device_id, const char* argument) const {
  if (device_id < 0 || device_id >= visible_devices()) {
    if (visible_devices() == 0) {
      fail(ACL_ERROR_RT_INVALID_DEVICEID, "{} is {}, but this process sees no device", argument,
           device_id);
    }
    const bool all = visible_devices() == config_.system.devices;
    fail(ACL_ERROR_RT_INVALID_DEVICEID, "{} is {}; expected 0 to {} ({})", argument, device_id,
         visible_devices() - 1,
         all ? "ACLSIM_DEVICES makes more" : "ASCEND_RT_VISIBLE_DEVICES names no more");
  }
  return config_.visible[static_cast<std::size_t>(device_id)];
}

void Runtime::set_device(int device_id) {
  const int id = physical(device_id);
  if (auto* const intervener = watch::intervener()) intervener->before_use(id);
  Device& dev = device(id);
  sim::Ref<Context> made;
  {
    const sim::LockGuard guard(dev.mutex);
    if (!dev.primary) {
      dev.primary = made = make_context(id, true);
      dev.references = 0;
    }
    ++dev.references;
    thread_state().context = dev.primary;
  }
  if (made) tell_of_stream(made->default_stream_handle());
}

void Runtime::reset_device(int device_id, bool force) {
  const int id = physical(device_id);
  Device& dev = device(id);
  sim::Ref<Context> ended;
  {
    const sim::LockGuard guard(dev.mutex);
    if (!dev.primary) {
      fail(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
           "device {} is not set; expected one aclrtSetDevice for each reset", device_id);
    }
    if (!force && --dev.references > 0) return;
    dev.references = 0;
    ended = std::move(dev.primary);
    dev.primary = nullptr;
  }
  end_primary(id, std::move(ended), force);
}

void Runtime::end_primary(int physical, sim::Ref<Context> context, bool force) {
  std::exception_ptr failure;
  context->destroy(force, failure);
  end_primary_of(physical, *context);
  if (failure) std::rethrow_exception(failure);
}

// Its streams have ended.
void Runtime::end_primary_of(int physical, const Context& context) {
  if (const auto pin = contexts_.find(context.handle())) contexts_.remove(pin);
  Device& dev = device(physical);
  const sim::LockGuard guard(dev.mutex);  // so that no thread sets the device meanwhile
  if (--dev.contexts > 0) return;
  // No context uses the device any more, so memory that was not freed is released with it.
  if (auto* const listener = watch::listener()) listener->device_memory_ending(physical);
  sections_.for_each([&](Section& section) { section.device_ends(physical); });
  links().disable_all(physical);
  memory().device(physical).free_all();
}

bool Runtime::primary_active(int device_id) const {
  const Device& dev = device(physical(device_id));
  const sim::LockGuard guard(dev.mutex);
  return static_cast<bool>(dev.primary);
}

void require_path(Runtime& runtime, int owner, int device) {
  // The other process may have more devices than this one knows.
  if (owner == device || owner < 0 || owner >= runtime.memory().device_count()) return;
  if (runtime.links().reachable(device, owner)) return;
  fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
       "device {} has no path to the device of the memory, which is device {} of the machine",
       runtime.logical(device), owner);
}

// ---- contexts ----

sim::Ref<Context> Runtime::make_context(int physical_device, bool primary) {
  if (auto* const intervener = watch::intervener()) intervener->before_use(physical_device);
  count_stream(physical_device);
  auto context = sim::make_ref<Context>(*this, physical_device, primary);
  const sim::Ref<Stream> stream =
      sim::make_ref<Stream>(*this, *context, Stream::Config{.is_default = true});
  void* const stream_handle = streams_.add(stream);
  void* const handle = contexts_.add(context);
  if (!stream_handle || !handle) fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "too many contexts");
  context->default_handle_ = stream_handle;
  context->set_handle(handle);
  ++device(physical_device).contexts;
  return context;
}

void* Runtime::create_context(int device_id) {
  const sim::Ref<Context> context = make_context(physical(device_id), false);
  thread_state().context = context;
  tell_of_stream(context->default_stream_handle());
  return context->handle();
}

void Runtime::end_context(const ContextTable::Pin& context, bool force) {
  std::exception_ptr failure;
  if (!context->destroy(force, failure)) {
    fail(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "the context is being destroyed by another thread");
  }
  contexts_.remove(context);
  --device(context->device()).contexts;
  ThreadState& state = thread_state();
  if (state.context.get() == context.get()) state.context = nullptr;
  if (failure) std::rethrow_exception(failure);
}

// ---- streams ----

void Runtime::count_stream(int physical, const StreamHolder& holder) {
  Device& dev = device(physical);
  if (dev.streams.take(holder, static_cast<std::size_t>(config_.system.streams_per_device))) return;
  const StreamUse::Count count = dev.streams.now();
  const std::string has =
      fmt::format("device {} has {} streams", logical(physical), order::grouped(count.streams));
  if (count.graphs.empty()) fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, "{}, which is its limit", has);
  fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, "{}, {}; its limit is {}", has,
       order::held_by_graphs(placed(count.graphs)), order::grouped(count.streams));
}

void* Runtime::create_stream(Context& context, Stream::Config config) {
  if (auto* const intervener = watch::intervener()) {
    intervener->before_creation(sim::FaultSite::Point::stream, context.device());
  }
  count_stream(context.device(), config.holder);
  void* const handle = streams_.add(sim::make_ref<Stream>(*this, context, config));
  if (!handle) {
    device(context.device()).streams.give(config.holder);
    fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, "the process has too many streams");
  }
  context.add_stream(handle);
  tell_of_stream(handle);
  return handle;
}

void Runtime::tell_of_stream(void* handle) {
  section<StateCallbacks>().tell(handle, ACL_RT_STREAM_STATE_CREATE_POST);
}

bool Runtime::end_stream(const StreamTable::Pin& stream, void* handle, bool force,
                         Unrun unrun_tasks) {
  if (stream->begins_to_end()) {
    section<StateCallbacks>().tell(handle, ACL_RT_STREAM_STATE_DESTROY_PRE);
  }
  sim::Stream& core = stream->core();
  // Callbacks that only this thread could serve would never be.
  if (!force && stream->served_by(static_cast<std::uint64_t>(pthread_self())))
    end_subscriptions(*stream);
  bool unrun = false;
  if (!force && !stream->never_synchronized()) {
    const std::uint64_t target = core.submitted();
    watch::HostWait wait(watch::Wait::For::stream_end, *stream, true, core, target);
    const auto result = driver().wait(core, target, sim::Deadline::never(), true);
    unrun = result == sim::Driver::WaitResult::no_thread;
    if (!unrun) wait.reached();
  }
  // Otherwise streams that wait for it would never continue.
  if (unrun && unrun_tasks == Unrun::kept) fail_for_threads();
  force = force || unrun;
  if (!streams_.remove(stream)) return false;
  if (auto* const listener = watch::listener()) listener->stream_ended(*stream, force);
  stream->end(force);
  end_subscriptions(*stream);
  stream->context().remove_stream(handle);
  device(stream->device()).streams.give(stream->holder());
  if (unrun) fail_for_threads();
  return true;
}

void Runtime::fail_for_threads() {
  fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "tasks of streams are ready and have no thread to run: {}",
       driver().thread_refusal());
}

void Runtime::end_subscriptions(Stream& stream) {
  HostCalls* const calls = stream.host_calls_if_any();
  if (!calls) return;
  const sim::LockGuard guard(calls->mutex);
  if (calls->report.lane) reports_.unsubscribe(calls->report.thread_id);
  if (calls->host_func.lane) host_funcs_.unsubscribe(calls->host_func.thread_id);
  calls->report = {};
  calls->host_func = {};
}

std::uint64_t Runtime::pending_tasks() {
  std::uint64_t pending = 0;
  streams_.for_each([&](const StreamTable::Pin& stream) { pending += stream->pending(); });
  return pending;
}

// ---- events ----

void* Runtime::create_event(Context& context, Event::Kind kind, std::uint32_t flags,
                            sim::Ref<IpcEvent> ipc) {
  // The events of the new kind are as many as there is memory for.
  if (auto* const intervener = watch::intervener(); intervener && kind != Event::Kind::ex) {
    intervener->before_creation(sim::FaultSite::Point::event, context.device());
  }
  void* const handle =
      events_.add(sim::make_ref<Event>(*this, context, kind, flags, std::move(ipc)));
  if (!handle) fail(ACL_ERROR_RT_NO_EVENT_RESOURCE, "the process has too many events");
  return handle;
}

void Runtime::end_belongings(const Context& context) {
  sections_.for_each([&](Section& section) { section.context_ends(context); });
  events_.for_each([&](const EventTable::Pin& event) {
    if (&event->context() == &context) events_.remove(event);
  });
}

std::uint32_t Runtime::take_event_id(int physical) {
  Device& dev = device(physical);
  const sim::LockGuard guard(dev.event_ids_mutex);
  if (!dev.free_event_ids.empty()) {
    const std::uint32_t id = dev.free_event_ids.back();
    dev.free_event_ids.pop_back();
    return id;
  }
  if (dev.used_event_ids == static_cast<std::uint32_t>(config_.system.events_per_device)) {
    fail(ACL_ERROR_RT_NO_EVENT_RESOURCE, "device {} has {} such events, which is its limit",
         logical(physical), order::grouped(dev.used_event_ids));
  }
  // give_event_id() must not need memory.
  if (dev.free_event_ids.capacity() <= dev.used_event_ids) {
    dev.free_event_ids.reserve(2 * (std::size_t{dev.used_event_ids} + 1));
  }
  return dev.used_event_ids++;
}

void Runtime::give_event_id(int physical, std::uint32_t id) noexcept {
  Device& dev = device(physical);
  const sim::LockGuard guard(dev.event_ids_mutex);
  dev.free_event_ids.push_back(id);
}

// A new id is taken only when none is free.
std::uint32_t Runtime::most_event_ids(int physical) const {
  const Device& dev = device(physical);
  const sim::LockGuard guard(dev.event_ids_mutex);
  return dev.used_event_ids;
}

std::uint32_t Runtime::free_event_ids(int physical) const {
  const Device& dev = device(physical);
  const sim::LockGuard guard(dev.event_ids_mutex);
  const auto limit = static_cast<std::uint32_t>(config_.system.events_per_device);
  return limit - dev.used_event_ids + static_cast<std::uint32_t>(dev.free_event_ids.size());
}

std::uint32_t Runtime::free_streams(int physical) const {
  const int left =
      config_.system.streams_per_device - static_cast<int>(device(physical).streams.count());
  return static_cast<std::uint32_t>(std::max(left, 0));
}

// ---- starting over ----

void Runtime::end_everything() {
  section<StateCallbacks>().reset();  // their targets may no longer exist
  contexts_.for_each([&](const ContextTable::Pin& context) {
    if (!context->primary()) end_context(context, true);
  });
  for (int d = 0; d < visible_devices(); ++d) {
    if (primary_active(d)) reset_device(d, true);
    links().disable_all(physical(d));
    memory().device(physical(d)).free_all();
  }
  events_.for_each([&](const EventTable::Pin& event) { events_.remove(event); });
  sections_.for_each([](Section& section) { section.reset(); });
  memory().host().free_all();
  reports_.clear();
  host_funcs_.clear();
  set_implicit_device(-1);
  op_wait_timeout_s_ = 0;
  if (auto* const listener = watch::listener()) listener->restarting();
  ThreadState& state = thread_state();
  state.context = nullptr;
  state.last_error = ACL_SUCCESS;
  state.messages.clear();
}

}  // namespace acl
