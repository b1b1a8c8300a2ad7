// SPDX-License-Identifier: Apache-2.0
// The functions of the runtime that other libraries (HCCL, multicast memory) use. It is no public
// interface: they are built together with it, and share no C++ symbol with it but the one below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "acl/acl_rt.h"

namespace acl::embedding {

/// Increased with every change of this header.
inline constexpr std::uint32_t kVersion = 20;

/// Why a call was refused, or why an operation failed later. Nothing throws across the libraries.
struct Error {
  aclError code = ACL_SUCCESS;
  std::string text{};
  explicit operator bool() const noexcept { return code != ACL_SUCCESS; }
};

/// The entry of the other library that the program called, and the code address of the call: made
/// in the frame of the entry. The timeline, the recorder and the checker report both.
struct Caller {
  struct Here {};
  // NOLINTNEXTLINE: implicit, because callers pass only the name.
  Caller(const char* name, Here = {}, const void* from = __builtin_return_address(0),
         const void* end = __builtin_dwarf_cfa()) noexcept
      : function(name), site(from), frame(end) {}
  /// A call that another function was given the place of.
  Caller(const char* name, const void* from) noexcept : function(name), site(from) {}
  const char* function;
  const void* site;
  const void* frame = nullptr;  // the canonical frame address of the entry; null: not known
};

/// A signal for which streams wait. Any thread may call.
class Signal {
 public:
  virtual ~Signal() = default;
  virtual bool done() const noexcept = 0;
  /// Releases the streams that wait.
  virtual void complete() = 0;
  /// Becomes pending again.
  virtual void clear() noexcept = 0;
};

/// Bytes that an operation reads or writes, as the program addresses them.
struct Range {
  const void* begin = nullptr;
  std::size_t size = 0;
  bool read = true;
  bool written = false;
  bool reduced = false;  // written by reductions alone, at the same time as others may
};

/// How an operation goes on.
struct Next {
  enum class Kind : std::uint8_t { done, wait, fail };
  Kind kind = Kind::done;
  std::shared_ptr<Signal> until{};  // of `wait`: one that make_signal made
  std::uint64_t timeout_ns = 0;     // of `wait`; 0: no limit
  bool looks = false;      // of `wait`: at the limit it looks why it waits, and mostly goes on
  Error error{};           // of `fail`
  std::uint64_t took = 0;  // of `done`: see FlagUse

  static Next done(std::uint64_t took = 0) { return {.took = took}; }
  static Next wait(std::shared_ptr<Signal> until, std::uint64_t timeout_ns = 0,
                   bool looks = false) {
    return {
        .kind = Kind::wait, .until = std::move(until), .timeout_ns = timeout_ns, .looks = looks};
  }
  static Next fail(Error error) { return {.kind = Kind::fail, .error = std::move(error)}; }
};

/// A step of an operation, with times of the driver's clock.
struct Step {
  const char* name = "";  // a literal
  int rank = -1;          // with which other one; -1: none
  std::uint64_t bytes = 0;
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
};

/// A rendezvous of operations of several streams: none continues before all have begun. The checker
/// orders the operations before it on each stream before the operations after it on the others.
struct Rendezvous {
  std::uint64_t group = 0;    // identifies the participants
  std::uint64_t number = 0;   // of the rendezvous in the group
  std::uint32_t streams = 0;  // participants of this process
  // For participants in other processes: the key of this participant's arrival, which is unique in
  // all of them, and the keys of the others' arrivals. 0 and empty without other processes.
  std::uint64_t own_key = 0;
  std::vector<std::uint64_t> other_keys{};
};

/// A flag that operations change: one sets it, another waits until it is set and clears it. The
/// checker orders the operations before the set before the operations after the wait.
struct FlagUse {
  std::uint64_t flag = 0;  // its name in this process; 0: none
  bool sets = false;       // in its first step; otherwise it waits
  bool crosses = false;    // another process has the other end
  // Then what this setting is called in all processes, and no other is. A wait says with its `Next`
  // which one it `took`.
  std::uint64_t key = 0;
  std::uint64_t second_key = 0;  // of a setting that has two names; 0: it has one
};

/// A change of a word, as a wait for the word has seen it.
struct WordChange {
  std::uint64_t key = 0;  // of the operation that made it: a flag that it set
  bool known = false;     // whether the value after it is known
  bool ends = false;      // whether that value ends the wait
  bool merges = false;    // the value depends on the changes before it
};

/// One op of a stream that the other library defines. In a graph it runs again with each launch;
/// runs of one operation never overlap.
class Operation {
 public:
  virtual ~Operation() = default;
  /// For traces and reports; both are literals.
  virtual const char* name() const noexcept = 0;
  virtual const char* type() const noexcept { return name(); }
  /// How many bytes it moves.
  virtual std::size_t bytes() const noexcept { return 0; }
  virtual std::vector<Range> ranges() const { return {}; }
  /// The machine's devices with which the stream's device exchanges bytes: their links may be down.
  virtual std::vector<int> peers() const { return {}; }

