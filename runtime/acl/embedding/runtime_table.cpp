// SPDX-License-Identifier: Apache-2.0
// The functions that the runtime offers to other libraries.
#include <atomic>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/task.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/capi/core/quick.h"
#include "runtime/acl/core/notify.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/dump/dump.h"
#include "runtime/acl/embedding/call_sites.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/acl/embedding/operation_control.h"
#include "runtime/acl/graph/capture.h"
#include "runtime/acl/ipc/ipc_sharing.h"
#include "runtime/acl/kernel/kernel.h"
#include "runtime/acl/memory/program_variables.h"
#include "runtime/acl/memory/transfer.h"
#include "runtime/acl/memory/virtual_memory.h"
#include "runtime/acl/touches/touch_signal.h"
#include "runtime/acl/watch/registry.h"
#include "runtime/order/report/report.h"

namespace acl::embedding {
namespace {

/// Without memory for the text, the code alone.
Error error_of(aclError code, const char* text) noexcept {
  try {
    return {code, text};
  } catch (const std::bad_alloc&) {
    return {code};
  }
}

Error refused(aclError code, const char* text) noexcept {
  try {
    if (auto* const listener = watch::listener()) listener->call_failed(code, text);
  } catch (...) {
    // The code itself still gets through.
  }
  return error_of(code, text);
}

/// As `guarded`, for entries that report in codes of their own.
template <class Body>
Error attempt(Body&& body) noexcept {
  try {
    body(acl::Runtime::get());
    return {};
  } catch (const AclError& error) {
    return refused(error.code(), error.what());
  } catch (const sim::MachineError& error) {
    return error_of(code_of(error.error()), error.what());
  } catch (const std::bad_alloc&) {
    return error_of(ACL_ERROR_RT_MEMORY_ALLOCATION, "the host is out of memory");
  } catch (const std::exception& error) {
    return error_of(ACL_ERROR_RT_INTERNAL_ERROR, error.what());
  }
}

template <class Body>
Error call(Caller from, Body&& body) noexcept {
  return attempt([&](acl::Runtime& runtime) {
    CallScope scope(runtime, acl::Caller(from.function, CallPlace::of(from.site)));
    if (watch::attention() != 0 && !thread_state().in_library_call)
      thread_state().call_frame = from.frame;
    body(runtime);
    scope.succeeded();
  });
}

/// Makes later findings name the program's call, which is reported to listeners when it submits.
void name_call(Caller from) {
  if (watch::attention() == 0) return;
  ThreadState& thread = thread_state();
  thread.call = from.function;
  thread.call_site = from.site;
  thread.call_frame = from.frame;
}

/// Refuses a stream that updates a task group or is captured for a conditional task: its operations
/// are not launched as a whole, so they cannot be numbered.
void require_launched_as_a_whole(const Stream& stream) {
  const auto sink = stream.sink();
  if (!sink) return;
  if (sink->kind() == TaskSink::Kind::update) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "stream {} updates a task group: an operation between ranks cannot take part",
         stream.id());
  }
  const auto capture = capture_of(stream);
  if (capture && capture->model().inner()) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "stream {} is captured for a conditional task: an operation between ranks cannot take "
         "part, since others do not know whether it runs",
         stream.id());
  }
}

/// Ends the run of an operation that does not get into its stream.
class Enqueued {
 public:
  explicit Enqueued(OperationControl& control)
      : control_(control), run_(control.launch_enqueued()) {
    control_.run_begins(run_);
  }
  ~Enqueued() {
    if (!kept_) control_.run_over(run_);
  }
  Enqueued(const Enqueued&) = delete;
  Enqueued& operator=(const Enqueued&) = delete;
  void keep() noexcept { kept_ = true; }

 private:
  OperationControl& control_;
  const std::uint64_t run_;
  bool kept_ = false;
};

void submit_operation(Stream& stream, std::shared_ptr<Operation> operation) {
  const auto control = sim::make_ref<OperationControl>(std::move(operation));
  if (stream.redirected()) {
    require_launched_as_a_whole(stream);
    stream.submit(sim::make_control(control));
    return;
  }
  Enqueued run(*control);
  stream.submit(sim::make_control(control));
  run.keep();
}

std::vector<sim::MemoryRange> machine_ranges(const std::vector<Range>& wanted) {
  std::vector<sim::MemoryRange> ranges;
  ranges.reserve(wanted.size());
  for (const Range& range : wanted) {
    ranges.push_back({range.begin, range.size, range.written, range.read});
    if (range.reduced) ranges.back().merge = sim::kAnyMerge;
  }
  return ranges;
}

