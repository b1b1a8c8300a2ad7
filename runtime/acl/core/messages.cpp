// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/messages.h"

#include <atomic>

#include "device_sim/base/mutex.h"
#include "runtime/acl/core/thread_state.h"

namespace acl {
namespace {

constexpr std::size_t kMessageLimit = 8192;

std::atomic<bool> shared_now{false};
sim::Mutex shared_mutex;

std::string& shared_messages() REQUIRES(shared_mutex) {
  static auto& messages = *new std::string;  // threads may fail while the process ends
  return messages;
}

void put_first(std::string& messages, const std::string& line) {
  messages.insert(0, messages.empty() ? line : line + '\n');
  if (messages.size() > kMessageLimit) messages.resize(kMessageLimit);
}

}  // namespace

void keep_message(const std::string& line) {
  if (!shared_now) return put_first(thread_state().messages, line);
  const sim::LockGuard guard(shared_mutex);
  put_first(shared_messages(), line);
}

const char* take_messages() {
  ThreadState& state = thread_state();
  if (shared_now) {
    const sim::LockGuard guard(shared_mutex);
    state.messages.swap(shared_messages());
    shared_messages().clear();
  }
  if (state.messages.empty()) return nullptr;
  state.read_message.swap(state.messages);
  state.messages.clear();
  return state.read_message.c_str();
}

void share_messages(bool shared) {
  const sim::LockGuard guard(shared_mutex);
  shared_now = shared;
  shared_messages().clear();
}

}  // namespace acl
