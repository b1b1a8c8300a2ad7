// SPDX-License-Identifier: Apache-2.0
// Instructions: checked, put into the order of their pipe, computed.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "ascendc/impl/limit_rows.h"
#include "runtime/ascendc/core/core.h"
#include "runtime/ascendc/library/plan.h"
#include "runtime/ascendc/vector/rows.h"

namespace ascendc {
namespace {

// A core that has written more than this to global memory leaves the caches to others.
constexpr std::uint64_t kCached = std::uint64_t{512} << 10;
constexpr std::uint32_t kStreamedRow = 4096;

/// An instruction with a copy of the data that it points to.
struct Kept {
  aclsimInstruction instruction;
  std::vector<std::byte> more;
};

std::shared_ptr<Kept> keep(const aclsimInstruction& instruction, std::size_t more) {
  auto kept = std::make_shared<Kept>();
  kept->instruction = instruction;
  if (instruction.more && more != 0) {
    const auto* const bytes = static_cast<const std::byte*>(instruction.more);
    kept->more.assign(bytes, bytes + more);
    kept->instruction.more = kept->more.data();
  }
  return kept;
}

/// Stores the word atomically if it is aligned, because other cores may wait for it.
void store_word(void* to, const void* value, std::uint64_t bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, value, std::min<std::uint64_t>(bytes, sizeof word));
  const bool aligned = reinterpret_cast<std::uintptr_t>(to) % bytes == 0;
  if (bytes == 8 && aligned) {
    __atomic_store_n(static_cast<std::uint64_t*>(to), word, __ATOMIC_RELEASE);
  } else if (bytes == 4 && aligned) {
    __atomic_store_n(static_cast<std::uint32_t*>(to), static_cast<std::uint32_t>(word),
                     __ATOMIC_RELEASE);
  } else if (bytes == 2 && aligned) {
    __atomic_store_n(static_cast<std::uint16_t*>(to), static_cast<std::uint16_t>(word),
                     __ATOMIC_RELEASE);
  } else {
    std::memcpy(to, value, bytes);
  }
}

bool is_local(const aclsimOperand& operand) { return memory_of(operand.position) != Memory::count; }

/// The alignment of addresses in a memory of the core in copies.
std::uint32_t unit_of(const aclsimOperand& operand) {
  switch (memory_of(operand.position)) {
    case Memory::l0a:
    case Memory::l0b:
      return ACLSIM_FRACTAL_BYTES;
    case Memory::bias:
      return ACLSIM_STEP_COPY_BIAS;
    case Memory::fixpipe:
      return ACLSIM_STEP_COPY_FIXPIPE;
    default:
      return ACLSIM_STEP_COPY_LOCAL;
  }
}

}  // namespace

void Core::issue(const aclsimInstruction& instruction, const void* site) {
  look_for_received();
  if (vector::knows(instruction.opcode)) return issue_vector(instruction, site);
  if (instruction.opcode >= ACLSIM_MOVE_COPY && instruction.opcode <= ACLSIM_MOVE_AXES) {
    return instruction.opcode == ACLSIM_MOVE_AXES ? issue_axes(instruction, site)
                                                  : issue_move(instruction, site);
  }
  if (cube::knows(instruction.opcode)) return issue_cube(instruction, site);
  if (instruction.opcode == ACLSIM_CUBE_MATMUL) return issue_matmul(instruction, site);
  if (library::knows(instruction.opcode)) return issue_library(instruction, site);
  violated("unknown-instruction", fmt::format("instruction {} is not known", instruction.opcode),
           site);
}

void Core::require_live(const aclsimInstruction& instruction, const void* site, const char* name) {
  for (std::uint32_t i = 0; i < instruction.operands; ++i) {
    const std::uint64_t tensor = instruction.operand[i].tensor;
    if (queues_.is_stale(tensor)) {
      violated("tensor-freed", fmt::format("{}: {}", name, queues_.stale(tensor)), site);
    }
  }
}

// Records the elements that the instruction accesses through offsets. If an offset is wrong, for
// example because its write is not ordered before, the whole tensor counts; the error is reported
// when the instruction is executed.
void Core::look_at_values(const aclsimInstruction& instruction) {
  pipes_.drain(Pipe::v);
  const vector::State& state = issue_state();
  if (vector::check_addresses(instruction, state)) return;
  touches_.clear();
  vector::touched(instruction, state, touches_, true);
  vector::join(touches_);
}