void submit_task(Stream& stream, std::shared_ptr<const Work> work) {
  stream.submit(sim::make_task(sim::make_simple_task(
      work->name(), work->bytes(), machine_ranges(work->ranges()), [work](sim::Stream&) {
        work->run();
        return sim::Failure{};
      })));
}

/// A kernel of another library, as the object that its op owns.
class KernelObject final : public sim::KernelSubject {
 public:
  KernelObject(std::shared_ptr<Kernel> kernel, bool observed) : kernel_(std::move(kernel)) {
    if (observed) details_ = kernel_->details();
  }
  const char* details() const noexcept override { return details_.c_str(); }
  bool is_observed() const noexcept override { return kernel_->is_observed(); }
  std::span<const unsigned char> args() const noexcept override { return kernel_->args(); }
  std::vector<sim::KernelArray> arrays() const override {
    std::vector<sim::KernelArray> arrays;
    for (const Kernel::Array& array : kernel_->arrays()) {
      arrays.push_back({array.type, array.shape, array.read, array.written});
    }
    return arrays;
  }
  std::vector<std::byte> elements(std::size_t array) const override {
    return kernel_->elements(array);
  }

  static std::int32_t run(const sim::KernelRun& run) {
    acl::Runtime& runtime = *acl::Runtime::existing();
    const auto& object = static_cast<const KernelObject&>(*static_cast<sim::Shared*>(run.function));
    return object.kernel_->run({.device = runtime.logical(run.device),
                                .stream_id = run.stream_id,
                                .task_id = run.task_id,
                                .limit_ns = runtime.driver().kernel_limit_ns()});
  }

 private:
  const std::shared_ptr<Kernel> kernel_;
  std::string details_;
};

std::atomic<PlainKernel> plain_kernel{nullptr};

std::int32_t run_plain(const sim::KernelRun& run) {
  const std::uint64_t limit_ns = acl::Runtime::existing()->driver().kernel_limit_ns();
  return plain_kernel.load(std::memory_order_relaxed)(
      {run.function, run.args, run.blocks, run.stream_id, run.task_id, limit_ns});
}

sim::Signal& core_of(const std::shared_ptr<Signal>& signal) {
  return *static_cast<MachineSignal&>(*signal).core();
}

class Table final : public Runtime {
 public:
  Error find_stream(aclrtStream handle, StreamInfo& info) override {
    return attempt([&](acl::Runtime& runtime) {
      const Stream& stream = *own_stream(runtime, handle);
      info = {stream.logical_device(), stream.device(), stream.id(), stream.redirected()};
    });
  }

  Error find_notify(int physical_device, std::uint64_t id, aclrtNotify& notify) override {
    return attempt([&](acl::Runtime& runtime) {
      notify = nullptr;
      // One that was imported has the number that its own process gave it.
      runtime.section<Notifies>().table().for_each([&](const NotifyTable::Pin& pin) {
        if (pin->device() != physical_device || pin->id() != id) return;
        if (!notify || !pin->imported()) notify = NotifyTable::handle_of(pin);
      });
      if (!notify) fail(ACL_ERROR_RT_PARAM_INVALID, "no notify of the device has the id {}", id);
    });
  }

  Error submit(Caller caller, aclrtStream handle, std::shared_ptr<Operation> operation) override {
    return call(caller, [&](acl::Runtime& runtime) {
      Stream& stream = *own_stream(runtime, handle);
      submit_operation(stream, std::move(operation));
      if (watch::attention() == 0) runtime.driver().nudge(stream.core());
    });
  }

  Error submit_work(Caller caller, aclrtStream handle, std::shared_ptr<const Work> work) override {
    return call(caller, [&](acl::Runtime& runtime) {
      submit_task(*own_stream(runtime, handle), std::move(work));
    });
  }

  Error submit_kernel(Caller caller, aclrtStream handle, const char* name, std::uint32_t blocks,
                      std::shared_ptr<Kernel> kernel, const std::vector<Range>& ranges) override {
    return call(caller, [&](acl::Runtime& runtime) {
      acl::Stream* const stream = own_stream(runtime, handle);
      auto object = sim::Ref<sim::Shared>::adopt(new KernelObject(std::move(kernel), observed()));
      const auto touched = machine_ranges(ranges);
      stream->submit(sim::make_kernel(KernelObject::run, std::move(object), name, blocks,
                                      touched.data(), touched.size()));
    });
  }

  void set_plain_kernel(PlainKernel run) noexcept override {
    plain_kernel.store(run, std::memory_order_relaxed);
  }

