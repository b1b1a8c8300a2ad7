// SPDX-License-Identifier: Apache-2.0
// A race, and then an end at which nothing can be reported: `race_and_end WAY [ok]`; with ok there
// is no race.
#include <acl/acl.h>
#include <acl/acl_sim.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#define MUST(call)                                                      \
  do {                                                                  \
    const int code_ = (call);                                           \
    if (code_ != ACL_SUCCESS) {                                         \
      std::fprintf(stderr, "%d: %s gave %d\n", __LINE__, #call, code_); \
      std::_Exit(9);                                                    \
    }                                                                   \
  } while (false)

/// The order checker is to find this race. ThreadSanitizer, if it is built in, ignores it.
extern "C" const char* __tsan_default_options() { return "report_bugs=0"; }

namespace {

constexpr size_t kBytes = 4096;

void race(bool repaired) {
  void* memory = nullptr;
  aclrtStream first = nullptr, second = nullptr;
  MUST(aclrtSetDevice(0));
  MUST(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  MUST(aclrtCreateStream(&first));
  MUST(aclrtCreateStream(&second));
  MUST(aclrtMemsetAsync(memory, kBytes, 1, kBytes, first));
  if (repaired) MUST(aclrtSynchronizeStream(first));
  MUST(aclrtMemsetAsync(memory, kBytes, 2, kBytes, second));
}

/// For a trace of more than a pipe holds.
void fill_often() {
  void* memory = nullptr;
  MUST(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  for (int i = 0; i < 2000; ++i) MUST(aclrtMemset(memory, kBytes, i, kBytes));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "";
  if (way == "two" && fork() == 0) {  // one process that ends well, and one that does not
    race(false);
    std::exit(0);
  }
  if (way == "two") wait(nullptr);
  race(argc > 2);
  if (way == "many") fill_often();
  if (way == "wait_for_ever") pause();
  if (way == "kill") kill(getpid(), SIGKILL);
  if (way == "abort") std::abort();
  if (way == "_exit" || way == "two") _exit(0);
  if (way == "_exit5") _exit(5);
  if (way == "quick_exit") std::quick_exit(0);
  if (way == "exec") execlp("true", "true", nullptr);
  if (way == "reset") {
    MUST(aclsimResetAll());
    _exit(0);
  }
  return 0;
}
