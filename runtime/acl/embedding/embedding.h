// SPDX-License-Identifier: Apache-2.0
// What libraries beside libascendcl (HCCL, multicast memory) use of the runtime. It is no public
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

/// Goes up with every change of this header.
inline constexpr std::uint32_t kVersion = 16;

/// Why a call was refused, or why an operation failed later. Nothing throws across the libraries.
struct Error {
  aclError code = ACL_SUCCESS;
  std::string text{};
  explicit operator bool() const noexcept { return code != ACL_SUCCESS; }
};

/// The entry of the other library that the program called, and from where: made in its frame. What
/// the timeline, the recorder and the checker say of the call names these.
struct Caller {
  // NOLINTNEXTLINE: it stands for the name.
  Caller(const char* name, const void* from = __builtin_return_address(0)) noexcept
      : function(name), site(from) {}
  const char* function;
  const void* site;
};

/// Something that streams wait for. Any thread.
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

/// Something that an operation did on its way, by the driver's clock.
struct Step {
  const char* name = "";  // a literal
  int rank = -1;          // with which other one; -1: none
  std::uint64_t bytes = 0;
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
};

/// Where operations of several streams meet: none goes on before all have begun. The checker orders
/// what is before the rendezvous on one stream before what follows it on the others.
struct Rendezvous {
  std::uint64_t group = 0;    // who meets there
  std::uint64_t number = 0;   // which time it is
  std::uint32_t streams = 0;  // so many of this process
  // Of streams of other processes: a key that this one's arrival has in all of them, and no other
  // arrival, and those of the others' arrivals. 0 and empty: there are none.
  std::uint64_t own_key = 0;
  std::vector<std::uint64_t> other_keys{};
};

/// A flag that operations change: one sets it, another waits until it is set and clears it. The
/// checker orders what is before the first one before what follows the second.
struct FlagUse {
  std::uint64_t flag = 0;  // its name in this process; 0: none
  bool sets = false;       // in its first step; otherwise it waits
  bool crosses = false;    // another process has the other end
  // Then what this setting is called in all processes, and no other is. A wait says with its `Next`
  // which one it `took`.
  std::uint64_t key = 0;
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
  /// The machine's devices with which that of the stream exchanges bytes: their links may be down.
  virtual std::vector<int> peers() const { return {}; }

  /// A run was enqueued: by submit, or with the launch of the graph that it was captured into. In
  /// the order of these calls. The answer names the run below.
  virtual std::uint64_t enqueued() { return 0; }
  /// Whom the run meets. Asked before it begins, where somebody wants to know.
  virtual std::vector<Rendezvous> rendezvous(std::uint64_t /*run*/) { return {}; }
  /// The flag that the run uses, beside the accesses of `ranges`; it meets nobody then. Asked as
  /// `rendezvous` is.
  virtual FlagUse flag(std::uint64_t /*run*/) { return {}; }
  /// Does what can be done now; any thread, one at a time, and it may not block. Called again once
  /// what it waits for is done.
  virtual Next step(std::uint64_t run) = 0;
  /// As `step`, but begins only what goes on without a wait, while the program enqueues. True:
  /// `step` would end the run now. Not asked where somebody observes.
  virtual bool prepare(std::uint64_t /*run*/) { return false; }
  /// What the run did since it was asked last, in order and one after the other. Asked after each
  /// `step`, where somebody observes.
  virtual std::vector<Step> take_steps() { return {}; }
  /// The wait that `step` asked for reached its limit: what the run fails with, or no error; then
  /// `step` is called again. `waiting`: host threads (`Runtime::host_thread`) that wait, without a
  /// limit, until the run is over.
  virtual Error expired(std::uint64_t run, const std::vector<std::uint64_t>& waiting) = 0;
  /// The run is given up: before it began, or while it waits. Of a run of a graph's launch it is
  /// called behind its end too. `why`: what struck it, or no error.
  virtual void dropped(std::uint64_t /*run*/, const Error& /*why*/) noexcept {}
};

/// Work of the device that is done in one go and tells nobody else: a task of the machine like a
/// copy. Any thread may run it, and graphs run it again, so running changes nothing in it.
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
  /// Whether each run tells what it accessed, with tell_kernel_accesses.
  virtual bool is_observed() const noexcept { return false; }
  /// What it was given, in words: addresses among them.
  virtual std::span<const unsigned char> args() const noexcept { return {}; }
  /// What its ops add to a trace: members of JSON, each with a comma in front. May be empty.
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