  bool submit_plain(const char* function, aclrtStream handle, const char* name,
                    std::uint32_t blocks, const void* code, const void* args, std::size_t args_size,
                    aclError& error) override {
    if (!nobody_attends()) return false;
    const QuickStream to = quick_stream(handle);
    if (!to) return false;
    void* const key = const_cast<void*>(code);
    const sim::OpWeight weight{sim::OpKind::kernel, reinterpret_cast<std::uintptr_t>(key)};
    if (args_size <= sim::kInlineArgs && args_size % sizeof(std::uint64_t) == 0) {
      error = submit_quickly(function, to, weight, [&] {
        sim::Op op = sim::make_kernel(run_plain, key, name, blocks, nullptr, 0);
        op.kernel.args_size = static_cast<std::uint32_t>(args_size);
        const auto* const bytes = static_cast<const unsigned char*>(args);
        for (std::size_t at = 0; at < args_size; at += sizeof(std::uint64_t)) {
          std::memcpy(op.kernel.inline_args + at, bytes + at, sizeof(std::uint64_t));
        }
        return op;
      });
      return error != kLongWay;
    }
    sim::Op op = sim::make_kernel(run_plain, key, name, blocks, args, args_size, nullptr, 0);
    error = submit_quickly(function, to, weight, [&] { return op; });
    if (error == kLongWay) sim::dispose_op(op);
    return error != kLongWay;
  }

  void share(std::size_t pieces, const std::function<void(std::size_t)>& piece) override {
    acl::Runtime::existing()->driver().share(pieces, std::numeric_limits<int>::max(), piece);
  }

  bool dumping() const override {
    return acl::Runtime::get().section<Dump>().path(DATA_DUMP) != nullptr;
  }
  bool observed() const noexcept override {
    return watch::attention() != 0 || acl::Runtime::get().driver().observer() != nullptr;
  }

  std::shared_ptr<Signal> make_signal() override {
    return std::make_shared<MachineSignal>(acl::Runtime::get().driver());
  }

  Error submit_wait(Caller caller, aclrtStream handle, const std::shared_ptr<Signal>& signal,
                    std::uint64_t timeout_ns) override {
    return call(caller, [&](acl::Runtime& runtime) {
      own_stream(runtime, handle)->submit(sim::make_wait(core_of(signal), nullptr, timeout_ns));
    });
  }

  Error submit_complete(Caller caller, aclrtStream handle,
                        const std::shared_ptr<Signal>& signal) override {
    return call(caller, [&](acl::Runtime& runtime) {
      own_stream(runtime, handle)->submit(sim::make_record(core_of(signal), false));
    });
  }

  Error locate(Caller caller, const void* address, std::size_t size, const char* argument,
               bool written, MemoryLocation& place) override {
    return attempt([&](acl::Runtime& runtime) {
      require_reach(runtime, caller, address, size, argument, written);
      place = location_of(runtime.memory(), address);
    });
  }

  Error reach(Caller caller, const void* address, std::size_t size, const char* argument,
              bool written, std::byte*& engine) override {
    if (acl::Runtime* const runtime = acl::Runtime::existing()) {
      engine = acl::reach_at_once(*runtime, address, size);
      if (engine) return {};
    }
    return attempt([&](acl::Runtime& runtime) {
      require_reach(runtime, caller, address, size, argument, written);
      engine = static_cast<std::byte*>(runtime.memory().engine(address));
    });
  }

  static bool find_variable(const void* address, Allocation& found) noexcept {
    if (!acl::ProgramVariables::in_use()) return false;
    const auto variable = acl::Runtime::get().section<acl::ProgramVariables>().find(address);
    if (variable) found = {reinterpret_cast<std::uintptr_t>(variable->address), variable->size, 0};
    return variable.has_value();
  }

  bool find_allocation(const void* address, Allocation& found) const noexcept override {
    const sim::Memory& memory = acl::Runtime::get().memory();
    const sim::AddressSpace* const space = memory.space_of(address);
    const auto allocation = space ? space->find(address) : memory.mappings().find(address);
    if (!allocation) return find_variable(address, found);
    found = told(*allocation);
    return true;
  }

  int machine_devices() const noexcept override {
    return acl::Runtime::get().config().system.devices;
  }

  bool owns_addresses(const void* address, std::size_t size) const noexcept override {
    const sim::Memory& memory = acl::Runtime::get().memory();
    const auto* const first = static_cast<const std::byte*>(address);
    return memory.owns(first) || (size != 0 && memory.owns(first + (size - 1)));
  }

