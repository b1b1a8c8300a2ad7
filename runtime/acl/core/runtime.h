// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device_sim/machine/system.h"
#include "runtime/acl/base/config.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/core/callback_hub.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/event.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/kernel/exception_info.h"
#include "runtime/acl/process/lifecycle.h"

namespace acl {

namespace trace {
class Sink;
class Timeline;
}

class Checker;
class FaultInjector;
class Recorder;

using ContextTable = HandleTable<Context, HandleKind::context>;

/// Everything that ACL keeps per process, above one machine. Made on the first call and never
/// destroyed: static destructors and threads that still run at exit may call into it.
class Runtime {
 public:
  /// Raises ACL_ERROR_INVALID_PARAM when the configuration is wrong, ACL_ERROR_RT_CONTEXT_NULL in a
  /// forked child.
  static Runtime& get();
  /// The runtime when there is one already, else null.
  static Runtime* existing() noexcept;

  explicit Runtime(const Config& config);

  const Config& config() const noexcept { return config_; }
  sim::System& system() noexcept { return system_; }
  sim::Driver& driver() noexcept { return system_.driver(); }
  sim::Memory& memory() noexcept { return system_.memory(); }
  sim::Links& links() noexcept { return system_.links(); }
  trace::Timeline* timeline() const noexcept { return timeline_.get(); }
  /// Who records calls, marks and tasks now: the timeline, or a section in front of it; null most
  /// of the time. Never destroyed.
  trace::Sink* sink() const noexcept { return sink_.load(std::memory_order_acquire); }
  void set_sink(trace::Sink* sink) noexcept;
  /// Null unless the configuration asks for faults.
  FaultInjector* faults() const noexcept { return faults_; }
  /// Whether anybody attends to the beginnings of calls.
  bool attends_calls() const noexcept { return attends_calls_; }
  /// Whether anybody but the checker does.
  bool others_attend() const noexcept { return others_attend_; }
  Lifecycle& lifecycle() noexcept { return lifecycle_; }
  /// Null while nothing is checked. Set once, when the runtime is made.
  Checker* checker() const noexcept { return checker_; }

  /// Null while nothing is recorded. Set once, when the runtime is made.
  Recorder* recorder() const noexcept { return recorder_; }

  ContextTable& contexts() noexcept { return contexts_; }
  StreamTable& streams() noexcept { return streams_; }
  EventTable& events() noexcept { return events_; }
  CallbackHub& reports() noexcept { return reports_; }
  CallbackHub& host_funcs() noexcept { return host_funcs_; }
  ExceptionCallbacks& exceptions() noexcept { return exceptions_; }

  /// The state of a part of the interface: a class derived from Section, made from a Runtime&.
  template <class T>
  T& section() {
    return sections_.get<T>(*this);
  }
  const Sections& sections() const noexcept { return sections_; }

  // --- devices: ids of the user's view <-> of the machine ---
  int visible_devices() const noexcept { return static_cast<int>(config_.visible.size()); }
  /// Raises ACL_ERROR_RT_INVALID_DEVICEID.
  int physical(int device_id, const char* argument = "deviceId") const;
  int logical(int physical) const noexcept;
  /// The device that threads without a context use (aclInit's defaultDevice), or -1.
  int implicit_device() const noexcept { return implicit_device_.load(std::memory_order_relaxed); }
  void set_implicit_device(int device_id) noexcept { implicit_device_ = device_id; }

  /// Counts a reference to the device's primary context and makes it current for the thread.
  void set_device(int device_id);
  /// Drops one reference (all, and unfinished work, with `force`); the last one ends the context.
  void reset_device(int device_id, bool force);
  bool primary_active(int device_id) const;
  /// Null, or why a device (the machine's id) takes no calls that enqueue or wait.
  std::atomic<const Bar*>& bar(int physical) noexcept { return device(physical).bar; }

