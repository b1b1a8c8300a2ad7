// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/machine/system.h"
#include "runtime/acl/base/config.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/core/callback_hub.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/event.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/stream_use.h"

namespace acl {

using ContextTable = HandleTable<Context, HandleKind::context>;

/// Everything that ACL keeps per process, above one machine. Made on the first call and never
/// destroyed: static destructors and threads that still run at exit may call into it.
class Runtime {
 public:
  /// Raises ACL_ERROR_INVALID_PARAM when the configuration is wrong, ACL_ERROR_RT_CONTEXT_NULL in a
  /// forked child.
  static Runtime& get() {
    Runtime* const runtime = existing();
    return runtime ? *runtime : make();
  }
  /// The runtime when there is one already, else null. Null in a forked child.
  static Runtime* existing() noexcept { return instance_.load(std::memory_order_acquire); }

  explicit Runtime(const Config& config);

  const Config& config() const noexcept { return config_; }
  sim::System& system() noexcept { return system_; }
  sim::Driver& driver() noexcept { return system_.driver(); }
  sim::Memory& memory() noexcept { return system_.memory(); }
  sim::Links& links() noexcept { return system_.links(); }

  ContextTable& contexts() noexcept { return contexts_; }
  StreamTable& streams() noexcept { return streams_; }
  EventTable& events() noexcept { return events_; }
  CallbackHub& reports() noexcept { return reports_; }
  CallbackHub& host_funcs() noexcept { return host_funcs_; }

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
  int logical(int physical) const noexcept {
    const auto index = static_cast<std::size_t>(physical);
    return index < logical_.size() ? logical_[index] : -1;
  }
  /// The same of a device that the machine named.
  int logical_of_own(int physical) const noexcept {
    return logical_[static_cast<std::size_t>(physical)];
  }
  /// The device that threads without a context use (aclInit's defaultDevice), or -1.
  int implicit_device() const noexcept { return implicit_device_.load(std::memory_order_relaxed); }
  void set_implicit_device(int device_id) noexcept { implicit_device_ = device_id; }

  /// Counts a reference to the device's primary context and makes it current for the thread.
  void set_device(int device_id);
  /// Drops one reference (all, and unfinished work, with `force`); the last one ends the context.
  void reset_device(int device_id, bool force);
  bool primary_active(int device_id) const;
  /// Null, or why a device (the machine's id) takes no calls that enqueue or wait.
  std::atomic<const DeviceBlock*>& device_block(int physical) noexcept {
    return device(physical).device_block;
  }

  // --- creating and ending ---
  void* create_context(int device_id);
  sim::Ref<Context> make_context(int physical_device, bool primary);
  /// Ends an explicit context; raises ACL_ERROR_RT_CONTEXT_RELEASE_ERROR when another thread does.
  void end_context(const ContextTable::Pin& context, bool force = false);
  void* create_stream(Context& context, Stream::Config config);
  /// The fate of tasks for which the system gives no thread: they are dropped and the stream ends,
  /// or both stay. In either case ACL_ERROR_RT_RESOURCE_ALLOC_FAIL is raised.
  enum class Unrun : std::uint8_t { dropped, kept };
  /// Waits for the stream (or drops its work) and ends its handle. False when it was ended already.
  bool end_stream(const StreamTable::Pin& stream, void* handle, bool force,
                  Unrun unrun_tasks = Unrun::dropped);
  void* create_event(Context& context, Event::Kind kind, std::uint32_t flags,
                     sim::Ref<IpcEvent> ipc = {});
  /// Ends the events of a context, and the objects that sections made in it.
  void end_belongings(const Context& context);

  /// A function that is called when a host thread has synchronised with a stream of a device. At
  /// most one; null: none.
  using Synchronized = void (*)(Runtime& runtime, int physical);
  void on_synchronized(Synchronized function) noexcept { synchronized_ = function; }
  bool acts_when_synchronized() const noexcept {
    return synchronized_.load(std::memory_order_relaxed) != nullptr;
  }
  void synchronized(int physical) {
    const Synchronized function = synchronized_.load(std::memory_order_relaxed);
    if (function) [[unlikely]]
      function(*this, physical);
  }