  Around find_around(const void* address) const override {
    const sim::AddressSpace* const space = acl::Runtime::get().memory().space_of(address);
    Around around;
    if (!space) return around;
    const sim::AddressSpace::Around found = space->around(address);
    if (found.before) around.before = told(*found.before);
    if (found.behind) around.behind = told(*found.behind);
    if (!found.freed) return around;
    around.freed = told(found.freed->allocation);
    around.freed_by = found.freed->caller;
    around.freed_is_held = found.freed->held;
    return around;
  }

  bool on_free(const void* address, std::weak_ptr<const std::function<void()>> listener) override {
    sim::AddressSpace* const space = acl::Runtime::get().memory().space_of(address);
    return space && space->on_free(address, std::move(listener));
  }

  Error device_file(int physical_device, DeviceFile& file) override {
    IpcSharing::set_used();
    return attempt([&](acl::Runtime& runtime) {
      sim::AddressSpace& space = runtime.memory().device(physical_device);
      const auto whole = space.whole_file();
      file = {whole.file->get(), whole.engine, space.capacity()};
    });
  }

  Error keep(const void* address, FilePart& part) override {
    IpcSharing::set_used();
    return attempt([&](acl::Runtime& runtime) {
      sim::AddressSpace* const space = runtime.memory().space_of(address);
      const auto kept = space ? space->keep(address) : std::nullopt;
      if (!kept) fail(ACL_ERROR_RT_PARAM_INVALID, "{} is in no live device memory", address);
      part = {kept->file->get(), kept->offset};
    });
  }

  void let_go(const void* address) override {
    if (auto* const space = acl::Runtime::get().memory().space_of(address)) space->let_go(address);
  }

  Error allocate(int physical_device, std::size_t bytes, void*& address) override {
    return attempt([&](acl::Runtime& runtime) {
      constexpr std::size_t kAlignment = 512;
      address = runtime.memory().device(physical_device).allocate(bytes, kAlignment);
    });
  }

  void free(int physical_device, void* address) override {
    acl::Runtime::get().memory().device(physical_device).free(address);
  }

  void* engine(const void* address) const noexcept override {
    return acl::Runtime::get().memory().engine(address);
  }

  Error map(Caller caller, void* at, std::size_t size, aclrtDrvMemHandle memory) override {
    return call(caller, [&](acl::Runtime& runtime) {
      runtime.section<VirtualMemory>().map(at, size, memory, {sim::Access::none, {}}, caller.site,
                                           sim::Mappings::Neighbours::any);
    });
  }

  Error physical_device(int device, int& physical) override {
    return attempt([&](acl::Runtime& runtime) { physical = runtime.physical(device); });
  }

  std::uint64_t now_ns() const noexcept override { return acl::Runtime::get().driver().now_ns(); }

  std::uint64_t host_thread() const noexcept override { return sim::Driver::host_thread(); }

  bool in_kernel() const noexcept override { return thread_state().kernel_depth != 0; }

  void enter_kernel() noexcept override { ++thread_state().kernel_depth; }
  void leave_kernel() noexcept override { --thread_state().kernel_depth; }

  bool guards_pages() const noexcept override { return watching_touches(); }
  bool open_for_kernel(const void* address) const noexcept override {
    return acl::open_for_kernel(address);
  }

  bool measured() const noexcept override { return watch::spans() != nullptr && !in_kernel(); }

  void report(const char* function, int code, const char* text) noexcept override {
    report_error(function, code, text);
  }

  void keep_binary(aclrtBinHandle binary) noexcept override {
    Kernels& kernels = acl::Runtime::get().section<Kernels>();
    if (const BinaryTable::Pin pin = kernels.binaries().find(binary)) kernels.keep(pin);
  }

  bool begin_call(Caller caller, std::uint64_t& start_ns) noexcept override {
    if (watch::attention() == 0) return false;
    ThreadState& thread = thread_state();
    if (thread.in_library_call) return false;
    if (!thread.has_called) thread.calls_first();
    thread.in_library_call = true;
    thread.call = caller.function;
    thread.call_site = caller.site;
    thread.call_frame = caller.frame;
    if (watch::spans()) start_ns = now_ns();
    return true;
  }

  void end_call(Caller caller, std::uint64_t start_ns) noexcept override {
    thread_state().in_library_call = false;
    trace_output::Sink* const spans = watch::spans();
    if (spans && start_ns != 0) spans->api_call(caller.function, start_ns, now_ns());
  }

