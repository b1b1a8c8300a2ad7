// SPDX-License-Identifier: Apache-2.0
// Calls every function of the table with arbitrary arguments, from several threads. The process
// must survive, and no call may hang.
//
// usage: api_fuzz [--seconds N] [--calls N] [--threads N] [--seed S] [--only NAME] [--log]
//        api_fuzz --replay [--calls N] [--seed S]
//
// The seed is ACLSIM_TEST_SEED (1); the time is half of ACLSIM_TEST_FUZZ_SECONDS (20). With --calls
// each thread makes that many calls. --replay runs one thread twice under the same seeded schedule
// and compares the results of all calls.
#include <acl/acl.h>
#include <acl/acl_dump.h>
#include <acl/acl_op_compiler.h>
#include <acl/acl_platform.h>
#include <acl/acl_prof.h>
#include <acl/acl_rt_allocator.h>
#include <acl/acl_rt_compile.h>
#include <acl/acl_rt_memory_soma.h>
#include <acl/acl_tdt.h>
#include <acl/acl_tdt_queue.h>
#include <acl/ops/acl_dvpp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "device_sim/base/sanitizer.h"
#include "tests/fuzz/api/fuzzer.h"
#include "tests/support/share.h"
#include "tests/support/temp_dir.h"
#include "tests/support/waiting.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#if defined(SIM_ADDRESS_SANITIZER)
// The program does not release its objects, so it has leaks.
extern "C" int __lsan_is_turned_off();
extern "C" __attribute__((visibility("default"))) int __lsan_is_turned_off() { return 1; }
#endif
#if defined(SIM_THREAD_SANITIZER)
// The program has data races: nothing orders its streams and threads. The functions that move and
// compute data are therefore not checked.
extern "C" const char* __tsan_default_suppressions();
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions() {
  return "race:move_bytes\nrace:sim::device_copy\nrace:sim::device_fill\nrace:fill_words\n"
         "race:acl::Buffers::read\nrace:acl::*reduce*\n";
}
#endif