  // --- creating and ending ---
  void* create_context(int device_id);
  sim::Ref<Context> make_context(int physical_device, bool primary);
  /// Ends an explicit context; raises ACL_ERROR_RT_CONTEXT_RELEASE_ERROR when another thread does.
  void end_context(const ContextTable::Pin& context, bool force = false);
  void* create_stream(Context& context, Stream::Config config);
  /// Waits for the stream (or drops its work) and ends its handle. False when it was ended already.
  bool end_stream(const StreamTable::Pin& stream, void* handle, bool force);
  void* create_event(Context& context, Event::Kind kind, std::uint32_t flags,
                     sim::Ref<IpcEvent> ipc = {});
  /// The events, and whatever sections made in a context, end with it.
  void end_belongings(const Context& context);

  std::uint32_t next_stream_id() noexcept { return stream_ids_.fetch_add(1); }
  /// Hardware event numbers; raises ACL_ERROR_RT_NO_EVENT_RESOURCE.
  std::uint32_t take_event_id(int device);
  void give_event_id(int device, std::uint32_t id) noexcept;
  /// What a device still has of its limited resources.
  std::uint32_t free_event_ids(int device) const;
  std::uint32_t free_streams(int device) const;
  /// A name for a signal, when somebody watches.
  std::uint64_t signal_id() noexcept { return driver().observer() ? driver().next_id() : 0; }

  std::atomic<std::uint32_t>& op_wait_timeout_s() noexcept { return op_wait_timeout_s_; }
  std::uint64_t pending_tasks();
  void reset_all();

 private:
  struct Device {
    mutable std::mutex mutex;
    int references = 0;
    sim::Ref<Context> primary;
    std::atomic<const Bar*> bar{nullptr};
    std::atomic<int> streams{0};
    std::atomic<int> contexts{0};
    mutable std::mutex event_ids_mutex;
    std::vector<std::uint32_t> free_event_ids;
    std::uint32_t used_event_ids = 0;
  };
  void count_stream(int physical);
  void tell_of_stream(void* handle);
  Device& device(int physical) { return *devices_[static_cast<std::size_t>(physical)]; }
  const Device& device(int physical) const { return *devices_[static_cast<std::size_t>(physical)]; }
  void end_primary(int physical, sim::Ref<Context> context, bool force);
  static bool served_by_caller(Stream& stream);
  void end_subscriptions(Stream& stream);
  static bool op_failed(void* self, sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                        sim::HostLane*& lane, sim::HostLane::Item& item);
  static void diverged(void* self, const char* reason);
  static void* enter_kernel(void* self, const sim::KernelRun& run);
  static sim::OpFault op_begins(void* self, sim::Stream& stream, const sim::Op& op);
  static void leave_kernel(void* self, void* entered);
  static void noted(void* self, sim::Stream& stream, const sim::Op& op, sim::Failure failure);
  static void enter_call(void* self, const sim::Stream& stream, std::uint32_t note);
  static void leave_call(void* self, const sim::Stream& stream, std::uint32_t note);

  const Config config_;
  sim::System system_;
  std::vector<std::unique_ptr<Device>> devices_;
  ContextTable contexts_;
  StreamTable streams_;
  EventTable events_;
  CallbackHub reports_;
  CallbackHub host_funcs_;
  ExceptionCallbacks exceptions_;
  Lifecycle lifecycle_;
  Sections sections_;
  FaultInjector* faults_ = nullptr;
  std::unique_ptr<trace::Timeline> timeline_;
  bool attends_calls_ = false;
  bool others_attend_ = false;
  Checker* checker_ = nullptr;    // never destroyed
  Recorder* recorder_ = nullptr;  // never destroyed
  std::atomic<trace::Sink*> sink_{nullptr};
  std::atomic<int> implicit_device_{-1};
  std::atomic<std::uint32_t> stream_ids_{0};
  std::atomic<std::uint32_t> op_wait_timeout_s_{0};
};

/// For waits of the program's threads for each other: to be called before the first sleep.
inline auto before_waiting(Runtime& runtime) noexcept {
  return [&runtime] { runtime.driver().before_waiting(nullptr); };
}

}  // namespace acl