  void begin_outside() noexcept override {
    ++thread_state().outside;
    acl::Runtime::get().driver().before_waiting(nullptr);
  }

  void end_outside() noexcept override { --thread_state().outside; }

  std::string place_of(const void* site) override { return order::position(place_of_call(site)); }

  const void* own_site(std::span<const void* const> stack, const void* code) override {
    return own_site_of(stack, code);
  }

  void tell_mismatch(Caller caller, const std::string& text) override {
    auto* const listener = watch::listener();
    if (!listener) return;
    name_call(caller);
    listener->misused(watch::Misuse::collective_mismatch, text);
  }

  bool tell_kernel_finding(const KernelFinding& found) override {
    auto* const listener = watch::listener();
    if (!listener) return false;
    ThreadState& thread = thread_state();
    const auto call = std::exchange(thread.call, found.kernel);
    const auto from = std::exchange(thread.call_site, found.site);
    const auto frame = std::exchange(thread.call_frame, nullptr);
    const auto given = std::exchange(thread.given_site, 0);
    const bool reported = listener->found_in_kernel({.race = found.race,
                                                     .warning = found.warning,
                                                     .device = found.device,
                                                     .stream_id = found.stream_id,
                                                     .other = found.other,
                                                     .other_what = found.other_what,
                                                     .text = found.text,
                                                     .repair = found.repair});
    thread.given_site = given;
    thread.call_frame = frame;
    thread.call = call;
    thread.call_site = from;
    return reported;
  }

  void tell_kernel_accesses(std::uint32_t stream_id, std::uint32_t task_id,
                            const std::vector<Range>& ranges) override {
    if (auto* const listener = watch::listener()) {
      listener->kernel_accessed(stream_id, task_id, machine_ranges(ranges));
    }
  }

  void tell_unknown_writers() override {
    if (auto* const listener = watch::listener()) listener->writes_anywhere();
  }

  bool listened() const noexcept override { return watch::listener() != nullptr; }

  void tell_shared(const void* begin, std::size_t size, std::uint64_t file, std::uint64_t offset,
                   bool own, bool symmetric) override {
    auto* const listener = watch::listener();
    if (!listener) return;
    listener->memory_shared(
        {reinterpret_cast<std::uintptr_t>(begin), size, file, offset, own, symmetric});
  }

  void tell_unshared(const void* begin, std::size_t size) override {
    if (auto* const listener = watch::listener()) listener->memory_withdrawn(begin, size);
  }

  void tell_released(std::uint64_t key) override {
    if (auto* const listener = watch::listener()) listener->key_exported(key);
  }

  void tell_acquired(std::uint64_t key) override {
    if (auto* const listener = watch::listener()) listener->key_imported(key);
  }

  void tell_word_changes(std::uint64_t key, std::uint64_t file, std::uint64_t offset,
                         std::size_t size, const std::vector<WordChange>& changes) override {
    auto* const listener = watch::listener();
    if (!listener) return;
    std::vector<watch::WordChange> seen;
    seen.reserve(changes.size());
    for (const WordChange& change : changes)
      seen.push_back({change.key, change.known, change.ends, change.merges});
    listener->word_changes_seen(key, {0, size, file, offset, false, true}, seen);
  }

 private:
  static Allocation told(const sim::Allocation& allocation) {
    return {allocation.begin, allocation.size, allocation.serial, allocation.caller};
  }

  static void require_reach(acl::Runtime& runtime, Caller caller, const void* address,
                            std::size_t size, const char* argument, bool written) {
    name_call(caller);
    const sim::Access wanted = written ? sim::Access::read_write : sim::Access::read;
    acl::locate_reachable(runtime, address, size, argument, wanted);
  }

  static MemoryLocation location_of(sim::Memory& memory, const void* address) {
    MemoryLocation place;
    place.engine = static_cast<std::byte*>(memory.engine(address));
    sim::AddressSpace* const space = memory.space_of(address);
    if (!space || space->device() == sim::kHostDevice) return place;
    place.kind = MemoryLocation::Kind::device;
    place.physical_device = space->device();
    place.file_offset = static_cast<std::size_t>(place.engine - space->whole_file().engine);
    return place;
  }
};

}  // namespace
}  // namespace acl::embedding

void aclsimExpectKernels() noexcept { acl::expect_kernels(); }

acl::embedding::Runtime* aclsimEmbedding(std::uint32_t version) noexcept {
  using namespace acl::embedding;
  if (version != kVersion) return nullptr;
  if (attempt([](acl::Runtime&) {})) return nullptr;
  static Table table;
  return &table;
}
