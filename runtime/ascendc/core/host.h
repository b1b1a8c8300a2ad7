// SPDX-License-Identifier: Apache-2.0
// The interface through which a core uses the code that runs it.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/ascendc/core/arch.h"
#include "runtime/ascendc/core/seen.h"

namespace ascendc {

enum class Level : std::uint8_t { note, warning, error };

class Core;

/// Something that the program should not do.
struct Finding {
  Level level = Level::error;
  const char* rule = "";  // the identifier of the kind of finding
  std::string text{};
  const void* site = nullptr;   // where the program did it
  const void* other = nullptr;  // the other half of a conflict
  const char* other_what = "";  // its instruction; lives as long as the process
  std::string repair{};         // empty: the usual one of the rule
  bool for_checker = false;     // a warning that the checker reports
};

/// Why a kernel ends before its function returns.
enum class End : std::uint8_t {
  violation,  // of a rule that hardware answers with an exception
  trap,
  assertion,
  fault,      // an address that nothing is behind
  call,       // of a function where no code is
  division,   // of integers
  floating,   // of floating-point numbers, where the program asked for signals
  overflow,   // of the stack
  exception,  // of C++
  timeout,
  hang,  // it would wait forever
};

/// A piece of global memory.
struct GmRange {
  std::uintptr_t begin = 0;
  std::uint64_t size = 0;
};

/// A write of global memory, in a step of a pipe.
struct GlobalWrite {
  std::uintptr_t begin;
  const void* from;  // the value; null: not known
  std::uint64_t bytes;
  bool atomic;
  const void* site;
  Pipe pipe;
  std::uint32_t tick;
  const Seen* seen = nullptr;  // Host::view when the instruction was issued; null: as it is now
  bool same = false;           // the bytes have these values already
};

class Host {
 public:
  virtual void found(const Finding& finding) = 0;
  /// Does not return where a kernel runs. Tests may throw.
  [[noreturn]] virtual void end(End why) = 0;
  /// The live allocation that holds the address.
  virtual bool find_global(std::uintptr_t address, GmRange& piece) = 0;
  /// The freed allocation that holds the address, if its bytes stay until the kernel ends.
  virtual bool find_freed(std::uintptr_t /*address*/, GmRange& /*piece*/) { return false; }
  /// The live allocation before an address that no allocation holds.
  virtual bool find_global_before(std::uintptr_t /*address*/, GmRange& /*piece*/) { return false; }
  /// The kernel is about to write these bytes of global memory.
  virtual void writes_global(Core&, const GlobalWrite&) {}
  /// The writes that were announced to `writes_global` with a value are complete.
  virtual void wrote_global() {}
  /// The notifications of other cores that instructions are ordered after if they are issued now.
  virtual const Seen* view() const { return nullptr; }
  /// The core with that number in the group of this one: 0 is the cube core. Null: none.
  virtual Core* core_of_group(std::uint32_t /*number*/) { return nullptr; }
  /// A write to local memory that cores of the group share; `begin` is as in Core::group_reads.
  virtual void writes_local(std::uint32_t /*number*/, GlobalWrite /*write*/) {}
  /// The scalar unit reads global memory: it may wait there for another core.
  virtual void reads_word(std::uintptr_t /*begin*/, std::uint64_t /*bytes*/) {}
  /// What it read before has its value; a copy comes that may rely on it.
  virtual void copies_global() {}
  /// The position of an address relative to the nearest allocation: "8 bytes past the end of an
  /// allocation of 4096 bytes at 0x..."; empty if no allocation is near.
  virtual std::string beside(std::uintptr_t /*address*/) { return {}; }
  /// "main.cpp:18"
  virtual std::string place_of(const void* site) = 0;

 protected:
  ~Host() = default;
};

}  // namespace ascendc
