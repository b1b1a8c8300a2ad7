// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "acl/acl_base.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/shmem/pe/pe.h"
#include "shmem/host_device/shmem_common_types.h"

namespace shmem {

/// `nelems` elements: every `to_stride`-th of the target, every `from_stride`-th of the source.
struct Elements {
  std::size_t bytes = 1;  // of one element
  std::size_t count = 0;
  std::ptrdiff_t to_stride = 1;
  std::ptrdiff_t from_stride = 1;
};

/// A word at a PE that is changed after the data has arrived. `address` null: none.
struct SignalSpec {
  void* address = nullptr;
  std::int32_t value = 0;
  int op = ACLSHMEM_SIGNAL_SET;
};

/// When a call whose work is a task of a stream returns.
enum class Returns { when_done, at_once };

/// Move the bytes, after all ops of the library's stream. Raise ACLSHMEM_INVALID_PARAM.
void put(acl::embedding::Caller caller, void* to, const void* from, const Elements& elements,
         int pe, Returns returns, const SignalSpec& signal = {});
void get(acl::embedding::Caller caller, void* to, const void* from, const Elements& elements,
         int pe, Returns returns);
void signal(acl::embedding::Caller caller, const SignalSpec& signal, int pe);
/// Move one element from and to host memory.
void put_value(acl::embedding::Caller caller, void* to, const void* value, std::size_t bytes,
               int pe);
void get_value(acl::embedding::Caller caller, void* value, const void* from, std::size_t bytes,
               int pe);

/// Describes work in traces and reports. The name is a literal.
struct Task {
  const char* name;
  std::size_t bytes;
  /// The memory that it writes and reads, as addresses of the program; null: words that
  /// synchronise, or no memory.
  const void* written = nullptr;
  const void* read = nullptr;
  Elements elements{};
  /// The keys of the changes of words that it makes (Pe::tell_change); 0: none.
  std::uint64_t key = 0;
  std::uint64_t second_key = 0;
};
/// Enqueues `work` as an op of the library's stream.
void enqueue(acl::embedding::Caller caller, Pe& me, const Task& task, std::function<void()> work);

/// Does the work of a call: immediately, or as a task if tasks are measured. Objects that `work`
/// refers to must live until the call returns, or until the task ends for at_once.
template <class Work>
void perform(acl::embedding::Caller caller, Pe& me, const Task& task, Returns returns, Work work) {
  if (me.shown()) [[unlikely]] {
    enqueue(caller, me, task, std::move(work));
    if (returns == Returns::when_done) me.drain();
    return;
  }
  me.drain();
  work();
}

/// Work at a PE on another host: `begin` issues it, and it is complete when it has arrived.
struct RemoteWork {
  int pe = 0;
  /// It begins when everything that was issued for the PE before has arrived.
  bool behind_all = false;
  std::function<void(Connections&)> begin{};
};
/// `at_once`: the call returns when the work has begun. Raises ACLSHMEM_INNER_ERROR if the PE is
/// lost.
void perform_remote(acl::embedding::Caller caller, Pe& me, const Task& task, Returns returns,
                    RemoteWork work);
/// The same as an op of a stream; null: the library's stream.
void enqueue_remote(acl::embedding::Caller caller, Pe& me, const Task& task, RemoteWork work,
                    aclrtStream stream, std::vector<acl::embedding::Range> ranges = {});

/// A change of a word at a PE on another host, which is woken.
struct RemoteChange {
  int pe = 0;
  std::size_t offset = 0;
  fabric::Atomic what{};
};
/// Returns the old value of the word if `asks`.
std::uint64_t change_remote(acl::embedding::Caller caller, Pe& me, const Task& task,
                            const RemoteChange& change, bool asks = true);

/// While it lives, the library's stream has an op of this name, if tasks are measured. Used for
/// calls in which the host waits.
class Shown {
 public:
  Shown(acl::embedding::Caller caller, Pe& me, const char* name);
  ~Shown();
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;

 private:
  std::shared_ptr<acl::embedding::Signal> end_;
};

/// Aligned elements of 1, 2, 4 and 8 bytes are copied with one store.
void copy_element(std::byte* to, const std::byte* from, std::size_t bytes);
/// Locates the word. Raises ACLSHMEM_INVALID_PARAM.
PeAddress signal_word(const Pe& me, const SignalSpec& signal, int pe);
void change_word(std::byte* word, const SignalSpec& signal);
WordEffect effect_of(const SignalSpec& signal);
void change_remote_word(Connections& connections, int pe, const PeAddress& word,
                        const SignalSpec& signal);

/// The same as ops of a stream; null: the library's stream.
void put_on_stream(acl::embedding::Caller caller, void* to, const void* from, std::size_t bytes,
                   int pe, aclrtStream stream);
void get_on_stream(acl::embedding::Caller caller, void* to, const void* from, std::size_t bytes,
                   int pe, aclrtStream stream);
void signal_on_stream(acl::embedding::Caller caller, const SignalSpec& signal, int pe,
                      aclrtStream stream);
void wait_on_stream(acl::embedding::Caller caller, std::int32_t* word, int cmp, std::int32_t value,
                    aclrtStream stream);
void quiet_on_stream(acl::embedding::Caller caller, aclrtStream stream);
void barrier_on_stream(acl::embedding::Caller caller, int team, aclrtStream stream);

}  // namespace shmem