void Core::issue_vector(const aclsimInstruction& instruction, const void* site) {
  const char* const called = vector::name(instruction.opcode);
  const vector::State& state = issue_state();
  if (auto wrong = vector::check(instruction, state, touches_)) {
    violated(wrong->fault == vector::Fault::kEmpty ? "tensor-empty" : "instruction",
             std::move(wrong->sentence), site);
  }
  if (options_.checks) require_live(instruction, site, called);
  const Issued issued{instruction, Pipe::v, called, site, step(Pipe::v)};
  if (options_.checks) {
    if (vector::reaches_by_values(instruction.opcode)) look_at_values(instruction);
    if (auto beyond = vector::mask_beyond_lanes(instruction, state)) {
      host_->found(
          {.level = Level::error, .rule = "mask-range", .text = std::move(*beyond), .site = site});
    }
    // Reads come first: an instruction may write the bytes that it reads.
    for (const std::uint8_t access : {ACLSIM_READS, ACLSIM_WRITES}) {
      for (const vector::Touch& t : touches_) {
        if ((t.access & access) == 0) continue;
        const bool whole = t.stride == t.bytes;
        for (std::uint64_t k = 0; k < (whole ? 1 : t.times); ++k) {
          touch(issued, t.address + k * t.stride, whole ? t.bytes * t.times : t.bytes,
                access == ACLSIM_WRITES, instruction.operand[t.operand].tensor);
        }
      }
    }
  }
  if (options_.seeded) return queue_vector(instruction, site);
  compute(instruction, site);
}

void Core::compute(const aclsimInstruction& instruction, const void* site) {
  if (auto wrong = vector::check_addresses(instruction, unit_)) {
    violated("instruction", std::move(wrong->sentence), site);
  }
  vector::execute(instruction, unit_);
}

void Core::queue_vector(const aclsimInstruction& instruction, const void* site) {
  vector::note(instruction, issued_);
  if (vector::answers(instruction.opcode)) {
    pipes_.drain(Pipe::v);
    return compute(instruction, site);
  }
  pipes_.run(Pipe::v, [this, site, kept = keep(instruction, vector::more_bytes(instruction))] {
    compute(kept->instruction, site);
  });
}

void Core::check_end(const Issued& issued, const aclsimOperand& operand, std::uintptr_t begin,
                     std::uint64_t bytes) {
  if (operand.bytes == 0) return;
  const auto first = reinterpret_cast<std::uintptr_t>(operand.address);
  const std::uintptr_t end = first + operand.bytes;
  if (begin >= first && bytes <= end - begin && begin <= end) return;
  const bool is_dst = &operand == issued.instruction.operand;
  const char* const side = is_dst ? "dst" : "src";
  std::string text;
  if (vector::is_past(operand)) {
    const std::string beside = is_local(operand) ? std::string() : host_->beside(first);
    text = fmt::format("{}: {} begins {} bytes past the end of its tensor{}{}", issued.name, side,
                       ~operand.bytes, beside.empty() ? "" : ", ", beside);
  } else {
    text =
        fmt::format("{}: {} has {} bytes from its address on, bytes {} to {} are {}", issued.name,
                    side, operand.bytes, static_cast<std::int64_t>(begin - first),
                    static_cast<std::int64_t>(begin - first + bytes), is_dst ? "written" : "read");
  }
  passed_tensor(begin, bytes, is_local(operand), std::move(text), issued.site);
}

// The bytes behind a tensor are memory as well, up to the end of the buffer. The allocation of
// global memory is checked later.
void Core::passed_tensor(std::uintptr_t begin, std::uint64_t bytes, bool local, std::string text,
                         const void* site) {
  std::uint64_t at = 0;
  const Memory memory = locate(reinterpret_cast<const void*>(begin), at);
  const bool exists = memory != Memory::count && bytes <= row_of(memory).all() - at;
  if (local && !exists) violated("tensor-exceeded", std::move(text), site);
  found_once("tensor-exceeded", std::move(text), site);
}

