// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace order {

/// Reductions of one kind onto the same bytes may run at the same time. An atomic access (all 8
/// bytes at once, to be waited for) may run while others read, or wait.
enum class AccessKind : std::uint8_t { plain, reduction, atomic };

/// An operation or a call, as a report names it. Plain data: it is copied into every range of
/// memory that the operation accesses.
struct OpInfo {
  const char* what = "";   // "copy", the kernel's name, "aclrtFree"; lives as long as the process
  std::uint64_t site = 0;  // where the program asked for it: a code address, or a number of a table
  std::uint32_t stream = kNoStream;
  std::uint32_t thread = 0;  // the host thread that asked
  std::uint32_t number = 0;  // which one of its stream, from 1; 0: unknown
  std::int16_t device = -1;
  bool on_default_stream : 1 = false;
  bool declared : 1 = true;  // false: what it touches is a guess (a kernel without declared ranges)
  bool cuda : 1 = false;     // asked for by a call of CUDA: repairs name CUDA's calls
  bool in_graph : 1 = false;  // `stream` is one that the machine runs the graph in
  bool sole : 1 = false;      // a guess about one allocation: it writes there, or nowhere
  bool observed : 1 = false;  // its accesses are known from its run
  // Of host code that touches memory: in a function that a stream runs; the stream goes on beside
  // it.
  bool in_function : 1 = false;
  bool beside_stream : 1 = false;
  // The number of the call, among all calls of the program: of an operation of a graph, and of an
  // access in a function of a stream, the call that launched it. 0: not known.
  std::uint32_t called = 0;
  std::uint32_t captured = 0;  // of an operation of a graph: the same of the call that captured it

  static constexpr std::uint32_t kNoStream = ~std::uint32_t{0};
};

/// Bytes that an operation reads or writes, and how.
struct Access {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  bool write = false;
  bool host = false;   // host memory
  bool frees = false;  // the bytes are gone afterwards
  AccessKind kind = AccessKind::plain;
  bool hands_out = false;  // an allocation: the content of the bytes is undefined
  // The operation and type of a reduction. Two that differ may not run at the same time; 0: not
  // known, and taken to be like any other.
  std::uint16_t reduction = 0;
};

inline bool overlap(const Access& a, const Access& b) noexcept {
  return a.begin < b.begin + b.size && b.begin < a.begin + a.size;
}
/// The two may not run at the same time, as far as bytes and kinds show it. Waits for a word and
/// changes of it may.
inline bool conflict(const Access& a, const Access& b) noexcept {
  if (!overlap(a, b) || (!a.write && !b.write)) return false;
  if (a.kind == AccessKind::atomic || b.kind == AccessKind::atomic) return false;
  return a.kind == AccessKind::plain || b.kind == AccessKind::plain;
}

/// The access, reduced to the bytes that it has in common with another one.
inline Access common_bytes(Access access, const Access& with) noexcept {
  const std::uintptr_t end = access.begin + access.size, other_end = with.begin + with.size;
  access.begin = access.begin < with.begin ? with.begin : access.begin;
  access.size = (end < other_end ? end : other_end) - access.begin;
  return access;
}

/// True if the program called for `a` before `b`, as far as that is known. Numbers of calls wrap.
inline bool is_called_before(const OpInfo& a, const OpInfo& b) noexcept {
  if (a.called == 0 || b.called == 0) return false;
  const bool same = a.called == b.called;
  return static_cast<std::int32_t>(same ? a.captured - b.captured : a.called - b.called) < 0;
}

inline const char* access_verb(bool writes) { return writes ? "writes" : "reads"; }

}  // namespace order