  /// A run was enqueued: by submit, or with the launch of the graph that it was captured into. In
  /// the order of these calls. The answer names the run below.
  virtual std::uint64_t enqueued() { return 0; }
  /// The rendezvous in which the run takes part. Called before it begins, if a listener needs it.
  virtual std::vector<Rendezvous> rendezvous(std::uint64_t /*run*/) { return {}; }
  /// The flag that the run uses, beside the accesses of `ranges`; the run then takes part in no
  /// rendezvous. Called when `rendezvous` is.
  virtual FlagUse flag(std::uint64_t /*run*/) { return {}; }
  /// The others that the run waits for, in words: "rank 1 of communicator 'x'". Any thread, at any
  /// time; empty: not known.
  virtual std::string waits_for(std::uint64_t /*run*/) { return {}; }
  /// Does what can be done now; any thread, one at a time, and it may not block. Called again once
  /// what it waits for is done.
  virtual Next step(std::uint64_t run) = 0;
  /// As `step`, but begins only the part that needs no wait, while the program enqueues. True:
  /// `step` would end the run now. Not called if an observer is registered.
  virtual bool prepare(std::uint64_t /*run*/) { return false; }
  /// The steps of the run since the last call, in order and without overlap. Called after each
  /// `step` if an observer is registered.
  virtual std::vector<Step> take_steps() { return {}; }
  /// The wait that `step` asked for reached its limit. Returns the error of the run, or no error;
  /// then `step` is called again. `waiting`: host threads (`Runtime::host_thread`) that wait,
  /// without a limit, until the run is over.
  virtual Error expired(std::uint64_t run, const std::vector<std::uint64_t>& waiting) = 0;
  /// The run is abandoned: before it began, or while it waits. For a run of a graph's launch it is
  /// also called after its end. `why`: the error that ended it, or no error.
  virtual void dropped(std::uint64_t /*run*/, const Error& /*why*/) noexcept {}
};

/// Work of the device that needs one step and affects no other stream: a task of the machine like a
/// copy. Any thread may run it, and graphs run it again, so running does not change the object.
class Work {
 public:
  virtual ~Work() = default;
  /// For traces and reports: a literal, upper case with underscores.
  virtual const char* name() const noexcept = 0;
  /// How many bytes it moves.
  virtual std::size_t bytes() const noexcept = 0;
  virtual std::vector<Range> ranges() const = 0;
  virtual void run() const = 0;
};

/// Code of the host that runs as a kernel of the device: one call for all blocks of a launch. In a
/// graph it runs again with each launch.
class Kernel {
 public:
  struct Run {
    int device = 0;  // as the program counts
    std::uint32_t stream_id = 0;
    std::uint32_t task_id = 0;
    std::uint64_t limit_ns = 0;  // after which it counts as failed; 0: none
  };
  virtual ~Kernel() = default;
  /// 0, or the code of the device that the stream reports. A thread of the device, one at a time.
  virtual std::int32_t run(const Run& run) = 0;
  /// Whether each run reports its accesses, with tell_kernel_accesses.
  virtual bool is_observed() const noexcept { return false; }
  /// Its arguments, which may contain addresses.
  virtual std::span<const unsigned char> args() const noexcept { return {}; }
  /// The JSON members that its ops add to a trace, each with a leading comma. May be empty.
  virtual std::string details() const { return {}; }