void Core::check_move(const Issued& issued, const aclsimMove& move,
                      const std::vector<RowCopy>& rows) {
  const aclsimOperand& to = issued.instruction.operand[0];
  const aclsimOperand& from = issued.instruction.operand[1];
  constexpr std::uint32_t kMost = ACLSIM_MOST_COPY_BLOCKS;
  if (issued.instruction.repeat > kMost) {
    violated("move-range",
             fmt::format("{}: blockCount is {}; expected at most {}", issued.name,
                         issued.instruction.repeat, kMost),
             issued.site);
  }
  for (const aclsimOperand* operand : {&to, &from}) {
    const auto at = reinterpret_cast<std::uintptr_t>(operand->address);
    const char* const side = operand == &to ? "dst" : "src";
    if (!rows.empty())
      require_memory(operand->address, is_local(*operand), issued.name, side, issued.site);
    const std::uint32_t unit = is_local(*operand) ? unit_of(*operand) : 1;
    if (at % unit != 0) {
      violated("misaligned",
               fmt::format("{}: {} begins at byte {} of its block; expected a multiple of {} bytes",
                           issued.name, side, at % unit, unit),
               issued.site);
    }
    // DataCopyPad takes any address in global memory.
    const std::uint32_t bytes = vector::element_bits(operand->element) / 8;
    if (!is_local(*operand) && issued.instruction.opcode == ACLSIM_MOVE_COPY && bytes > 1 &&
        at % bytes != 0) {
      violated(
          "misaligned",
          fmt::format("{}: {} begins at {:#x} in global memory; expected a multiple of {} bytes, "
                      "as {} has",
                      issued.name, side, at, bytes, vector::element_name(operand->element)),
          issued.site);
    }
  }
  const bool both_local = is_local(to) && is_local(from);
  for (const RowCopy& row : rows) {
    const Span written = destination_of(move, row);
    check_end(issued, to, written.begin, written.bytes);
    if (row.from != 0) check_end(issued, from, row.from, row.bytes);
    if (both_local && row.from != row.to && row.from < row.to + row.bytes &&
        row.to < row.from + row.bytes) {
      violated("overlap", fmt::format("{}: dst and src overlap in part", issued.name), issued.site);
    }
    if (!is_local(to)) require_global(written.begin, written.bytes, true, issued.name, issued.site);
    if (!is_local(from) && row.from != 0)
      require_global(row.from, row.bytes, false, issued.name, issued.site);
  }
}

namespace {

/// The copy's name in the C interface.
const char* name_in_c(const aclsimOperand& to, bool padded) {
  if (is_local(to)) return padded ? "asc_copy_gm2ub_align" : "asc_copy_gm2ub";
  return padded ? "asc_copy_ub2gm_align" : "asc_copy_ub2gm";
}

}  // namespace

void Core::issue_move(const aclsimInstruction& instruction, const void* site) {
  const auto& given = *static_cast<const aclsimMove*>(instruction.more);
  const bool padded = instruction.opcode == ACLSIM_MOVE_PADDED;
  const bool pads = padded && given.pad_bytes == 0 && pad_bytes_ != 0 && given.padded != 0;
  if (given.size == sizeof given && !pads) return issue_move(instruction, given, site);
  aclsimMove move{};  // kernels that were built with an older header have a shorter one
  std::memcpy(&move, &given, std::min<std::size_t>(given.size, sizeof move));
  if (pads) {
    move.pad_bytes = pad_bytes_;
    move.pad_value = pad_value_;
  }
  issue_move(instruction, move, site);
}

void Core::tell_dropped(const aclsimInstruction& instruction, const aclsimMove& move,
                        const void* site) {
  const aclsimOperand& to = instruction.operand[0];
  const aclsimOperand& from = instruction.operand[1];
  const std::uint64_t bits = std::max(vector::element_bits(to.element), 1U);
  const std::uint64_t copied = std::uint64_t{move.row} * 8 / bits;
  const std::uint64_t given = copied + move.dropped;
  Finding finding{.level = Level::warning, .rule = "copy-tail", .site = site};
  finding.text = fmt::format(
      "DataCopy: count is {} elements of {}, {} bytes, which is no multiple of {} bytes; {}", given,
      vector::element_name(to.element), (given * bits + 7) / 8, ACLSIM_STEP_COPY_LOCAL,
      copied == 0 ? "nothing is copied, and all elements are dropped"
                  : fmt::format("the last {} element{} dropped", move.dropped,
                                move.dropped == 1 ? " is" : "s are"));
  const std::uint64_t in_block = ACLSIM_STEP_COPY_LOCAL * 8 / bits;
  finding.repair = is_local(to) && is_local(from)
                       ? fmt::format(
                             "a count that is a multiple of {}; DataCopyPad is for copies "
                             "with global memory",
                             in_block)
                       : fmt::format(
                             "use DataCopyPad, which copies any number of bytes, or a count "
                             "that is a multiple of {}",
                             in_block);
  finding.for_checker = true;
  host_->found(finding);
}

