// SPDX-License-Identifier: Apache-2.0
// Two processes that share memory, an event and a notify: `ipc_pair CASE [ok]`. Without ok each
// case has a bug between the two; with it the bug is repaired.
#include <acl/acl.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#define MUST(call)                                                      \
  do {                                                                  \
    const int code_ = (call);                                           \
    if (code_ != ACL_SUCCESS) {                                         \
      std::fprintf(stderr, "%d: %s gave %d\n", __LINE__, #call, code_); \
      std::_Exit(9);                                                    \
    }                                                                   \
  } while (false)

namespace {

constexpr size_t kBytes = 4096;
constexpr uint64_t kAnyProcess = ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
constexpr uint64_t kAnyProcessForNotifies = ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION;

/// The data that the owner sends to the peer before the start.
struct Keys {
  std::array<char, 65> memory{};
  std::array<char, 65> notify{};
  aclrtIpcEventHandle event{};
};

/// Both ends of a talk: words of one letter, through descriptors that exec leaves open.
struct Line {
  int in, out;
  void say(char word) const {
    if (write(out, &word, 1) != 1) std::_Exit(8);
  }
  void hear() const {
    char word = 0;
    if (read(in, &word, 1) != 1) std::_Exit(8);
  }
};

struct Side {
  std::string what;
  bool ok;
  Line line;
  aclrtStream stream = nullptr;
  void* memory = nullptr;  // what both have
  aclrtEvent event = nullptr;
  aclrtNotify notify = nullptr;

  bool is(const char* name) const { return what == name; }
  bool may_block() const { return is("cycle") || is("nobody"); }
  void begin() {
    MUST(aclInit(nullptr));
    MUST(aclrtSetDevice(0));
    MUST(aclrtCreateStream(&stream));
  }
  void end() {
    MUST(aclrtDestroyNotify(notify));
    MUST(aclrtDestroyEvent(event));
    MUST(aclrtDestroyStream(stream));
    MUST(aclrtResetDevice(0));
    MUST(aclFinalize());
  }
};

void own(Side& side, Keys& keys) {
  side.begin();
  MUST(aclrtMalloc(&side.memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  if (side.is("before")) {  // written before it is shared
    MUST(aclrtMemsetAsync(side.memory, kBytes, 1, kBytes, side.stream));
    if (side.ok) MUST(aclrtSynchronizeStream(side.stream));
  }
  MUST(aclrtIpcMemGetExportKey(side.memory, kBytes, keys.memory.data(), keys.memory.size(),
                               side.is("import") ? 0 : kAnyProcess));
  MUST(aclrtCreateEventExWithFlag(&side.event, ACL_EVENT_IPC));
  MUST(aclrtIpcGetEventHandle(side.event, &keys.event));
  MUST(aclrtCreateNotify(&side.notify, 0));
  MUST(aclrtNotifyGetExportKey(side.notify, keys.notify.data(), keys.notify.size(),
                               kAnyProcessForNotifies));
}

bool merges(const Side& side) {
  return side.is("under") || side.is("kinds") || side.is("sums") || side.is("word");
}

/// Copies the second half of the memory onto the first. No process writes the second half.
void reduce(const Side& side, aclrtReduceKind kind) {
  constexpr size_t kHalf = kBytes / 2;
  MUST(aclrtReduceAsync(side.memory, static_cast<char*>(side.memory) + kHalf, kHalf, kind,
                        ACL_INT32, side.stream, nullptr));
}

/// A fill under a reduction, or reductions of two kinds, or a word that is set and filled.
void merge_as_owner(const Side& side) {
  if (side.is("under")) MUST(aclrtMemsetAsync(side.memory, 64, 0, 64, side.stream));
  if (side.is("word")) {
    MUST(aclrtValueWrite(side.memory, 1, 0, side.stream));
  } else {
    reduce(side, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM);
  }
  if (side.ok) MUST(aclrtRecordEvent(side.event, side.stream));
}

void merge_as_peer(const Side& side) {
  if (side.ok) MUST(aclrtStreamWaitEvent(side.stream, side.event));
  if (side.is("word")) {
    MUST(aclrtMemsetAsync(side.memory, 8, 0, 8, side.stream));
  } else {
    reduce(side,
           side.is("kinds") ? ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX : ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM);
  }
}

/// Waits for the peer only in the repaired case.
void stand(Side& side) {
  alarm(60);  // no other process ends it if the deadlock is not reported
  MUST(aclrtWaitAndResetNotify(side.notify, side.stream, 0));
  if (side.is("cycle")) MUST(aclrtRecordEvent(side.event, side.stream));
  side.line.say('g');
  MUST(aclrtSynchronizeStream(side.stream));
}

constexpr int kRounds = 3;

/// Fills the memory in each round, after the copy of the peer in the round before.
void fill_in_rounds(const Side& side) {
  for (int round = 0; round < kRounds; ++round) {
    if (round > 0) MUST(aclrtStreamWaitEvent(side.stream, side.event));
    MUST(aclrtMemsetAsync(side.memory, kBytes, round, kBytes, side.stream));
    if (side.ok || round == 0) MUST(aclrtRecordNotify(side.notify, side.stream));
    side.line.say('r');
    side.line.hear();
  }
}

/// Copies it in each round; after the fill, or, with the bug, in the first round only.
void copy_in_rounds(const Side& side, void* copy) {
  for (int round = 0; round < kRounds; ++round) {
    if (round > 0) side.line.hear();
    if (side.ok || round == 0) MUST(aclrtWaitAndResetNotify(side.notify, side.stream, 0));
    MUST(aclrtMemcpyAsync(copy, kBytes, side.memory, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
                          side.stream));
    MUST(aclrtRecordEvent(side.event, side.stream));
    side.line.say('r');
  }
}

void run_owner(Side& side, const Keys& keys, pid_t peer) {
  aclrtStream other = nullptr;
  const auto write_it = [&] {
    MUST(aclrtMemsetAsync(side.memory, kBytes, 1, kBytes, side.stream));
  };
  if (side.is("import")) {
    int32_t pid = peer;
    if (!side.ok) side.line.hear();  // it has tried already
    MUST(aclrtIpcMemSetImportPid(keys.memory.data(), &pid, 1));
  }
  side.line.say('i');  // import
  side.line.hear();
  if (side.is("race")) {
    write_it();
    if (side.ok) MUST(aclrtRecordEvent(side.event, side.stream));
  } else if (side.is("notify")) {
    if (side.ok) write_it();
    MUST(aclrtRecordNotify(side.notify, side.stream));
    if (!side.ok) write_it();  // behind the record: the wait of the other does not cover it
  } else if (side.is("host")) {
    write_it();
    MUST(aclrtSynchronizeStream(side.stream));
  } else if (side.is("killed")) {
    write_it();
  } else if (side.is("trip")) {  // to the other process and back, to another stream
    write_it();
    MUST(aclrtRecordEvent(side.event, side.stream));
    MUST(aclrtCreateStream(&other));
    MUST(aclrtWaitAndResetNotify(side.notify, other, 0));
    MUST(aclrtMemsetAsync(side.memory, kBytes, 2, kBytes, other));
  } else if (merges(side)) {
    merge_as_owner(side);
  } else if (side.is("rounds")) {
    fill_in_rounds(side);
  }
  if (side.may_block()) stand(side);
  aclrtNotify gate = nullptr;
  if (side.is("late")) {  // enqueued before the other's access, done after it
    MUST(aclrtCreateNotify(&gate, 0));
    MUST(aclrtCreateStream(&other));
    MUST(aclrtWaitAndResetNotify(gate, side.stream, 0));
    if (!side.ok) write_it();
  }
  if (!side.may_block() && !side.is("rounds")) side.line.say('g');  // go
  side.line.hear();
  if (gate) {
    if (side.ok) write_it();
    MUST(aclrtRecordNotify(gate, other));
    MUST(aclrtSynchronizeStream(side.stream));
    MUST(aclrtDestroyNotify(gate));
  }
  if (side.is("killed")) return;
  if (side.is("close")) MUST(aclrtIpcMemClose(keys.memory.data()));
  side.line.say('e');  // end
  side.line.hear();
  MUST(aclrtSynchronizeStream(side.stream));
  if (other) MUST(aclrtSynchronizeStream(other));
  if (other) MUST(aclrtDestroyStream(other));
  if (!side.is("close")) MUST(aclrtIpcMemClose(keys.memory.data()));
  MUST(aclrtFree(side.memory));
}

void run_peer(Side& side, const Keys& keys) {
  side.begin();
  if (side.is("import") && !side.ok) {
    void* unused = nullptr;
    if (aclrtIpcMemImportByKey(&unused, keys.memory.data(), 0) == ACL_SUCCESS) std::_Exit(7);
    side.line.say('t');
  }
  side.line.hear();
  MUST(aclrtIpcMemImportByKey(&side.memory, keys.memory.data(), 0));
  MUST(aclrtIpcOpenEventHandle(keys.event, &side.event));
  MUST(aclrtNotifyImportByKey(&side.notify, keys.notify.data(), 0));
  void* copy = nullptr;
  MUST(aclrtMalloc(&copy, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  side.line.say('i');
  side.line.hear();
  if ((side.is("race") || side.is("trip")) && side.ok) {
    MUST(aclrtStreamWaitEvent(side.stream, side.event));
  }
  if (side.is("notify")) MUST(aclrtWaitAndResetNotify(side.notify, side.stream, 0));
  if (side.is("cycle")) {  // each waits before the record that the other waits for
    if (side.ok) MUST(aclrtRecordNotify(side.notify, side.stream));
    MUST(aclrtStreamWaitEvent(side.stream, side.event));
    if (!side.ok) MUST(aclrtRecordNotify(side.notify, side.stream));
  } else if (side.is("nobody")) {  // each leaves the record to the other
    if (side.ok) MUST(aclrtRecordNotify(side.notify, side.stream));
    if (!side.ok) MUST(aclrtWaitAndResetNotify(side.notify, side.stream, 0));
  } else if (side.is("trip")) {
    MUST(aclrtRecordNotify(side.notify, side.stream));
  } else if (merges(side)) {
    merge_as_peer(side);
  } else if (side.is("rounds")) {
    copy_in_rounds(side, copy);
  } else {
    MUST(aclrtMemcpyAsync(copy, kBytes, side.memory, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
                          side.stream));
  }
  const bool waits = side.ok || (!side.is("close") && !side.is("drop"));
  if (waits) MUST(aclrtSynchronizeStream(side.stream));
  if (side.is("drop")) MUST(aclrtIpcMemClose(keys.memory.data()));
  side.line.say('g');
  if (side.is("killed")) std::raise(SIGKILL);
  side.line.hear();
  MUST(aclrtSynchronizeStream(side.stream));
  MUST(aclrtFree(copy));
  if (!side.is("drop")) MUST(aclrtIpcMemClose(keys.memory.data()));
  side.line.say('e');
}

int end_of(pid_t peer) {
  int status = 0;
  waitpid(peer, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 5;
  Side side{arguments[1], count > 2 && std::strcmp(arguments[2], "ok") == 0, {0, 0}};
  Keys keys;
  if (count > 4) {                     // CASE ok|bug IN OUT: the peer
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // who waits for ever ends with the owner
    side.line = {std::atoi(arguments[3]), std::atoi(arguments[4])};
    if (read(side.line.in, &keys, sizeof keys) != sizeof keys) return 4;
    run_peer(side, keys);
    side.end();
    return 0;
  }
  int to[2], from[2];
  if (pipe(to) != 0 || pipe(from) != 0) return 3;
  const pid_t peer = fork();
  if (peer == 0) {
    const std::string in = std::to_string(to[0]), out = std::to_string(from[1]);
    execl("/proc/self/exe", arguments[0], arguments[1], side.ok ? "ok" : "bug", in.c_str(),
          out.c_str(), nullptr);
    std::_Exit(2);
  }
  side.line = {from[0], to[1]};
  own(side, keys);
  if (write(to[1], &keys, sizeof keys) != sizeof keys) return 3;
  run_owner(side, keys, peer);
  const int code = end_of(peer);
  if (code == 0) side.end();
  return code;
}