  /// A tensor that it works on, for dumps of data; without any, its ranges are dumped as bytes.
  struct Array {
    aclDataType type = ACL_DT_UNDEFINED;
    std::vector<std::uint64_t> shape{};
    bool read = false, written = false;
  };
  virtual std::vector<Array> arrays() const { return {}; }
  /// The elements of one as they are now: in order, without gaps. Asked right before it runs, or
  /// after.
  virtual std::vector<std::byte> elements(std::size_t /*array*/) const { return {}; }
};

/// One run of a launch that is plain data.
struct PlainRun {
  const void* code = nullptr;
  const void* args = nullptr;  // at a multiple of 8; valid during the run
  std::uint32_t blocks = 0;
  std::uint32_t stream_id = 0;
  std::uint32_t task_id = 0;
  std::uint64_t limit_ns = 0;  // as of Kernel::Run
};
using PlainKernel = std::int32_t (*)(const PlainRun& run);

/// A mistake inside of a kernel (ACL035 and ACL036), at a place in its code.
struct KernelFinding {
  const char* kernel = "";  // its name; lives as long as the process
  const void* site = nullptr;
  const void* other = nullptr;  // the place of the other access; may be null
  const char* other_what = "";  // its instruction; lives as long as the process
  bool race = false;
  bool warning = false;  // else an error
  int device = -1;       // of the launch, as the program counts; -1: not known
  std::uint32_t stream_id = 0;
  std::string text;
  std::string repair;
};

/// A live piece of memory that devices reach, as the program addresses it.
struct Allocation {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  std::uint64_t serial = 0;      // counts allocations of the process from 1
  const void* caller = nullptr;  // where the program asked for it, or null
};

/// The allocations that a program may have meant by an address; a serial of 0: none.
struct Around {
  Allocation before;  // live, and ends before the address
  Allocation behind;  // live, and begins after the address
  Allocation freed;   // recently freed, and contained the address
  const void* freed_by = nullptr;
  bool freed_is_held = false;  // its bytes stay readable and writable for now
};

/// The facts about the stream of a handle.
struct StreamInfo {
  int device = 0;           // as the program counts
  int physical_device = 0;  // the machine's
  std::uint32_t id = 0;
  bool captured = false;  // its tasks go into a graph
};

/// The location of an address in the memory of the machine.
struct MemoryLocation {
  enum class Kind : std::uint8_t {
    device,    // in a device's file
    elsewhere  // mapped or imported by the program, or pinned host memory
  };
  Kind kind = Kind::elsewhere;
  int physical_device = -1;     // of `device`
  std::size_t file_offset = 0;  // of `device`
  std::byte* engine = nullptr;  // where the other library reads and writes
};

/// A device's memory: one file, mapped at `engine` from end to end.
struct DeviceFile {
  int fd = -1;  // the runtime's
  std::byte* engine = nullptr;
  std::size_t bytes = 0;
};

/// A place in a file of memory.
struct FilePart {
  int fd = -1;  // the runtime's
  std::size_t offset = 0;
};

/// The runtime of this process. All functions may be called by any thread.
class Runtime {
 public:
  // --- streams ---
  /// A stream of the calling thread's context.
  virtual Error find_stream(aclrtStream handle, StreamInfo& info) = 0;
  /// Appends the operation, or puts it into the graph that the stream is captured for. Its reads
  /// and writes are reported to listeners.
  virtual Error submit(Caller caller, aclrtStream handle, std::shared_ptr<Operation> operation) = 0;
  virtual Error submit_work(Caller caller, aclrtStream handle,
                            std::shared_ptr<const Work> work) = 0;
  /// Appends a kernel. `name` lives as long as the process.
  virtual Error submit_kernel(Caller caller, aclrtStream handle, const char* name,
                              std::uint32_t blocks, std::shared_ptr<Kernel> kernel,
                              const std::vector<Range>& ranges = {}) = 0;
  /// Sets the function that runs the kernels of `submit_plain`: only one library has it.
  virtual void set_plain_kernel(PlainKernel run) noexcept = 0;
  /// Appends a kernel without an object, if no listener is registered and the stream is in its
  /// usual state. False, and nothing is done, if the caller must use submit_kernel. `name` and
  /// `code` live as long as the process.
  virtual bool submit_plain(const char* function, aclrtStream handle, const char* name,
                            std::uint32_t blocks, const void* code, const void* args,
                            std::size_t args_size, aclError& error) = 0;
  /// For a kernel that runs: calls piece(0) to piece(pieces - 1), each once, and returns when all
  /// are over. Idle workers of the devices take some. Pieces must not throw.
  virtual void share(std::size_t pieces, const std::function<void(std::size_t)>& piece) = 0;
  /// Whether a listener needs the ranges of tasks: the checker, a recording, a dump.
  virtual bool observed() const noexcept = 0;
  /// Whether data of tasks is dumped.
  virtual bool dumping() const = 0;
  virtual std::shared_ptr<Signal> make_signal() = 0;
  /// Appends a wait, or the completion of the signal.
  virtual Error submit_wait(Caller caller, aclrtStream handle,
                            const std::shared_ptr<Signal>& signal, std::uint64_t timeout_ns) = 0;
  virtual Error submit_complete(Caller caller, aclrtStream handle,
                                const std::shared_ptr<Signal>& signal) = 0;

