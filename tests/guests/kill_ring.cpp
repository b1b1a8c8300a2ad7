// SPDX-License-Identifier: Apache-2.0
// Three processes that share memory and take turns by notifies: `kill_ring VICTIM STEP`. Just
// before its call number STEP the victim is killed: program, peer or reader itself, launcher by the
// program. The others print how they end: "ROLE CODE".
#include <acl/acl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr size_t kBytes = 4096;
constexpr int kRounds = 25;
constexpr unsigned kHangs_s = 60;
constexpr uint64_t kAnyProcess = ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
constexpr uint64_t kAnyProcessForNotifies = ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION;

using Key = std::array<char, 65>;

const char* g_role = "program";
std::string g_victim;
int g_step = 0, g_kill_at = 0;
pid_t g_launcher = 0;

[[noreturn]] void end(int code) {
  std::printf("%s %d\n", g_role, code);
  std::fflush(stdout);
  std::_Exit(0);
}

void step() {
  if (++g_step != g_kill_at) return;
  if (g_victim == g_role) kill(getpid(), SIGKILL);
  if (g_victim == "launcher" && std::string(g_role) == "program") kill(g_launcher, SIGKILL);
}

#define MUST(call)                        \
  do {                                    \
    step();                               \
    const int code_ = (call);             \
    if (code_ != ACL_SUCCESS) end(code_); \
  } while (false)

void say(int to, const Key& key) {
  if (write(to, key.data(), key.size()) != static_cast<ssize_t>(key.size())) end(0);
}
void hear(int from, Key& key) {
  if (read(from, key.data(), key.size()) != static_cast<ssize_t>(key.size())) end(0);
}

/// A side of a pair: it records its own notify and waits for the other's, so that each wait ends
/// when its process does.
struct Turn {
  aclrtNotify own = nullptr, other = nullptr;
  Key key{};
  void make() {
    MUST(aclrtCreateNotify(&own, 0));
    MUST(aclrtNotifyGetExportKey(own, key.data(), key.size(), kAnyProcessForNotifies));
  }
  void give(aclrtStream stream) const { MUST(aclrtRecordNotify(own, stream)); }
  void take(aclrtStream stream) const { MUST(aclrtWaitAndResetNotify(other, stream, 0)); }
};

struct Client {
  pid_t process = 0;
  int to = -1, from = -1;
  Turn turn;
};

Client start(char** arguments, const char* role) {
  int down[2], up[2];
  if (pipe(down) != 0 || pipe(up) != 0) std::_Exit(8);
  Client client{fork(), down[1], up[0], {}};
  if (client.process == 0) {
    close(down[1]);
    close(up[0]);
    const std::string in = std::to_string(down[0]), out = std::to_string(up[1]);
    execl("/proc/self/exe", arguments[0], arguments[1], arguments[2], role, in.c_str(), out.c_str(),
          nullptr);
    std::_Exit(8);
  }
  close(down[0]);
  close(up[1]);
  return client;
}

aclrtStream begin() {
  aclrtStream stream = nullptr;
  MUST(aclInit(nullptr));
  MUST(aclrtSetDevice(0));
  MUST(aclrtCreateStream(&stream));
  return stream;
}

int run_client(int in, int out) {
  const bool writes = std::string(g_role) == "peer";
  const aclrtStream stream = begin();
  Turn turn;
  turn.make();
  say(out, turn.key);
  Key memory_key{}, notify_key{};
  hear(in, memory_key);
  hear(in, notify_key);
  void *memory = nullptr, *copy = nullptr;
  MUST(aclrtIpcMemImportByKey(&memory, memory_key.data(), 0));
  MUST(aclrtNotifyImportByKey(&turn.other, notify_key.data(), 0));
  MUST(aclrtMalloc(&copy, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  for (int round = 0; round < kRounds; ++round) {
    turn.take(stream);
    MUST(aclrtMemcpyAsync(copy, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    if (writes) MUST(aclrtMemsetAsync(memory, 64, round, 64, stream));
    turn.give(stream);
    MUST(aclrtSynchronizeStream(stream));
  }
  MUST(aclrtIpcMemClose(memory_key.data()));
  MUST(aclrtResetDevice(0));
  return 0;
}

int run_program(char** arguments) {
  Client peer = start(arguments, "peer"), reader = start(arguments, "reader");
  const aclrtStream stream = begin();
  void* memory = nullptr;
  Key memory_key{};
  MUST(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  MUST(aclrtIpcMemGetExportKey(memory, kBytes, memory_key.data(), memory_key.size(), kAnyProcess));
  for (Client* client : {&peer, &reader}) {
    Key key{};
    hear(client->from, key);
    MUST(aclrtNotifyImportByKey(&client->turn.other, key.data(), 0));
    client->turn.make();
    say(client->to, memory_key);
    say(client->to, client->turn.key);
  }
  for (int round = 0; round < kRounds; ++round) {
    MUST(aclrtMemsetAsync(memory, kBytes, round, kBytes, stream));
    for (Client* client : {&reader, &peer}) {
      client->turn.give(stream);
      client->turn.take(stream);
    }
    MUST(aclrtSynchronizeStream(stream));
  }
  for (const Client* client : {&peer, &reader}) waitpid(client->process, nullptr, 0);
  MUST(aclrtIpcMemClose(memory_key.data()));
  MUST(aclrtFree(memory));
  MUST(aclrtResetDevice(0));
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 5;
  g_victim = arguments[1];
  g_kill_at = std::atoi(arguments[2]);
  g_launcher = getppid();
  signal(SIGPIPE, SIG_IGN);
  alarm(kHangs_s);
  if (count > 5) g_role = arguments[3];
  end(count > 5 ? run_client(std::atoi(arguments[4]), std::atoi(arguments[5]))
                : run_program(arguments));
}