void Core::issue_move(const aclsimInstruction& instruction, const aclsimMove& move,
                      const void* site) {
  const bool padded = instruction.opcode == ACLSIM_MOVE_PADDED;
  const aclsimOperand& to = instruction.operand[0];
  const aclsimOperand& from = instruction.operand[1];
  const char* const called = instruction.opcode == ACLSIM_MOVE_LOAD ? "LoadData"
                             : (to.access & ACLSIM_POINTER) != 0    ? name_in_c(to, padded)
                             : padded                               ? "DataCopyPad"
                                                                    : "DataCopy";
  if (move.dropped != 0 && options_.checks) tell_dropped(instruction, move, site);
  if (move.row == 0) return;
  rows_of(move, reinterpret_cast<std::uintptr_t>(to.address),
          reinterpret_cast<std::uintptr_t>(from.address), rows_);
  issue_rows(instruction, move, called, site);
}

// The rows of the instruction are in rows_.
void Core::issue_rows(const aclsimInstruction& instruction, const aclsimMove& move,
                      const char* called, const void* site) {
  const bool padded = instruction.opcode == ACLSIM_MOVE_PADDED;
  const aclsimOperand& to = instruction.operand[0];
  const aclsimOperand& from = instruction.operand[1];
  const std::vector<RowCopy>& rows = rows_;
  const Pipe pipe = pipe_of(instruction.pipe);
  if (options_.checks) require_live(instruction, site, called);
  const Issued asked{instruction, pipe, called, site, 0};
  require_receiver(asked, move.sub_block);
  const Memory target = memory_of(to.position);
  const bool loads =
      instruction.opcode == ACLSIM_MOVE_LOAD || target == Memory::bias || target == Memory::fixpipe;
  Issued issued{instruction, pipe, called, site, step(pipe)};
  if (!padded) issued.unwritten = loads ? Unwritten::none : Unwritten::blocks;
  if (options_.checks) {
    if (instruction.opcode == ACLSIM_MOVE_LOAD) check_load(issued);
    check_move(issued, move, rows);
    if (!is_local(to) || !is_local(from)) host_->copies_global();
    for (const RowCopy& row : rows) {
      if (row.from != 0) touch(issued, row.from, row.bytes, false, from.tensor);
    }
    for (const RowCopy& row : rows) {
      const Span all = destination_of(move, row);
      if (move.pad_bytes != 0) {
        touch(issued, all.begin, all.bytes, true, to.tensor);
      } else {
        touch(issued, all.begin + move.left, row.bytes, true, to.tensor);
      }
      if (loads && is_local(from)) keep_unwritten(row);
    }
    if (loads && is_local(from)) require_value(issued, rows);
  }
  const Atomic atomic = is_local(to) ? Atomic::none : atomic_;
  const std::uint8_t element = atomic_element_ != 0 ? atomic_element_ : to.element;
  const bool global = !is_local(to);
  const Moved moved{atomic,      element, global,        pipe,
                    issued.tick, site,    host_->view(), receiver_of(to, move.sub_block)};
  if (options_.seeded) return queue_move(move, moved);
  this->move(move, rows, moved);
}

void Core::issue_axes(const aclsimInstruction& instruction, const void* site) {
  aclsimAxes axes{};
  const auto& given = *static_cast<const aclsimAxes*>(instruction.more);
  std::memcpy(&axes, &given, std::min<std::size_t>(given.size, sizeof axes));
  aclsimMove move{};
  move.size = sizeof move;
  move.pad_bytes = axes.width;
  move.pad_value = axes.pad_value;
  rows_of(axes, reinterpret_cast<std::uintptr_t>(instruction.operand[0].address),
          reinterpret_cast<std::uintptr_t>(instruction.operand[1].address), rows_);
  if (!rows_.empty()) issue_rows(instruction, move, "DataCopy", site);
}

// A load moves fractals, which the program may have filled in part. Bytes without a value
// have none afterwards. It is an error if no byte has one.
void Core::require_value(const Issued& issued, const std::vector<RowCopy>& rows) {
  std::uint64_t at = 0;
  Memory memory = Memory::count;
  for (const RowCopy& row : rows) {
    memory = locate(reinterpret_cast<const void*>(row.from), at);
    const std::uint64_t end = at + row.bytes;
    if (memory == Memory::count ||
        local_[static_cast<std::size_t>(memory)].written(at, end) != end) {
      return;
    }
  }
  const std::uint64_t tensor = issued.instruction.operand[1].tensor;
  tell_unwritten(issued,
                 whats_.number({issued.site, issued.name, static_cast<std::uint32_t>(tensor)}),
                 memory, at, at, at + rows.back().bytes);
}