  /// The notify of the device that has this number (aclrtGetNotifyId).
  virtual Error find_notify(int physical_device, std::uint64_t id, aclrtNotify& notify) = 0;

  // --- memory ---
  /// The location of [address, address + size). Refuses a range that passes the end of its
  /// allocation or that no device reaches. `argument` is its name in the text.
  virtual Error locate(Caller caller, const void* address, std::size_t size, const char* argument,
                       bool written, MemoryLocation& place) = 0;
  /// The same, for callers that need only the address to read and write.
  virtual Error reach(Caller caller, const void* address, std::size_t size, const char* argument,
                      bool written, std::byte*& engine) = 0;
  /// The allocation that holds the address; false if no allocation holds it.
  virtual bool find_allocation(const void* address, Allocation& found) const noexcept = 0;
  /// Whether the address range of the machine holds the first or the last byte of this range,
  /// allocated or not.
  virtual bool owns_addresses(const void* address, std::size_t size) const noexcept = 0;
  /// The neighbours of a device address that is in no allocation.
  virtual Around find_around(const void* address) const = 0;
  /// `listener` is called once, right before the allocation of device memory or pinned host memory
  /// that holds the address is freed, by the thread that frees it. It is not called if it has no
  /// owner any more. False if no allocation holds the address.
  virtual bool on_free(const void* address,
                       std::weak_ptr<const std::function<void()>> listener) = 0;
  virtual Error device_file(int physical_device, DeviceFile& file) = 0;
  /// The part of the file that contains the live allocation of device memory with this address. Its
  /// bytes are not allocated again until let_go was called as often as keep.
  virtual Error keep(const void* address, FilePart& part) = 0;
  virtual void let_go(const void* address) = 0;
  /// Memory of the device for the library's own use, which is not reported to listeners.
  virtual Error allocate(int physical_device, std::size_t bytes, void*& address) = 0;
  virtual void free(int physical_device, void* address) = 0;
  virtual void* engine(const void* address) const noexcept = 0;
  /// As aclrtMemMapNoAccess; the reservation may also contain memory of other devices and
  /// processes.
  virtual Error map(Caller caller, void* at, std::size_t size, aclrtDrvMemHandle memory) = 0;

  /// A kernel binary that the library has loaded for itself, and keeps: it is not a resource that
  /// the program did not release.
  virtual void keep_binary(aclrtBinHandle binary) noexcept = 0;

