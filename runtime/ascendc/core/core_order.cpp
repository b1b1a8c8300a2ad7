// SPDX-License-Identifier: Apache-2.0
// The memory accesses of instructions, and the errors in their order.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/ascendc/core/core.h"

namespace ascendc {

std::string Core::words(const What& what, Pipe pipe) {
  return fmt::format("{} ({}, {})", what.name, name(pipe), host_->place_of(what.site));
}

void Core::require_memory(const void* address, bool local, const char* called, const char* which,
                          const void* site) {
  if (!vector::is_nowhere(address)) return;
  violated("tensor-empty",
           fmt::format("{}: {} is empty: {}", called, which,
                       local ? "no memory was taken for this LocalTensor"
                             : "this GlobalTensor was given no address"),
           site);
}

namespace {

constexpr std::uintptr_t kHostPage = 4096;

std::string words_past(const GmRange& piece, std::uintptr_t begin, std::uint64_t bytes, bool write,
                       const char* called) {
  return fmt::format("{}: {} {} bytes at {:#x}, {} bytes past the end of an allocation of {} bytes",
                     called, write ? "writes" : "reads", bytes, begin,
                     begin + bytes - (piece.begin + piece.size), piece.size);
}

}  // namespace

void Core::require_global(std::uintptr_t begin, std::uint64_t bytes, bool write, const char* called,
                          const void* site) {
  if (bytes == 0) return;
  const auto inside = [begin](const GmRange& piece) { return begin - piece.begin < piece.size; };
  const GmRange* piece = std::find_if(pieces_.begin(), pieces_.end(), inside);
  if (piece == pieces_.end()) {
    GmRange found;
    if (!host_->find_global(begin, found)) {
      if (host_->find_freed(begin, found) && found.begin + found.size - begin >= bytes) {
        found_once("gm-freed",
                   fmt::format("{}: {} {} bytes at {:#x}, {}", called, write ? "writes" : "reads",
                               bytes, begin, host_->beside(begin)),
                   site);
        return;
      }
      if (host_->find_global_before(begin, found) &&
          passed_allocation(found, begin, bytes, write, called, site)) {
        return;
      }
      const std::string beside = host_->beside(begin);
      violated("gm-exceeded",
               fmt::format("{}: {} {} bytes at {:#x}, {}", called, write ? "writes" : "reads",
                           bytes, begin,
                           beside.empty() ? "where no memory of the device is allocated" : beside),
               site);
    }
    pieces_[next_piece_] = found;
    piece = &pieces_[next_piece_];
    next_piece_ = (next_piece_ + 1) % pieces_.size();
  }
  const std::uint64_t left = piece->size - (begin - piece->begin);
  if (bytes <= left || passed_allocation(*piece, begin, bytes, write, called, site)) return;
  violated("gm-exceeded", words_past(*piece, begin, bytes, write, called), site);
}

bool Core::passed_allocation(const GmRange& piece, std::uintptr_t begin, std::uint64_t bytes,
                             bool write, const char* called, const void* site) {
  const std::uintptr_t end = piece.begin + piece.size;
  const std::uint64_t room = (piece.size + 31) / 32 * 32 + 32;
  const std::uintptr_t page_end = (end + kHostPage - 1) / kHostPage * kHostPage;
  if (begin + bytes > std::min(piece.begin + room, page_end)) return false;
  found_once("gm-exceeded", words_past(piece, begin, bytes, write, called), site);
  return true;
}

void Core::touch(const Issued& issued, std::uintptr_t begin, std::uint64_t bytes, bool write,
                 std::uint64_t tensor) {
  if (bytes == 0) return;
  std::uint64_t offset = 0;
  const Memory where = locate(reinterpret_cast<const void*>(begin), offset);
  touch({where, where == Memory::count ? begin : offset}, issued, bytes, write, tensor);
}

void Core::touch(const Place& place, const Issued& issued, std::uint64_t bytes, bool write,
                 std::uint64_t tensor) {
  const auto [where, at] = place;
  const bool global = where == Memory::count;
  if (!global) {
    const MemoryRow& row = row_of(where);
    if (bytes > row.all() - at) {
      violated("local-exceeded",
               fmt::format("{}: {} bytes at offset {} pass the end of {}, which has {}",
                           issued.name, bytes, at, row.name, row.all()),
               issued.site);
    }
    if (at + bytes > row.bytes) uses_reserved(issued.name, at, bytes, issued.site);
  }
  const std::uint32_t what =
      whats_.number({issued.site, issued.name, static_cast<std::uint32_t>(tensor)});
  // The C interface has addresses, which may be of arrays: no tensor, no length.
  const aclsimOperand& first = issued.instruction.operand[0];
  const bool of_pointers =
      issued.instruction.operands != 0 && first.bytes == 0 && first.tensor == 0;
  if (!global && at + bytes > first_array_ && !of_pointers) {
    tell_arrays(issued, what, where, at, at + bytes, write);
  }
  record(place, issued, bytes, write, what);
}

void Core::record(const Place& place, const Issued& issued, std::uint64_t bytes, bool write,
                  std::uint32_t what) {
  const auto [where, at] = place;
  const bool global = where == Memory::count;
  Shadow& shadow = global ? global_ : local_[static_cast<std::size_t>(where)];
  conflicts_.clear();
  if (write) {
    shadow.write(at, at + bytes, issued.pipe, {issued.tick, what}, clocks_, conflicts_);
  } else {
    const bool any = global || issued.unwritten == Unwritten::none;
    std::uint64_t missing = any ? at + bytes : shadow.unwritten(at, at + bytes);
    if (missing != at + bytes && issued.unwritten == Unwritten::blocks) {
      missing = shadow.unwritten_block(at, at + bytes);
    }
    if (missing != at + bytes) tell_unwritten(issued, what, where, missing, at, at + bytes);
    shadow.read(at, at + bytes, issued.pipe, {issued.tick, what}, clocks_, conflicts_);
  }
  if (!conflicts_.empty()) tell_conflicts(issued, what, write);
  if (!global && shared_[static_cast<std::size_t>(where)]) {
    record_shared(place, issued, bytes, write, what);
  }
}

std::uint32_t Core::serve(std::uintptr_t begin, std::uint64_t bytes, bool write, const char* called,
                          const void* site) {
  settle();
  if (!options_.checks || bytes == 0) return 0;
  static constexpr aclsimInstruction kNone{};
  const Issued issued{kNone, Pipe::s, called, site, clocks_.step_of_scalar()};
  if (write) {
    host_->writes_global(*this, {begin, nullptr, bytes, false, site, Pipe::s, issued.tick});
  }
  touch({Memory::count, begin}, issued, bytes, write, 0);
  return issued.tick;
}

void Core::served(std::uint32_t step) {
  Clock over{};
  over[static_cast<std::size_t>(Pipe::s)] = step;
  order_after(over);
}

void Core::order_after(const Clock& clock) {
  for (std::size_t pipe = 0; pipe < kPipes; ++pipe) clocks_.wait(static_cast<Pipe>(pipe), clock);
}

void Core::tell_arrays(const Issued& issued, std::uint32_t what, Memory memory, std::uint64_t begin,
                       std::uint64_t end, bool write) {
  if (memory != Memory::ub) return;
  const std::string tensor = queues_.describe(whats_[what].buffer);
  bool fresh = false;
  for (const LocalArray& array : arrays_) {
    if (array.memory != memory || begin >= array.begin + array.bytes || end <= array.begin)
      continue;
    if (!fresh && !told_.insert({what, ~1U}).second) return;
    fresh = true;
    Finding finding{.level = Level::error,
                    .rule = "array-overlap",
                    .site = issued.site,
                    .other = array.site,
                    .other_what = "__ubuf__ array"};
    finding.text = fmt::format(
        "{} {} bytes {} to {} of {}{}{}{}, where the __ubuf__ array {} ({}) has bytes {} to {}",
        issued.name, write ? "writes" : "reads", begin, end, arch_->memories[0].name,
        tensor.empty() ? "" : " (", tensor, tensor.empty() ? "" : ")", array.name,
        host_->place_of(array.site), array.begin, array.begin + array.bytes);
    finding.repair =
        fmt::format("tensors in the first {} bytes, or smaller arrays", arrays_begin());
    host_->found(finding);
  }
}

void Core::tell_unwritten(const Issued& issued, std::uint32_t what, Memory memory,
                          std::uint64_t offset, std::uint64_t begin, std::uint64_t end) {
  if (!told_.insert({what, ~0U}).second) return;
  const std::string tensor = queues_.describe(whats_[what].buffer);
  host_->found({.level = Level::error,
                .rule = "local-unwritten",
                .text = fmt::format(
                    "{} reads bytes {} to {} of {}{}{}{}, and nothing has written byte {}",
                    issued.name, begin, end, arch_->memories[static_cast<std::size_t>(memory)].name,
                    tensor.empty() ? "" : " (", tensor, tensor.empty() ? "" : ")", offset),
                .site = issued.site});
}

void Core::tell_conflicts(const Issued& issued, std::uint32_t what, bool write) {
  for (const Conflict& conflict : conflicts_) {
    if (!told_.insert({conflict.earlier.what, what}).second) continue;
    const What& earlier = whats_[conflict.earlier.what];
    const std::string tensor = queues_.describe(whats_[what].buffer);
    Finding finding{.level = Level::error, .rule = "pipe-race", .site = issued.site};
    finding.other = earlier.site;
    finding.other_what = earlier.name;
    finding.text =
        fmt::format("{} {} bytes {:#x} to {:#x}{}{}{} that {} {}, and nothing orders them",
                    words(whats_[what], issued.pipe), write ? "writes" : "reads", conflict.begin,
                    conflict.end, tensor.empty() ? "" : " (", tensor, tensor.empty() ? "" : ")",
                    words(earlier, conflict.pipe), conflict.earlier_wrote ? "writes" : "reads");
    const EventPipes* const event = event_between(conflict.pipe, issued.pipe);
    finding.repair =
        event ? fmt::format(
                    "SetFlag<HardEvent::{0}> after {1} and WaitFlag<HardEvent::{0}> before "
                    "{2}, or EnQue and DeQue between them",
                    event->name, host_->place_of(earlier.site), host_->place_of(issued.site))
              : fmt::format("PipeBarrier<PIPE_ALL> between {} and {}",
                            host_->place_of(earlier.site), host_->place_of(issued.site));
    host_->found(finding);
  }
}

}  // namespace ascendc