/// A live piece of memory that devices reach, as the program addresses it.
struct Allocation {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  std::uint64_t serial = 0;      // counts allocations of the process from 1
  const void* caller = nullptr;  // where the program asked for it, or null
};

/// Allocations that an address may have been meant for; a serial of 0: there is none.
struct Around {
  Allocation before;  // live, and the address lies behind it
  Allocation behind;
  Allocation freed;  // of late, and the address lay in it
  const void* freed_by = nullptr;
};

/// What is behind a stream's handle.
struct StreamInfo {
  int device = 0;           // as the program counts
  int physical_device = 0;  // the machine's
  std::uint32_t id = 0;
  bool captured = false;  // its tasks go into a graph
};

/// Where an address lies.
struct Place {
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
  /// Appends the operation, or puts it into the graph that the stream is captured for. Listeners
  /// are told what it reads and writes.
  virtual Error submit(Caller caller, aclrtStream handle, std::shared_ptr<Operation> operation) = 0;
  virtual Error submit_work(Caller caller, aclrtStream handle,
                            std::shared_ptr<const Work> work) = 0;
  /// Appends a kernel. `name` lives as long as the process.
  virtual Error submit_kernel(Caller caller, aclrtStream handle, const char* name,
                              std::uint32_t blocks, std::shared_ptr<Kernel> kernel,
                              const std::vector<Range>& ranges = {}) = 0;
  /// Who runs what `submit_plain` appends: one library does.
  virtual void set_plain_kernel(PlainKernel run) noexcept = 0;
  /// Appends a kernel without an object, where nobody looks and nothing about the stream is
  /// unusual. False, and nothing is done, where that takes submit_kernel. `name` and `code` live as
  /// long as the process.
  virtual bool submit_plain(const char* function, aclrtStream handle, const char* name,
                            std::uint32_t blocks, const void* code, const void* args,
                            std::size_t args_size, aclError& error) = 0;
  /// For a kernel that runs: calls piece(0) to piece(pieces - 1), each once, and returns when all
  /// are over. Idle workers of the devices take some. Pieces must not throw.
  virtual void share(std::size_t pieces, const std::function<void(std::size_t)>& piece) = 0;
  /// Whether somebody looks at the ranges of tasks: the checker, a recording, a dump.
  virtual bool observed() const noexcept = 0;
  /// Whether data of tasks is dumped.
  virtual bool dumping() const = 0;
  virtual std::shared_ptr<Signal> make_signal() = 0;
  /// Appends a wait, or the completion of the signal.
  virtual Error submit_wait(Caller caller, aclrtStream handle,
                            const std::shared_ptr<Signal>& signal, std::uint64_t timeout_ns) = 0;
  virtual Error submit_complete(Caller caller, aclrtStream handle,
                                const std::shared_ptr<Signal>& signal) = 0;

  /// The notify of that device which aclrtGetNotifyId calls so.
  virtual Error find_notify(int physical_device, std::uint64_t id, aclrtNotify& notify) = 0;

  // --- memory ---
  /// Where [address, address + size) lies; refuses what passes the end of its allocation and what
  /// no device reaches. `argument` is what the text calls it.
  virtual Error locate(Caller caller, const void* address, std::size_t size, const char* argument,
                       bool written, Place& place) = 0;
  /// The same, for who needs no more than where to read and write.
  virtual Error reach(Caller caller, const void* address, std::size_t size, const char* argument,
                      bool written, std::byte*& engine) = 0;
  /// The allocation that holds the address; false when there is none.
  virtual bool find_allocation(const void* address, Allocation& found) const noexcept = 0;
  /// Around an address of a device that is in none.
  virtual Around find_around(const void* address) const = 0;
  /// `listener` is called once, right before the piece of a device's own memory or pinned host
  /// memory that holds the address is freed, in the thread that frees it; not once it has no owner
  /// any more. False where there is no such piece.
  virtual bool on_free(const void* address,
                       std::weak_ptr<const std::function<void()>> listener) = 0;
  virtual Error device_file(int physical_device, DeviceFile& file) = 0;
  /// The part of the file that holds the live piece of device memory with this address; its bytes
  /// are handed to nobody else until let_go was called as often.
  virtual Error keep(const void* address, FilePart& part) = 0;
  virtual void let_go(const void* address) = 0;
  /// Memory of the device for the library's own use. Listeners are not told.
  virtual Error allocate(int physical_device, std::size_t bytes, void*& address) = 0;
  virtual void free(int physical_device, void* address) = 0;
  virtual void* engine(const void* address) const noexcept = 0;
  /// As aclrtMemMapNoAccess, beside memory of whatever device and process the reservation holds.
  virtual Error map(Caller caller, void* at, std::size_t size, aclrtDrvMemHandle memory) = 0;

