// SPDX-License-Identifier: Apache-2.0
// Calls each exported function of a library while its n-th allocation fails, for n = 1, 2, ...
// until the call makes fewer. The call must return, the process must live on, and the library must
// work afterwards.
//
// usage: no_memory LIBRARY [--only NAME] [--from NUMBER] [--log]
//
// LIBRARY: acl, hccl, shmem, shmem_older, cuda, opapi or profapi. A share of the functions is taken
// (ACLSIM_TEST_SHARE). The program runs itself again for the rest when a call ends it.
#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "acl/acl.h"
#include "shmem/shmem.h"
#include "tests/no_memory/functions.h"
#include "tests/support/share.h"
#include "tests/support/temp_dir.h"

namespace {

/// Allocations of this thread until one fails; 0: none fails.
thread_local long until_failure = 0;
thread_local bool all_after = false;
thread_local bool has_failed = false;

void maybe_fail() {
  if (until_failure == 0 || --until_failure != 0) return;
  has_failed = true;
  if (all_after) until_failure = 1;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
  maybe_fail();
  if (void* const made = std::malloc(size == 0 ? 1 : size)) return made;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t align) {
  maybe_fail();
  const auto to = static_cast<std::size_t>(align);
  if (void* const made = std::aligned_alloc(to, (size + to) / to * to)) return made;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace no_memory {
namespace {

struct Library {
  const char* name;
  const char* table;    // below tests/abi
  const char* headers;  // below include
  const char* file;
};
constexpr Library kLibraries[] = {
    {"acl", "functions.tsv", "acl", "libascendcl.so"},
    {"profapi", "profapi/functions.tsv", "profiling", "libascendcl.so"},
    {"hccl", "hccl/functions.tsv", "", "libhccl.so"},
    {"shmem", "shmem/functions.tsv", "shmem", "libshmem.so"},
    {"shmem_older", "shmem_older/functions.tsv", "shmem", "libshmem.so"},
    {"cuda", "cuda/functions.tsv", "cuda", "cuda/libcuda.so.1"},
    {"opapi", "aclnn/functions.tsv", "aclnn", "libopapi.so"},
};

/// Shared by the starting process and the process that calls functions.
struct Progress {
  std::size_t next;  // the function that is called, or will be
  char text[256];    // the call
  long made;         // calls with a failing allocation
  int faults;
  bool prepared;  // the objects that calls need exist
  bool complete;
};
Progress* progress;
bool log_calls = false;
constexpr unsigned kMostSeconds = 20;  // of one function; a call that hangs ends the process

/// They end or replace the process by design, or never return.
bool left_out(const std::string& name) {
  static const std::set<std::string> kNames{
      "aclshmem_global_exit",
      "shmem_global_exit",
      "aclAppLog",  // its format would be one of these texts
      // They destroy the members of a list, which other lists and arguments of this test contain.
      "aclDestroyTensorList",
      "aclDestroyScalarList",
  };
  return kNames.contains(name);
}

/// Little is left to work with after these, so each has a process of its own.
bool ends_things(const std::string& name) {
  for (const char* const part : {"Finalize",          "finalize",      "Reset",
                                 "aclInit",           "cuInit",        "Abort",
                                 "Restore",           "aclnnInit",     "CommDestroy",
                                 "Snapshot",          "SnapShot",      "ForceStop",
                                 "init_attr",         "CtxSet",        "CtxDestroy",
                                 "CtxPush",           "CtxPop",        "CtxCreate",
                                 "SetCurrentContext", "CreateContext", "DestroyContext",
                                 "SetDevice",         "CaptureBegin",  "CaptureThreadExchange",
                                 "PrimaryCtxRelease"}) {
    if (name.find(part) != std::string::npos) return true;
  }
  return false;
}

bool takes_back(const std::string& name) {
  for (const char* const part : {"Destroy", "destroy", "Free", "free", "Unload", "UnLoad", "Unmap",
                                 "Release", "UnRegister", "Unregister"}) {
    if (name.find(part) != std::string::npos) return true;
  }
  return false;
}

template <class F>
F* function(const char* name) {
  auto* const found = reinterpret_cast<F*>(::dlsym(RTLD_DEFAULT, name));
  if (!found) throw std::runtime_error(std::string("no ") + name);
  return found;
}
template <class... Args>
void require(const char* name, Args... args) {
  const int code = function<int(Args...)>(name)(args...);
  if (code == 0) return;
  throw std::runtime_error(std::string(name) + " returned " + std::to_string(code));
}

/// Notes a fault of the call that `progress` names.
void tell(const char* what) {
  std::printf("no_memory: %s: %s\n", progress->text, what);
  std::fflush(stdout);
  ++progress->faults;
}

class Walk {
 public:
  Walk(const Library& library, const std::string& root)
      : library_(library),
        types_(Types::of_headers(root + "/include/" + library.headers)),
        arguments_(types_) {
    const std::string file = std::string(ACLSIM_LIBRARY_DIR "/") + library.file;
    if (!::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL)) throw std::runtime_error(::dlerror());
    all_ = functions_of(root + "/tests/abi/" + library.table);
    if (all_.empty()) throw std::runtime_error("no functions");
  }

  std::size_t size() const { return all_.size(); }
  const Function& at(std::size_t index) const { return all_[index]; }
  void prepare();
  void walk(std::size_t index);
  /// Throws if the library does not work.
  void use();

 private:
  void make_more();
  void* new_tensor() const;
  void make_tensors();
  bool attempt(const Function& function, unsigned variant, long count, bool after);
  /// Sets workspace and executor of the second phase of an operator.
  void first_phase(const Function& function, unsigned variant, Words& words);
  const Function* find(const std::string& name) const {
    for (const Function& one : all_) {
      if (one.name == name) return &one;
    }
    return nullptr;
  }

  const Library& library_;
  Types types_;
  Arguments arguments_;
  std::vector<Function> all_;
  // For use(), and known to no other call.
  void *stream_ = nullptr, *kept_ = nullptr, *comm_ = nullptr, *tensor_ = nullptr;
};

// ---- objects ----

void* Walk::new_tensor() const {
  const std::int64_t shape[] = {4, 4}, strides[] = {4, 1};
  using Create = void*(const std::int64_t*, std::uint64_t, int, const std::int64_t*, std::int64_t,
                       int, const std::int64_t*, std::uint64_t, void*);
  return function<Create>("aclCreateTensor")(shape, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape,
                                             2, kept_);
}

void Walk::make_tensors() {
  if (std::strcmp(library_.name, "opapi") != 0) return;
  arguments_.forget("aclTensor*");
  arguments_.forget("aclScalar*");
  for (unsigned i = 0; i < 4; ++i) {
    arguments_.add("aclTensor*", reinterpret_cast<std::uint64_t>(new_tensor()));
  }
}

void Walk::prepare() {
  require("aclInit", static_cast<const char*>(nullptr));
  require("aclrtSetDevice", 0);
  void* stream = nullptr;
  require("aclrtCreateStream", &stream);
  arguments_.add("aclrtStream", reinterpret_cast<std::uint64_t>(stream));
  require("aclrtCreateStream", &stream_);
  require("aclrtMalloc", &kept_, std::size_t{1} << 16, 0);
  for (int i = 0; i < 4; ++i) {
    void* memory = nullptr;
    require("aclrtMalloc", &memory, std::size_t{1} << 16, 0);
    arguments_.add("void*", reinterpret_cast<std::uint64_t>(memory));
  }
  const std::string name = library_.name;
  if (name == "hccl") {
    std::int32_t device = 0;
    void* comm = nullptr;
    require("HcclCommInitAll", std::uint32_t{1}, &device, &comm_);
    require("HcclCommInitAll", std::uint32_t{1}, &device, &comm);
    arguments_.add("HcclComm", reinterpret_cast<std::uint64_t>(comm));
  }
  if (name == "shmem") {
    aclshmemx_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER;
    require("aclshmemx_get_uniqueid", &id);
    aclshmemx_init_attr_t attributes{};
    require("aclshmemx_set_attr_uniqueid_args", 0, 1, std::int64_t{1} << 24, &id, &attributes);
    attributes.option_attr.shm_init_timeout = 10;
    attributes.option_attr.control_operation_timeout = 10;
    require("aclshmemx_init_attr", int{ACLSHMEMX_INIT_WITH_UNIQUEID}, &attributes);
  }
  if (name == "cuda") {
    require("cuInit", 0U);
    void* context = nullptr;
    require("cuDevicePrimaryCtxRetain", &context, 0);
    require("cuCtxSetCurrent", context);
    for (int i = 0; i < 3; ++i) {
      std::uint64_t memory = 0;
      require("cuMemAlloc_v2", &memory, std::size_t{1} << 16);
      arguments_.add("CUdeviceptr", memory);
    }
  }
  if (name == "opapi") {
    require("aclnnInit", static_cast<const char*>(nullptr));
    tensor_ = new_tensor();
    make_tensors();
  }
  make_more();
}

/// Calls every function that makes objects once, as far as there are none of its kind.
void Walk::make_more() {
  for (int round = 0; round < 3; ++round) {
    for (const Function& one : all_) {
      const bool makes =
          one.name.find("reate") != std::string::npos || one.name.find("lloc") != std::string::npos;
      if (!makes || ends_things(one.name) || left_out(one.name)) continue;
      std::string type = one.returns;
      for (const Param& param : one.params) {
        if (param.type.ends_with("*") && !param.constant && arguments_.is_object(type) == false) {
          const std::string pointee = param.type.substr(0, param.type.size() - 1);
          if (arguments_.is_object(pointee)) type = pointee;
        }
      }
      if (arguments_.has(type)) continue;
      std::snprintf(progress->text, sizeof progress->text, "%s, to make objects", one.name.c_str());
      const Words words = arguments_.words(one, 0);
      const std::uint64_t result = call(one.code, words);
      const bool pointer = one.returns.ends_with("*");
      if (pointer || static_cast<int>(result) == 0) arguments_.keep(one, words, result);
    }
  }
}

void Walk::use() {
  const std::string name = library_.name;
  void* const stream = stream_;
  void* const memory = kept_;
  require("aclrtMemsetAsync", memory, std::size_t{64}, 1, std::size_t{64}, stream);
  require("aclrtSynchronizeStream", stream);
  if (name == "hccl") {
    require("HcclAllReduce", memory, memory, std::uint64_t{4}, 4, 0, comm_, stream);
    require("aclrtSynchronizeStream", stream);
  }
  if (name == "shmem") {
    void* const made = function<void*(std::size_t)>("aclshmem_malloc")(64);
    if (!made) throw std::runtime_error("aclshmem_malloc returned null");
    function<void(void*)>("aclshmem_free")(made);
  }
  if (name == "cuda") {
    std::uint64_t made = 0;
    require("cuMemAlloc_v2", &made, std::size_t{64});
    require("cuMemFree_v2", made);
  }
  if (name == "opapi") {
    std::uint64_t bytes = 0;
    void* executor = nullptr;
    require("aclnnAbsGetWorkspaceSize", tensor_, tensor_, &bytes, &executor);
    require("aclnnAbs", static_cast<void*>(nullptr), bytes, executor, stream);
    require("aclrtSynchronizeStream", stream);
  }
}

// ---- the walk ----

void Walk::first_phase(const Function& function, unsigned variant, Words& words) {
  const Function* const phase = find(function.name + "GetWorkspaceSize");
  if (!phase) return;
  const Words first = arguments_.words(*phase, variant);
  if (static_cast<int>(call(phase->code, first)) != 0) return;
  const std::size_t last = phase->params.size() - 1;
  std::size_t reals = 0;
  for (const Param& param : phase->params) reals += param.type == "double" || param.type == "float";
  std::memcpy(&words.whole[2], reinterpret_cast<void*>(first.whole[last - reals]), 8);
  std::memcpy(&words.whole[1], reinterpret_cast<void*>(first.whole[last - reals - 1]), 8);
}

/// Whether an allocation has failed.
bool Walk::attempt(const Function& function, unsigned variant, long count, bool after) {
  Words words = arguments_.words(function, variant);
  first_phase(function, variant, words);
  std::snprintf(progress->text, sizeof progress->text, "%s, variant %u, allocation %ld%s",
                function.name.c_str(), variant, count, after ? " and all later" : "");
  has_failed = false;
  all_after = after;
  until_failure = count;
  std::uint64_t result = 1;
  bool escaped = false;
  try {
    result = call(function.code, words);
  } catch (const std::bad_alloc&) {
    escaped = true;
  }
  until_failure = 0;
  if (escaped) tell("an exception left the function");
  if (log_calls) {
    std::printf("%s -> %llx%s\n", progress->text, static_cast<unsigned long long>(result),
                has_failed ? "" : ", none failed");
  }
  progress->made += has_failed;
  const bool pointer = function.returns.ends_with("*");
  const bool good = pointer ? result != 0 : static_cast<int>(result) == 0;
  if (good && !escaped) arguments_.keep(function, words, result);
  if (takes_back(function.name)) {
    arguments_.drop(function, words);
    make_more();
  }
  return has_failed;
}

void Walk::walk(std::size_t index) {
  const Function& function = all_[index];
  constexpr long kMost = 300;
  for (unsigned variant = 0; variant < 3; ++variant) {
    for (const bool after : {false, true}) {
      for (long count = 1; count <= kMost && attempt(function, variant, count, after);) {
        count += count < 40 ? 1 : count / 10;
      }
    }
  }
  std::snprintf(progress->text, sizeof progress->text, "%s, use of the library after it",
                function.name.c_str());
  if (!ends_things(function.name)) use();
}

[[noreturn]] void leave() {
  std::fflush(stdout);
  ::_exit(0);
}

/// Calls the functions from `first` on. A function that ends things is the only one of its process.
void child(const Library& library, const std::string& root, std::size_t first,
           const std::string& only, std::uint64_t number) {
  const support::TempDir folder;
  std::filesystem::current_path(folder.path());
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(kMostSeconds);  // a call that hangs
  Walk walk(library, root);
  progress->prepared = false;
  walk.prepare();
  progress->prepared = true;
  bool fresh = true;
  for (std::size_t i = first; i < walk.size(); ++i) {
    progress->next = i;
    const std::string& name = walk.at(i).name;
    if (left_out(name) || (!only.empty() && name != only)) continue;
    if (!support::in_share(number + i)) continue;
    if (ends_things(name) && !fresh) leave();
    walk.walk(i);
    ::alarm(kMostSeconds);
    fresh = false;
    if (!ends_things(name)) continue;
    progress->next = i + 1;
    leave();
  }
  progress->complete = true;
  leave();
}

int run(const Library& library, const std::string& root, std::size_t first,
        const std::string& only) {
  progress = static_cast<Progress*>(
      ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  std::uint64_t number = 0;
  for (const char c : std::string(library.name)) number += static_cast<unsigned char>(c);
  progress->next = first;
  while (!progress->complete) {
    const std::size_t begin = progress->next;
    std::fflush(stdout);
    const pid_t pid = ::fork();
    if (pid == 0) {
      try {
        child(library, root, begin, only, number);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
      }
      ::_exit(1);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      continue;
    }
    tell(WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status)) : "does not work");
    if (!progress->prepared) break;
    progress->next = std::max(progress->next, begin) + 1;
  }
  std::printf("no_memory: %s: %ld calls with a failed allocation, %d faults\n", library.name,
              progress->made, progress->faults);
  return progress->faults != 0 || progress->made == 0;
}

}  // namespace
}  // namespace no_memory

int main(int count, char** arguments) {
  std::string only;
  std::size_t first = 0;
  for (int i = 2; i < count; ++i) {
    if (std::strcmp(arguments[i], "--log") == 0) no_memory::log_calls = true;
    if (i + 1 == count) break;
    if (std::strcmp(arguments[i], "--only") == 0) only = arguments[i + 1];
    if (std::strcmp(arguments[i], "--from") == 0)
      first = std::strtoul(arguments[i + 1], nullptr, 10);
  }
  for (const no_memory::Library& library : no_memory::kLibraries) {
    if (count < 2 || std::strcmp(library.name, arguments[1]) != 0) continue;
    return no_memory::run(library, ACLSIM_SOURCE_DIR, first, only);
  }
  return 2;
}
