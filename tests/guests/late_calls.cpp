// SPDX-License-Identifier: Apache-2.0
// Mistakes after main() has returned: `late_calls WHERE WHAT [ok]`; with ok there is no mistake.
//   WHERE   static (a static destructor), handler (an exit handler), function (a function with the
//           attribute destructor)
//   WHAT    free, copy, race, leak; with "unfinished-" before it, main does not call aclFinalize
#include <acl/acl.h>

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

/// The order checker is to find the race. ThreadSanitizer, if it is built in, ignores it.
extern "C" const char* __tsan_default_options() { return "report_bugs=0"; }

namespace {

constexpr size_t kBytes = 4096;

struct Plan {
  std::string where, what;
  bool finalizes = true;
  bool ok = false;
  void* memory = nullptr;
};

Plan& plan() {
  static Plan& made = *new Plan;
  return made;
}

void race() {
  char host[8];
  aclrtStream stream = nullptr;
  void* memory = nullptr;
  if (plan().finalizes) MUST(aclInit(nullptr));
  MUST(aclrtSetDevice(0));
  MUST(aclrtCreateStream(&stream));
  MUST(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  MUST(aclrtMemsetAsync(memory, kBytes, 1, kBytes, stream));
  if (plan().ok) MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtMemcpy(host, sizeof host, memory, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST));
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtFree(memory));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtResetDevice(0));
  if (plan().finalizes) MUST(aclFinalize());
}

void late(const char* where) {
  const std::string& what = plan().what;
  if (plan().where != where) return;
  char host[8];
  if (what == "free" && !plan().ok) aclrtFree(plan().memory);
  if (what == "copy" && !plan().ok)
    aclrtMemcpy(host, sizeof host, plan().memory, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST);
  if (what == "race") race();
  if (what == "leak" && plan().ok) MUST(aclrtFree(plan().memory));
}

struct Late {
  ~Late() { late("static"); }
} at_the_end;

[[gnu::destructor]] void at_the_very_end() { late("function"); }

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  plan().where = argv[1];
  plan().what = argv[2];
  plan().ok = argc > 3;
  const std::string unfinished = "unfinished-";
  if (plan().what.rfind(unfinished, 0) == 0) {
    plan().finalizes = false;
    plan().what.erase(0, unfinished.size());
  }
  std::atexit([] { late("handler"); });  // before the first call: it runs after ACL's own handler
  MUST(aclInit(nullptr));
  MUST(aclrtSetDevice(0));
  MUST(aclrtMalloc(&plan().memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  if (plan().what == "leak") return 0;
  MUST(aclrtFree(plan().memory));
  MUST(aclrtResetDevice(0));
  if (plan().finalizes) MUST(aclFinalize());
  return 0;
}