  // --- the rest ---
  /// The machine's number of a device that the program names.
  virtual Error physical_device(int device, int& physical) = 0;
  virtual std::uint64_t now_ns() const noexcept = 0;
  /// A number of the calling thread, by which `Operation::expired` tells who waits.
  virtual std::uint64_t host_thread() const noexcept = 0;
  /// Whether the calling thread runs a kernel, where it may not wait for streams.
  virtual bool in_kernel() const noexcept = 0;
  /// Whether somebody measures tasks, and this is no kernel: then calls that could do without a
  /// task become one, so that they are seen.
  virtual bool measured() const noexcept = 0;
  /// Leaves the text where aclGetRecentErrMsg finds it.
  virtual void report(const char* function, int code, const char* text) noexcept = 0;
  /// From here to `end_call` the calls of ACL that this thread makes are told to listeners as
  /// `caller`, which is the only one that has a span in the timeline. False where that is so
  /// already, and while nobody listens: then nothing has begun. Use LibraryCall.
  virtual bool begin_call(Caller caller, std::uint64_t& start_ns) noexcept = 0;
  virtual void end_call(Caller caller, std::uint64_t start_ns) noexcept = 0;
  /// The calling thread is about to wait for other ranks. Until `end_outside`, under a seeded
  /// schedule, others go on, and the calls of ACL that it makes are no points of choice. May be
  /// nested. Use Outside.
  virtual void begin_outside() noexcept = 0;
  virtual void end_outside() noexcept = 0;
  /// "main.cpp:18", or what is known of the code address. Not quick.
  virtual std::string place_of(const void* site) = 0;
  /// Of the code addresses of a stack, innermost first, the first one in the program or library
  /// that holds `code`, there in a line outside of the interface's own headers. Where lines are not
  /// known, the first one there; else the first of all.
  virtual const void* own_site(std::span<const void* const> stack, const void* code) = 0;
  /// Tells listeners that ranks called what does not belong together (ACL009).
  virtual void tell_mismatch(Caller caller, const std::string& text) = 0;
  /// Tells listeners what was found in a kernel (ACL035 and ACL036), at a place in its code. False
  /// where nobody reports it. `kernel` lives as long as the process.
  virtual bool tell_kernel_finding(const char* kernel, const void* site, bool race,
                                   const std::string& text) = 0;
  /// Tells listeners what a kernel has accessed, at the end of its run and in the thread that runs
  /// it.
  virtual void tell_kernel_accesses(std::uint32_t stream_id, std::uint32_t task_id,
                                    const std::vector<Range>& ranges) = 0;
  /// Tells listeners that memory is written from here on, and processes are ordered, of which no
  /// operation says so.
  virtual void tell_unknown_writers() = 0;

  // --- what processes share, for the check of all of them together ---
  /// Whether somebody listens to what follows.
  virtual bool listened() const noexcept = 0;
  /// [begin, begin + size) is the memory `file` from `offset` on, which other processes have too,
  /// until it is told that it is no more. `own`: no other process may use it once it is freed or
  /// told so.
  virtual void tell_shared(const void* begin, std::size_t size, std::uint64_t file,
                           std::uint64_t offset, bool own) = 0;
  virtual void tell_unshared(const void* begin, std::size_t size) = 0;
  /// What this thread has done so far is before everything that follows `tell_acquired` of the same
  /// key, in whatever process. Each key is released once.
  virtual void tell_released(std::uint64_t key) = 0;
  virtual void tell_acquired(std::uint64_t key) = 0;

 protected:
  ~Runtime() = default;
};

/// A call of the other library's interface, for as long as it lasts. Of several within each other
/// the outermost counts, since that is the one that the program wrote.
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

/// Stands around what waits for other ranks, and what threads of the library do.
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

/// The runtime for a library that was built against `version`; null when that is another one, and
/// where there is no runtime (in a forked child, with a wrong configuration).
extern "C" __attribute__((visibility("default"))) acl::embedding::Runtime* aclsimEmbedding(
    std::uint32_t version) noexcept;