void Core::keep_unwritten(const RowCopy& row) {
  std::uint64_t from = 0, to = 0;
  const Memory source = locate(reinterpret_cast<const void*>(row.from), from);
  const Memory target = locate(reinterpret_cast<const void*>(row.to), to);
  if (source == Memory::count || target == Memory::count) return;
  Shadow& shadow = local_[static_cast<std::size_t>(source)];
  const std::uint64_t end = from + row.bytes;
  for (std::uint64_t at = shadow.unwritten(from, end); at != end;) {
    const std::uint64_t next = shadow.written(at, end);
    local_[static_cast<std::size_t>(target)].forget_values(to + (at - from), to + (next - from));
    at = shadow.unwritten(next, end);
  }
}

void Core::queue_move(const aclsimMove& how, const Moved& moved) {
  pipes_.run(moved.pipe, [this, how, moved, rows = rows_] { move(how, rows, moved); });
}

void Core::move(const aclsimMove& how, const std::vector<RowCopy>& rows, const Moved& moved) {
  const bool global = moved.global, plain = moved.atomic == Atomic::none;
  for (const RowCopy& row : rows) {
    if (global && options_.checks) {
      host_->writes_global(*this, {row.to, reinterpret_cast<const void*>(row.from), row.bytes,
                                   !plain, moved.site, moved.pipe, moved.tick, moved.seen});
    }
    if (global) global_bytes_ += row.bytes;
    if (global && plain && row.bytes >= kStreamedRow && global_bytes_ > kCached) {
      stream_row(how, row);
      streams_ = true;
    } else {
      copy_row(how, row, moved.atomic, moved.element);
    }
    if (moved.receiver != kNoReceiver) {
      const Span written = destination_of(how, row);
      forward(moved.receiver, written.begin, written.bytes, moved);
    }
    if (global && options_.checks) host_->wrote_global();
  }
}

void* Core::scalar_access(void* address, std::uint64_t bytes, std::uint64_t end,
                          std::uint64_t tensor, std::uint32_t access, const void* site,
                          const void* value) {
  const bool local = (access & ACLSIM_LOCAL) != 0;
  access &= ~std::uint32_t{ACLSIM_LOCAL};
  if (access != ACLSIM_READS) settle();
  look_for_received();
  if (!options_.checks) {
    if (value) store_word(address, value, bytes);
    return address;
  }
  const char* const called = access == ACLSIM_READS    ? "GetValue"
                             : access == ACLSIM_WRITES ? "SetValue"
                                                       : "operator()";
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (end != 0 && (begin >= end || bytes > end - begin)) {
    require_memory(address, local, called, "the tensor", site);
    passed_tensor(begin, bytes, local,
                  fmt::format("{}: the element ends {} bytes past the end of the tensor", called,
                              begin + bytes - end),
                  site);
  }
  if (queues_.is_stale(tensor)) {
    violated("tensor-freed", fmt::format("{}: {}", called, queues_.stale(tensor)), site);
  }
  std::uint64_t offset = 0;
  const Memory where = locate(address, offset);
  if (where == Memory::count) require_memory(address, local, called, "the tensor", site);
  if (where == Memory::count) require_global(begin, bytes, access != ACLSIM_READS, called, site);
  static constexpr aclsimInstruction kNone{};
  const Issued issued{kNone, Pipe::s, called, site, clocks_.step_of_scalar()};
  if (access != (ACLSIM_READS | ACLSIM_WRITES)) {
    if (where == Memory::count && access == ACLSIM_WRITES) {
      host_->writes_global(*this, {begin, value, bytes, false, site, Pipe::s, issued.tick});
    }
    touch({where, where == Memory::count ? begin : offset}, issued, bytes, access == ACLSIM_WRITES,
          tensor);
    if (where == Memory::count && access == ACLSIM_READS) host_->reads_word(begin, bytes);
    if (value) store_word(address, value, bytes);
    if (value && where == Memory::count) host_->wrote_global();
    return address;
  }
  Shadow& shadow = where == Memory::count ? global_ : local_[static_cast<std::size_t>(where)];
  const std::uint64_t at = where == Memory::count ? begin : offset;
  const std::uint32_t what = whats_.number({site, called, static_cast<std::uint32_t>(tensor)});
  if (where != Memory::count && offset + bytes > first_array_) {
    tell_arrays(issued, what, where, offset, offset + bytes, true);
  }
  conflicts_.clear();
  shadow.refer(at, at + bytes, {issued.tick, what}, clocks_, conflicts_);
  tell_conflicts(issued, what, false);
  return address;
}

}  // namespace ascendc