namespace api_fuzz {
namespace {

#include "api_calls.inc"

constexpr std::int64_t kFree_ns = 500'000'000;  // a call that takes longer: its streams are aborted
constexpr std::int64_t kHang_ns =
    30'000'000'000;  // a call that still does not return: the test fails

struct Options {
  double seconds = 10;
  std::uint64_t calls = 0;
  unsigned threads = 4;
  std::uint64_t seed = 1;
  std::string only;
  bool log = false, hash = false, replay = false;
};

std::vector<std::unique_ptr<Fuzzer>> fuzzers;
Options options;

void tell_threads(const char* what) {
  std::fprintf(stderr, "api_fuzz: %s (seed %llu)\n", what,
               static_cast<unsigned long long>(options.seed));
  for (const auto& fuzzer : fuzzers) {
    const char* const inside = fuzzer->inside();
    std::fprintf(stderr, "api_fuzz: thread in %s, after %llu calls\n", inside ? inside : "no call",
                 static_cast<unsigned long long>(fuzzer->calls()));
  }
}

void crashed(int signal) {
  tell_threads("crashed");
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Creates a few objects of each kind.
void prepare(Pools& pools) {
  aclInit(nullptr);
  aclrtSetDevice(0);
  for (int i = 0; i < 4; ++i) {
    aclrtStream stream = nullptr;
    aclrtEvent event = nullptr;
    if (aclrtCreateStream(&stream) == ACL_SUCCESS) pools.add("aclrtStream", stream);
    if (aclrtCreateEvent(&event) == ACL_SUCCESS) pools.add("aclrtEvent", event);
  }
}

/// Without a time limit these wait for calls that may never come, or let a stream wait for them.
bool waits_without_end(const std::string& name) {
  if (name == "aclrtLaunchCallback" || name == "aclrtLaunchHostFunc") return true;
  const bool waits = name.find("Synchronize") != name.npos || name.find("DevSync") != name.npos;
  return waits && name.find("Timeout") == name.npos;
}

/// A thread waits for the next call of aclrtRecordEvent if the event was reset: no abort of tasks
/// ends that wait. The form with a time limit takes the same way.
bool waits_for_calls(const std::string& name) { return name == "aclrtSynchronizeEvent"; }

/// Whether it releases memory that other threads may use at this moment, which a sanitizer reports.
bool takes_all(const std::string& name) {
  return name.find("Reset") != name.npos || name.find("Finalize") != name.npos ||
         name.find("Restore") != name.npos;
}

void work(Fuzzer& fuzzer, const std::vector<Call>& calls, std::int64_t until) {
  aclrtSetDevice(0);
  for (int i = 0; i < 4; ++i) {
    void* memory = nullptr;
    aclrtMalloc(&memory, 65536, ACL_MEM_MALLOC_HUGE_FIRST);
    fuzzer.keep_one("memory", memory);
  }
  for (std::uint64_t i = 0; options.calls != 0 ? i < options.calls : now_ns() < until; ++i) {
    calls[fuzzer.below(calls.size())].make(fuzzer);
    if (i % 64 == 0) aclrtSetDevice(static_cast<std::int32_t>(fuzzer.below(2)));
  }
}

/// Aborts streams of calls that wait in vain; false if a call does not return after that.
bool watch(const std::atomic<unsigned>& running) {
  std::int64_t freed = 0;
  while (running != 0) {
    support::let_time_pass(std::chrono::milliseconds(10));
    for (const auto& fuzzer : fuzzers) {
      const std::int64_t inside = fuzzer->inside() ? now_ns() - fuzzer->since_ns() : 0;
      if (inside > kHang_ns) return false;
      // In a run whose results are compared, every wait has a limit.
      if (options.hash || inside < kFree_ns || now_ns() - freed < kFree_ns) continue;
      for (int device = 0; device < 8; ++device) aclrtDeviceTaskAbort(device, 0);
      freed = now_ns();
    }
  }
  return true;
}

bool parse(int count, char** arguments) {
  options.seed = support::first_seed();
  if (const char* const seconds = std::getenv("ACLSIM_TEST_FUZZ_SECONDS")) {
    options.seconds = std::atof(seconds) / 2;
  }
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    const auto value = [&] { return i + 1 < count ? arguments[++i] : "0"; };
    if (name == "--seconds")
      options.seconds = std::atof(value());
    else if (name == "--calls")
      options.calls = std::strtoull(value(), nullptr, 10);
    else if (name == "--threads")
      options.threads = static_cast<unsigned>(std::atoi(value()));
    else if (name == "--seed")
      options.seed = std::strtoull(value(), nullptr, 10);
    else if (name == "--only")
      options.only = value();
    else if (name == "--log")
      options.log = true;
    else if (name == "--hash")
      options.hash = true;
    else if (name == "--replay")
      options.replay = true;
    else
      return false;
  }
  return options.threads > 0;
}

std::vector<Call> chosen_calls() {
  std::vector<Call> calls;
  for (const Call& call : kCalls) {
    if (!options.only.empty() && options.only != call.name) continue;
    if (options.hash && waits_without_end(call.name)) continue;
    if (options.only.empty() && waits_for_calls(call.name)) continue;
    if (sim::kSanitized && options.threads > 1 && takes_all(call.name)) continue;
    calls.insert(calls.end(), call.weight, call);
  }
  return calls;
}

/// The output of a run of one thread.
std::string one_run() {
  const std::uint64_t calls = options.calls != 0 ? options.calls : sim::kSanitized ? 3'000 : 10'000;
  const std::string command = "ACLSIM_SCHEDULE=seeded ACLSIM_SEED=" + std::to_string(options.seed) +
                              " '" + std::filesystem::read_symlink("/proc/self/exe").string() +
                              "' --hash --threads 1 --calls " + std::to_string(calls) + " --seed " +
                              std::to_string(options.seed) + " 2>&1";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::string text;
  for (int c = 0; pipe && (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  if (!pipe || ::pclose(pipe) != 0) return "";
  return text;
}

/// The text without lines that name files: the names of the run's folder and of profiles are
/// random.
std::string without_files(const std::string& text) {
  const std::string folder = (std::filesystem::temp_directory_path() / "test-").string();
  std::string kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(folder) == line.npos) kept += line + '\n';
  }
  return kept;
}

int replay() {
  const std::string first = one_run(), second = one_run();
  std::printf("%s", first.c_str());
  // The runtime reports when real time influenced the schedule, as on a very busy machine.
  const char* const time_decided = "the seed alone no longer decides";
  for (const std::string& text : {first, second}) {
    if (text.find(time_decided) != text.npos) return 77;
  }
  if (!first.empty() && without_files(first) == without_files(second)) return 0;
  std::printf("the second run differs:\n%s", second.c_str());
  return 1;
}

int run() {
  const support::TempDir folder;
  std::filesystem::current_path(folder.path());  // file names may be relative
  Pools pools;
  prepare(pools);
  const std::vector<Call> calls = chosen_calls();
  for (unsigned i = 0; i < options.threads; ++i) {
    fuzzers.push_back(
        std::make_unique<Fuzzer>(options.seed * 1'000 + i, pools, folder.path().string()));
    fuzzers.back()->log = options.log;
  }
  const auto until = now_ns() + static_cast<std::int64_t>(options.seconds * 1e9);
  std::atomic<unsigned> running{0};
  std::vector<std::thread> threads;
  running = options.threads;
  for (const auto& fuzzer : fuzzers) {
    threads.emplace_back([&] {
      work(*fuzzer, calls, until);
      --running;
    });
  }
  if (!watch(running)) {
    tell_threads("a call hangs");
    std::abort();
  }
  for (std::thread& thread : threads) thread.join();
  std::uint64_t made = 0, good = 0;
  for (const auto& fuzzer : fuzzers) {
    made += fuzzer->calls();
    good += fuzzer->good_calls();
  }
  std::printf("api_fuzz: seed %llu: %llu calls, %llu gave 0\n",
              static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(made),
              static_cast<unsigned long long>(good));
  if (options.hash)
    std::printf("hash %016llx\n", static_cast<unsigned long long>(fuzzers[0]->hash()));
  return made == 0;
}

}  // namespace
}  // namespace api_fuzz

int main(int count, char** arguments) {
  if (!api_fuzz::parse(count, arguments)) return 2;
  std::printf("api_fuzz: seed %llu\n", static_cast<unsigned long long>(api_fuzz::options.seed));
  std::fflush(stdout);
  if (api_fuzz::options.replay) return api_fuzz::replay();
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
    ::signal(signal, api_fuzz::crashed);
  return api_fuzz::run();
}