  /// For calls that wait for streams, or that programs repeat until tasks are done: if the system
  /// refuses threads, does part of their work. Raises ACL_ERROR_RT_RESOURCE_ALLOC_FAIL when ready
  /// tasks have had no thread for long.
  void require_threads() {
    if (!driver().stand_in()) [[unlikely]]
      fail_for_threads();
  }
  [[noreturn]] void fail_for_threads();

  std::uint32_t next_stream_id() noexcept { return stream_ids_.fetch_add(1); }
  /// Hardware event numbers; raises ACL_ERROR_RT_NO_EVENT_RESOURCE.
  std::uint32_t take_event_id(int device);
  void give_event_id(int device, std::uint32_t id) noexcept;
  /// The remaining numbers of a device's limited resources.
  std::uint32_t free_event_ids(int device) const;
  std::uint32_t free_streams(int device) const;
  /// The most streams, and the most events with a number, that the device had at a time.
  StreamUse::Count most_streams(int physical) const { return device(physical).streams.peak(); }
  std::uint32_t most_event_ids(int physical) const;
  /// The id of a new signal if an observer is registered, else 0.
  std::uint64_t signal_id() noexcept { return driver().observer() ? driver().next_id() : 0; }

  std::atomic<std::uint32_t>& op_wait_timeout_s() noexcept { return op_wait_timeout_s_; }
  std::uint64_t pending_tasks();
  /// Ends every context, event and subscription, and frees all memory. Raises nothing.
  void end_everything();

 private:
  static Runtime& make();
  static inline std::atomic<Runtime*> instance_{nullptr};

  struct Device {
    mutable sim::Mutex mutex;
    int references GUARDED_BY(mutex) = 0;
    sim::Ref<Context> primary GUARDED_BY(mutex);
    std::atomic<const DeviceBlock*> device_block{nullptr};
    StreamUse streams;
    std::atomic<int> contexts{0};
    mutable sim::Mutex event_ids_mutex;
    std::vector<std::uint32_t> free_event_ids GUARDED_BY(event_ids_mutex);
    std::uint32_t used_event_ids GUARDED_BY(event_ids_mutex) = 0;
  };
  void count_stream(int physical, const StreamHolder& holder = {});
  void tell_of_stream(void* handle);
  Device& device(int physical) { return *devices_[static_cast<std::size_t>(physical)]; }
  const Device& device(int physical) const { return *devices_[static_cast<std::size_t>(physical)]; }
  void end_primary(int physical, sim::Ref<Context> context, bool force);
  void end_primary_of(int physical, const Context& context);
  void end_subscriptions(Stream& stream);

  const Config config_;
  sim::System system_;
  std::vector<int> logical_;  // by the machine's id: what the program calls the device, or -1
  std::vector<std::unique_ptr<Device>> devices_;
  ContextTable contexts_;
  StreamTable streams_;
  EventTable events_;
  CallbackHub reports_;
  CallbackHub host_funcs_;
  Sections sections_;
  std::atomic<int> implicit_device_{-1};
  std::atomic<Synchronized> synchronized_{nullptr};
  std::atomic<std::uint32_t> stream_ids_{0};
  std::atomic<std::uint32_t> op_wait_timeout_s_{0};
};

/// Raises ACL_ERROR_RT_DRV_INTERNAL_ERROR when `device` has no path to another process's `owner`.
void require_path(Runtime& runtime, int owner, int device);

/// The parts of the runtime above the core: listeners, interveners, and the hooks of the machine.
/// process/ implements it.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// Before the runtime is made.
  virtual void prepare(const Config& config) = 0;
  /// The runtime is made, and no call has been served.
  virtual void furnish(Runtime& runtime) = 0;
  /// The process ends; the machine starts no task any more. Static destructors and exit handlers of
  /// the program may still run.
  virtual void at_exit(Runtime& runtime) = 0;
  /// All code of the program has run, except for threads that still run.
  virtual void after_program(Runtime& runtime) = 0;
};
/// Defined in process/surroundings.cpp.
Surroundings& surroundings();

/// For waits of the program's threads for each other: to be called before the first sleep.
inline auto before_waiting(Runtime& runtime) noexcept {
  return [&runtime] { runtime.driver().before_waiting(nullptr); };
}

}  // namespace acl