  // --- the rest ---
  /// The number of devices of the machine, whether or not the program sees them.
  virtual int machine_devices() const noexcept = 0;
  /// The machine's number of a device from the program's number.
  virtual Error physical_device(int device, int& physical) = 0;
  virtual std::uint64_t now_ns() const noexcept = 0;
  /// A number of the calling thread, by which `Operation::expired` names waiting threads.
  virtual std::uint64_t host_thread() const noexcept = 0;
  /// Whether the calling thread runs a kernel, in which it may not wait for streams.
  virtual bool in_kernel() const noexcept = 0;
  /// The calling thread, which the library started, runs a part of a kernel until `leave_kernel`.
  virtual void enter_kernel() noexcept = 0;
  virtual void leave_kernel() noexcept = 0;
  /// Whether pages are closed to the host while tasks use them. A kernel that faults at such a page
  /// goes on if `open_for_kernel` returns true. Callable from a signal handler.
  virtual bool guards_pages() const noexcept = 0;
  virtual bool open_for_kernel(const void* address) const noexcept = 0;
  /// Whether tasks are measured and the caller is not a kernel: then calls that need no task become
  /// one, so that the measurement contains them.
  virtual bool measured() const noexcept = 0;
  /// Stores the text for aclGetRecentErrMsg.
  virtual void report(const char* function, int code, const char* text) noexcept = 0;
  /// Until `end_call`, the calls of ACL that this thread makes are reported to listeners as
  /// `caller`, which alone has a span in the timeline. False, and nothing begins, if the thread is
  /// already in such a call or no listener is registered. Use LibraryCall.
  virtual bool begin_call(Caller caller, std::uint64_t& start_ns) noexcept = 0;
  virtual void end_call(Caller caller, std::uint64_t start_ns) noexcept = 0;
  /// The calling thread is about to wait for other ranks. Until `end_outside`, under a seeded
  /// schedule, other threads continue, and the schedule takes no decisions at the thread's calls of
  /// ACL. May be nested. Use Outside.
  virtual void begin_outside() noexcept = 0;
  virtual void end_outside() noexcept = 0;
  /// "main.cpp:18", or the known part of the code address's location. Slow.
  virtual std::string place_of(const void* site) = 0;
  /// Selects a code address of a stack, innermost first: the first one in the program or library
  /// that contains `code`, in a line outside of the interface's own headers. If lines are not
  /// known, the first one in that program or library; else the first of all.
  virtual const void* own_site(std::span<const void* const> stack, const void* code) = 0;
  /// Reports to listeners that the calls of ranks do not match (ACL009).
  virtual void tell_mismatch(Caller caller, const std::string& text) = 0;
  /// Reports the finding to listeners. False if no listener reports it.
  virtual bool tell_kernel_finding(const KernelFinding& found) = 0;
  /// Reports to listeners the accesses of a kernel, at the end of its run and in the thread that
  /// runs it.
  virtual void tell_kernel_accesses(std::uint32_t stream_id, std::uint32_t task_id,
                                    const std::vector<Range>& ranges) = 0;
  /// Reports to listeners that, from now on, memory is written and processes are ordered without
  /// operations that declare it.
  virtual void tell_unknown_writers() = 0;

  // --- what processes share, for the check of all of them together ---
  /// Whether a listener is registered for the following reports.
  virtual bool listened() const noexcept = 0;
  /// [begin, begin + size) is the memory `file` from `offset` on, which other processes have too,
  /// until the end of the sharing is reported. `own`: no other process may use it after it is freed
  /// or that report. `symmetric`: the processes order their accesses by calls that are reported.
  virtual void tell_shared(const void* begin, std::size_t size, std::uint64_t file,
                           std::uint64_t offset, bool own, bool symmetric = false) = 0;
  virtual void tell_unshared(const void* begin, std::size_t size) = 0;
  /// The actions of this thread so far happen before everything that follows `tell_acquired` of the
  /// same key, in any process. Each key is released once.
  virtual void tell_released(std::uint64_t key) = 0;
  virtual void tell_acquired(std::uint64_t key) = 0;
  /// `tell_acquired` of the key, or an operation that took it, is to be a wait for the word at
  /// `offset` of the memory `file`. It has seen these changes, in their order, and one of them has
  /// ended it.
  virtual void tell_word_changes(std::uint64_t key, std::uint64_t file, std::uint64_t offset,
                                 std::size_t size, const std::vector<WordChange>& changes) = 0;

 protected:
  ~Runtime() = default;
};

/// A call of the other library's interface, for its duration. If calls are nested, only the
/// outermost one is reported, because that is the one in the program's source.
class LibraryCall {
 public:
  /// `runtime` null: the library has not found it yet.
  LibraryCall(Runtime* runtime, Caller caller) noexcept
      : caller_(caller),
        runtime_(runtime && runtime->begin_call(caller, start_ns_) ? runtime : nullptr) {}
  ~LibraryCall() {
    if (runtime_) runtime_->end_call(caller_, start_ns_);
  }
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

 private:
  std::uint64_t start_ns_ = 0;
  const Caller caller_;
  Runtime* const runtime_;
};

/// Encloses code that waits for other ranks, and the work of threads of the library.
class Outside {
 public:
  explicit Outside(Runtime& runtime) noexcept : runtime_(runtime) { runtime_.begin_outside(); }
  ~Outside() { runtime_.end_outside(); }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  Runtime& runtime_;
};

}  // namespace acl::embedding

/// Called before the runtime is made: code of kernels will use addresses by itself, so pages of
/// devices that hold no allocation are closed to the program. Later it does nothing.
extern "C" __attribute__((visibility("default"))) void aclsimExpectKernels() noexcept;

/// The runtime for a library that was built against `version`; null if the versions differ or the
/// process has no runtime (in a forked child, with a wrong configuration).
extern "C" __attribute__((visibility("default"))) acl::embedding::Runtime* aclsimEmbedding(
    std::uint32_t version) noexcept;
